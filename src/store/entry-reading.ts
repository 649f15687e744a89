import { AssayError } from '../errors.js';
import type { ResultEntry } from '../model/result.js';
import type { LogFile } from './log-file.js';
import { parseRecord } from './record-parsing.js';
import type { LogRecord } from './records.js';
import { type Attempt, type GradedEntry, type RowEvent, replayRow } from './replay.js';
import { type EventPlace, eventKinds, eventsToReplay } from './row-events.js';
import type { Row } from './run-index.js';

/** A row with its position in the run. */
export interface IndexedRow {
  readonly index: number;
  readonly row: Row;
}

// Rows are read together until they add up to this; one larger row is read alone.
const batchBytes = 1024 * 1024;
// Reading this much too much costs less than another read.
const bridgedGap = 16 * 1024;

/** One result as it is now. */
export function readEntry(file: LogFile, row: IndexedRow): ResultEntry {
  return readGradedEntry(file, row).entry;
}

/** One result as it is now, with the rules of its scores. */
export function readGradedEntry(file: LogFile, { index, row }: IndexedRow): GradedEntry {
  const { entry, scoreRules } = replay(file, index, eventsToReplay(row.events, false));
  return { entry: asShown(row, entry), scoreRules };
}

/** Earlier finished attempts of a row, newest first. */
export function readAttempts(file: LogFile, { index, row }: IndexedRow): Attempt[] {
  return [...replay(file, index, eventsToReplay(row.events, true)).attempts].reverse();
}

/** Results in the order asked for; memory is bounded by a batch, or by the largest row. */
export async function* readEntries(
  file: LogFile,
  rows: Iterable<IndexedRow>,
): AsyncGenerator<{ readonly index: number; readonly entry: ResultEntry }> {
  for (const batch of batches(rows)) {
    const lines = await readLines(
      file,
      batch.flatMap((item) => item.places.filter(hasLine)),
    );
    for (const { index, row, places } of batch) {
      const events = places.map((place) =>
        toEvent(file, place, () => lines.get(place.offset) ?? Buffer.alloc(0)),
      );
      yield { index, entry: asShown(row, replayRow(index, events).entry) };
    }
  }
}

interface BatchItem extends IndexedRow {
  readonly places: readonly EventPlace[];
}

function* batches(rows: Iterable<IndexedRow>): Generator<BatchItem[]> {
  let batch: BatchItem[] = [];
  let bytes = 0;
  for (const { index, row } of rows) {
    const places = eventsToReplay(row.events, false);
    const size = places.reduce((sum, place) => sum + place.length, 0);
    if (bytes + size > batchBytes && batch.length > 0) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push({ index, row, places });
    bytes += size + 200;
  }
  if (batch.length > 0) yield batch;
}

/** Lines by offset; neighbours are read in one go. */
async function readLines(
  file: LogFile,
  places: readonly EventPlace[],
): Promise<Map<number, Buffer>> {
  const lines = new Map<number, Buffer>();
  const sorted = [...places].sort((a, b) => a.offset - b.offset);
  for (let first = 0; first < sorted.length; ) {
    const start = sorted[first]?.offset ?? 0;
    let end = start;
    let next = first;
    for (; next < sorted.length; next += 1) {
      const place = sorted[next];
      if (place === undefined || place.offset > end + bridgedGap) break;
      end = place.offset + place.length;
    }
    const bytes = await file.readAt(start, end - start);
    for (const { offset, length } of sorted.slice(first, next)) {
      lines.set(offset, bytes.subarray(offset - start, offset - start + length));
    }
    first = next;
  }
  return lines;
}

function replay(file: LogFile, index: number, places: readonly EventPlace[]) {
  const events = places.map((place) =>
    toEvent(file, place, () => file.bytesAt(place.offset, place.length)),
  );
  return replayRow(index, events);
}

function toEvent(file: LogFile, place: EventPlace, read: () => Buffer): RowEvent {
  if (place.kind === eventKinds.reset) return { type: 'reset' };
  if (place.kind === eventKinds.cancelled) return { type: 'cancelled' };
  if (place.kind === eventKinds.pruned) return { type: 'pruned' };
  const record = parseRecord(read().toString('utf8'));
  if (record !== undefined && isRowEvent(record)) return record;
  // The line was whole when the log was opened.
  throw new AssayError(
    'unreadable-run',
    `${file.path} was changed while in use: the line at byte ${place.offset} is another one now.`,
  );
}

function isRowEvent(record: LogRecord): record is LogRecord & RowEvent {
  return 'index' in record;
}

function hasLine(place: EventPlace): boolean {
  return place.length > 0;
}

/** Which rows run at this moment is known only in memory. */
function asShown(row: Row, entry: ResultEntry): ResultEntry {
  if (row.status !== 'running') return entry;
  return { ...entry, result: { ...entry.result, status: 'running' } };
}
