import { type Change, changes } from '../../compare/cases/change.js';
import { FacetCounter, FacetCounts } from '../rows/facets.js';
import { type Choice, filterNames, isSet, type Misses, type RowFilter } from '../rows/filters.js';
import type { RowTable } from '../rows/row-table.js';
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
interface PairJudgement {
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
  runs: readonly RowTable[],
  { rows, change }: PairFilter,
  signal?: AbortSignal,
): Promise<PairJudgement> {
  const judge = (side: 'include' | 'exclude') =>
    Promise.all(runs.map((run) => run.misses(onlyOf(rows, side), signal)));
  const unwanted = await judge('include');
  const excluded = await judge('exclude');
  const left = new Uint8Array(table.length);
  const meetsChange = new Uint8Array(table.length);
  // A row of no pair matches nothing.
  const misses = runs.map((run) => new Uint16Array(run.rows.length).fill(0xffff));
  for (let pair = 0; pair < table.length; pair += 1) {
    let kinds = 0;
    for (const [run, missed] of excluded.entries()) {
      for (const index of table.rowsOf(pair, run)) kinds |= missed[index] ?? 0;
    }
    for (const [run, judged] of misses.entries()) {
      for (const index of table.rowsOf(pair, run)) {
        judged[index] = (unwanted[run]?.[index] ?? 0) | kinds;
        if (judged[index] === 0) left[pair] = 1;
      }
    }
    meetsChange[pair] = hasChange(table, pair, change) ? 1 : 0;
  }
  return { left, meetsChange, misses };
}

function hasChange(table: PairTable, pair: number, choice: Choice<ChangeRule>): boolean {
  const { include, exclude } = choice;
  if (!isSet(choice)) return true;
  const meets = ({ change, run }: ChangeRule) =>
    run === undefined
      ? table.runs.some((_, one) => table.change(pair, one) === change)
      : table.change(pair, run) === change;
  return !exclude.some(meets) && (include.length === 0 || include.some(meets));
}

/** The included or the excluded part of a filter. */
function onlyOf(filter: RowFilter, side: 'include' | 'exclude'): RowFilter {
  const none = { include: [], exclude: [] };
  const parts = filterNames.map(
    (name) => [name, { ...none, [side]: filter[name]?.[side] ?? [] }] as const,
  );
  return Object.fromEntries(parts.filter(([, choice]) => isSet(choice)));
}

/** The bits for pairs that the filter by change excludes: their rows count for no other filter. */
const everyKind = 0xffff;

/**
 * Counts how many pairs each filter value would match, given the filters of all other kinds; `change` in any run except
 * the base. A pair counts once per value, however many of its rows have it.
 */
export function pairFacets(
  table: PairTable,
  runs: readonly RowTable[],
  { left, meetsChange, misses }: PairJudgement,
) {
  const kinds = new FacetCounts<Change>(changes);
  const rows = new FacetCounter();
  for (const [pair, isLeft] of left.entries()) {
    for (const [run, current] of runs.entries()) {
      const change = table.change(pair, run);
      if (change !== null && isLeft === 1) kinds.add(change, pair);
      for (const index of table.rowsOf(pair, run)) {
        const row = current.rows[index];
        if (row === undefined) continue;
        const missed = meetsChange[pair] === 1 ? (misses[run]?.[index] ?? 0) : everyKind;
        rows.add(row, missed, pair, current);
      }
    }
  }
  return { change: kinds.values(), ...rows.facets() };
}
