import type { Row } from '../../store/run-index.js';

/** How many bytes of the log tell what a row is now: an upper bound for the size of its values. */
export function logBytes(row: Row): number {
  let bytes = 0;
  // Three numbers an event: kind, offset, length.
  for (let at = 2; at < row.events.length; at += 3) bytes += row.events[at] ?? 0;
  return bytes;
}

/** True for a row that takes so long to read and to parse that it is worth to avoid it. */
export function isLong(row: Row): boolean {
  return logBytes(row) > 64 * 1024;
}
