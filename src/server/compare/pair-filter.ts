import { type Change, changes } from '../../compare/cases/change.js';
import { FacetCounter, FacetCounts, type FacetValue, type RowFacets } from '../rows/row-facets.js';
import type { Choice, Misses, RowFilter } from '../rows/row-filter.js';
import type { CurrentTable } from '../rows/row-table.js';
import type { PairTable } from './pair-table.js';

/** A change in one of the compared runs, by its position, or in any run except the base. */
export interface ChangeRule {
  readonly change: Change;
  readonly run?: number;
}

/** A filter for pairs. */
export interface PairFilter {
  readonly rows: RowFilter;
  readonly change: Choice<ChangeRule>;
}

/** The result of a filter for each pair and row. */
export interface PairJudgement {
  /** 1 for each pair that matches all filters except the one by change. */
  readonly left: Uint8Array;
  /** 1 for each pair that matches the filter by change. */
  readonly meetsChange: Uint8Array;
  /** For each run and row, the kinds of filters that exclude the row or its pair. */
  readonly misses: readonly Misses[];
}

/**
 * Applies every kind of filter to pairs. A pair matches when one of its rows, in any run, has all included values, and
 * none of its rows has an excluded one; the same applies to changes.
 */
export async function judgePairs(
  table: PairTable,
  runs: readonly CurrentTable[],
  { rows, change }: PairFilter,
  signal?: AbortSignal,
): Promise<PairJudgement> {
  const judge = async (filter: RowFilter) => {
    const misses: Misses[] = [];
    for (const run of runs) misses.push(await run.table.misses(run.source, filter, signal));
    return misses;
  };
  const unwanted = await judge(onlyOf(rows, 'include'));
  const excluded = await judge(onlyOf(rows, 'exclude'));
  const kinds = new Uint8Array(table.length);
  for (const [run, missed] of excluded.entries()) {
    for (const [index, pair] of table.pairsOfRows(run).entries()) {
      kinds[pair] = (kinds[pair] ?? 0) | (missed[index] ?? 0);
    }
  }
  const left = new Uint8Array(table.length);
  const misses: Misses[] = [];
  for (const [run, missed] of unwanted.entries()) {
    const all = new Uint16Array(missed.length);
    for (const [index, pair] of table.pairsOfRows(run).entries()) {
      // A row of no pair matches nothing.
      const row = pair < table.length ? (missed[index] ?? 0) | (kinds[pair] ?? 0) : 0xffff;
      all[index] = row;
      if (row === 0) left[pair] = 1;
    }
    misses.push(all);
  }
  const meetsChange = new Uint8Array(table.length);
  for (const pair of meetsChange.keys()) {
    meetsChange[pair] = hasChange(table, pair, change) ? 1 : 0;
  }
  return { left, meetsChange, misses };
}

function hasChange(
  table: PairTable,
  pair: number,
  { include, exclude }: Choice<ChangeRule>,
): boolean {
  if (include.length + exclude.length === 0) return true;
  const meets = ({ change, run }: ChangeRule) =>
    run === undefined
      ? table.runs.some((_, one) => table.change(pair, one) === change)
      : table.change(pair, run) === change;
  return !exclude.some(meets) && (include.length === 0 || include.some(meets));
}

/** The included or the excluded part of a filter. */
function onlyOf(filter: RowFilter, side: 'include' | 'exclude'): RowFilter {
  const part = <T>(choice: Choice<T>): Choice<T> => ({
    include: side === 'include' ? choice.include : [],
    exclude: side === 'exclude' ? choice.exclude : [],
  });
  return {
    dataset: part(filter.dataset),
    label: part(filter.label),
    status: part(filter.status),
    score: part(filter.score),
    has: part(filter.has),
    flaky: part(filter.flaky),
    code: part(filter.code),
    origin: part(filter.origin),
    latency: part(filter.latency),
    cost: part(filter.cost),
    group: part(filter.group),
    search: side === 'include' ? filter.search : '',
  };
}

/**
 * The filter values of pairs, and how many pairs each would match, given the filters of all other kinds. A pair counts
 * once per value, however many of its rows have it.
 */
export interface PairFacets extends RowFacets {
  /** In any run except the base. */
  readonly change: readonly FacetValue<Change>[];
}

/** The bit for pairs that the filter by change excludes: their rows count for no other filter. */
const everyKind = 0xff;

/** Counts the matches of each filter value. */
export function pairFacets(
  table: PairTable,
  runs: readonly CurrentTable[],
  { left, meetsChange, misses }: PairJudgement,
): PairFacets {
  const kinds = new FacetCounts<Change>(changes);
  const rows = new FacetCounter();
  for (const [pair, isLeft] of left.entries()) {
    for (const [run, { table: current }] of runs.entries()) {
      const change = table.change(pair, run);
      if (change !== null && isLeft === 1) kinds.add(change, pair);
      for (const index of table.rowsOf(pair, run)) {
        const row = current.rows[index];
        if (row === undefined) continue;
        const missed = meetsChange[pair] === 1 ? (misses[run]?.[index] ?? 0) : everyKind;
        rows.add(row, missed, pair, current.isFlaky);
      }
    }
  }
  return { change: kinds.values(), ...rows.facets() };
}
