import type { TableRow } from '../../../api/schema.js';
import { tellingEnds } from '../../../components/names/telling-end.js';
import { rowName } from './row-standing.js';

const known = new WeakMap<TableRow, number>();

/** The length of the end of a row's name that tells it from the rows of its page. */
export function nameEndOf(row: TableRow, page: readonly TableRow[]): number | undefined {
  if (!known.has(row)) {
    const names = page.map(rowName);
    const ends = tellingEnds(names);
    for (const [n, other] of page.entries()) known.set(other, ends.get(names[n] ?? '') ?? 0);
  }
  return known.get(row);
}
