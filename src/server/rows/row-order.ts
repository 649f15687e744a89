import { isUnused, tokensOf } from '../../model/calls/known-usage.js';
import { runUsageOf } from '../../model/calls/run-usage.js';
import type { RowFacts } from '../../model/result.js';
import type { ResultField } from '../../model/result-field.js';
import { type Standing, standingOf } from '../../model/scores/verdict.js';

const usageSorts = ['calls', 'tokens', 'cost'] as const;
type UsageSort = (typeof usageSorts)[number];

/** The sort keys of rows. */
export const sortFields = [
  'index',
  'function',
  'dataset',
  'status',
  'latency',
  ...usageSorts,
] as const;
type SortField = (typeof sortFields)[number];

/** A sort order. Equal rows are in order of index; rows without the value come last in both directions. */
export interface RowOrder {
  readonly by: SortField | { readonly score: string } | { readonly field: ResultField };
  readonly descending: boolean;
}

/** Sort keys that are text. */
export type RankedText = 'function' | 'dataset' | { readonly field: ResultField };

/** The order of statuses, most important first. */
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

/** Sorts indices. `rankOf` returns the ranks of the texts of rows. */
export function sortIndices(
  rows: readonly RowFacts[],
  indices: Uint32Array,
  order: RowOrder,
  rankOf: (by: RankedText) => Uint32Array,
): Uint32Array {
  if (order.by === 'index') return order.descending ? indices.slice().reverse() : indices;
  const ranks = rank(rows, order.by, rankOf);
  return sortByRank(indices, ranks, order.descending);
}

/**
 * Sorts ascending indices by rank; ranks are less than the number of ranks. Equal ones keep their order, and indices
 * without a rank come last in both directions.
 */
export function sortByRank(
  indices: Uint32Array,
  ranks: Uint32Array,
  descending: boolean,
): Uint32Array {
  const last = ranks.length;
  // Combines rank and index in one number, because sorting without a comparison function is several times as fast.
  const keys = new Float64Array(indices.length);
  for (const [at, index] of indices.entries()) {
    const place = ranks[index] ?? none;
    const group = place === none ? last : descending ? last - 1 - place : place;
    keys[at] = group * last + index;
  }
  keys.sort();
  const sorted = new Uint32Array(indices.length);
  for (const [at, key] of keys.entries()) {
    sorted[at] = key % last;
  }
  return sorted;
}

/** The rank of rows without the value. */
const none = 0xffff_ffff;

/** The rank of each row; equal rows have equal ranks. */
function rank(
  rows: readonly RowFacts[],
  by: Exclude<RowOrder['by'], 'index'>,
  rankOf: (by: RankedText) => Uint32Array,
): Uint32Array {
  if (by === 'function' || by === 'dataset' || (typeof by === 'object' && 'field' in by)) {
    return rankOf(by);
  }
  const value = figureOf(by);
  const values = new Float64Array(rows.length);
  for (const [index, row] of rows.entries()) {
    values[index] = value(row);
  }
  return rankNumbers(values);
}

/** A number of a row: its latency, what the run spent on it, or a score. */
export type RowFigure = 'latency' | UsageSort | { readonly score: string };

/** The names of the numbers that every row may have. */
export const rowFigures = ['latency', ...usageSorts] as const;

/** Reads the number that a row is sorted by; NaN if there is none. */
export function figureOf(by: 'status' | RowFigure): (row: RowFacts) => number {
  if (by === 'status') {
    const places = new Map(standings.map((standing, place) => [standing, place]));
    return (row: RowFacts) => places.get(standingOf(row)) ?? Number.NaN;
  }
  if (by === 'latency') return (row: RowFacts) => row.latency ?? Number.NaN;
  if (typeof by === 'string') return (row: RowFacts) => usedBy(row, by);
  return (row: RowFacts) => scoreValue(row, by.score);
}

/** What the run spent on a row, which it is sorted by; NaN if unknown. */
function usedBy(row: RowFacts, by: UsageSort): number {
  const spent = runUsageOf(row);
  if (spent === undefined) return Number.NaN;
  if (by !== 'tokens') return spent[by] ?? Number.NaN;
  return isUnused(spent) ? 0 : (tokensOf(spent) ?? Number.NaN);
}

/** The value of a score, else whether it passed. */
function scoreValue(row: RowFacts, key: string): number {
  const score = row.scores.find((candidate) => candidate.key === key);
  if (score === undefined) return Number.NaN;
  return score.value ?? (score.passed === true ? 1 : 0);
}

/** The rank of each number; equal numbers have equal ranks, and NaN has none. */
export function rankNumbers(values: Float64Array): Uint32Array {
  const sorted = values.slice().sort();
  const ranks = new Uint32Array(values.length);
  for (const [at, value] of values.entries()) {
    ranks[at] = Number.isNaN(value) ? none : firstAt(sorted, value);
  }
  return ranks;
}

/** The first position of a value in an ascending list, in which NaN is last. */
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

/** The rank of each text, by value if all are numbers; `null` has none. */
export function rankFieldTexts(texts: readonly (string | null)[]): Uint32Array {
  const values = Float64Array.from(texts, (text) => (text?.trim() ? Number(text) : Number.NaN));
  if (texts.every((text, at) => text === null || !Number.isNaN(values[at]))) {
    return rankNumbers(values);
  }
  const ranks = rankTexts(texts.map((text) => text ?? ''));
  return ranks.map((rank, at) => (texts[at] === null ? none : rank));
}

/** The rank of each text, ignoring case, with numbers in them compared by value. */
export function rankTexts(texts: readonly string[]): Uint32Array {
  const keys = new Map<string, string>();
  for (const text of texts) {
    if (!keys.has(text)) keys.set(text, `${naturalKey(text)}\0${text}`);
  }
  const places = new Map<string, number>();
  for (const [place, key] of [...keys.values()].sort().entries()) {
    places.set(key, place);
  }
  const ranks = new Uint32Array(texts.length);
  for (const [at, text] of texts.entries()) {
    ranks[at] = places.get(keys.get(text) ?? '') ?? none;
  }
  return ranks;
}

/** A number for each distinct text. */
export function numberTexts(texts: readonly string[]): Uint32Array {
  const numbers = new Map<string, number>();
  return Uint32Array.from(texts, (text) => {
    const known = numbers.get(text);
    if (known === undefined) numbers.set(text, numbers.size);
    return known ?? numbers.size - 1;
  });
}

/** A key whose plain comparison sorts numbers in a text by value: each number is preceded by its number of digits. */
function naturalKey(text: string): string {
  return text.toLowerCase().replace(/\d+/g, (digits) => {
    const number = digits.replace(/^0+(?=\d)/, '');
    return `0${String.fromCharCode(0x30 + Math.min(number.length, 200))}${number}`;
  });
}
