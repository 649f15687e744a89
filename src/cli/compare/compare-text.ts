import { type AgainstBase, type ComparedRuns, runNotes } from '../../compare/compare-runs.js';
import {
  type CompareReportOptions,
  renderAgainst,
  renderChanges,
  renderLimits,
  renderMeasures,
  renderNotes,
  renderPairs,
  renderRuns,
  renderVerdict,
} from './compare-report.js';
import type { ShownPairs } from './compare-shown.js';

/** Options of a comparison on a terminal. */
export interface ComparisonPage extends CompareReportOptions {
  /** Unix milliseconds. */
  readonly now: number;
  /** True after a run that was already reported: omits the table of runs. Default: false. */
  readonly afterRun?: boolean | undefined;
  /** Include the verdict of the regression gate. */
  readonly withVerdict: boolean;
}

/** Renders a comparison for a terminal. */
export function renderComparison(
  runs: ComparedRuns,
  shown: ReadonlyMap<AgainstBase, ShownPairs>,
  page: ComparisonPage,
): string {
  const { base, others } = runs;
  const measures = renderMeasures(runs, page);
  const begin = page.afterRun === true ? [] : [renderRuns(runs, page.now, page), measures];
  const parts = others.flatMap((other) => {
    const verdict = page.withVerdict ? renderVerdict(other, page) : [];
    const pairs = shown.get(other);
    return [
      renderAgainst(base, other, page),
      ...(page.afterRun === true ? [measures] : []),
      [...renderChanges(base, other, page), ...verdict, ...renderLimits(base, other, page)],
      pairs === undefined ? [] : renderPairs(pairs, base, other, page),
    ];
  });
  return [...begin, renderNotes(runNotes(runs), page), ...parts]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}
