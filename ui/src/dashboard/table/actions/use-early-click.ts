import { type MouseEvent, useEffect, useState } from 'react';
import type { TableRow } from '../../../api/schema.js';
import { isSameLine, type Line } from '../scrolling/table-layout.js';

/** A click on a row that was not loaded. */
interface EarlyClick {
  readonly line: Line;
  readonly event: MouseEvent;
}

/** Opens a row that is clicked: at once, or when it is loaded, if the element still shows it then. */
export function useEarlyClick(
  line: Line,
  row: TableRow | undefined,
  open: (line: Line, row: TableRow, event: MouseEvent) => void,
): (event: MouseEvent) => void {
  const [early, setEarly] = useState<EarlyClick>();
  useEffect(() => {
    if (early === undefined) return;
    const isHere = isSameLine(early.line, line);
    if (isHere && row === undefined) return;
    setEarly(undefined);
    if (isHere && row !== undefined) open(line, row, early.event);
  }, [early, line, row, open]);
  return (event) => {
    if (row === undefined) setEarly({ line, event });
    else open(line, row, event);
  };
}
