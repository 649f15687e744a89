import { useCallback, useState } from 'react';
import type { TableRow } from '../../api/schema.js';
import { ViewMemory } from '../../components/view-memory.js';
import { rowId } from './row-standing.js';
import type { Opening } from './table-layout.js';

/** The active row: one that matches the filter, or a trial of it. */
export interface Place {
  readonly position: number;
  /** Index of the result, of a trial. */
  readonly index?: number;
  /** Id of the row at the position, if it had been read. */
  readonly id?: string;
}

/** How a view of a run was left. */
interface KeptTable {
  /** How far the page is scrolled, in pixels. */
  readonly top: number;
  readonly active: Place;
  readonly openings: readonly Opening[];
  /** Heights of details, by the index of their result. */
  readonly heights: ReadonlyMap<string, number>;
}

/** How the views opened last were left, by `tableKey`. */
export const keptTables = new ViewMemory<KeptTable>(50);

export const tableKey = (run: string, query: string) => `${run}?${query}`;

/**
 * The row that has the focus in a view, or would get it. A view begins where it was left, or at its first row, as soon as
 * it is asked for: keys that come before its rows are there count for it, too.
 */
export function useActivePlace(
  run: string,
  query: string,
): readonly [Place, (place: Place) => void] {
  const begin = () => ({
    run,
    query,
    place: keptTables.get(tableKey(run, query))?.active ?? { position: 0 },
  });
  const [known, setKnown] = useState(begin);
  const now = known.run === run && known.query === query ? known : begin();
  if (now !== known) setKnown(now);
  const setPlace = useCallback(
    (place: Place) => {
      keptTables.keep(tableKey(run, query), { active: place });
      setKnown({ run, query, place });
    },
    [run, query],
  );
  return [now.place, setPlace];
}

/**
 * Where the active row is now that rows have changed. It goes along with what it stands for as far as that is in sight;
 * where that has gone, the row that took its place is the active one.
 */
export function followedPlace(
  place: Place,
  rowAt: (position: number) => TableRow | undefined,
  { first, end, count }: { readonly first: number; readonly end: number; readonly count: number },
): Place {
  const { position, id } = place;
  const isIt = (row: TableRow | undefined) => row !== undefined && rowId(row) === id;
  const there = rowAt(position);
  const isAsBefore = id === undefined || there === undefined || isIt(there);
  if (position < count && isAsBefore) return place;
  for (let at = first; at < Math.min(end, count); at += 1) {
    if (isIt(rowAt(at))) return { ...place, position: at };
  }
  const next = Math.max(0, Math.min(position, count - 1));
  return placeAt(next, rowAt(next));
}

/** The place of a row, with what it stands for when it has been read. */
export function placeAt(position: number, row: TableRow | undefined): Place {
  return row === undefined ? { position } : { position, id: rowId(row) };
}
