import type { LogFile } from '../../store/log/log-file.js';
import type { Row } from '../../store/replay/run-index.js';

/** The size of the log lines of the current result of a row: an upper bound for the size of its values. */
export function logBytes({ events }: LogFile, row: Row): number {
  return events.bytesOf(row.events);
}

/** True for rows that are slow to read and to parse. */
export function isLong(file: LogFile, row: Row): boolean {
  return logBytes(file, row) > 64 * 1024;
}
