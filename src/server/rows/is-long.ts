import type { LogFile } from '../../store/log/log-file.js';
import type { Row } from '../../store/replay/run-index.js';

/** True for rows that are slow to read and to parse, by the size of the log lines of their current result. */
export function isLong({ events }: LogFile, row: Row): boolean {
  return events.bytesOf(row.events) > 64 * 1024;
}
