import type { RowFacts } from '../../model/result.js';
import { type Standing, standingOf } from '../../model/verdict.js';

/** What rows can be sorted by. */
export const sortFields = ['index', 'function', 'dataset', 'status', 'latency'] as const;
export type SortField = (typeof sortFields)[number];

/** How rows are sorted; equal rows follow in order of index, rows without the value come last either way. */
export interface RowOrder {
  readonly by: SortField | { readonly score: string };
  readonly descending: boolean;
}

/** What wants to be looked at comes first. */
const standings: readonly Standing[] = [
  'error',
  'failed',
  'no_verdict',
  'passed',
  'running',
  'pending',
  'cancelled',
  'not_started',
];

/** Indices in the order asked for. `rankOf` tells where the texts of rows stand among each other. */
export function sortIndices(
  rows: readonly RowFacts[],
  indices: Uint32Array,
  order: RowOrder,
  rankOf: (field: 'function' | 'dataset') => Uint32Array,
): Uint32Array {
  if (order.by === 'index') return order.descending ? indices.slice().reverse() : indices;
  const ranks = rank(rows, order.by, rankOf);
  const last = rows.length;
  // Rank and index as one number: sorting without a function to compare is several times as fast.
  const keys = Float64Array.from(indices, (index) => {
    const place = ranks[index] ?? none;
    const group = place === none ? last : order.descending ? last - 1 - place : place;
    return group * last + index;
  }).sort();
  return Uint32Array.from(keys, (key) => key % last);
}

/** The rank of rows that do not have what is sorted by. */
const none = 0xffff_ffff;

/** For each row its place among all of them, below the number of rows; equal rows have equal places. */
function rank(
  rows: readonly RowFacts[],
  by: Exclude<RowOrder['by'], 'index'>,
  rankOf: (field: 'function' | 'dataset') => Uint32Array,
): Uint32Array {
  if (by === 'function' || by === 'dataset') return rankOf(by);
  return rankNumbers(Float64Array.from(rows, sortValue(by)));
}

/** What a row is sorted by; not a number when it has nothing. */
function sortValue(by: 'status' | 'latency' | { readonly score: string }) {
  if (by === 'status') {
    const places = new Map(standings.map((standing, place) => [standing, place]));
    return (row: RowFacts) => places.get(standingOf(row)) ?? Number.NaN;
  }
  if (by === 'latency') return (row: RowFacts) => row.latency ?? Number.NaN;
  return (row: RowFacts) => scoreValue(row, by.score);
}

/** A score counts by its value, else by whether it passed. */
function scoreValue(row: RowFacts, key: string): number {
  const score = row.scores.find((candidate) => candidate.key === key);
  if (score === undefined) return Number.NaN;
  return score.value ?? (score.passed === true ? 1 : 0);
}

function rankNumbers(values: Float64Array): Uint32Array {
  const sorted = values.slice().sort();
  return Uint32Array.from(values, (value) => (Number.isNaN(value) ? none : firstAt(sorted, value)));
}

/** Where a value stands first in an ascending list; what is not a number stands at its end. */
function firstAt(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** For each text its place among all of them: without regard to case, numbers in them by value. */
export function rankTexts(texts: readonly string[]): Uint32Array {
  const keys = new Map<string, string>();
  for (const text of texts) if (!keys.has(text)) keys.set(text, `${naturalKey(text)}\0${text}`);
  const ranks = new Map([...keys.values()].sort().map((key, place) => [key, place]));
  return Uint32Array.from(texts, (text) => ranks.get(keys.get(text) ?? '') ?? none);
}

/** For each text a number below the number of texts, the same for equal ones. */
export function numberTexts(texts: readonly string[]): Uint32Array {
  const numbers = new Map<string, number>();
  return Uint32Array.from(texts, (text) => {
    const known = numbers.get(text);
    if (known === undefined) numbers.set(text, numbers.size);
    return known ?? numbers.size - 1;
  });
}

/** Sorts by plain comparison as the text reads: a number is preceded by how many digits it has. */
function naturalKey(text: string): string {
  return text.toLowerCase().replace(/\d+/g, (digits) => {
    const number = digits.replace(/^0+(?=\d)/, '');
    return `0${String.fromCharCode(0x30 + Math.min(number.length, 200))}${number}`;
  });
}
