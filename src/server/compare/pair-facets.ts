import { type Change, changes } from '../../compare/change.js';
import { eachInSteps, type Steps } from '../../model/steps.js';
import { FacetCounter, FacetCounts, type FacetValue, type RowFacets } from '../rows/row-facets.js';
import type { CurrentTable } from '../rows/row-tables.js';
import type { PairJudgement } from './pair-filter.js';
import type { PairTable } from './pair-table.js';

/**
 * What filters are there, and how many pairs each would leave: counted over the pairs that match all filters of other
 * kinds. A pair counts once for a value, in however many of its rows and runs it has it.
 */
export interface PairFacets extends RowFacets {
  /** In any of the runs but the base. */
  readonly change: readonly FacetValue<Change>[];
}

/** Rows of a pair that the filter by change leaves out count for no filter of rows. */
const everyKind = 0xff;

/** Counts what each filter would leave. */
export function* pairFacets(
  table: PairTable,
  runs: readonly CurrentTable[],
  { left, meetsChange, misses }: PairJudgement,
): Steps<PairFacets> {
  const kinds = new FacetCounts<Change>(changes);
  const rows = new FacetCounter();
  yield* eachInSteps(left, (isLeft, pair) => {
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
  });
  return { change: kinds.values(), ...rows.facets() };
}
