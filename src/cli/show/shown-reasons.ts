import type { FailureReason } from '../../model/summary/failure-reasons.js';
import type { ReportedRun, RunReportOptions } from '../report/report-options.js';
import { reasonsOf, renderReasonLines } from '../report/report-reasons.js';
import { shownStandingOf } from '../report/report-rows.js';

/** The failures of a run by reason, as `assay show --by reason --json` prints them. */
export interface ShownReasons {
  readonly run_id: string;
  readonly run_name: string;
  /** Results that failed or are errors. */
  readonly failures: number;
  /** The largest first. */
  readonly reasons: readonly (Omit<FailureReason, 'indices'> & {
    /** Ids of the results, in order. */
    readonly ids: readonly string[];
  })[];
}

/** Why results of a run failed. `indices`: those that are looked at; all by default. */
export function shownReasons(run: ReportedRun, indices: readonly number[] = [...run.rows.keys()]) {
  const failed = indices.filter((index) => {
    const row = run.rows[index];
    return row !== undefined && ['failed', 'error'].includes(shownStandingOf(row));
  });
  const reasons = reasonsOf(run, failed);
  const { run_id, run_name } = run.head();
  const json: ShownReasons = {
    ...{ run_id, run_name, failures: failed.length },
    reasons: reasons.list.map(({ indices: found, ...reason }) => ({
      ...reason,
      ids: found.flatMap((index) => run.rows[index]?.id ?? []),
    })),
  };
  const text = (page: Pick<RunReportOptions, 'columns' | 'colours'>) =>
    failed.length === 0
      ? '  Nothing failed.'
      : renderReasonLines(reasons, { run, ...page }, true).join('\n');
  return { json, text };
}
