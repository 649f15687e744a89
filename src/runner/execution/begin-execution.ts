import type { CallLimits } from '../../model/calls/call-rules.js';
import type { FoundCode } from '../../model/code/file-code.js';
import { fileOf } from '../../model/result.js';
import {
  type CallControl,
  CallLimiter,
  type CallLimiterOptions,
} from '../../model-calls/call-limiter.js';
import { CallPricer } from '../../model-calls/prices.js';
import { gitState } from '../../processes/git.js';
import type { Descriptor } from '../../protocol/messages.js';
import type { RunOwner } from '../../store/run-owner.js';
import { codeWith, storedCode, storedReads } from '../changes/stored-code.js';
import type { Source } from '../changes/take-over.js';
import { UsedRecordings } from '../changes/used-recordings.js';
import type { DiscoveryError } from '../discovery/discovery-error.js';
import type { RunEvent, RunListener } from '../events.js';
import type { Executor } from '../executor.js';
import { scoreRulesOf } from '../planning/plan-rows.js';
import type { ExecutionSettings, RunnerDependencies } from '../runner-dependencies.js';
import { Execution, type ExecutionOutcome, type RowWork } from './execution.js';
import {
  type Judging,
  mixedWork,
  regradeWork,
  runWork,
  type Timeouts,
  takeOverWork,
  timeoutsOf,
} from './row-work.js';

export interface BeginOptions {
  readonly owner: RunOwner;
  readonly executor: Executor;
  /** Rows to run; already scheduled in the log. */
  readonly indices: readonly number[];
  /** The discovered evaluations. */
  readonly descriptors: readonly Descriptor[];
  readonly settings: ExecutionSettings;
  readonly regrade?: boolean;
  /** Rows that take over a result of another run with a new grade. */
  readonly takesOver?: ReadonlyMap<number, Source>;
  /** Rows that only get a new grade. */
  readonly regraded?: ReadonlySet<number> | undefined;
  /** Rows whose new grades count, as part of a new pass. */
  readonly newPass?: readonly number[] | undefined;
  /** Those of them whose attempt that counts is graded in addition to the newest one. */
  readonly counted?: readonly number[] | undefined;
  /** Grade the JSON of what is not stored as it was, and mark these scores. */
  readonly acceptsInexact?: boolean | undefined;
  /** Why rows run, or get a new grade, by index; absent where everything that was asked for runs. */
  readonly reasons?: ReadonlyMap<number, string> | undefined;
  /** Rows that run to verify the result that counts, which was carried over. */
  readonly verified?: ReadonlySet<number> | undefined;
  /** The code of the loaded files, where it is stored already. */
  readonly codes?: readonly FoundCode[] | undefined;
}

/** Creates the limiter of calls; `undefined` where nothing limits them. */
function makeControl(
  runner: RunnerDependencies,
  { owner, descriptors, settings }: BeginOptions,
  pricer: CallPricer,
): CallControl | undefined {
  const { maxCost, calls, rates } = settings.config;
  const limits = new Map<string, CallLimits>();
  for (const one of descriptors) if (one.limits !== undefined) limits.set(one.id, one.limits);
  if (limits.size === 0 && maxCost === undefined && rates === undefined) return undefined;
  if (calls.capture === 'off') {
    const kept = [
      ...(limits.size > 0 ? ['limits of evaluations'] : []),
      ...(rates ? ['rates'] : []),
    ];
    const text = `The ${kept.join(' and the ')} are not kept: the setting capture is off.`;
    runner.onEvent({ type: 'warned', text });
    return undefined;
  }
  return (runner.limitCalls ?? newLimiter)({
    limitsOf: (id) => limits.get(id),
    maxCost,
    spentBefore: owner.run.spentOfBudget.cost,
    needsPrices:
      maxCost !== undefined || [...limits.values()].some(({ cost }) => cost !== undefined),
    pricer,
    rates,
    onUnknown: (text) => runner.onEvent({ type: 'warned', text }),
  });
}

function newLimiter(options: CallLimiterOptions): CallControl {
  return new CallLimiter(options);
}

function workFor(
  { owner, regrade, takesOver, regraded, newPass, acceptsInexact }: BeginOptions,
  timeouts: Timeouts,
  judging: Judging,
): RowWork {
  if (regrade === true) {
    return regradeWork(owner, timeouts, judging, { newPass, acceptsInexact });
  }
  const work = runWork(owner, timeouts, judging);
  if (takesOver !== undefined && takesOver.size > 0) {
    const other = takeOverWork(owner, timeouts, judging, takesOver);
    return mixedWork(work, other, (index) => takesOver.has(index));
  }
  if (regraded === undefined || regraded.size === 0) return work;
  const other = regradeWork(owner, timeouts, judging, { hasChangedCases: false, newPass });
  return mixedWork(work, other, (index) => regraded.has(index));
}

/** Tells of rows, not of the tasks that grade their other attempts, whose numbers follow those of all rows. */
function reportRows(event: RunEvent, rows: number, onEvent: RunListener): void {
  switch (event.type) {
    case 'started':
    case 'returned':
      onEvent({ ...event, indices: event.indices.filter((index) => index < rows) });
      return;
    case 'finished':
      onEvent({ ...event, results: event.results.filter(({ index }) => index < rows) });
      return;
    case 'printed':
      if (event.index === undefined || event.index < rows) onEvent(event);
      return;
    default:
      onEvent(event);
  }
}

/** Starts scheduled rows. */
export function beginExecution(runner: RunnerDependencies, options: BeginOptions): Started {
  const { owner, executor, indices, settings } = options;
  const { rows, header } = owner.run;
  const { run_id, run_name, session_name, config_name, shard, group } = header;
  owner.addRubrics(options.descriptors, settings.config.rubrics);
  const timeouts = timeoutsOf(options.descriptors, settings.config.timeout);
  const rulesOf = scoreRulesOf(options.descriptors, settings.config.scoreRules);
  const pricer = new CallPricer(settings.config.calls.prices);
  const calls = makeControl(runner, options, pricer);
  const judging: Judging = {
    ...{ rulesOf, pricer },
    codeOf: (code) => codeWith(settings.config, code),
    reasonOf: (index) => options.reasons?.get(index),
    // A draw that the budget has refused verifies nothing.
    verifies: (index) =>
      options.verified?.has(index) === true && calls?.budget?.refused.includes(index) !== true,
  };
  const recordings = new UsedRecordings(
    settings.config.calls,
    new Set(indices.flatMap((index) => rows[index] ?? []).map(fileOf)),
  );
  owner.addReads(recordings.takeNews());
  const execution = new Execution({
    owner,
    executor,
    context: {
      runId: run_id,
      runName: run_name,
      sessionName: session_name,
      params: settings.config.params,
      scoreRules: settings.config.scoreRules,
    },
    indices: [...indices, ...(options.counted ?? []).map((index) => index + rows.length)],
    rowWork: workFor(options, timeouts, judging),
    pricer,
    recordCode: (codes, reads) => {
      owner.addCode(codes.map((one) => storedCode(one, settings.config)));
      owner.addReads(reads.flatMap((one) => storedReads(one, run_id, runner)));
    },
    codes: options.codes,
    recordings,
    gitState: () => gitState(runner.cwd),
    calls,
    waitsForRoom: runner.waitsForRoom,
    onEvent: (event) => reportRows(event, rows.length, runner.onEvent),
  });
  owner.onProblem = (error) => {
    const text = error instanceof Error ? error.message : String(error);
    runner.onEvent({ type: 'warned', text });
  };
  const selected = indices.length;
  const { regrade = false, takesOver, regraded: inPlace } = options;
  const regraded = regrade ? indices : [...(takesOver?.keys() ?? inPlace ?? [])];
  runner.onEvent({
    type: 'opened',
    run_id,
    run_name,
    session_name,
    config_name,
    selected,
    ...(regraded.length > 0 && { regraded }),
    rows: owner.run.rows.length,
    ...(shard && { shard }),
    ...(owner.run.params && { params: owner.run.params }),
    ...(group !== undefined && { group }),
  });
  for (const text of owner.run.problems) runner.onEvent({ type: 'warned', text });
  const finished = execution.run();
  return { run_id, run_name, owner, execution, finished };
}

/** A running execution. */
export interface Started {
  readonly run_id: string;
  readonly run_name: string;
  readonly owner: RunOwner;
  readonly execution: Execution;
  /** Resolves when the log is closed. */
  readonly finished: Promise<ExecutionOutcome>;
  /** The other runs of its group, which are executed with it; absent for a run alone. */
  readonly others?: readonly Started[];
  /** Names eval files that could not be imported, if import failures are tolerated. */
  readonly importProblem?: DiscoveryError | undefined;
}
