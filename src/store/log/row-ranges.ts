import { isCount } from '../../model/json.js';

/** Rows from the first to the last, inclusive. */
export type RowRange = readonly [first: number, last: number];

/** The rows of a log line: all rows planned so far, or ascending, separate ranges. */
export type RowSelection = 'all' | readonly RowRange[];

/** Converts indices to ascending ranges. */
export function toRanges(indices: readonly number[]): RowRange[] {
  const ranges: [number, number][] = [];
  for (const index of [...indices].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && index <= last[1] + 1) last[1] = index;
    else ranges.push([index, index]);
  }
  return ranges;
}

/** True for a valid selection in a log; false for overlapping or descending ranges. */
export function isRowSelection(value: unknown): value is RowSelection {
  if (value === 'all') return true;
  if (!Array.isArray(value)) return false;
  let next = 0;
  for (const range of value as readonly unknown[]) {
    if (!Array.isArray(range) || range.length !== 2) return false;
    const [first, last] = range as readonly unknown[];
    if (!isCount(first) || !isCount(last) || first < next || last < first) return false;
    next = last + 1;
  }
  return true;
}

/** The indices of a selection in a run of `total` rows, without those beyond its end. */
export function* selectedRows(selection: RowSelection, total: number): Generator<number> {
  for (const [first, last] of selection === 'all' ? [[0, total - 1] as const] : selection) {
    for (let index = first; index <= last && index < total; index += 1) yield index;
  }
}
