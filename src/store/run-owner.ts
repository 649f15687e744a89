import { outputHash } from '../model/output-hash.js';
import { type StoredCalls, unpackCalls } from '../model/stored-calls.js';
import { usageOf } from '../model/usage.js';
import type { Lock } from './lock/lock.js';
import type {
  Ending,
  ExecutionKind,
  FinishedRecord,
  ImportedRecord,
  LogRecord,
  PlannedRecord,
  RegradedRecord,
} from './log/records.js';
import { toRanges } from './log/row-ranges.js';
import type { RunLog } from './log/run-log.js';
import type { Ownership, StoredRun } from './stored-run.js';

/** What the runner plans for a row. */
export type PlannedRow = Omit<PlannedRecord, 'type'>;
/** The calls that are stored with a row. */
interface WithCalls {
  readonly at?: string;
  readonly calls?: StoredCalls | undefined;
}

/** What came out of a row; `at` is now when it is missing. */
export type FinishedRow = Omit<FinishedRecord, 'type' | 'at'> & WithCalls;
/** What a regrade of a row came to; `at` is now when it is missing. */
export type RegradedRow = Omit<RegradedRecord, 'type' | 'at'> & WithCalls;

/** A row of an imported run; `at` is now when it is missing. */
export type ImportedRow = Omit<ImportedRecord, 'type' | 'at'> & WithCalls;

/** An execution that begins. */
export interface Execution {
  readonly kind: ExecutionKind;
  readonly rows: readonly number[] | 'all';
  /** RFC 3339; now when it is missing. */
  readonly at?: string;
}

/**
 * The right to execute a run: one process at a time has it. Every call appends to the log before it returns and is on
 * disk within about 100 ms. Errors of all of them: `storage-full`, `storage-unusable`.
 */
export class RunOwner {
  readonly run: StoredRun;
  /** Called when something fails in the background: syncing the log, writing `run.json`. */
  onProblem: (error: unknown) => void = () => undefined;
  readonly #log: RunLog;
  readonly #lock: Lock;
  readonly #ownership: Ownership = { executing: false, paused: false };
  #saveTimer: NodeJS.Timeout | undefined;
  #saveCost = 0;

  constructor(run: StoredRun, log: RunLog, lock: Lock) {
    this.run = run;
    this.#log = log;
    this.#lock = lock;
    run.ownership = this.#ownership;
    log.onSyncError = (error) => this.onProblem(error);
  }

  /** Whether the execution is paused; known in this process only. */
  get paused(): boolean {
    return this.#ownership.paused;
  }

  set paused(paused: boolean) {
    this.#ownership.paused = paused;
  }

  /** Adds rows, or gives rows that exist a new plan; indices go on without gaps. */
  plan(rows: readonly PlannedRow[]): void {
    this.#append(rows.map((row) => ({ type: 'planned', ...row })));
  }

  /** Begins an execution: its rows become pending, those of a regrade stay as they are. */
  schedule({ kind, rows, at = now() }: Execution): void {
    const restarts = kind === 'rerun' || kind === 'regrade';
    this.#append([
      {
        type: 'scheduled',
        at,
        kind,
        rows: rows === 'all' ? rows : toRanges(rows),
        ...(restarts ? { created_at_ms: Date.parse(at) } : {}),
      },
    ]);
    this.#log.index.isUnseen = false;
    this.#ownership.executing = true;
    this.#ownership.paused = false;
  }

  /** Stores what rows came to, each after its calls. */
  finish(rows: readonly FinishedRow[]): void {
    const at = now();
    this.#append(
      afterCalls(rows, (row) => ({
        type: 'finished',
        at,
        output_hash: outputHash(row.output),
        ...row,
        calls: undefined,
      })),
    );
  }

  /** Stores what regraded rows came to. */
  regrade(rows: readonly RegradedRow[]): void {
    const at = now();
    this.#append(afterCalls(rows, (row) => ({ type: 'regraded', at, ...row, calls: undefined })));
  }

  /** Stores calls of a row that ended after its result was stored. */
  addCalls(index: number, calls: StoredCalls): void {
    const { rows } = this.run;
    if (rows[index] === undefined) return;
    const late = new Set(calls.calls.map(({ number }) => number));
    const others = this.run.calls(index).filter(({ number }) => !late.has(number));
    const usage = usageOf([...others, ...unpackCalls(calls)]);
    if (usage === undefined) return;
    this.#append([{ type: 'late_calls', index, at: now(), usage, ...calls }]);
  }

  /** Stores rows as an exported run has them. */
  restore(rows: readonly ImportedRow[]): void {
    const at = now();
    this.#append(
      afterCalls(rows, (row) => ({
        type: 'imported',
        at,
        ...(row.status === 'completed' || row.status === 'error'
          ? { output_hash: outputHash(row.output) }
          : {}),
        ...row,
        calls: undefined,
      })),
    );
  }

  /** The pending ones of these rows become cancelled; those shown as running, too. */
  cancel(indices: readonly number[]): void {
    this.unmark(indices);
    if (indices.length === 0) return;
    this.#append([{ type: 'cancelled', at: now(), rows: toRanges(indices) }]);
  }

  /** Leaves rows whose evaluation is gone out of all that is counted, until they are scheduled again. */
  prune(indices: readonly number[]): void {
    if (indices.length > 0) this.#append([{ type: 'pruned', at: now(), rows: toRanges(indices) }]);
  }

  /** Says in the log that the execution has ended, if one began: from then on other processes read the run as it is. */
  end({ outcome, ...more }: Ending): void {
    if (!this.#log.index.executing) return;
    this.#append([{ type: 'closed', at: now(), outcome, ...more }]);
  }

  /** Marks the execution as ending; closing it may take a little longer. */
  markEnding(): void {
    this.#ownership.executing = false;
  }

  /** Shows rows as running; never written down, so that nothing reads as running after a crash. */
  markRunning(indices: readonly number[]): void {
    this.#log.index.markRunning(indices);
  }

  /** Shows rows as they were before `markRunning`. */
  unmark(indices: readonly number[]): void {
    this.#log.index.unmark(indices);
  }

  /** Writes `run.json` now; while rows finish that happens about once a second by itself. */
  async save(): Promise<void> {
    clearTimeout(this.#saveTimer);
    this.#saveTimer = undefined;
    const start = performance.now();
    const saved = this.run.save();
    this.#saveCost = performance.now() - start;
    await saved;
  }

  /** Ends the execution, if one began, waits for the disk, writes `run.json` and gives the run back. It can still be read. */
  async close(outcome: Ending['outcome'], more: Omit<Ending, 'outcome'> = {}): Promise<void> {
    await this.#giveBack(() => this.end({ outcome, ...more }));
  }

  /** Gives the run back as it is: an execution that has begun reads as interrupted. */
  async release(): Promise<void> {
    await this.#giveBack(() => undefined);
  }

  async #giveBack(last: () => void): Promise<void> {
    const { index } = this.#log;
    index.isUnseen = false;
    index.unmark([...index.rows.keys()]);
    this.#ownership.executing = false;
    this.#ownership.paused = false;
    try {
      last();
      // The log is what counts; a listing makes `run.json` again.
      const saved = this.save().catch((error: unknown) => this.onProblem(error));
      await this.#log.sync.now().finally(() => saved);
    } finally {
      clearTimeout(this.#saveTimer);
      this.#saveTimer = undefined;
      this.run.ownership = undefined;
      this.#lock.release();
    }
  }

  #append(records: readonly LogRecord[]): void {
    this.#log.append(records);
    this.#saveSoon();
  }

  #saveSoon(): void {
    if (this.#saveTimer !== undefined) return;
    // Counting a very large run takes a while; it shall not take more than a twentieth of the time.
    const delay = Math.max(1000, this.#saveCost * 20);
    this.#saveTimer = setTimeout(() => {
      this.save().catch((error: unknown) => this.onProblem(error));
    }, delay);
    this.#saveTimer.unref();
  }
}

/** The records of rows, each after its calls. */
function afterCalls<Row extends WithCalls & { readonly index: number }>(
  rows: readonly Row[],
  toRecord: (row: Row) => LogRecord,
): LogRecord[] {
  const records: LogRecord[] = [];
  for (const row of rows) {
    // In this order: who opens the log knows the line by its beginning.
    if (row.calls !== undefined) records.push({ type: 'calls', index: row.index, ...row.calls });
    records.push(toRecord(row));
  }
  return records;
}

function now(): string {
  return new Date().toISOString();
}
