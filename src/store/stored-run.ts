import { AssayError } from '../errors.js';
import type { Call } from '../model/model-call.js';
import type { ReadableRun } from '../model/readable-run.js';
import type { EarlierAttempt, ResultEntry } from '../model/result.js';
import type { RunHead, RunState } from '../model/run.js';
import { type StoredCalls, unpackCalls } from '../model/stored-calls.js';
import { type Summary, summarise } from '../model/summary.js';
import { headOf, renderDocument, toDocument } from './listing/run-document.js';
import { RunJsonWriter } from './listing/run-json-writer.js';
import { liveHolder, type RunHolder } from './lock/lock.js';
import {
  type IndexedRow,
  readAttempts,
  readCalls,
  readEntries,
  readEntry,
  readGradedEntry,
} from './log/entry-reading.js';
import { formatVersion, type LogRecord } from './log/records.js';
import { selectedRows } from './log/row-ranges.js';
import { newerMessage, type RunLog } from './log/run-log.js';
import { checkName } from './names.js';
import { type ResultChange, toEditedRecord } from './replay/edited-result.js';
import type { GradedEntry } from './replay/row-replay.js';
import type { Row } from './replay/run-index.js';
import type { RunHeader } from './replay/run-replay.js';

/** A run at one moment: summary and results agree, whatever is appended while the results are read. */
export interface RunSnapshot extends ReadableRun {
  readonly rows: readonly Row[];
}

/** What the owner in this process knows about its execution. */
export interface Ownership {
  /** Something was scheduled by this owner and not closed yet. */
  executing: boolean;
  paused: boolean;
}

/** A saved run: light rows in memory, long values read from its log when they are asked for. */
export class StoredRun {
  readonly runId: string;
  /** Absolute path of the run folder. */
  readonly folder: string;
  /** For the owner of the run: everybody else changes it through `edit` and `rename`. */
  readonly log: RunLog;
  #ownership: Ownership | undefined;
  #holder: RunHolder | undefined;
  #summary: { readonly version: string; readonly summary: Summary } | undefined;
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

  /** Light rows by index. Rows are replaced, never changed: a row that is the same object is unchanged. */
  get rows(): readonly Row[] {
    return this.log.index.rows;
  }

  /**
   * Changes with every change of the header and of rows, also of those that are only shown as running. Two versions are
   * never equal by chance: a run that is opened again, or read again from the start, has another one.
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
    // Who held the run until now was this process.
    this.#holder = undefined;
  }

  /** Another process that holds the run and may be running it. */
  get owner(): RunHolder | undefined {
    return this.ownership === undefined ? this.#holder : undefined;
  }

  /** How many rows the execution in progress, or the last one, was asked to run. */
  get selectedTotal(): number {
    return this.log.index.selectedTotal;
  }

  /** Written by a newer version of assay: it can be read as far as it is understood, and not changed. */
  get readOnly(): boolean {
    return this.log.index.format > formatVersion;
  }

  /** What a user should know about the files of this run, in sentences. */
  get problems(): string[] {
    return [...this.#notes, ...this.log.problems(this.#holder !== undefined)];
  }

  /** Rows that are errors only because the budget was spent; a resume runs them again. */
  get refused(): readonly number[] {
    const { budget, rows } = this.log.index;
    return budget === undefined ? [] : [...selectedRows(budget.refused, rows.length)];
  }

  /** US dollars that its results have cost, and what the last execution had spent when its budget ended it. */
  get spent(): number {
    return Math.max(this.summary().usage?.cost ?? 0, this.log.index.budget?.spent ?? 0);
  }

  get state(): RunState {
    if (this.ownership?.executing === true) return this.ownership.paused ? 'paused' : 'running';
    return this.log.index.state(this.owner !== undefined);
  }

  /** Counts, chips and trial statistics; counted again only when something changed. */
  summary(): Summary {
    const { rows, version } = this;
    if (this.#summary?.version !== version) this.#summary = { version, summary: summarise(rows) };
    return this.#summary.summary;
  }

  /** Run JSON without its results. */
  head(): RunHead {
    const { totals, trial_fields, code_versions, usage } = this.summary();
    const { prices, waited, outcome } = this.log.index;
    return {
      ...headOf(this.header, this.log.index.updatedAtMs),
      ...totals,
      ...trial_fields,
      ...(code_versions && { code_versions }),
      ...(usage && { usage }),
      ...(prices !== undefined && { prices }),
      ...(waited && { waited }),
      ...(outcome && { outcome }),
      state: this.state,
    };
  }

  /** The run as it is now, for whoever reads all of it. */
  snapshot(): RunSnapshot {
    const rows = this.rows.slice();
    const { file } = this.log;
    return {
      head: this.head(),
      scoreChips: this.summary().score_chips,
      rows,
      async *entries(indices) {
        file.retain();
        try {
          yield* readEntries(file, chosenRows(rows, indices));
        } finally {
          file.release();
        }
      },
      calls: (index) => {
        const row = rows[index];
        return row === undefined ? [] : unpackCalls(readCalls(file, { index, row }));
      },
    };
  }

  /** Results in the order of `indices`, or all of them, as they are at the first read. */
  entries(indices?: readonly number[]): ReturnType<RunSnapshot['entries']> {
    return this.snapshot().entries(indices);
  }

  /** One result. Error: `no-such-result`. */
  entry(index: number): ResultEntry {
    return readEntry(this.log.file, this.#row(index));
  }

  /** One result with the rules of its scores. Error: `no-such-result`. */
  gradedEntry(index: number): GradedEntry {
    return readGradedEntry(this.log.file, this.#row(index));
  }

  /** The calls of a result, in order of their start. Error: `no-such-result`. */
  calls(index: number): Call[] {
    return unpackCalls(this.storedCalls(index));
  }

  /** The calls of a result with what repeats in them once. Error: `no-such-result`. */
  storedCalls(index: number): StoredCalls {
    return readCalls(this.log.file, this.#row(index));
  }

  /** Earlier finished attempts of a result, newest first. Error: `no-such-result`. */
  attempts(index: number): EarlierAttempt[] {
    return readAttempts(this.log.file, this.#row(index));
  }

  /** True when the target of a result has finished, so that it can be graded again. */
  regradable(index: number): boolean {
    return this.#row(index).row.regradable;
  }

  /**
   * Changes a result; on disk when it resolves. Works from any process, also while another one runs the run.
   * `check` sees the result as it is right before, and refuses by throwing.
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
    const record = toEditedRecord(index, graded, change, new Date().toISOString());
    if (record !== undefined) this.#append(record);
    await this.#confirm();
    return this.entry(index);
  }

  /** Gives the run another name. Errors as `edit`; `bad-request` for a name that cannot be. */
  async rename(name: string): Promise<void> {
    const run_name = checkName(name, 'run');
    await this.#prepareChange();
    const at = new Date().toISOString();
    if (run_name !== this.header.run_name) this.#append({ type: 'renamed', at, run_name });
    await this.#confirm();
  }

  /** Counts one more who works with it, so that it stays open meanwhile; what it answers with ends that. */
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

  /** Somebody works with it. */
  get isInUse(): boolean {
    return this.#users > 0;
  }

  /** Closes it as soon as nobody works with it; waits for that only when it is at once. */
  async closeWhenUnused(): Promise<void> {
    if (!this.isInUse) return this.close();
    this.#onUnused = () => void this.close().catch(() => undefined);
  }

  /** Adds a sentence to `problems`. */
  note(problem: string): void {
    this.#notes.push(problem);
  }

  /** Takes in what other processes appended. Compare `rows` before and after to see what changed. */
  async refresh(): Promise<void> {
    this.#holder = liveHolder(this.folder);
    await this.log.refresh();
  }

  /** Writes `run.json`. Errors: `storage-full`, `storage-unusable`. */
  async save(): Promise<void> {
    await this.#runJson.save();
  }

  /** The text of `run.json` as it would be written now. */
  documentText(): string {
    return renderDocument(
      toDocument(this.header, this.summary(), {
        state: this.state,
        selected_total: this.selectedTotal,
        updated_at_ms: this.log.index.updatedAtMs,
        log_size: this.log.position,
      }),
    );
  }

  /** Waits for the disk and closes the log; readers that are still at work keep it open. */
  async close(): Promise<void> {
    await this.#runJson.flush();
    await this.log.close();
  }

  #append(record: LogRecord): void {
    this.log.append([record]);
    if (this.ownership === undefined) this.#runJson.saveSoon();
  }

  /**
   * Waits until the log is on disk, even if nothing was appended: an earlier attempt at the same change may not have
   * reached the disk. A change that the disk does not confirm still stands, because other processes may have appended
   * after it.
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
          'It may be lost when the power goes off.',
          'Make room or check that disk, then make the same change again to have it confirmed.',
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
    throw new AssayError(
      'no-such-result',
      `Run ${this.runId} has no result ${index}; it has ${this.rows.length}, counted from 0.`,
    );
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
