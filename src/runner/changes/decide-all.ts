import type { EvaluationCode } from '../../model/code/evaluation-code.js';
import type { FoundCode } from '../../model/code/file-code.js';
import { codesOf } from '../../model/code/pack-code.js';
import { caseIdOf, countedOf } from '../../model/result.js';
import type { Descriptor } from '../../protocol/messages.js';
import type { ResolvedRunConfig } from '../../settings/resolve-run-config.js';
import type { PlannedRow } from '../../store/run-owner.js';
import type { StoredRun } from '../../store/stored-run.js';
import type { Executor } from '../executor.js';
import { fingerprintOf, paramsHash } from '../planning/case-fingerprint.js';
import { describeRows, type PlannedTrial, scoreRulesOf } from '../planning/plan-rows.js';
import type { RunnerDependencies } from '../runner-dependencies.js';
import { CurrentState } from './current-state.js';
import { type Decision, decideRow, type PlannedRowToday, reasonsOf } from './decide-row.js';
import { type BaseUse, type OpenBase, openBase } from './open-base.js';

// Each run is read as a whole.
const mostBases = 8;

interface ChangesOptions extends BaseUse {
  /** Ids of runs whose results may be taken over, the newest first; only the first few are read. */
  readonly bases: readonly string[];
  /** The code of today; a base is opened meanwhile. */
  readonly finding: Promise<readonly FoundCode[]>;
  /** Hash of the params of today. */
  readonly params: string;
  /** Opens a base; default: from the store. */
  readonly open?: (runId: string) => Promise<StoredRun>;
}

/** Decisions about rows, in their order. The bases stay open until `close`. */
export interface Changes {
  readonly decisions: readonly Decision[];
  /** The code of today. */
  readonly codes: readonly FoundCode[];
  /** The runs that were opened, the newest first. */
  readonly bases: readonly OpenBase[];
  /** The open base that a decision names. */
  baseOf(decision: Decision): OpenBase | undefined;
  close(): Promise<void>;
}

/** Decides for each row whether it runs, or which earlier result makes that unnecessary. */
export async function decideAll(
  runner: RunnerDependencies,
  rows: readonly PlannedRowToday[],
  {
    bases: given,
    finding,
    params,
    open = (id) => runner.store.openRun(id),
    keepsErrors,
    calls,
  }: ChangesOptions,
): Promise<Changes> {
  const state = new CurrentState(runner, calls);
  const ids = given.length > mostBases ? await sameParamsFirst(runner, given, params) : given;
  const [newest] = ids;
  const opening = newest === undefined ? undefined : openQuietly(open, newest);
  const codes = await finding;
  const byEvaluation = new Map<string, EvaluationCode>();
  for (const code of codes) {
    for (const [id, one] of codesOf(code)) byEvaluation.set(id, one);
  }
  const today = {
    params,
    codeOf: (evaluation: string) => byEvaluation.get(evaluation),
    withoutBase:
      ids.length > mostBases ? `no result in the last ${mostBases} runs` : 'no earlier result',
  };
  const bases: OpenBase[] = [];
  const decisions = rows.map((row) => decideRow(row, bases, today));
  try {
    for (const id of ids.slice(0, mostBases)) {
      // What a run took over was the oldest draw of its code then; what it drew itself may have an older one.
      const undecided = [...decisions.keys()].filter((at) => !isOldest(decisions[at]));
      if (undecided.length === 0 && bases.length > 0) break;
      const run = id === newest ? await opening : await openQuietly(open, id);
      if (run === undefined) continue;
      const wanted = new Set(undecided.flatMap((at) => rows[at]?.id ?? []));
      bases.push(await openBase(run, wanted, state, { keepsErrors, calls }));
      for (const at of undecided) {
        const row = rows[at];
        if (row !== undefined) decisions[at] = decideRow(row, bases, today);
      }
    }
  } catch (error) {
    await closeAll(bases);
    throw error;
  }
  return {
    decisions,
    codes,
    bases,
    baseOf: (decision) =>
      decision.action === 'run' ? undefined : bases.find((one) => one === decision.from),
    close: () => closeAll(bases),
  };
}

/** Runs with other params have nothing to take over: after a group of variants there may be many of them. */
async function sameParamsFirst(
  { store }: RunnerDependencies,
  ids: readonly string[],
  params: string,
): Promise<readonly string[]> {
  const listed = await store.listRuns();
  const known = new Map(listed.map(({ run_id, comparable }) => [run_id, comparable?.params]));
  const isOther = (id: string) => (known.get(id) ?? params) !== params;
  return [...ids.filter((id) => !isOther(id)), ...ids.filter(isOther)];
}

function isOldest(decision: Decision | undefined): boolean {
  if (decision?.action !== 'carry' && decision?.action !== 'repeat') return false;
  return decision.from.originOf(decision.index).run_id !== decision.from.run_id;
}

/** A run that is deleted or damaged meanwhile is no base. */
async function openQuietly(
  open: (runId: string) => Promise<StoredRun>,
  id: string,
): Promise<StoredRun | undefined> {
  try {
    return await open(id);
  } catch {
    return undefined;
  }
}

async function closeAll(bases: readonly OpenBase[]): Promise<void> {
  for (const { run } of bases) await run.closeWhenUnused();
}

/** Rows that are planned with the evaluations of today. */
export interface RowsOfToday {
  readonly rows: readonly PlannedTrial[];
  readonly descriptors: readonly Descriptor[];
  readonly config: ResolvedRunConfig;
  /** Called with the plan of each row, in order. */
  readonly onPlan?: (plan: PlannedRow) => void;
}

/** Decides about rows without saving their plan. The bases stay open until `close`. */
export async function decidePlanned(
  runner: RunnerDependencies,
  executor: Executor,
  { rows, descriptors, config, onPlan }: RowsOfToday,
  options: Omit<ChangesOptions, 'finding' | 'params'>,
): Promise<Changes> {
  const finding = executor.fingerprint?.() ?? Promise.resolve([]);
  const today: PlannedRowToday[] = [];
  const toPlan = {
    ids: [...new Set(rows.map(caseIdOf))],
    rows,
    rulesOf: scoreRulesOf(descriptors, config.scoreRules),
    fingerprintOf: fingerprintOf(descriptors, config),
    onPlan,
  };
  await describeRows(executor, toPlan, (plans) => {
    for (const { id, evaluation, fingerprint } of plans)
      today.push({ id, evaluation, fingerprint });
  });
  return decideAll(runner, today, { ...options, finding, params: paramsHash(config) });
}

/** Rows of a saved run whose results are out of date. */
export interface ChangedRows {
  /** Those to run, and those that only get a new grade. */
  readonly rows: readonly PlannedTrial[];
  readonly regraded: ReadonlySet<number>;
  /** Those of them that run although nothing has changed, because they are errors. */
  readonly repeated: ReadonlySet<number>;
  /** Those that completed a pass with other code, which is the code of today. */
  readonly confirmed: readonly number[];
  /** Why, by index. */
  readonly reasons: ReadonlyMap<number, string>;
  /** The code of today. */
  readonly codes: readonly FoundCode[];
}

export interface RowsToCheck {
  readonly rows: readonly PlannedTrial[];
  readonly descriptors: readonly Descriptor[];
  readonly config: ResolvedRunConfig;
  /** Errors are results, too. Default false: rows with errors run. */
  readonly keepsErrors?: boolean | undefined;
}

/** Chooses the rows of a saved run that an edit can have changed since they ran. */
export async function chooseChanged(
  runner: RunnerDependencies,
  executor: Executor,
  run: StoredRun,
  toCheck: RowsToCheck,
): Promise<ChangedRows> {
  const { decisions, codes } = await decideInPlace(runner, executor, run, toCheck);
  const { rows } = toCheck;
  // A repeat is not what counts, so that a new grade of it would say nothing.
  const isRepeat = ({ index }: PlannedTrial) => run.rows[index]?.counted !== undefined;
  const actionOf = (at: number) => decisions[at]?.action;
  return {
    rows: rows.filter((_, at) => actionOf(at) !== 'carry'),
    regraded: new Set(
      rows.flatMap((row, at) => (actionOf(at) === 'regrade' && !isRepeat(row) ? [row.index] : [])),
    ),
    repeated: new Set(rows.flatMap((row, at) => (actionOf(at) === 'repeat' ? [row.index] : []))),
    confirmed: rows.flatMap(({ index }, at) => {
      const row = run.rows[index];
      const isOther = row !== undefined && countedOf(row).otherCode === true;
      return isOther && actionOf(at) !== 'run' ? [index] : [];
    }),
    reasons: reasonsOf(decisions, (at) => rows[at]?.index),
    codes,
  };
}

/** Decides about rows of a saved run, whose own results are the only ones that they may keep. */
export async function decideInPlace(
  runner: RunnerDependencies,
  executor: Executor,
  run: StoredRun,
  { rows, descriptors, config, keepsErrors = false }: RowsToCheck,
): Promise<Pick<Changes, 'decisions' | 'codes'>> {
  // The run stays open: its owner closes it.
  const bases = { bases: [run.runId], open: async () => run, keepsErrors };
  // What is only looked at, or saved, runs for no recording; offline, only the user changes any.
  const isCompared = !keepsErrors || config.calls.recordings?.mode === 'offline';
  const today = { rows, descriptors, config };
  const calls = isCompared ? config.calls : undefined;
  return decidePlanned(runner, executor, today, { ...bases, calls });
}
