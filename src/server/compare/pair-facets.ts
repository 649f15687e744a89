import { type Change, changes } from '../../compare/cases/change.js';
import { FacetCounter, FacetCounts, type FacetValue, type RowFacets } from '../rows/row-facets.js';
import type { CurrentTable } from '../rows/row-table-cache.js';
import type { PairJudgement } from './pair-filter.js';
import type { PairTable } from './pair-table.js';

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
