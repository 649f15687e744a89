import type { Change, ChangeCounts } from '../../model/compare/change.js';
import { type LightRow, lightRowsOf } from '../rows/light-row.js';
import type { CurrentTable } from '../rows/row-tables.js';
import { type Fold, toFold } from '../rows/trial-groups.js';
import type { PairTable } from './pair-table.js';
import type { FoundPairs } from './pair-tables.js';

/** A unit in one of the runs compared: plain JSON. */
export interface PairSide {
  /** Against the base; `null` in the base, and where neither it nor the base has the unit. */
  readonly change: Change | null;
  /** Of all its rows; empty when the run does not have it. */
  readonly indices: readonly number[];
  /** Its first row, with `fold` when there are trials; `null` when the run does not have it. */
  readonly row: (LightRow & { readonly fold?: Fold }) | null;
}

/** A unit in all of the runs compared: plain JSON. */
export interface Pair {
  /** Without the trial. */
  readonly id: string;
  readonly function: string;
  readonly dataset: string;
  /** In the order of the runs. */
  readonly runs: readonly PairSide[];
}

/** A page of pairs: plain JSON. */
export interface PairPage {
  /** Pairs of these runs. */
  readonly total: number;
  /** Pairs that match. */
  readonly filtered: number;
  readonly offset: number;
  /** For each run, over the pairs that match all filters but those by change; `null` for the base. */
  readonly changes: readonly (ChangeCounts | null)[];
  readonly pairs: readonly Pair[];
}

/** Reads the rows of a page of pairs. */
export async function readPairPage(
  currents: readonly CurrentTable[],
  { table, pairs, anyChange }: FoundPairs,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<PairPage> {
  const shown = Array.from(pairs.slice(offset, offset + limit));
  const sides = await Promise.all(
    currents.map((current, run) => readSides(current, table, run, shown)),
  );
  return {
    total: table.length,
    filtered: pairs.length,
    offset,
    changes: table.countChanges(anyChange),
    pairs: shown.map((pair, place) => {
      const { id, function: name, dataset } = table.anyUnit(pair);
      return { id, function: name, dataset, runs: sides.flatMap((side) => side[place] ?? []) };
    }),
  };
}

/** One run of each pair, in the order of the pairs. */
async function readSides(
  { table: { rows, groups }, source }: CurrentTable,
  table: PairTable,
  run: number,
  pairs: readonly number[],
): Promise<PairSide[]> {
  const indices = pairs.map((pair) => {
    const number = table.number(pair, run);
    return number < 0 ? [] : Array.from(table.runs[run]?.rowsOf(number) ?? []);
  });
  const firsts = indices.flatMap(([first]) => first ?? []);
  const lightRows = new Map(
    (await lightRowsOf(source, firsts)).map((row) => [row.index, row] as const),
  );
  return pairs.map((pair, place) => {
    const own = indices[place] ?? [];
    const row = lightRows.get(own[0] ?? -1);
    const group = row?.trial_of === undefined ? undefined : groups.get(row.trial_of);
    const fold = group === undefined ? {} : { fold: toFold(rows, group) };
    return {
      change: table.change(pair, run),
      indices: own,
      row: row === undefined ? null : { ...row, ...fold },
    };
  });
}
