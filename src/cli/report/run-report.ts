import type { IntervalChip } from '../../model/scores/score.js';
import { worstFirst } from '../../model/scores/worst-first.js';
import { scoreName } from '../../text/score-name.js';
import { layOutTable } from '../terminal/table.js';
import { renderErrors } from './report-errors.js';
import type { RunReportOptions } from './report-options.js';
import { renderReasons } from './report-reasons.js';
import { renderResults } from './report-results.js';
import {
  countStandings,
  mostScores,
  renderChipCounts,
  renderChips,
  renderNextSteps,
  renderPasses,
  renderScaleHint,
  renderTotals,
  renderVersions,
} from './report-summary.js';
import { renderTrialStatistics, renderTrials } from './report-trials.js';
import { renderRunUsage } from './report-usage.js';
import { renderVerified } from './report-verified.js';

export type { ReportedRun, RunReportOptions } from './report-options.js';

/**
 * Renders the report of a run: a table of results (or of trials), errors, a bar for each score, counts, where the
 * run was saved and next commands. Reads the values of the shown rows only. Ends with a newline. Error:
 * `unreadable-run` when the run was changed on disk meanwhile.
 */
export function renderRunReport(options: RunReportOptions): string {
  const { run, columns, colours } = options;
  const { trial_fields } = run.summary();
  const indices = options.indices ?? [...run.rows.keys()];
  const counts = countStandings(run);
  const chips = chipsOf(run);
  const summary = [
    ...(run.head().summary.counts_only === true
      ? renderChipCounts(chips, columns)
      : [...renderChips(chips, columns, colours), ...renderScaleHint(chips, options)]),
    ...renderTotals(counts, options),
    ...renderPasses(options),
    ...renderVerified(options),
    ...renderRunUsage(options),
    ...renderVersions(options),
    ...renderNextSteps(counts, options),
  ];
  const trials =
    trial_fields === undefined
      ? []
      : renderTrialStatistics(
          trial_fields,
          run.rows.filter((row) => row.pruned !== true),
          columns,
        );
  const errors = options.withErrors === true ? renderErrors(indices, options) : [];
  const reasons = renderReasons(indices, options);
  return inParts([tableOf(indices, options), reasons, errors, trials, summary]);
}

/** Renders results alone: their table, why they failed, and their errors. */
export function renderRows(
  options: RunReportOptions & { readonly indices: readonly number[] },
): string {
  const { indices, withErrors = false } = options;
  return inParts([
    tableOf(indices, options),
    renderReasons(indices, options),
    withErrors ? renderErrors(indices, options) : [],
  ]);
}

function inParts(parts: readonly (readonly string[])[]): string {
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

/** Renders a dummy table, because most of a report's time is spent on code that runs for the first time. */
export function warmUp(): void {
  layOutTable([[{ text: 'column' }, { text: 'column' }]], ' ');
}

/** One bar per score, the worst first where they are many, and one for the pass rate unless it is the same number. */
function chipsOf(run: RunReportOptions['run']): readonly IntervalChip[] {
  const { pass_rate, scores } = run.head().summary;
  const shown = scores.length > mostScores ? worstFirst(scores) : scores;
  const chips = shown.map((chip) => ({ ...chip, key: scoreName(chip.key) }));
  const [only, ...others] = chips;
  if (pass_rate === null) return chips;
  const { passed, of: total } = pass_rate;
  const isRatio = others.length === 0 && only?.type === 'ratio';
  if (isRatio && only.passed === passed && only.total === total) return chips;
  return [{ key: 'pass rate', type: 'ratio', passed, total, interval: pass_rate }, ...chips];
}

function tableOf(indices: readonly number[], options: RunReportOptions): string[] {
  const { run } = options;
  const hasTrials = indices.some((index) => run.rows[index]?.trial_of !== undefined);
  return hasTrials ? renderTrials(indices, options) : renderResults(indices, options);
}
