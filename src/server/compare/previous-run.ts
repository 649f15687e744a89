import type { ComparisonSummary } from '../../compare/compare-cases.js';
import type { RunSummary } from '../../model/run.js';
import { type ListedRun, toRunSummary } from '../../store/listing/run-json.js';

/** The previous run of the session with the figures of its `run.json`, as JSON. */
export type PreviousRun = Omit<RunSummary, 'state' | 'config_name' | 'pass_rate'>;

/** The previous run of the session and the comparison with it, as JSON. */
export interface ComparedPrevious extends PreviousRun {
  /** `null` while it is being computed, and if one of the runs cannot be read. */
  readonly comparison: ComparisonSummary | null;
  /** False when `comparison` is out of date. */
  readonly is_current: boolean;
}

/** A run in a listing, with the previous one. */
export interface RunWithPrevious extends RunSummary {
  /** `null` for the first run of a session. */
  readonly previous: ComparedPrevious | null;
}

/** The fields of the previous run. */
export function toPreviousRun(run: ListedRun): PreviousRun {
  const { state: _, config_name: __, pass_rate: ___, ...previous } = toRunSummary(run);
  return previous;
}
