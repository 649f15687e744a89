import { setImmediate } from 'node:timers/promises';
import { runUsageOf } from '../../model/calls/run-usage.js';
import { hasReplayedLatency, totalsOf, type Usage } from '../../model/calls/usage.js';
import { hasMessages } from '../../model/conversation.js';
import { cutText, previewOf } from '../../model/preview.js';
import type { IndexedEntry } from '../../model/readable-run.js';
import { identityOf, type Json, type Result, type ResultEntry } from '../../model/result.js';
import type { Score } from '../../model/scores/score.js';
import { passedOf } from '../../model/scores/verdict.js';
import { readEntries, readEntryBatches } from '../../store/log/entry-reading.js';
import type { LogFile } from '../../store/log/log-file.js';
import { isRowRecord, parseRecord } from '../../store/log/records.js';
import { type EventPlace, eventKinds } from '../../store/log/row-event-index.js';
import { replayRow } from '../../store/replay/row-replay.js';
import { gradedBeside, type RowEvent } from '../../store/replay/row-state.js';
import type { Row } from '../../store/replay/run-index.js';
import type { RunSnapshot } from '../../store/stored-run.js';

/** Lines up to this size in bytes are read completely. */
const wholeLine = 64 * 1024;

/** Bytes read from the start and the end of a longer line. */
const part = 8 * 1024;

/** Optional parts of a row that filters can select by. */
export const rowFlags = ['annotation', 'error', 'trace_url', 'messages'] as const;
export type RowFlag = (typeof rowFlags)[number];

export const cutFields = ['input', 'output', 'reference', 'error', 'annotation', 'scores'] as const;
type CutField = (typeof cutFields)[number];

/** Maximum length of a preview and of notes, and maximum number of scores of a row. */
export const lightRowLimits = { preview: 300, notes: 200, scores: 100 } as const;

/** The rows of a run at one moment, with access to their values. */
export interface RowSource extends Pick<RunSnapshot, 'rows'> {
  /** What attempts without a result spent; absent for nothing. */
  readonly unlisted?: Usage | undefined;
  /** The log with their values. */
  readonly file: LogFile;
}

/** Reads results in the order of `indices`, as of the moment of the source. */
export async function* sourceEntries(
  { rows, file }: RowSource,
  indices: readonly number[],
): AsyncGenerator<IndexedEntry> {
  // Keeps the log open until everything is read, even if the run is closed.
  file.retain();
  try {
    yield* readEntries(file, withRows(rows, indices));
  } finally {
    file.release();
  }
}

/** Milliseconds of work before other requests get a turn. */
const slice = 8;

/** Calls `act` with each result of {@link sourceEntries}, with turns for other requests. `pieces`: see {@link readEntryBatches}. */
export async function forEachEntry(
  { rows, file }: RowSource,
  indices: readonly number[],
  act: (index: number, entry: ResultEntry) => void,
  {
    signal,
    pieces = [],
  }: { readonly signal?: AbortSignal | undefined; readonly pieces?: readonly string[] } = {},
): Promise<void> {
  let since = performance.now();
  file.retain();
  try {
    for await (const batch of readEntryBatches(file, withRows(rows, indices), pieces)) {
      for (const { index, entry } of batch) {
        if (entry !== undefined) act(index, entry);
        if (performance.now() - since < slice) continue;
        await setImmediate();
        signal?.throwIfAborted();
        since = performance.now();
      }
    }
  } finally {
    file.release();
  }
}

function* withRows(rows: readonly Row[], indices: readonly number[]) {
  for (const index of indices) {
    const row = rows[index];
    if (row !== undefined) yield { index, row };
  }
}

// Rows are immutable and replaced on change, so cached values never become stale.
const kept = new WeakMap<Row, LightRow>();

/** Light rows in the order of `indices`, as of one moment of a run; unknown indices are ignored. */
export async function lightRowsOf(
  source: RowSource,
  indices: readonly number[],
): Promise<LightRow[]> {
  source.file.retain();
  try {
    const rows = await readRows(source, indices);
    return indices.flatMap((index) => rows.get(index) ?? []);
  } finally {
    source.file.release();
  }
}

async function readRows(
  source: RowSource,
  indices: readonly number[],
): Promise<ReadonlyMap<number, LightRow>> {
  const rows = new Map<number, LightRow>();
  const unread: number[] = [];
  for (const index of indices) {
    const row = source.rows[index];
    if (row === undefined) continue;
    const known = isLong(source.file, row) ? await longRow(source, index, row) : undefined;
    if (known === undefined) unread.push(index);
    else rows.set(index, known);
  }
  for await (const { index, entry } of sourceEntries(source, unread)) {
    const light = toLightRow(index, entry);
    rows.set(index, light);
    const row = source.rows[index];
    if (row === undefined || !isLong(source.file, row)) continue;
    kept.set(row, light);
    // Parsing a long row blocks the event loop, so yield before the next one.
    await setImmediate();
  }
  return rows;
}

/** The light row of a long row, from the cache or from a part of its lines. */
async function longRow(
  { file }: RowSource,
  index: number,
  row: Row,
): Promise<LightRow | undefined> {
  const known = kept.get(row);
  if (known !== undefined) return known;
  const entry = await readShortened(file, index, row);
  if (entry === undefined) return undefined;
  const light = toLightRow(index, entry);
  kept.set(row, light);
  return light;
}

/** A row for a table, with long values shortened to one line of text. */
export type LightRow = ReturnType<typeof toLightRow>;

/** Shortens the long values of a result. */
export function toLightRow(index: number, entry: ResultEntry) {
  const { result } = entry;
  const usage = runUsageOf(result);
  const cut: CutField[] = [];
  const preview = (field: CutField, value: Json): string | null => {
    const shown = previewOf(value, lightRowLimits.preview);
    if (shown.cut) cut.push(field);
    return shown.text;
  };
  return {
    index,
    ...identityOf(entry),
    ...(entry.regradable === true ? { regradable: true } : {}),
    ...(entry.inexact === true ? { inexact: true } : {}),
    ...(entry.pruned === true ? { pruned: true } : {}),
    status: result.status,
    passed: passedOf(result),
    latency: result.latency,
    ...(result.origin === undefined ? {} : { origin: result.origin }),
    ...(result.reason === undefined ? {} : { reason: result.reason }),
    ...(hasReplayedLatency(result) ? { replayed: true } : {}),
    ...(usage && { usage: totalsOf(usage) }),
    scores: lightScores(result.scores, cut),
    input: preview('input', result.input),
    output: preview('output', result.output),
    reference: preview('reference', result.reference),
    error: preview('error', result.error),
    annotation: preview('annotation', result.annotation) ?? '',
    has: flagsOf(result),
    cut,
  };
}

/** The flags of a result. */
export function flagsOf(result: Result): RowFlag[] {
  const has = {
    annotation: result.annotation !== '',
    error: result.error !== null,
    trace_url: typeof result.trace_data.trace_url === 'string',
    messages: hasMessages(result),
  };
  return rowFlags.filter((flag) => has[flag]);
}

function lightScores(scores: readonly Score[], cut: CutField[]): readonly Score[] {
  const { notes: longest, scores: most } = lightRowLimits;
  const isLong = (score: Score) => score.notes !== undefined && score.notes.length > longest;
  if (scores.length <= most && !scores.some(isLong)) return scores;
  cut.push('scores');
  return scores
    .slice(0, most)
    .map((score) =>
      score.notes === undefined ? score : { ...score, notes: cutText(score.notes, longest) },
    );
}

/**
 * A result with long values cut, for tables: reads a few kilobytes of a line of 16 MiB. `undefined` if the lines have
 * another shape; then the result must be read completely.
 */
async function readShortened(
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
  if (record === undefined || !isRowRecord(record) || record.index !== index) return undefined;
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

type Fields = { [key: string]: Json };

/** Fields that may be cut, because tables show only their start. */
const mayBeShort = new Set(['input', 'output', 'reference', 'error', 'metadata']);

/** Required fields by type of line. */
const needed = new Map<string, readonly string[]>([
  ['planned', ['id', 'function', 'dataset', 'labels', 'input', 'reference', 'metadata']],
  ['finished', ['status', 'output', 'scores', 'error', 'latency', 'trace_data']],
  [
    'imported',
    [
      'status',
      'output',
      'scores',
      'error',
      'latency',
      'trace_data',
      'annotation',
      'correction_history',
    ],
  ],
]);

/**
 * Parses a log line from its start and its end, with its one long value cut to a string: its beginning, or the
 * beginning of its JSON. `undefined` if more than one value is cut; then the whole line must be read.
 */
function shortenRecord(head: string, tail: string): Fields | undefined {
  const found = readHead(head);
  if (found === undefined || !mayBeShort.has(found.key)) return undefined;
  const start = valueStart(found.key, found.rest);
  const rest = readTail(tail);
  if (start === undefined || rest === undefined) return undefined;
  const fields = { ...found.fields, [found.key]: start, ...rest };
  const { type } = fields;
  const names = typeof type === 'string' ? needed.get(type) : undefined;
  return names?.every((name) => Object.hasOwn(fields, name)) === true ? fields : undefined;
}

/** The fields before the value that does not end in the head, and the beginning of that value. */
function readHead(
  head: string,
): { readonly fields: Fields; readonly key: string; readonly rest: string } | undefined {
  const fields: Fields = {};
  // Keys of records need no escapes.
  const nextKey = /[{,]"(\w+)":/y;
  for (let at = 0; ; ) {
    nextKey.lastIndex = at;
    const key = nextKey.exec(head)?.[1];
    if (key === undefined || key === '__proto__') return undefined;
    const start = nextKey.lastIndex;
    const end = valueEnd(head, start);
    if (end === undefined) return { fields, key, rest: head.slice(start) };
    fields[key] = JSON.parse(head.slice(start, end)) as Json;
    at = end;
  }
}

/** The end of the JSON value that starts here; `undefined` if it does not end in the text. */
function valueEnd(text: string, start: number): number | undefined {
  const token = /"(?:[^"\\]|\\.)*"|[[\]{}]|[^\s"[\]{},:]+|[,:]/gsy;
  token.lastIndex = start;
  for (let depth = 0; ; ) {
    const found = token.exec(text)?.[0];
    // A number at the end of the text may continue.
    if (found === undefined || token.lastIndex === text.length) return undefined;
    if (found === '[' || found === '{') depth += 1;
    if (found === ']' || found === '}') depth -= 1;
    if (depth === 0) return token.lastIndex;
  }
}

/** The replacement for a long value. */
function valueStart(key: string, rest: string): Json | undefined {
  if (key === 'metadata') return {};
  // Whether it is a conversation is known only for the whole list.
  if (rest.startsWith('[{')) return undefined;
  if (!rest.startsWith('"')) return rest;
  // The last escape may be incomplete.
  const whole = /^"(?:[^"\\]|\\(?:u[0-9a-f]{4}|[^u]))*/is.exec(rest)?.[0];
  return whole === undefined ? undefined : (JSON.parse(`${whole}"`) as Json);
}

/**
 * The fields after the long value. If text becomes an object when a brace is put before it, then it starts between two
 * fields of the record itself: within a value there would be an extra brace, and within a string quotes are escaped.
 */
function readTail(tail: string): Fields | undefined {
  for (let at = tail.indexOf(',"'); at !== -1; at = tail.indexOf(',"', at + 1)) {
    try {
      return JSON.parse(`{${tail.slice(at + 1)}`) as Fields;
    } catch {
      // Not a boundary between fields; try the next one.
    }
  }
  return tail.endsWith('}') ? {} : undefined;
}

/** True for rows that are slow to read and to parse, by the size of the log lines of their current result. */
export function isLong({ events }: LogFile, row: Row): boolean {
  return events.bytesOf(row.events) > 64 * 1024;
}
