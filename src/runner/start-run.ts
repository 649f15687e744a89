import { AssayError } from '../errors.js';
import type { RowIdentity } from '../model/result.js';
import type { Descriptor } from '../protocol/messages.js';
import { checkName } from '../store/names.js';
import { type Changes, decideAll } from './changes/decide-all.js';
import { type Decision, type PlannedRowToday, reasonsOf } from './changes/decide-row.js';
import { storedCode } from './changes/stored-code.js';
import { carryRows, planOf, type Sample } from './changes/take-over.js';
import { type Discovery, discover } from './discovery/discover.js';
import { beginExecution, type Started } from './execution/begin-execution.js';
import type { Executor } from './executor.js';
import { scheduleOf } from './planning/case-fingerprint.js';
import { type ReadParams, withParams } from './planning/params.js';
import { matchPlannedRows, planRows } from './planning/plan-rows.js';
import { discardRun, type PlanRunOptions, planRun } from './planning/plan-run.js';
import { takeShard } from './planning/take-shard.js';
import { createExecutor, type RunnerDependencies } from './runner-dependencies.js';
import { unlessAborted } from './unless-aborted.js';

export interface StartRunOptions extends PlanRunOptions {
  /** False to ignore `only` marks of evaluations. Default true. */
  readonly allowOnly?: boolean;
  /** Run only what has changed; rows without a change take over results of these runs. Default: all rows run. */
  readonly changedSince?: readonly string[] | undefined;
  /** With `changedSince`, which of the results that are taken over run again to verify them. Default: none. */
  readonly verify?: Sample | undefined;
  /** Rows of another run to execute; the others stay not started. Default: all. */
  readonly wanted?: readonly RowIdentity[] | undefined;
  /** Seconds that a trial of a case takes, by case id: where a part is requested, parts take about as long. */
  readonly latencies?: ReadonlyMap<string, number> | undefined;
  /** Params over those of the run config. Default: none. */
  readonly readParams?: ReadParams | undefined;
}

/**
 * Discovers evaluations, saves a new run with all of them planned, and starts it.
 * @throws {AssayError} when nothing can be run, `view-only` when wanted rows no longer exist; nothing is saved then
 */
export async function startRun(
  runner: RunnerDependencies,
  options: StartRunOptions,
): Promise<Started> {
  checkNames(options);
  const executor = createExecutor(runner, options, 'execute');
  try {
    const discovery = await unlessAborted(
      discover(runner, options.request, executor, options.changedSince !== undefined),
      options.signal,
    );
    checkOnly(discovery, options.allowOnly ?? true);
    const { files, skipped, onlyMarked, unknown } = discovery;
    const config = withParams(options.config, discovery, options.readParams);
    const { evaluations, shard } = takeShard(discovery, { ...options, config });
    runner.onEvent({
      type: 'discovered',
      files,
      evaluations: evaluations.length,
      skipped,
      onlyMarked,
    });
    for (const what of unknown) {
      runner.onEvent({ type: 'warned', text: `No evaluation has the ${what}.` });
    }
    const { changedSince: bases } = options;
    const toRun = { ...options, config, shard };
    const started =
      bases === undefined
        ? await open(runner, executor, evaluations, toRun)
        : await openChanged(runner, executor, evaluations, { ...toRun, bases });
    return { ...started, importProblem: discovery.importProblem };
  } catch (error) {
    executor.close();
    throw error;
  }
}

async function open(
  runner: RunnerDependencies,
  executor: Executor,
  descriptors: readonly Descriptor[],
  options: StartRunOptions,
): Promise<Started> {
  const { wanted, config, signal } = options;
  const chosen =
    wanted === undefined
      ? undefined
      : matchPlannedRows(planRows(descriptors, config.trials), wanted);
  const owner = await planRun(runner, executor, descriptors, options);
  try {
    const schedule = scheduleOf(config, descriptors, runner);
    owner.schedule({ kind: 'run', rows: chosen ?? 'all', ...schedule });
    signal?.throwIfAborted();
  } catch (error) {
    await discardRun(runner.store, owner);
    throw error;
  }
  const indices = chosen ?? [...owner.run.rows.keys()];
  return beginExecution(runner, { owner, executor, indices, descriptors, settings: options });
}

function checkOnly({ onlyMarked, evaluations }: Discovery, allowed: boolean): void {
  if (!onlyMarked || allowed) return;
  throw new AssayError(
    'usage',
    `${evaluations[0]?.id} is marked \`only\`, which leaves out the others.`,
    {
      hints: ['Remove `only`, or allow it with --allow-only.'],
    },
  );
}

// Before eval files are imported, which may take long and run any code.
function checkNames({ sessionName, runName }: StartRunOptions): void {
  checkName(sessionName, 'session');
  if (runName !== undefined) checkName(runName, 'run');
}

interface OpenChangedOptions extends PlanRunOptions {
  /** Ids of the runs whose results may be taken over, the newest first. */
  readonly bases: readonly string[];
  /** Which of the results that are taken over run again. Default: none. */
  readonly verify?: Sample | undefined;
}

/** Saves a new run with all rows planned, takes over what has not changed, and starts the rest. */
async function openChanged(
  runner: RunnerDependencies,
  executor: Executor,
  descriptors: readonly Descriptor[],
  options: OpenChangedOptions,
): Promise<Started> {
  const { config, signal, bases } = options;
  // Meanwhile, the run is planned.
  const finding = executor.fingerprint?.() ?? Promise.resolve([]);
  const rows: PlannedRowToday[] = [];
  const owner = await planRun(runner, executor, descriptors, {
    ...options,
    onPlan: ({ id, evaluation, fingerprint }) => rows.push({ id, evaluation, fingerprint }),
  });
  let changes: Changes | undefined;
  try {
    const schedule = scheduleOf(config, descriptors, runner);
    const { params } = schedule;
    const { calls } = config;
    changes = await decideAll(runner, rows, { bases, finding, params, calls });
    const plan = planOf(changes, options.verify);
    const { decisions } = changes;
    const indices = [...plan.run, ...plan.regrade.keys()].sort((a, b) => a - b);
    signal?.throwIfAborted();
    owner.schedule({ kind: 'run', rows: indices, ...schedule });
    owner.addCode(changes.codes.map((one) => storedCode(one, config)));
    await carryRows(runner, owner, plan);
    const started = beginExecution(runner, {
      ...{ owner, executor, indices, descriptors, settings: options },
      takesOver: plan.regrade,
      codes: changes.codes,
      // Without an earlier run, every row has the same reason, which says nothing.
      reasons: bases.length > 0 ? reasonsWith(plan.verified, decisions) : undefined,
      verified: plan.verified,
    });
    const { close } = changes;
    return { ...started, finished: started.finished.finally(close) };
  } catch (error) {
    await changes?.close();
    await discardRun(runner.store, owner);
    throw error;
  }
}

function reasonsWith(
  verified: ReadonlySet<number>,
  decisions: readonly Decision[],
): ReadonlyMap<number, string> {
  const ofVerified = [...verified].map((index) => [index, 'to verify what is carried'] as const);
  return new Map([...reasonsOf(decisions), ...ofVerified]);
}
