import { useCallback, useState } from 'react';
import { withoutColumns } from '../../../api/row-queries.js';
import type { TableRow } from '../../../api/schema.js';
import { ViewMemory } from '../../../lists/view-memory.js';
import { rowId } from '../cells/row-standing.js';
import type { Opening } from '../scrolling/table-layout.js';

/** The active row: one that matches the filter, or a trial of it. */
export interface Place {
  readonly position: number;
  /** Index of the result, of a trial. */
  readonly index?: number;
  /** Id of the row at the position, if it had been read. */
  readonly id?: string;
  /** The key of a group, if its line is active. */
  readonly group?: string | null;
}

/** The state of a view of a run when it was left. */
interface KeptTable {
  /** The scroll position in pixels. */
  readonly top: number;
  readonly active: Place;
  readonly openings: readonly Opening[];
  /** Heights of details, by the index of their result. */
  readonly heights: ReadonlyMap<string, number>;
}

/** The states of the last views, by `tableKey`. */
export const keptTables = new ViewMemory<KeptTable>(50);

/** A run and a view of it, whatever columns have been added. */
export const tableKey = (run: string, query: string) => `${run}?${withoutColumns(query)}`;

/**
 * The active row of a view. A view begins where it was left, or at its first row, as soon as it is requested, so that
 * keys pressed before its rows are loaded apply to it.
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
 * The position of the active row after a change of the rows. It follows its result within the visible rows; if that is
 * gone, the row at its position becomes active.
 */
export function followedPlace(
  place: Place,
  rowAt: (position: number) => TableRow | undefined,
  { first, end, count }: { readonly first: number; readonly end: number; readonly count: number },
): Place {
  const { position, id } = place;
  if (place.group !== undefined) return place;
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

/** The place of a row, with its id if it is loaded. */
export function placeAt(position: number, row: TableRow | undefined): Place {
  return row === undefined ? { position } : { position, id: rowId(row) };
}
