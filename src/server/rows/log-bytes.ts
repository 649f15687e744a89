import type { Row } from '../../store/run-index.js';

/** The size of the log lines of the current result of a row: an upper bound for the size of its values. */
export function logBytes(row: Row): number {
  let bytes = 0;
  // Three numbers an event: kind, offset, length.
  for (let at = 2; at < row.events.length; at += 3) bytes += row.events[at] ?? 0;
  return bytes;
}

/** True for rows that are slow to read and to parse. */
export function isLong(row: Row): boolean {
  return logBytes(row) > 64 * 1024;
}
