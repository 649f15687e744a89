import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { AssayError } from '../errors.js';
import { type CorrectedScore, correctedScoresOf } from '../model/calibration/calibration.js';
import type { ReviewedRun } from '../model/calibration/judgements.js';
import type { Trace } from '../model/calls/model-call.js';
import type { Cost } from '../model/calls/run-usage.js';
import { type StoredCalls, unpackCalls } from '../model/calls/stored-calls.js';
import type { Usage } from '../model/calls/usage.js';
import { codeRule } from '../model/code/evaluation-code.js';
import {
  judgeScore,
  labelledOutput,
  type ReviewLabel,
  type ReviewSample,
  type Rubric,
  type SampleRequest,
} from '../model/labels.js';
import type { ReadableRun } from '../model/readable-run.js';
import {
  countedOf,
  type EarlierAttempt,
  type JsonObject,
  type ResultEntry,
} from '../model/result.js';
import type { CountedSummary, ExecutionFacts, RunHead, RunState } from '../model/run.js';
import type { Score } from '../model/scores/score.js';
import { countedSummary } from '../model/summary/counts-only.js';
import { headFigures, type Summary, summarise } from '../model/summary/summary.js';
import {
  comparableOf,
  headOf,
  RunJsonWriter,
  renderDocument,
  toDocument,
} from './listing/run-json.js';
import { liveHolder, type RunHolder } from './lock/lock.js';
import {
  type BulkChange,
  type ResultChange,
  toBulkEditedRecord,
  toCountedEdit,
  toEditedRecord,
} from './log/edited-record.js';
import {
  type IndexedRow,
  readAttempts,
  readCalls,
  readEntries,
  readEntry,
  readGradedEntry,
  readPlan,
} from './log/entry-reading.js';
import { type EditedRecord, formatVersion, type LogRecord, parseRecord } from './log/records.js';
import { type RowMarks, readMarks } from './log/row-marks.js';
import { selectedRows } from './log/row-ranges.js';
import { newerMessage, type RunLog } from './log/run-log.js';
import { checkName } from './names.js';
import type { ExecutionCode, FilePlace } from './replay/execution-code.js';
import type { GradedEntry } from './replay/row-replay.js';
import type { Row } from './replay/run-index.js';
import type { RunHeader } from './replay/run-replay.js';
import type { RubricTexts } from './replay/run-review.js';
import {
  type GivenLabel,
  newRubrics,
  noSuchResult,
  toLabelRecord,
  toLine,
  toSampleRecord,
} from './review.js';

/** While a run is executed, at most a twentieth of the time goes into its counted summary. */
const restShare = 20;

/** Results that a bulk change reads and appends at once. */
const editedAtOnce = 64;

/** A run at one moment: its summary and results agree, even if the log grows while they are read. */
export interface RunSnapshot extends ReadableRun {
  readonly rows: readonly Row[];
}

/** The attempts of a run that count: where a result is a repeat, that of the last pass. */
export interface CountedRun {
  readonly rows: readonly Row[];
  entries(indices: readonly number[]): ReturnType<typeof readEntries>;
  /** Error: `no-such-result`. */
  entry(index: number): ResultEntry;
  marks(indices: readonly number[]): AsyncGenerator<RowMarks>;
  /** `undefined` without calls. Error: `no-such-result`. */
  storedCalls(index: number): StoredCalls | undefined;
  /** The calls and spans of an attempt. Error: `no-such-result`. */
  trace(index: number): Trace;
}

/** The state of the execution in this process. */
export interface Ownership {
  /** An execution was started and has not ended. */
  executing: boolean;
  paused: boolean;
}

/** A saved run. Light rows are in memory; long values are read from the log on demand. */
export class StoredRun {
  readonly runId: string;
  /** Absolute path of the run folder. */
  readonly folder: string;
  /** Appends are for the owner of the run; others use `edit` and `rename`. */
  readonly log: RunLog;
  #ownership: Ownership | undefined;
  #holder: RunHolder | undefined;
  #summary: { readonly version: string; readonly summary: Summary } | undefined;
  #countedSummary:
    | { readonly version: string; readonly summary: CountedSummary; readonly until: number }
    | undefined;
  #corrected: { readonly version: string; readonly scores: readonly CorrectedScore[] } | undefined;
  #gradings:
    | {
        readonly lines: number;
        /** By the `code` of rows and the evaluation. */
        readonly byCode: ReadonlyMap<string, ReadonlyMap<string, string>>;
      }
    | undefined;
  readonly #notes: string[] = [];
  #users = 0;
  #onUnused: () => void = () => undefined;
  readonly #runJson: RunJsonWriter;

  constructor(log: RunLog, runId: string) {
    this.log = log;
    this.runId = runId;
    this.folder = log.folder;
    this.#holder = liveHolder(log.folder);
    const isHeld = () => this.ownership !== undefined || liveHolder(this.folder) !== undefined;
    this.#runJson = new RunJsonWriter(log.folder, () => this.documentText(), isHeld);
  }

  get header(): RunHeader {
    const { header } = this.log.index;
    if (header === undefined) throw unreadable(this.folder);
    return header.run_id === this.runId ? header : { ...header, run_id: this.runId };
  }

  /** Light rows by index. Rows are immutable: the same object means no change. */
  get rows(): readonly Row[] {
    return this.log.index.rows;
  }

  /**
   * Changes whenever the header or a row changes, including rows marked as running. Versions are unique: opening or
   * reading the run again gives another one.
   */
  get version(): string {
    const { reading, version } = this.log.index;
    return `${reading}-${version}`;
  }

  /** Set while this process owns the run. */
  get ownership(): Ownership | undefined {
    return this.#ownership;
  }

  set ownership(ownership: Ownership | undefined) {
    this.#ownership = ownership;
    // Until now, this process held the run.
    this.#holder = undefined;
  }

  /** Another process that holds the lock of the run. */
  get owner(): RunHolder | undefined {
    return this.ownership === undefined ? this.#holder : undefined;
  }

  /** The number of rows of the current or last execution. */
  get selectedTotal(): number {
    return this.log.index.selectedTotal;
  }

  /** True for a run written by a newer version of assay: known records are read, and nothing can be changed. */
  get readOnly(): boolean {
    return this.log.index.format > formatVersion;
  }

  /** Problems of the files of this run, as sentences for the user. */
  get problems(): string[] {
    return [...this.#notes, ...this.log.problems(this.#holder !== undefined)];
  }

  /** Rows that failed only because the budget was spent; a resume runs them again. */
  get refused(): readonly number[] {
    const { budget, rows } = this.log.index;
    return budget === undefined ? [] : [...selectedRows(budget.refused, rows.length)];
  }

  /**
   * What the calls of its last execution have cost, with those of the executions that it resumes: what a budget is judged
   * by. What was taken over from other runs was paid there.
   */
  get spentOfBudget(): Cost {
    const { spent, spentBefore: before, budget } = this.log.index;
    // Sums of many prices differ by rounding.
    const cost = Number((spent.cost - before.cost).toPrecision(12));
    return { cost: Math.max(cost, budget?.spent ?? 0), unpriced: spent.unpriced - before.unpriced };
  }

  /** What calls spent that are in no result; absent for nothing. */
  get unlisted(): Usage | undefined {
    return this.log.index.unlisted(this.ownership !== undefined || this.owner !== undefined);
  }

  /** The pass rates before each pass but the first, oldest first; of imported runs, those since the import. */
  get ratesBefore(): readonly Pick<Summary['verdicts'], 'passed' | 'of'>[] {
    return this.log.index.ratesBefore;
  }

  get state(): RunState {
    if (this.ownership?.executing === true) return this.ownership.paused ? 'paused' : 'running';
    return this.log.index.state(this.owner !== undefined);
  }

  /** Counts, chips and trial statistics; cached until the run changes. */
  summary(): Summary {
    const { rows, unlisted } = this;
    // What was cut off is known only when nobody holds the run any more.
    const version = `${this.version} ${unlisted?.cut_off ?? 0}`;
    if (this.#summary?.version !== version) {
      const { hasOldRepeats } = this.log.index;
      const summary = summarise(rows, undefined, { unlisted, hasOldRepeats });
      this.#summary = { version, summary };
    }
    return this.#summary.summary;
  }

  /**
   * What the run says of the system it evaluates, over the attempts that count. While the run is executed, it is counted
   * again after twenty times as long as that takes, at the earliest, unless `isExact`.
   */
  countedFigures(isExact = false): CountedSummary {
    const { rows, version } = this;
    const last = this.#countedSummary;
    const isResting =
      !isExact && this.state === 'running' && performance.now() < (last?.until ?? 0);
    if (last !== undefined && (last.version === version || isResting)) return last.summary;
    const begun = performance.now();
    const { passes } = this.log.index;
    const summary = countedSummary(rows, this.summary(), { passes });
    const now = performance.now();
    this.#countedSummary = { version, summary, until: now + restShare * (now - begun) };
    return summary;
  }

  /** The params in effect; absent for none. */
  get params(): ExecutionFacts['params'] {
    return this.log.index.facts.params;
  }

  /** Run JSON without its results. `isExact`: see {@link countedFigures}. */
  head(isExact = false): RunHead {
    const { updatedAtMs, facts } = this.log.index;
    return {
      ...headOf(this.header, updatedAtMs),
      ...headFigures(this.summary()),
      summary: this.countedFigures(isExact),
      ...facts,
      state: this.state,
    };
  }

  /** The run as of now, for readers of all results. */
  snapshot(): RunSnapshot {
    const rows = this.rows.slice();
    const { file } = this.log;
    return {
      head: this.head(true),
      scoreChips: this.summary().score_chips,
      rows,
      review: this.log.index.review.exported,
      corrected: this.corrected(),
      async *entries(indices) {
        file.retain();
        try {
          yield* readEntries(file, chosenRows(rows, indices));
        } finally {
          file.release();
        }
      },
      trace: (index) => {
        const row = rows[index];
        return row === undefined ? { calls: [] } : unpackCalls(readCalls(file, { index, row }));
      },
    };
  }

  /** The code of its executions, in order. */
  get executions(): readonly ExecutionCode[] {
    return this.log.index.codes.list;
  }

  /** The hash of the code that graded a row last; `undefined` if unknown. Reads the lines of code once. */
  gradingOf({ code, evaluation }: Pick<Row, 'code' | 'evaluation'>): string | undefined {
    if (code === undefined) return undefined;
    const places = this.executions.flatMap((one) => one.code);
    if (this.#gradings?.lines !== places.length) {
      this.#gradings = { lines: places.length, byCode: this.#readGradings(places) };
    }
    // The hash of a row also says which params it ran with.
    return this.#gradings.byCode.get(code)?.get(evaluation) ?? code;
  }

  #readGradings(places: readonly FilePlace[]): ReadonlyMap<string, ReadonlyMap<string, string>> {
    const byCode = new Map<string, Map<string, string>>();
    const lines = new Map(places.map((place) => [place.offset, place]));
    for (const place of lines.values()) {
      const record = this.fileRecord(place);
      if (record?.type !== 'code' || !('files' in record) || record.rule !== codeRule) continue;
      const { pieces, lists, files } = record;
      for (const { code, evaluations } of files) {
        const known = byCode.get(code) ?? new Map<string, string>();
        for (const [id, { grading, target }] of Object.entries(evaluations)) {
          // What the target reaches, too, may be the judge: making one is a call, which runs when the file is imported.
          // What cannot be told apart may be the judge, too.
          const reached = grading.length > 0 ? grading : target;
          const own = new Set(reached.flatMap((list) => lists[list] ?? []));
          const texts = [...own].map((at) => pieces[at]?.join('\0') ?? '').sort();
          if (own.size > 0) known.set(id, hash('sha256', JSON.stringify(texts)).slice(0, 12));
        }
        byCode.set(code, known);
      }
    }
    return byCode;
  }

  /** What says which code rows are of, in the order of `indices`. */
  marks(indices: readonly number[]): AsyncGenerator<RowMarks> {
    return readMarks(this.log.file, chosenRows(this.rows, indices));
  }

  /** The line of an eval file at a place; `undefined` if it has been damaged. */
  fileRecord({ offset, length }: FilePlace): LogRecord | undefined {
    return parseRecord(this.log.file.bytesAt(offset, length).toString('utf8'));
  }

  /** Results in the order of `indices`, or all of them, as of this call. */
  entries(indices?: readonly number[]): ReturnType<RunSnapshot['entries']> {
    return this.snapshot().entries(indices);
  }

  /** The run with the attempts that count in place of repeats. */
  get counted(): CountedRun {
    const rows = this.rows.map(countedOf);
    const { file } = this.log;
    const at = (index: number) => ({ index, row: countedOf(this.#row(index).row) });
    return {
      rows,
      entries: (indices) => readEntries(file, chosenRows(rows, indices)),
      entry: (index) => readEntry(file, at(index)),
      marks: (indices) => readMarks(file, chosenRows(rows, indices)),
      trace: (index) => unpackCalls(readCalls(file, at(index))),
      storedCalls: (index) => {
        const one = at(index);
        return file.events.callsOf(one.row.events).length > 0 ? readCalls(file, one) : undefined;
      },
    };
  }

  /** One result. Error: `no-such-result`. */
  entry(index: number): ResultEntry {
    return readEntry(this.log.file, this.#row(index));
  }

  /** One result with the rules of its scores. Error: `no-such-result`. */
  gradedEntry(index: number): GradedEntry {
    return readGradedEntry(this.log.file, this.#row(index));
  }

  /** The calls and spans of a result. Error: `no-such-result`. */
  trace(index: number): Trace {
    return unpackCalls(this.storedCalls(index));
  }

  /** The calls of a result in their stored form, in which repeated texts occur once. Error: `no-such-result`. */
  storedCalls(index: number): StoredCalls {
    return readCalls(this.log.file, this.#row(index));
  }

  /** True when calls or spans of a result are stored, without reading them. Error: `no-such-result`. */
  hasCalls(index: number): boolean {
    return this.log.file.events.callsOf(this.#row(index).row.events).length > 0;
  }

  /** Earlier finished attempts of a result, newest first. Error: `no-such-result`. */
  attempts(index: number): EarlierAttempt[] {
    return readAttempts(this.log.file, this.#row(index));
  }

  /** True when the target of a result has finished, so that its output can be graded again. */
  regradable(index: number): boolean {
    return this.#row(index).row.regradable;
  }

  /**
   * Changes a result; the change is on disk when this resolves. Works from any process, even while another one executes
   * the run. `check` gets the current result and can refuse the change by throwing.
   * Errors: `no-such-result`, `bad-request`, `newer-format`, `storage-full`, `storage-unusable`.
   */
  async edit(
    index: number,
    change: ResultChange,
    check?: (entry: ResultEntry) => void,
  ): Promise<ResultEntry> {
    await this.#prepareChange();
    const graded = this.gradedEntry(index);
    check?.(graded.entry);
    const at = new Date().toISOString();
    const record = toEditedRecord(index, graded, change, at);
    const { countedScores } = change;
    const counted =
      countedScores === undefined ? undefined : this.#editOfCounted(index, countedScores, at);
    const records = record === undefined ? [] : [record];
    const all = counted === undefined ? records.flatMap((one) => this.#withCounted(one)) : records;
    if (counted !== undefined) all.push(...counted);
    if (all.length > 0) this.#append(...all);
    await this.#confirm();
    return this.entry(index);
  }

  /** Error: `bad-request` for a result that is no repeat. */
  #editOfCounted(index: number, scores: readonly Score[], at: string): EditedRecord[] {
    const { counted } = this.#row(index).row;
    if (counted === undefined) {
      const message = `Result ${index} is no repeat: no other attempt counts in its place.`;
      throw new AssayError('bad-request', message);
    }
    const graded = readGradedEntry(this.log.file, { index, row: counted });
    const record = toEditedRecord(index, graded, { scores }, at);
    return record === undefined ? [] : [{ ...record, attempt: 'counted' }];
  }

  /**
   * Changes many results in the same way; all corrections have the time `at`, by which the change can be undone. The
   * changes are on disk when this resolves. A crash may leave a part of them. Errors: those of `edit`; for an unknown
   * result, nothing has changed.
   */
  async editMany(
    indices: readonly number[],
    change: BulkChange,
  ): Promise<{ readonly at: string; readonly changed: readonly number[] }> {
    await this.#prepareChange();
    const at = new Date().toISOString();
    const changed: number[] = [];
    for (const index of indices) this.#row(index);
    for (let from = 0; from < indices.length; from += editedAtOnce) {
      // Read and appended without a pause, so that no other edit comes between.
      const records = indices
        .slice(from, from + editedAtOnce)
        .flatMap((index) => toBulkEditedRecord(index, this.gradedEntry(index), change, at) ?? []);
      const all = records.flatMap((record) => this.#withCounted(record));
      if (all.length > 0) this.#append(...all);
      changed.push(...records.map(({ index }) => index));
      await setImmediate();
    }
    await this.#confirm();
    return { at, changed };
  }

  /** The rubric by which people label a score of an evaluation; `now`: texts of the project's settings as they are now. */
  rubricOf(evaluation: string, key: string, now: RubricTexts): Rubric | undefined {
    return this.log.index.review.rubricOf(evaluation, key, now);
  }

  /** Keys that have rubrics in an evaluation, its own and those of its judges. */
  rubricKeys(evaluation: string): string[] {
    return this.log.index.review.rubricKeys(evaluation);
  }

  /** The metadata of a result as it was authored. Error: `no-such-result`. */
  authoredMetadata(index: number): JsonObject {
    return readPlan(this.log.file, this.#row(index)).metadata;
  }

  /** Samples that were drawn to be labelled, oldest first. */
  samples(): readonly ReviewSample[] {
    return this.log.index.review.samples;
  }

  /**
   * What reviewers say of the outputs that count now, by result: of each result, score, reviewer and version of the rubric
   * the last label. Those of other outputs are left out until the output is the same again.
   */
  labels(): ReviewLabel[] {
    return this.log.index.review.labels.filter((label) => this.#isOfOutput(label));
  }

  /** The {@link labels} of one result. Error: `no-such-result`. */
  labelsOf(index: number): ReviewLabel[] {
    this.#row(index);
    return this.log.index.review.labelsOf(index).filter((label) => this.#isOfOutput(label));
  }

  #isOfOutput({ index, output_hash }: ReviewLabel): boolean {
    const row = this.rows[index];
    return row !== undefined && labelledOutput(row) === output_hash;
  }

  /**
   * Adds labels, all or none, and says how many were not there already; they are on disk when this resolves. Works from any process, even while another one executes
   * the run. `now`: texts of rubrics as the project's settings have them, which are kept with their labels. Errors: those of {@link toLabelRecord}, and those of `edit`.
   */
  async addLabels(labels: readonly GivenLabel[], now: RubricTexts = {}): Promise<number> {
    await this.#prepareChange();
    const records = labels.flatMap((label) => toLabelRecord(this.reviewed, label) ?? []);
    const rubrics = newRubrics(this.reviewed, records, now);
    const all = [...(rubrics === undefined ? [] : [rubrics]), ...toLine(records)];
    if (all.length > 0) this.#append(...all);
    await this.#confirm();
    return records.length;
  }

  /** Draws a sample; it is on disk when this resolves. Errors: those of {@link toSampleRecord}, and those of `edit`. */
  async drawSample(request: SampleRequest): Promise<ReviewSample> {
    await this.#prepareChange();
    const record = toSampleRecord(this.reviewed, request);
    this.#append(record);
    await this.#confirm();
    const { type: _, ...sample } = record;
    return this.samples().find(({ id }) => id === sample.id) ?? sample;
  }

  /** What calibrations of its judges are made of. */
  judged(): ReviewedRun {
    let counted: CountedRun | undefined;
    const judgeOf = (index: number, key: string) => {
      counted ??= this.counted;
      return judgeScore(counted.entry(index).result, key);
    };
    const rubricOf = (evaluation: string, key: string) =>
      this.log.index.review.rubricOf(evaluation, key)?.version;
    return { rows: this.rows, samples: this.samples(), labels: this.labels(), judgeOf, rubricOf };
  }

  /** Its scores as people would give them, where labels say so; cached until the run changes. */
  corrected(): readonly CorrectedScore[] {
    const { version } = this;
    if (this.log.index.review.samples.length === 0) return [];
    if (this.#corrected?.version !== version) {
      this.#corrected = { version, scores: correctedScoresOf(this.judged()) };
    }
    return this.#corrected.scores;
  }

  /** What checks of labels look at. */
  get reviewed() {
    return { runId: this.runId, rows: this.rows, review: this.log.index.review };
  }

  /** Renames the run. Errors: those of `edit`; `bad-request` for an invalid name. */
  async rename(name: string): Promise<void> {
    const run_name = checkName(name, 'run');
    await this.#prepareChange();
    const at = new Date().toISOString();
    if (run_name !== this.header.run_name) this.#append({ type: 'renamed', at, run_name });
    await this.#confirm();
  }

  /** Keeps the run open until the returned function is called. */
  use(): () => void {
    this.#users += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#users -= 1;
      if (this.#users === 0) this.#onUnused();
    };
  }

  /** True while the run is kept open by `use`. */
  get isInUse(): boolean {
    return this.#users > 0;
  }

  /** Closes the run now if it is not in use, else after the last use, without waiting for that. */
  async closeWhenUnused(): Promise<void> {
    if (!this.isInUse) return this.close();
    this.#onUnused = () => void this.close().catch(() => undefined);
  }

  /** Adds a problem. */
  note(problem: string): void {
    this.#notes.push(problem);
  }

  /** Applies lines that other processes appended. Compare `rows` before and after to find the changes. */
  async refresh(): Promise<void> {
    this.#holder = liveHolder(this.folder);
    await this.log.refresh();
  }

  /** Writes `run.json`. Errors: `storage-full`, `storage-unusable`. */
  async save(): Promise<void> {
    await this.#runJson.save();
  }

  /** The current text of `run.json`. */
  documentText(): string {
    return renderDocument(
      toDocument(this.header, this.summary(), this.countedFigures(true), {
        state: this.state,
        selected_total: this.selectedTotal,
        updated_at_ms: this.log.index.updatedAtMs,
        commit: this.log.index.facts.commit,
        params: this.params,
        comparable: comparableOf(this.rows, this.log.index.codes.params),
        log_size: this.log.position,
      }),
    );
  }

  /** Syncs and closes the log. Readers in progress keep the file open. */
  async close(): Promise<void> {
    await this.#runJson.flush();
    await this.log.close();
  }

  /** An edit of a repeat is also one of the attempt that counts if that has the same output. */
  #withCounted(record: EditedRecord): EditedRecord[] {
    const { row } = this.#row(record.index);
    const isSame = row.outputHash !== undefined && row.outputHash === row.counted?.outputHash;
    if (!isSame) return [record];
    const { scores } = this.counted.entry(record.index).result;
    const counted = toCountedEdit(record, scores);
    return counted === undefined ? [record] : [record, counted];
  }

  #append(...records: readonly LogRecord[]): void {
    this.log.append(records);
    if (this.ownership === undefined) this.#runJson.saveSoon();
  }

  /**
   * Syncs the log, even if nothing was appended: an earlier attempt at the same change may not have reached the disk.
   * If the sync fails, the change is kept, because other processes may have appended after it.
   */
  async #confirm(): Promise<void> {
    try {
      await this.log.sync.now();
    } catch (error) {
      if (!(error instanceof AssayError)) throw error;
      const text = `The change is made, but the disk does not confirm it: ${error.message}`;
      throw new AssayError(error.code, text, {
        cause: error,
        hints: [
          'It may be lost in a power failure.',
          'Make room or check that disk, then make the same change again to confirm it.',
        ],
      });
    }
  }

  async #prepareChange(): Promise<void> {
    await this.log.refresh();
    if (this.readOnly) {
      const message = newerMessage(this.log);
      throw new AssayError('newer-format', message);
    }
  }

  #row(index: number): { readonly index: number; readonly row: Row } {
    const row = this.rows[index];
    if (row !== undefined) return { index, row };
    throw noSuchResult(this.runId, index, this.rows.length);
  }
}

/** The error for a run folder without a readable header. */
export function unreadable(folder: string): AssayError {
  return new AssayError('unreadable-run', `${folder} cannot be read: its log has no header line.`, {
    hints: ['The first line of results.jsonl says which run it is.'],
  });
}

function* chosenRows(rows: readonly Row[], indices?: readonly number[]): Generator<IndexedRow> {
  for (const index of indices ?? rows.keys()) {
    const row = rows[index];
    if (row !== undefined) yield { index, row };
  }
}
