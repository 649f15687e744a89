import type { RunReportOptions } from './run-report-options.js';
import { standingOf } from './run-report-rows.js';
import { escapeLines, fitWidth } from './terminal-text.js';

/** Failed results that are looked at, reasons that are told, and lines of each. */
const mostRead = 20;
const mostReasons = 5;
const mostLines = 3;

interface Reason {
  /** The first result that failed for it. */
  readonly name: string;
  readonly text: string;
  count: number;
}

/** Why results failed: the notes of failed scores, each reason once. */
export function renderReasons(
  indices: readonly number[],
  { run, columns, colours }: RunReportOptions,
): string[] {
  const failed = indices.filter((index) => {
    const row = run.rows[index];
    return row !== undefined && standingOf(row) === 'failed';
  });
  const reasons = new Map<string, Reason>();
  for (const index of failed.slice(0, mostRead)) {
    const entry = run.entry(index);
    const name = entry.trial === undefined ? entry.function : `${entry.function}~${entry.trial}`;
    for (const { key, passed, notes } of entry.result.scores) {
      if (passed !== false || notes === undefined) continue;
      const text = `${key}: ${notes}`;
      const known = reasons.get(text);
      if (known === undefined) reasons.set(text, { name, text, count: 1 });
      else known.count += 1;
    }
  }
  return [...reasons.values()]
    .slice(0, mostReasons)
    .flatMap((reason) => reasonLines(reason, columns, colours));
}

function reasonLines(
  { name, text, count }: Reason,
  columns: number,
  colours: RunReportOptions['colours'],
): string[] {
  const others = count === 1 ? '' : ` and ${count - 1} more`;
  const [first = '', ...rest] = escapeLines(text.trim());
  const [who = ''] = escapeLines(`${name}${others}`);
  return [
    `  ${colours.red('✗')} ${fitWidth(`${who}   ${first}`, columns - 4)}`,
    ...tellingLines(rest).map((line) => `    ${colours.dim(fitWidth(line, columns - 4))}`),
  ];
}

/** Of the diff of an assertion, what differs; else the beginning. */
function tellingLines(lines: readonly string[]): string[] {
  const diffAt = lines.findIndex((line) => line.trim() === '+ actual - expected');
  const telling =
    diffAt === -1
      ? lines.filter((line) => line.trim() !== '')
      : lines.slice(diffAt + 1).filter((line) => /^[+-]/.test(line));
  return telling.slice(0, mostLines - 1);
}
