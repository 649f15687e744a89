import { AssayError } from '../../errors.js';
import {
  areLightCalls,
  areSpans,
  joinCalls,
  joinLightCalls,
  type LightCalls,
  type StoredCalls,
} from '../../model/calls/stored-calls.js';
import { isObject, parseJson } from '../../model/json.js';
import {
  countedAttempt,
  type EarlierAttempt,
  type ResultEntry,
  type RowFacts,
} from '../../model/result.js';
import type { ScoreFacts } from '../../model/scores/score.js';
import { type GradedEntry, lostPlan, replayRow } from '../replay/row-replay.js';
import {
  applyEvent,
  type Changing,
  finishedAt,
  gradedBeside,
  type RowEvent,
  type RowState,
  startedAt,
  untouched,
} from '../replay/row-state.js';
import type { Row } from '../replay/run-index.js';
import type { LogFile } from './log-file.js';
import { isRowRecord, type PlannedRecord, parseRecord } from './records.js';
import { type EventPlace, eventKinds } from './row-event-index.js';

/** A row with its position in the run. */
export interface IndexedRow {
  readonly index: number;
  readonly row: PlacedAttempt & {
    /** The attempt that counts, if it is not the newest. */
    readonly counted?: PlacedAttempt | undefined;
  };
}

/** An attempt of a row, and the number of its last event. */
type PlacedAttempt = Pick<Row, 'status' | 'events' | 'hasFormerGrade'>;

// Maximum bytes of a batch; a larger row is read alone.
const batchBytes = 1024 * 1024;
// Reading this many unneeded bytes costs less than another read.
const bridgedGap = 16 * 1024;

export function readEntry(file: LogFile, row: IndexedRow): ResultEntry {
  return readGradedEntry(file, row).entry;
}

/** Reads one result with its score rules. */
export function readGradedEntry(file: LogFile, { index, row }: IndexedRow): GradedEntry {
  const { entry, scoreRules } = replay(file, index, file.events.toReplay(row.events));
  return { entry: withCounted(file, { index, row }, asShown(row, entry)), scoreRules };
}

/** Reads the plan of a row, with its values as they were authored. */
export function readPlan(file: LogFile, { index, row }: IndexedRow): PlannedRecord {
  const place = file.events.toReplay(row.events).findLast((one) => one.kind === eventKinds.planned);
  if (place === undefined) return lostPlan(index);
  const event = toEvent(file, place, () => file.bytesAt(place.offset, place.length));
  return event.type === 'planned' ? event : lostPlan(index);
}

/** Reads the earlier finished attempts of a row, newest first. */
export function readAttempts(file: LogFile, { index, row }: IndexedRow): EarlierAttempt[] {
  return [...replay(file, index, file.events.toReplay(row.events)).attempts].reverse();
}

/** Reads the calls of a row in their stored form. Unreadable lines of them are skipped and counted. */
export function readCalls(file: LogFile, { row }: IndexedRow): StoredCalls {
  return joinCalls(
    file.events.callsOf(row.events).map(({ offset, length }) => {
      const record = parseRecord(file.passingBytesAt(offset, length).toString('utf8'));
      if (record?.type === 'calls' || record?.type === 'late_calls') return record;
      // They are too long to be parsed when the log is opened.
      file.unreadable.add(offset);
      return { calls: [], texts: [], unreadable: true };
    }),
  );
}

/** Reads the calls of a row without their texts. Unreadable lines are skipped and counted. */
export function readCallFacts(file: LogFile, { row }: IndexedRow): LightCalls {
  return joinLightCalls(
    file.events.callsOf(row.events).map(({ offset, length }) => {
      const line = file.passingBytesAt(offset, length);
      const light = readLightCalls(line);
      if (light !== undefined) return light;
      const record = parseRecord(line.toString('utf8'));
      if (record?.type === 'calls' || record?.type === 'late_calls') return record;
      file.unreadable.add(offset);
      return { calls: [], unreadable: true };
    }),
  );
}

/** A line of calls without its texts, which are most of it and are not even decoded; `undefined` if it has another shape. */
function readLightCalls(line: Buffer): LightCalls | undefined {
  const from = line.indexOf('"calls":[');
  const to = line.indexOf('],"texts":[', from);
  if (from === -1 || to === -1) return undefined;
  // A name of a user's own can look like one of these. What is cut there is no JSON.
  const calls = parseJson(line.toString('utf8', from + 8, to + 1));
  const spansAt = line.lastIndexOf('],"spans":[');
  const rest = spansAt < to ? {} : parseJson(`{${line.toString('utf8', spansAt + 2)}`);
  if (!areLightCalls(calls) || !isObject(rest)) return undefined;
  if (rest.spans !== undefined && !areSpans(rest.spans)) return undefined;
  return { calls, ...(rest.spans && { spans: rest.spans }) };
}

/** Reads results in the given order; memory is bounded by a batch, or by the largest row. */
export async function* readEntries(
  file: LogFile,
  rows: Iterable<IndexedRow>,
): AsyncGenerator<{ readonly index: number; readonly entry: ResultEntry }> {
  for await (const batch of readBatches(file, rows)) {
    for (const row of batch.rows) yield { index: row.index, entry: toEntry(file, row, batch) };
  }
}

/** Reads the facts of rows from the log, row by row. */
export function* readFacts(file: LogFile, rows: Iterable<IndexedRow>): Generator<RowFacts> {
  for (const one of rows) {
    const facts = factsOf(file, one);
    const { counted } = one.row;
    if (counted === undefined) yield facts;
    else yield { ...facts, counted: factsOf(file, { index: one.index, row: counted }) };
  }
}

function factsOf(file: LogFile, { index, row }: IndexedRow): RowFacts {
  let plan = lostPlan(index);
  const state: Changing<RowState<ScoreFacts>> = { ...untouched };
  let finished: number | undefined;
  let started: number | undefined;
  for (const place of file.events.toReplay(row.events)) {
    const event = toEvent(file, place, () => file.bytesAt(place.offset, place.length));
    if (event.type === 'planned') plan = event;
    applyEvent(state, event, (scores) => scores);
    finished = finishedAt(finished, event, place);
    started = startedAt(started, event);
  }
  const { id, evaluation, dataset, labels, trial, trial_of, cluster } = plan;
  return {
    ...state,
    hasFormerGrade: row.hasFormerGrade ?? state.hasFormerGrade,
    id,
    evaluation,
    function: plan.function,
    dataset,
    labels,
    trial,
    trial_of,
    cluster,
    finished,
    startedAt: started,
  };
}

/** A row with the places of the events that determine it. */
interface PlacedRow extends IndexedRow {
  readonly places: readonly EventPlace[];
}

/** A batch of rows, and the parts of the log with their lines, in ascending order. */
interface RowBatch {
  readonly rows: readonly PlacedRow[];
  readonly parts: readonly LogPart[];
}

interface LogPart {
  readonly offset: number;
  readonly bytes: Buffer;
}

/** Reads rows with their lines in batches, in the given order. */
async function* readBatches(file: LogFile, rows: Iterable<IndexedRow>): AsyncGenerator<RowBatch> {
  for (const batch of batches(file, rows)) {
    const lines = batch.flatMap((row) => row.places.filter(hasLine));
    yield { rows: batch, parts: await readParts(file, lines) };
  }
}

/** Reads the events of rows with their places, in the given order. */
export async function* readEvents(file: LogFile, rows: Iterable<IndexedRow>) {
  for await (const { rows: placed, parts } of readBatches(file, rows)) {
    for (const { index, places } of placed) {
      const events = places.map((place) => ({
        place,
        event: toEvent(file, place, () => lineIn(parts, place)),
      }));
      yield { index, events };
    }
  }
}

/**
 * Reads results batch by batch: to wait for each would take as long as to parse it. `undefined` for those that cannot have
 * all `pieces` in their texts, which are not parsed. Pieces are lower-case ASCII letters, and stand for themselves
 * in any case.
 */
export async function* readEntryBatches(
  file: LogFile,
  rows: Iterable<IndexedRow>,
  pieces: readonly string[],
): AsyncGenerator<Iterable<{ readonly index: number; readonly entry: ResultEntry | undefined }>> {
  for await (const batch of readBatches(file, rows)) yield entriesIn(file, batch, pieces);
}

function* entriesIn(file: LogFile, batch: RowBatch, pieces: readonly string[]) {
  for (const row of batch.rows) {
    const mayMatch = pieces.length === 0 || mayHave(file, row, batch, pieces);
    yield { index: row.index, entry: mayMatch ? toEntry(file, row, batch) : undefined };
  }
}

/** False if the lines of a row cannot have all pieces in the texts of its result. */
function mayHave(
  file: LogFile,
  row: PlacedRow,
  batch: RowBatch,
  pieces: readonly string[],
): boolean {
  if (row.places[0]?.kind !== eventKinds.planned) return true;
  const unread = caselessLines(file, row, batch);
  const lines: string[] = [];
  const isThere = (piece: string): boolean => {
    if (lines.some((line) => line.includes(piece))) return true;
    for (let next = unread.next(); next.done !== true; next = unread.next()) {
      lines.push(next.value);
      if (next.value.includes(piece)) return true;
    }
    return false;
  };
  const absent = pieces.find((piece) => !isThere(piece));
  return absent === undefined || lines.some(isOdd);
}

/** The lines of a row, those of its calls last: they are the longest. */
function* caselessLines(
  file: LogFile,
  { row, places }: PlacedRow,
  { parts }: RowBatch,
): Generator<string, undefined> {
  for (const place of places) if (hasLine(place)) yield caseless(lineIn(parts, place));
  for (const { offset, length } of file.events.callsOf(row.events)) {
    yield caseless(file.passingBytesAt(offset, length));
  }
}

/** A line with one character for each byte. Large parts of a log would take several times as long: their memory is new each time. */
function caseless(bytes: Buffer): string {
  return bytes.toString('latin1').toLowerCase();
}

/**
 * What becomes, or may become, other ASCII letters: escapes, letters whose lower case is one (`K`, `İ`), and parts of messages
 * that are shown in words (`item_reference`, `executableCode`). To look for what begins with a rare letter is quick.
 */
const odd = ['\\u', '\xe2\x84\xaa', '\xe4\xb0', '_reference"', 'xecutablecode"'];

function isOdd(text: string): boolean {
  return odd.some((one) => text.includes(one));
}

/** Builds the result of a row from its lines. */
function toEntry(
  file: LogFile,
  { index, row, places }: PlacedRow,
  { parts }: RowBatch,
): ResultEntry {
  const events = places.map((place) => toEvent(file, place, () => lineIn(parts, place)));
  return withCounted(file, { index, row }, asShown(row, replayRow(index, events).entry));
}

function lineIn(parts: readonly LogPart[], { offset, length }: EventPlace): Buffer {
  const part = partAt(parts, offset);
  if (part === undefined) return noBytes;
  return part.bytes.subarray(offset - part.offset, offset - part.offset + length);
}

/** The last part that begins at or before an offset; parts are ascending. */
function partAt(parts: readonly LogPart[], offset: number): LogPart | undefined {
  let low = 0;
  let high = parts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((parts[middle]?.offset ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return parts[low - 1];
}

const noBytes = Buffer.alloc(0);

function* batches(file: LogFile, rows: Iterable<IndexedRow>): Generator<PlacedRow[]> {
  let batch: PlacedRow[] = [];
  let bytes = 0;
  for (const { index, row } of rows) {
    const places = file.events.toReplay(row.events);
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

/** Reads the parts of the log with these lines; adjacent lines are read together. */
async function readParts(file: LogFile, places: readonly EventPlace[]): Promise<LogPart[]> {
  const parts: LogPart[] = [];
  const sorted = [...places].sort((a, b) => a.offset - b.offset);
  for (let first = 0; first < sorted.length; ) {
    const offset = sorted[first]?.offset ?? 0;
    let end = offset;
    for (; first < sorted.length; first += 1) {
      const place = sorted[first];
      if (place === undefined || place.offset > end + bridgedGap) break;
      end = Math.max(end, place.offset + place.length);
    }
    parts.push({ offset, bytes: await file.readAt(offset, end - offset) });
  }
  return parts;
}

function replay(file: LogFile, index: number, places: readonly EventPlace[]) {
  const events = places.map((place) =>
    toEvent(file, place, () => file.bytesAt(place.offset, place.length)),
  );
  return replayRow(index, events);
}

function toEvent(file: LogFile, place: EventPlace, read: () => Buffer): RowEvent {
  if (place.kind === eventKinds.reset) return { type: 'reset', pass: false };
  if (place.kind === eventKinds.pass) return { type: 'reset', pass: true };
  if (place.kind === eventKinds.cancelled) return { type: 'cancelled' };
  if (place.kind === eventKinds.pruned) return { type: 'pruned' };
  if (place.kind === eventKinds.same_code) return { type: 'same_code' };
  if (place.kind === eventKinds.gone) return { type: 'gone' };
  if (place.kind === eventKinds.back) return { type: 'back' };
  const record = parseRecord(read().toString('utf8'));
  if (record !== undefined && isRowRecord(record)) {
    return place.kind === eventKinds.graded_beside ? gradedBeside(record) : record;
  }
  // The line was valid when the log was opened.
  throw new AssayError(
    'unreadable-run',
    `${file.path} was changed while in use: the line at byte ${place.offset} has changed.`,
  );
}

function hasLine(place: EventPlace): boolean {
  return place.length > 0;
}

/** Adds the attempt that counts, if it is not the newest. */
function withCounted(file: LogFile, { index, row }: IndexedRow, entry: ResultEntry): ResultEntry {
  const { counted } = row;
  if (counted === undefined) return entry;
  const attempt = readEntry(file, { index, row: counted });
  const { result: newest, ...identity } = entry;
  return { ...identity, counted: countedAttempt(attempt), result: newest };
}

/** Adds what only memory has: the status `running`, and what a regrade has left. */
function asShown({ status, hasFormerGrade }: IndexedRow['row'], entry: ResultEntry): ResultEntry {
  if (hasFormerGrade === true) return asShown({ status, events: 0 }, withFormerGrade(entry));
  if (status !== 'running') return entry;
  return { ...entry, result: { ...entry.result, status: 'running' } };
}

function withFormerGrade({ result, ...identity }: ResultEntry): ResultEntry {
  return { ...identity, former_grade: true, result };
}
