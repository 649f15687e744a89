import type { CaseFigures } from '../../compare/case-figures.js';
import type { CodeVersion, RunState } from '../../model/run.js';
import type { StoredRun } from '../../store/stored-run.js';
import type { Comparisons, JudgedComparison } from './comparisons.js';
import { type RunAtMoment, toMoment } from './run-moment.js';

/** What identifies a run that is compared: plain JSON. */
export interface RunHead {
  readonly run_id: string;
  readonly run_name: string;
  readonly session_name: string;
  readonly config_name: string;
  /** Unix seconds; when the run last started. */
  readonly timestamp: number;
  readonly state: RunState;
  /** See `RunHead` of the model; absent when there are not several. */
  readonly code_versions?: readonly CodeVersion[];
}

/** A run that is compared, by itself: plain JSON. */
export interface ComparedRun extends RunHead, CaseFigures {}

/** A run against the base: plain JSON. */
export interface AgainstBase extends JudgedComparison {
  readonly run_id: string;
  readonly run_name: string;
}

/** Two to four runs, the first of them the base: plain JSON. */
export interface RunComparison {
  readonly runs: readonly ComparedRun[];
  /** One for each run but the base. */
  readonly comparisons: readonly AgainstBase[];
}

/** What identifies a run in a comparison, as it is now. */
export function toHead(run: StoredRun): RunHead {
  const { header, state } = run;
  const { code_versions } = run.summary();
  return {
    run_id: header.run_id,
    run_name: header.run_name,
    session_name: header.session_name,
    config_name: header.config_name,
    timestamp: Math.floor(header.created_at_ms / 1000),
    state,
    ...(code_versions && { code_versions }),
  };
}

/** Compares runs with the first of them. */
export async function compareRuns(
  comparisons: Comparisons,
  runs: readonly RunAtMoment[],
): Promise<RunComparison> {
  // Taken at once: the runs may go on while they are compared.
  const compared = runs.map((one) => ({ head: toHead(one.run), moment: toMoment(one) }));
  const [base] = compared;
  const figured = compared.map(async ({ head, moment }) => ({
    ...head,
    ...(await comparisons.figures(moment)),
  }));
  const against = compared.slice(1).map(async ({ head: { run_id, run_name }, moment }) => ({
    run_id,
    run_name,
    ...(await comparisons.compare(base?.moment ?? moment, moment)),
  }));
  return { runs: await Promise.all(figured), comparisons: await Promise.all(against) };
}
