import type { CaseFigures } from '../../compare/cases/case-figures.js';
import type { RunUsage } from '../../model/calls/run-usage.js';
import type { CodeVersion, Mixed, Repeats, RunState } from '../../model/run.js';
import type { StoredRun } from '../../store/stored-run.js';
import type { Comparisons, JudgedComparison } from './comparisons.js';
import { type RunAtMoment, toMoment } from './run-moment.js';

/** The identity of a compared run, as JSON. */
export interface RunAsCompared {
  readonly run_id: string;
  readonly run_name: string;
  readonly session_name: string;
  readonly config_name: string;
  /** Unix seconds; when the run last started. */
  readonly timestamp: number;
  readonly state: RunState;
  /** See `RunHead` of the model; absent unless there are several. */
  readonly code_versions?: readonly CodeVersion[];
  /** See `RunHead` of the model; absent for none. */
  readonly repeats?: Repeats;
  /** See `RunHead` of the model; absent for none. */
  readonly mixed?: Mixed;
}

/** A compared run with its figures, as JSON. */
interface ComparedRun extends RunAsCompared, CaseFigures {
  /** See `RunHead` of the model; absent without calls. */
  readonly usage?: RunUsage;
}

/** A run compared with the base, as JSON. */
interface AgainstBase extends JudgedComparison {
  readonly run_id: string;
  readonly run_name: string;
}

/** The comparison of two to four runs, the first of which is the base, as JSON. */
export interface RunComparison {
  readonly runs: readonly ComparedRun[];
  /** One for each run except the base. */
  readonly comparisons: readonly AgainstBase[];
}

/** The current identity of a run. */
export function toHead(run: StoredRun): RunAsCompared {
  const { header, state } = run;
  const { code_versions, repeats, mixed } = run.summary();
  return {
    run_id: header.run_id,
    run_name: header.run_name,
    session_name: header.session_name,
    config_name: header.config_name,
    timestamp: Math.floor(header.created_at_ms / 1000),
    state,
    ...(code_versions && { code_versions }),
    ...(repeats && { repeats }),
    ...(mixed && { mixed }),
  };
}

/** Compares runs with the first one. */
export async function compareRuns(
  comparisons: Comparisons,
  runs: readonly RunAtMoment[],
): Promise<RunComparison> {
  // Taken first, because the runs may change during the comparison.
  const compared = runs.map((one) => {
    const { usage } = one.run.summary();
    return { head: toHead(one.run), moment: toMoment(one), ...(usage && { usage }) };
  });
  const [base] = compared;
  const figured = compared.map(async ({ head, moment, ...used }) => ({
    ...head,
    ...(await comparisons.figures(moment)),
    ...used,
  }));
  const against = compared.slice(1).map(async ({ head: { run_id, run_name }, moment }) => ({
    run_id,
    run_name,
    ...(await comparisons.compare(base?.moment ?? moment, moment)),
  }));
  return { runs: await Promise.all(figured), comparisons: await Promise.all(against) };
}
