import { changes } from '../../model/compare/change.js';
import { passShare, scoreOf, type Unit } from '../../model/compare/unit.js';
import { rankTexts } from '../rows/row-order.js';
import type { PairTable } from './pair-table.js';

/** What pairs can be sorted by. */
export const pairSortFields = [
  'index',
  'change',
  'function',
  'dataset',
  'passed',
  'latency',
] as const;
export type PairSortField = (typeof pairSortFields)[number];

/** How pairs are sorted; equal ones follow in their first order, pairs without the value come last either way. */
export interface PairOrder {
  readonly by: PairSortField | { readonly score: string };
  readonly descending: boolean;
}

/** Pairs in the order asked for; they come in their first order. */
export function sortPairs(table: PairTable, pairs: Uint32Array, order: PairOrder): Uint32Array {
  if (order.by === 'index') return order.descending ? pairs.slice().reverse() : pairs;
  const values = sortValues(table, pairs, order.by);
  const sign = order.descending ? -1 : 1;
  return Uint32Array.from(
    Uint32Array.from(pairs.keys()).sort((a, b) => {
      const [one, two] = [values[a] ?? Number.NaN, values[b] ?? Number.NaN];
      if (Number.isNaN(one) || Number.isNaN(two)) {
        return Number(Number.isNaN(one)) - Number(Number.isNaN(two)) || a - b;
      }
      return sign * (one - two) || a - b;
    }),
    (place) => pairs[place] ?? 0,
  );
}

/** What each pair is sorted by; not a number when it has nothing. */
function sortValues(
  table: PairTable,
  pairs: Uint32Array,
  by: Exclude<PairOrder['by'], 'index'>,
): Float64Array {
  if (by === 'function' || by === 'dataset') {
    const texts: string[] = [];
    for (const pair of pairs) texts.push(table.anyUnit(pair)[by]);
    return Float64Array.from(rankTexts(texts));
  }
  if (by === 'change') return Float64Array.from(pairs, (pair) => firstChange(table, pair));
  const read = measure(by);
  return Float64Array.from(pairs, (pair) => firstDifference(table, pair, read));
}

function measure(by: 'passed' | 'latency' | { readonly score: string }) {
  if (by === 'passed') return passShare;
  if (by === 'latency') return ({ latency }: Unit) => latency;
  return (unit: Unit) => {
    const score = scoreOf(unit, by.score);
    return score === undefined ? null : score.sum / score.count;
  };
}

/** What wants to be looked at comes first: `changes` has them in this order. */
function firstChange(table: PairTable, pair: number): number {
  let first = Number.NaN;
  for (let run = 1; run < table.runs.length; run += 1) {
    const change = table.change(pair, run);
    if (change === null) continue;
    const place = changes.indexOf(change);
    if (Number.isNaN(first) || place < first) first = place;
  }
  return first;
}

/** How much more than the base the first of the other runs has that has it. */
function firstDifference(
  table: PairTable,
  pair: number,
  read: (unit: Unit) => number | null,
): number {
  const base = table.unit(pair, 0);
  const from = base === undefined ? null : read(base);
  if (from === null) return Number.NaN;
  for (let run = 1; run < table.runs.length; run += 1) {
    const other = table.unit(pair, run);
    const to = other === undefined ? null : read(other);
    if (to !== null) return to - from;
  }
  return Number.NaN;
}
