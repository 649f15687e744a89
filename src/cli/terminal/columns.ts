import Table from 'cli-table3';
import { coloursFor } from './colour.js';

/** Text in aligned columns under dim headings, without borders; wide characters line up. */
export function renderColumns(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const none = ['top', 'bottom', 'mid', 'left', 'right'] as const;
  const sides = ['', '-mid', '-left', '-right'] as const;
  const borders = none.flatMap((side) => sides.map((end) => [`${side}${end}`, '']));
  const table = new Table({
    chars: { ...Object.fromEntries(borders), 'left-mid': '', middle: '   ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  const dim = coloursFor('stdout').dim;
  table.push(
    head.map((title) => dim(title)),
    ...rows.map((row) => [...row]),
  );
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n');
}
