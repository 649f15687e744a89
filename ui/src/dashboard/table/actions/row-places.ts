import { useCallback, useState } from 'react';
import { withoutColumns } from '../../../api/row-queries.js';
import type { TableRow } from '../../../api/schema.js';
import { ViewMemory } from '../../../lists/view-memory.js';
import { rowId } from '../cells/row-standing.js';
import type { Line, Opening } from '../scrolling/table-layout.js';

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

/** Rows in each direction that are searched for a row that moved. */
const nearby = 150;

/** The open rows. A row that moves, because its sort value changed, stays open. */
export function useOpenings(first: readonly Opening[]) {
  const [openings, setOpenings] = useState(first);

  /** Updates the positions of the open rows. */
  const follow = (rowAt: (position: number) => TableRow | undefined) => {
    const now = openings.map((opening) => followed(opening, rowAt));
    if (now.some((opening, n) => opening !== openings[n])) {
      setOpenings(now.filter((opening) => opening !== undefined));
    }
  };

  const isOpen = (line: Line, row: TableRow): boolean => {
    const opening = openings.find(({ position }) => position === line.position);
    if (opening === undefined) return false;
    return line.kind === 'row' && row.fold
      ? opening.trials.length > 0
      : opening.details.includes(row.index);
  };

  const toggle = useCallback((line: Line, row: TableRow) => {
    setOpenings((before) => {
      const { position } = line;
      const others = before.filter((opening) => opening.position !== position);
      const opening = before.find((other) => other.position === position);
      if (line.kind === 'row' && row.fold) {
        if (opening) return others;
        return [...others, { position, id: row.fold.id, trials: row.fold.indices, details: [] }];
      }
      const known = opening ?? { position, id: row.id, trials: [], details: [] };
      const details = known.details.includes(row.index)
        ? known.details.filter((index) => index !== row.index)
        : [...known.details, row.index];
      if (known.trials.length === 0 && details.length === 0) return others;
      return [...others, { ...known, details }];
    });
  }, []);

  return { openings, isOpen, toggle, follow };
}

/** The opening at the current position of its row; `undefined` if that is not found. */
function followed(
  opening: Opening,
  rowAt: (position: number) => TableRow | undefined,
): Opening | undefined {
  const { position, id, trials } = opening;
  const isIt = (row: TableRow | undefined) => row !== undefined && rowId(row) === id;
  const there = rowAt(position);
  if (there === undefined) return opening;
  if (isIt(there)) {
    const now = there.fold?.indices ?? [];
    const isSame = now.length === trials.length && now.every((index, n) => index === trials[n]);
    return isSame ? opening : { ...opening, trials: now };
  }
  for (let away = 1; away <= nearby; away += 1) {
    if (isIt(rowAt(position - away))) return { ...opening, position: position - away };
    if (isIt(rowAt(position + away))) return { ...opening, position: position + away };
  }
  return undefined;
}
