import { setImmediate } from 'node:timers/promises';
import { hasMessages } from '../../model/conversation.js';
import { cutText, previewOf } from '../../model/preview.js';
import type { IndexedEntry } from '../../model/readable-run.js';
import type { Json, Result, ResultEntry, ResultStatus } from '../../model/result.js';
import type { Score } from '../../model/score.js';
import { totalsOf, type UsageTotals } from '../../model/usage.js';
import { passedOf } from '../../model/verdict.js';
import { type RowBatch, readBatches, readEntries } from '../../store/entry-reading.js';
import type { LogFile } from '../../store/log-file.js';
import type { Row } from '../../store/run-index.js';
import type { RunSnapshot, StoredRun } from '../../store/stored-run.js';
import { isLong } from './log-bytes.js';
import { readShortened } from './shortened-entry.js';

/** What a row may have besides its values; filters can ask for each. */
export const rowFlags = ['annotation', 'error', 'trace_url', 'messages'] as const;
export type RowFlag = (typeof rowFlags)[number];

/** A row for a table: everything short, long values as one line of text. */
export interface LightRow {
  readonly index: number;
  readonly id: string;
  readonly function: string;
  readonly dataset: string;
  readonly labels: readonly string[];
  readonly trial?: number;
  readonly trial_of?: string;
  readonly regradable?: true;
  /** Its evaluation is gone: it counts for nothing but its place. */
  readonly pruned?: true;
  readonly status: ResultStatus;
  /** The verdict; `null` when there is none. */
  readonly passed: boolean | null;
  /** Seconds. */
  readonly latency: number | null;
  /** What its calls used; absent without calls. */
  readonly usage?: UsageTotals;
  readonly scores: readonly Score[];
  readonly input: string | null;
  readonly output: string | null;
  readonly reference: string | null;
  readonly error: string | null;
  readonly annotation: string;
  readonly has: readonly RowFlag[];
  /** Names of the fields that are longer than what is here. */
  readonly cut: readonly CutField[];
}

export const cutFields = ['input', 'output', 'reference', 'error', 'annotation', 'scores'] as const;
export type CutField = (typeof cutFields)[number];

/** Longest preview of a value, longest notes of a score, most scores of a row. */
export const lightRowLimits = { preview: 300, notes: 200, scores: 100 } as const;

/** What is read of a run: its rows and their values at one moment. */
export interface RowSource extends Pick<RunSnapshot, 'rows'> {
  /** The log they are in. */
  readonly file: LogFile;
}

/** A run as it is now. Cheaper than a snapshot: nothing is counted. */
export function rowSource(run: StoredRun): RowSource {
  return { rows: run.rows.slice(), file: run.log.file };
}

/** Results in the order of `indices`, as they were at the moment of the source. */
export async function* sourceEntries(
  { rows, file }: RowSource,
  indices: readonly number[],
): AsyncGenerator<IndexedEntry> {
  // It stays open until everything is read, also when the run is closed meanwhile.
  file.retain();
  try {
    yield* readEntries(file, withRows(rows, indices));
  } finally {
    file.release();
  }
}

/** The same as they are in the log, not parsed. */
export async function* sourceBatches(
  { rows, file }: RowSource,
  indices: readonly number[],
): AsyncGenerator<RowBatch> {
  file.retain();
  try {
    yield* readBatches(file, withRows(rows, indices));
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

// Rows are replaced when they change, so what is kept for one can never be out of date.
const kept = new WeakMap<Row, LightRow>();

/** Light rows in the order of `indices`, as the run is now; indices the run does not have are left out. */
export function lightRows(run: StoredRun, indices: readonly number[]): Promise<LightRow[]> {
  return lightRowsOf(rowSource(run), indices);
}

/** Light rows of one moment of a run. */
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
    const known = isLong(row) ? await longRow(source, index, row) : undefined;
    if (known === undefined) unread.push(index);
    else rows.set(index, known);
  }
  for await (const { index, entry } of sourceEntries(source, unread)) {
    const light = toLightRow(index, entry);
    rows.set(index, light);
    const row = source.rows[index];
    if (row === undefined || !isLong(row)) continue;
    kept.set(row, light);
    // Parsing a long row holds everything else up; let it have its turn before the next.
    await setImmediate();
  }
  return rows;
}

/** The light row of a long one, from memory or from a part of its lines. */
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

/** A result without its long values. */
export function toLightRow(index: number, entry: ResultEntry): LightRow {
  const { result } = entry;
  const cut: CutField[] = [];
  const preview = (field: CutField, value: Json): string | null => {
    const shown = previewOf(value, lightRowLimits.preview);
    if (shown.cut) cut.push(field);
    return shown.text;
  };
  return {
    index,
    id: entry.id,
    function: entry.function,
    dataset: entry.dataset,
    labels: entry.labels,
    ...(entry.trial === undefined ? {} : { trial: entry.trial }),
    ...(entry.trial_of === undefined ? {} : { trial_of: entry.trial_of }),
    ...(entry.regradable === true ? { regradable: true } : {}),
    ...(entry.pruned === true ? { pruned: true } : {}),
    status: result.status,
    passed: passedOf(result),
    latency: result.latency,
    ...(result.usage === undefined ? {} : { usage: totalsOf(result.usage) }),
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

/** What a result has. */
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
