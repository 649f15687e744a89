import { useCallback, useState } from 'react';
import type { TableRow } from '../../../api/schema.js';
import { rowId } from '../cells/row-standing.js';
import type { Line, Opening } from '../scrolling/table-layout.js';

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
