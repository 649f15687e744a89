import type { RowFacts } from '../../model/result.js';
import { sortInSteps } from '../../model/sort-in-steps.js';
import { eachInSteps, type Steps } from '../../model/steps.js';
import { tokensOf } from '../../model/usage.js';
import { type Standing, standingOf } from '../../model/verdict.js';

const usageSorts = ['calls', 'tokens', 'cost'] as const;
type UsageSort = (typeof usageSorts)[number];

/** What rows can be sorted by. */
export const sortFields = [
  'index',
  'function',
  'dataset',
  'status',
  'latency',
  ...usageSorts,
] as const;
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
export function* sortIndices(
  rows: readonly RowFacts[],
  indices: Uint32Array,
  order: RowOrder,
  rankOf: (field: 'function' | 'dataset') => Steps<Uint32Array>,
): Steps<Uint32Array> {
  if (order.by === 'index') return order.descending ? indices.slice().reverse() : indices;
  const ranks = yield* rank(rows, order.by, rankOf);
  return yield* sortByRank(indices, ranks, order.descending);
}

/**
 * Ascending indices by their ranks, which are below the number of ranks; equal ones stay as they are, and what has no
 * rank comes last either way.
 */
export function* sortByRank(
  indices: Uint32Array,
  ranks: Uint32Array,
  descending: boolean,
): Steps<Uint32Array> {
  const last = ranks.length;
  // Rank and index as one number: sorting without a function to compare is several times as fast.
  const keys = new Float64Array(indices.length);
  yield* eachInSteps(indices, (index, at) => {
    const place = ranks[index] ?? none;
    const group = place === none ? last : descending ? last - 1 - place : place;
    keys[at] = group * last + index;
  });
  keys.sort();
  yield;
  const sorted = new Uint32Array(indices.length);
  yield* eachInSteps(keys, (key, at) => {
    sorted[at] = key % last;
  });
  return sorted;
}

/** The rank of what does not have what is sorted by. */
const none = 0xffff_ffff;

/** For each row its place among all of them, below the number of rows; equal rows have equal places. */
function* rank(
  rows: readonly RowFacts[],
  by: Exclude<RowOrder['by'], 'index'>,
  rankOf: (field: 'function' | 'dataset') => Steps<Uint32Array>,
): Steps<Uint32Array> {
  if (by === 'function' || by === 'dataset') return yield* rankOf(by);
  const value = sortValue(by);
  const values = new Float64Array(rows.length);
  yield* eachInSteps(rows, (row, index) => {
    values[index] = value(row);
  });
  return yield* rankNumbers(values);
}

/** What a row is sorted by; not a number when it has nothing. */
function sortValue(by: 'status' | 'latency' | UsageSort | { readonly score: string }) {
  if (by === 'status') {
    const places = new Map(standings.map((standing, place) => [standing, place]));
    return (row: RowFacts) => places.get(standingOf(row)) ?? Number.NaN;
  }
  if (by === 'latency') return (row: RowFacts) => row.latency ?? Number.NaN;
  if (typeof by === 'string') return (row: RowFacts) => usedBy(row, by);
  return (row: RowFacts) => scoreValue(row, by.score);
}

/** What the calls of a row used; not a number where that is not known. */
function usedBy({ usage }: RowFacts, by: UsageSort): number {
  if (usage === undefined) return Number.NaN;
  const used = by === 'tokens' ? tokensOf(usage) : usage[by];
  return used ?? Number.NaN;
}

/** A score counts by its value, else by whether it passed. */
function scoreValue(row: RowFacts, key: string): number {
  const score = row.scores.find((candidate) => candidate.key === key);
  if (score === undefined) return Number.NaN;
  return score.value ?? (score.passed === true ? 1 : 0);
}

/** For each number its place among all of them, equal ones at one place; none for what is not a number. */
export function* rankNumbers(values: Float64Array): Steps<Uint32Array> {
  const sorted = values.slice().sort();
  yield;
  const ranks = new Uint32Array(values.length);
  yield* eachInSteps(values, (value, at) => {
    ranks[at] = Number.isNaN(value) ? none : firstAt(sorted, value);
  });
  return ranks;
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
export function* rankTexts(texts: readonly string[]): Steps<Uint32Array> {
  const keys = new Map<string, string>();
  yield* eachInSteps(texts, (text) => {
    if (!keys.has(text)) keys.set(text, `${naturalKey(text)}\0${text}`);
  });
  const places = new Map<string, number>();
  yield* eachInSteps(yield* sortInSteps([...keys.values()]), (key, place) =>
    places.set(key, place),
  );
  const ranks = new Uint32Array(texts.length);
  yield* eachInSteps(texts, (text, at) => {
    ranks[at] = places.get(keys.get(text) ?? '') ?? none;
  });
  return ranks;
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
