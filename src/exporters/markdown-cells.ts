import { hasCalls, runUsageOf } from '../model/calls/run-usage.js';
import { hasReplayedLatency } from '../model/calls/usage.js';
import type { Result, ResultEntry } from '../model/result.js';
import type { Score } from '../model/scores/score.js';
import { valueText } from '../model/scores/score-rule.js';
import { renderCount } from '../text/count-text.js';
import { renderLatency } from '../text/duration-text.js';
import { renderNumber } from '../text/number-text.js';
import { renderAllTokens, renderCost, resultBesideTaken } from '../text/usage-text.js';
import { type Column, cellText, findScore } from './columns.js';
import { escapeCell, escapeMarkdown } from './markdown-text.js';

const readers: ReadonlyMap<string, (entry: ResultEntry) => string> = new Map([
  ['labels', (entry: ResultEntry) => entry.labels.join(', ')],
  ['scores', (entry: ResultEntry) => entry.result.scores.map(namedGrade).join(', ')],
  ['latency', ({ result }: ResultEntry) => latencyText(result)],
  ['calls', ({ result }: ResultEntry) => usedText(result, ({ calls }) => renderCount(calls), '0')],
  ['tokens', ({ result }: ResultEntry) => usedText(result, renderAllTokens)],
  ['cost', ({ result }: ResultEntry) => usedText(result, renderCost)],
]);

/** What the run spent on the calls of a result; in brackets what the result took over. */
function usedText(
  result: Result,
  render: Parameters<typeof resultBesideTaken>[1],
  none = '',
): string {
  const usage = runUsageOf(result);
  if (usage === undefined) return '';
  return hasCalls(usage) ? resultBesideTaken(usage, render) : none;
}

/** Seconds, unless they are those of recordings. */
function latencyText(result: Result): string {
  if (hasReplayedLatency(result)) return 'replayed';
  return result.latency === null ? '' : renderLatency(result.latency);
}

/** The head of a table: names of the columns and the line below them. */
export function renderTableHead(columns: readonly Column[]): string {
  return `${tableLine(columns.map(title))}${tableLine(columns.map(() => '---'))}`;
}

/** A result as one line of a table, cells cut and escaped. */
export function renderTableRow(columns: readonly Column[], entry: ResultEntry): string {
  return tableLine(columns.map((column) => escapeCell(readCell(column, entry))));
}

/** A line of a table; its cells are already Markdown. */
export function tableLine(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`;
}

function title(column: Column): string {
  return column.name === 'function' ? 'eval' : escapeMarkdown(column.name);
}

function readCell(column: Column, entry: ResultEntry): string {
  if (column.scoreKey !== undefined) {
    const score = findScore(entry, column.scoreKey);
    return score === undefined ? '' : grade(score).join(' ');
  }
  return readers.get(column.name)?.(entry) ?? cellText(column.read(entry));
}

function namedGrade(score: Score): string {
  const [first, ...rest] = grade(score);
  return score.passed === undefined
    ? `${score.key} ${first}`
    : [first, score.key, ...rest].join(' ');
}

function grade(score: Score): string[] {
  return [
    ...(score.passed === undefined ? [] : [score.passed ? '✓' : '✗']),
    ...(score.value === undefined ? [] : [valueText(score.value, score, renderNumber)]),
  ];
}
