import type { EvaluationCode } from '../../model/code/evaluation-code.js';
import type { FoundCode } from '../../model/code/file-code.js';
import { codesOf } from '../../model/code/pack-code.js';
import type { StoredRun } from '../../store/stored-run.js';
import type { RunnerDependencies } from '../runner-dependencies.js';
import { CurrentState } from './current-state.js';
import { type Decision, decideRow, type PlannedRowToday } from './decide-row.js';
import { type BaseUse, type OpenBase, openBase } from './open-base.js';

// Each run is read as a whole.
const mostBases = 8;

export interface ChangesOptions extends BaseUse {
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
    bases: ids,
    finding,
    params,
    open = (id) => runner.store.openRun(id),
    keepsErrors,
    calls,
  }: ChangesOptions,
): Promise<Changes> {
  const state = new CurrentState(runner, calls);
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
