import {
  type FailureReason,
  FailureReasons,
  failureCauses,
} from '../../model/summary/failure-reasons.js';
import { countOf, renderCount } from '../../text/count-text.js';
import { columnWidths, layOutTable, shareWidths } from '../terminal/table.js';
import { escapeTerminal, fitWidth } from '../terminal/terminal-text.js';
import type { ReportedRun, RunReportOptions } from './report-options.js';
import { namesIn } from './report-rows.js';

/** Most failures that are read, which takes about half a second. */
const mostRead = 10_000;
const mostReasons = 8;
const mostNames = 2;

interface Reasons {
  readonly list: readonly FailureReason[];
  /** Failures that were not read. */
  readonly left: number;
}

/** Groups the failures among rows by their reasons. */
export function reasonsOf(run: ReportedRun, failed: readonly number[]): Reasons {
  const reasons = new FailureReasons();
  for (const index of failed.slice(0, mostRead)) {
    reasons.add(index, failureCauses(run.entry(index)));
  }
  return { list: reasons.list(), left: Math.max(0, failed.length - mostRead) };
}

/** Renders a line for each reason: how many, of what, its first text, and the first results. `all`: every reason. */
export function renderReasonLines(
  { list, left }: Reasons,
  { run, columns, colours }: Pick<RunReportOptions, 'run' | 'columns' | 'colours'>,
  all = columns === Number.POSITIVE_INFINITY,
): string[] {
  const shown = all ? list : list.slice(0, mostReasons);
  const nameOf = namesIn(run.rows);
  const rows = shown.map(({ results, key, text, indices }) => [
    { text: `${renderCount(results)} ×`, paint: colours.red },
    { text: escapeTerminal(key ?? 'error') },
    { text: escapeTerminal(text) },
    { text: firstNames(run.rows, indices, nameOf), paint: colours.dim },
  ]);
  const natural = columnWidths(rows);
  const weights = [0, 0, 3, 2];
  const widths = shareWidths(
    natural.map((width, at) => ({ natural: width, weight: weights[at] ?? 0 })),
    columns - 2 - 3 * 3,
  );
  const most = Math.max(...rows.map(([count]) => count?.text.length ?? 0));
  const fitted = rows.map((row) =>
    row.map((cell, at) => ({
      ...cell,
      text: at === 0 ? cell.text.padStart(most) : fitWidth(cell.text, widths[at] ?? 0),
    })),
  );
  const more = list.length - shown.length;
  return [
    ...layOutTable(fitted, '   ').map((line) => `  ${line}`.trimEnd()),
    ...(more === 0 ? [] : [`  … ${countOf(more, 'more reason')}`]),
    ...(left === 0 ? [] : [`  … ${countOf(left, 'more failure')}, whose reasons were not read`]),
  ];
}

/** `faq[q2], faq[q9], 3 more` */
function firstNames(
  rows: ReportedRun['rows'],
  indices: readonly number[],
  nameOf: ReturnType<typeof namesIn>,
): string {
  const names = indices.slice(0, mostNames).flatMap((index) => {
    const row = rows[index];
    return row === undefined ? [] : [nameOf(row)];
  });
  const more = indices.length - names.length;
  return [...names.map(escapeTerminal), ...(more > 0 ? [`${renderCount(more)} more`] : [])].join(
    ', ',
  );
}
