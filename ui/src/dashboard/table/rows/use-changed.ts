import { useEffect, useRef, useState } from 'react';
import type { TableRow } from '../../../api/schema.js';

/** Milliseconds for which a changed row is highlighted. */
const tintedFor = 1000;

/** True shortly after the result of a row has changed. Another result in its place is no change. */
export function useChanged(row: TableRow | undefined): boolean {
  const before = useRef(row);
  const [change, setChange] = useState(0);
  useEffect(() => {
    const was = before.current;
    before.current = row;
    if (was === row) return;
    if (was?.index !== row?.index) setChange(0);
    else if (was && row && isDifferent(was, row)) setChange((n) => n + 1);
  }, [row]);
  useEffect(() => {
    if (change === 0) return;
    const timer = setTimeout(() => setChange(0), tintedFor);
    return () => clearTimeout(timer);
  }, [change]);
  return change > 0;
}

function isDifferent(was: TableRow, is: TableRow): boolean {
  return (
    was.status !== is.status ||
    was.passed !== is.passed ||
    was.output !== is.output ||
    was.error !== is.error ||
    was.latency !== is.latency ||
    was.replayed !== is.replayed ||
    was.annotation !== is.annotation ||
    JSON.stringify(was.scores) !== JSON.stringify(is.scores) ||
    String(was.fold?.standings) !== String(is.fold?.standings)
  );
}
