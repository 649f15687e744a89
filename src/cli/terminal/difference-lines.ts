import type { ChalkInstance } from 'chalk';
import type { TextDifference } from '../../text/first-difference.js';
import { shortDiff } from '../../text/short-diff.js';
import { escapeTerminal, wrapLine } from './terminal-text.js';

const mostShown = 160;

/**
 * Renders a text with `-` and the one in its place with `+`, wrapped to lines of at most `columns` columns. Both are
 * shortened around their differences, to about `most` characters together.
 */
export function differenceLines(
  { before, now }: TextDifference,
  { red, green }: ChalkInstance,
  columns = Number.POSITIVE_INFINITY,
  most = mostShown,
): string[] {
  const parts = shortDiff(before ?? '', now ?? '', most);
  const linesOf = (mark: string, left: 'removed' | 'added') => {
    const text = parts.flatMap(({ kind, text }) => (kind === left ? [] : text)).join('');
    const lines = wrapLine(escapeTerminal(text), columns - 2);
    return lines.map((line, at) => `${at === 0 ? mark : ' '} ${line}`);
  };
  return [
    ...(before === undefined ? [] : linesOf('-', 'added').map((line) => red(line))),
    ...(now === undefined ? [] : linesOf('+', 'removed').map((line) => green(line))),
  ];
}
