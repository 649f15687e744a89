import type { RunReportOptions } from './run-report-options.js';
import { standingOf } from './run-report-rows.js';
import { escapeLines, fitWidth } from './terminal-text.js';

/** Failed results that are looked at, reasons that are told, and lines of each. */
const mostRead = 20;
const mostReasons = 5;
const mostLines = 3;

/** Why results failed: the notes of failed scores, each reason once. */
export function renderReasons(
  indices: readonly number[],
  { run, columns, colours }: RunReportOptions,
): string[] {
  const failed = indices.filter((index) => {
    const row = run.rows[index];
    return row !== undefined && standingOf(row) === 'failed';
  });
  const reasons = new Set<string>();
  for (const index of failed.slice(0, mostRead)) {
    const entry = run.entry(index);
    for (const { key, passed, notes } of entry.result.scores) {
      if (passed === false && notes !== undefined) reasons.add(`${key}: ${notes}`);
    }
  }
  return [...reasons].slice(0, mostReasons).flatMap((text) => reasonLines(text, columns, colours));
}

function reasonLines(
  text: string,
  columns: number,
  colours: RunReportOptions['colours'],
): string[] {
  const [first = '', ...rest] = escapeLines(text.trim());
  const more = rest.filter((line) => line.trim() !== '').slice(0, mostLines - 1);
  return [
    `  ${colours.red('✗')} ${fitWidth(first, columns - 4)}`,
    ...more.map((line) => `    ${colours.dim(fitWidth(line, columns - 4))}`),
  ];
}
