import type { RowFacts } from '../../model/result.js';

/**
 * The rows among `chosen` whose evaluations begin a new pass: all rows of these evaluations are chosen, except those for
 * which `isLeft` is true, such as pruned ones. Nothing may have chosen rows by their outcome.
 */
export function newPassOf<R extends RowFacts>(
  rows: readonly R[],
  chosen: readonly number[],
  isLeft: (row: R, index: number) => boolean,
): number[] {
  const all = new Set(chosen);
  const incomplete = new Set<string>();
  for (const [index, row] of rows.entries()) {
    if (!all.has(index) && row.pruned !== true && !isLeft(row, index)) {
      incomplete.add(row.evaluation);
    }
  }
  return chosen.filter((index) => {
    const row = rows[index];
    return row === undefined || !incomplete.has(row.evaluation);
  });
}

/** True when what is chosen is what is known to be out of date, by index: what has changed decided, not an outcome. */
export function isByChange(
  chosen: readonly number[] | 'all',
  outOfDate: ReadonlyMap<number, string> | undefined,
): boolean {
  return chosen !== 'all' && chosen.length > 0 && chosen.every((index) => outOfDate?.has(index));
}

/** True when a selection of indices is all rows, so that nothing was chosen. */
export function isWhole(rows: readonly RowFacts[], indices: readonly number[] | 'all'): boolean {
  if (indices === 'all') return true;
  const chosen = new Set(indices);
  return rows.every((row, index) => row.pruned === true || chosen.has(index));
}
