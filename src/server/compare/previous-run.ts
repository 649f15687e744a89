import type { ComparisonSummary } from '../../compare/compare-cases.js';
import type { RunSummary } from '../../model/run.js';
import { type ListedRun, toRunSummary } from '../../store/run-document.js';

/** The run before in the session, with the figures of its `run.json`: plain JSON. */
export type PreviousRun = Omit<RunSummary, 'state' | 'config_name' | 'pass_rate'>;

/** The run before in the session, compared: plain JSON. */
export interface ComparedPrevious extends PreviousRun {
  /** The run against it; `null` while that is not known yet, and when one of them cannot be read. */
  readonly comparison: ComparisonSummary | null;
  /** False when `comparison` is not that of this moment. */
  readonly is_current: boolean;
}

/** A run in a listing, with the one before. */
export interface RunWithPrevious extends RunSummary {
  /** `null` when it is the first run of its session. */
  readonly previous: ComparedPrevious | null;
}

/** What a run shows of the one before. */
export function toPreviousRun(run: ListedRun): PreviousRun {
  const { state: _, config_name: __, pass_rate: ___, ...previous } = toRunSummary(run);
  return previous;
}
