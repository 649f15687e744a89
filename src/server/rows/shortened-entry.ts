import type { ResultEntry } from '../../model/result.js';
import type { LogFile } from '../../store/log/log-file.js';
import { parseRecord } from '../../store/log/record-parsing.js';
import { type EventPlace, eventKinds } from '../../store/log/row-event-index.js';
import { replayRow } from '../../store/replay/row-replay.js';
import { gradedBeside, type RowEvent } from '../../store/replay/row-state.js';
import type { Row } from '../../store/replay/run-index.js';
import { shortenRecord } from './shortened-record.js';

/** Lines up to this size in bytes are read completely. */
const wholeLine = 64 * 1024;
/** Bytes read from the start and the end of a longer line. */
const part = 8 * 1024;

/**
 * A result with long values cut, for tables: reads a few kilobytes of a line of 16 MiB. `undefined` if the lines have
 * another shape; then the result must be read completely.
 */
export async function readShortened(
  file: LogFile,
  index: number,
  row: Row,
): Promise<ResultEntry | undefined> {
  const events: RowEvent[] = [];
  for (const place of file.events.toReplay(row.events)) {
    const event = await readEvent(file, index, place);
    if (event === undefined) return undefined;
    events.push(event);
  }
  const { entry } = replayRow(index, events);
  if (row.status !== 'running') return entry;
  return { ...entry, result: { ...entry.result, status: 'running' } };
}

async function readEvent(
  file: LogFile,
  index: number,
  place: EventPlace,
): Promise<RowEvent | undefined> {
  if (place.kind === eventKinds.reset) return { type: 'reset', pass: false };
  if (place.kind === eventKinds.pass) return { type: 'reset', pass: true };
  if (place.kind === eventKinds.cancelled) return { type: 'cancelled' };
  const line = await readLine(file, place);
  const record = line === undefined ? undefined : parseRecord(line);
  if (record === undefined || !('index' in record) || record.index !== index) return undefined;
  return place.kind === eventKinds.graded_beside ? gradedBeside(record) : record;
}

async function readLine(
  file: LogFile,
  { offset, length }: EventPlace,
): Promise<string | undefined> {
  if (length <= wholeLine) return (await file.readAt(offset, length)).toString();
  const head = await file.readAt(offset, part);
  const tail = await file.readAt(offset + length - part, part);
  const record = shortenRecord(head.toString(), tail.toString());
  return record === undefined ? undefined : JSON.stringify(record);
}
