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
  rankOf: (field: 'function' | 'dataset') => ArrayLike<number>,
): Uint32Array {
  if (order.by === 'index') return order.descending ? indices.slice().reverse() : indices;
  const keys = sortKeys(rows, order.by, rankOf);
  const sign = order.descending ? -1 : 1;
  return indices.slice().sort((a, b) => {
    const first = keys[a] ?? Number.NaN;
    const second = keys[b] ?? Number.NaN;
    if (first === second) return a - b;
    if (Number.isNaN(first)) return Number.isNaN(second) ? a - b : 1;
    if (Number.isNaN(second)) return -1;
    return first < second ? -sign : sign;
  });
}

/** A number for each row; not a number where the row has none. */
function sortKeys(
  rows: readonly RowFacts[],
  by: Exclude<RowOrder['by'], 'index'>,
  rankOf: (field: 'function' | 'dataset') => ArrayLike<number>,
): ArrayLike<number> {
  if (by === 'function' || by === 'dataset') return rankOf(by);
  if (by === 'status') {
    const places = new Map(standings.map((standing, place) => [standing, place]));
    return Float64Array.from(rows, (row) => places.get(standingOf(row)) ?? Number.NaN);
  }
  if (by === 'latency') return Float64Array.from(rows, (row) => row.latency ?? Number.NaN);
  return Float64Array.from(rows, (row) => scoreKey(row, by.score));
}

/** A score counts by its value, else by whether it passed. */
function scoreKey(row: RowFacts, key: string): number {
  const score = row.scores.find((candidate) => candidate.key === key);
  if (score === undefined) return Number.NaN;
  return score.value ?? (score.passed === true ? 1 : 0);
}

/** For each text its place among all of them: without regard to case, numbers in them by value, equal texts equal. */
export function rankTexts(texts: readonly string[]): Uint32Array {
  const keys = new Map<string, string>();
  for (const text of texts) if (!keys.has(text)) keys.set(text, naturalKey(text));
  const sorted = [...keys].sort(([a, first], [b, second]) =>
    first === second ? compare(a, b) : compare(first, second),
  );
  const ranks = new Map(sorted.map(([text], rank) => [text, rank]));
  return Uint32Array.from(texts, (text) => ranks.get(text) ?? 0);
}

/** Sorts by plain comparison as the text reads: a number is preceded by how many digits it has. */
function naturalKey(text: string): string {
  return text.toLowerCase().replace(/\d+/g, (digits) => {
    const number = digits.replace(/^0+(?=\d)/, '');
    return `0${String.fromCharCode(0x30 + Math.min(number.length, 200))}${number}`;
  });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
