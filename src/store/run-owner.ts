import { type StoredCalls, unpackCalls } from '../model/calls/stored-calls.js';
import { type Usage, usageOf } from '../model/calls/usage.js';
import type { FileReads, FoundCode } from '../model/code/file-code.js';
import type { ExportedReview, ReviewLabel } from '../model/labels.js';
import { exportedOutputHash, outputHash } from '../model/output-hash.js';
import { countedOf, fileOf, isFinished, type JsonObject } from '../model/result.js';
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
import { checkName } from './names.js';
import type { RubricTexts } from './replay/run-review.js';
import { toRubricsRecord, type WithRubrics } from './review.js';
import type { Ownership, StoredRun } from './stored-run.js';

/** The plan of a row with its values. */
export type PlannedRow = Omit<PlannedRecord, 'type'>;
/** Optional fields of a stored row. */
interface WithCalls {
  /** RFC 3339. Default: now. */
  readonly at?: string;
  readonly calls?: StoredCalls | undefined;
}

/** The result of a row. */
export type FinishedRow = Omit<FinishedRecord, 'type' | 'at'> & WithCalls;
/** The result of a regrade. */
export type RegradedRow = Omit<RegradedRecord, 'type' | 'at'> & WithCalls;

/** A row of an imported run. */
export type ImportedRow = Omit<ImportedRecord, 'type' | 'at'> & WithCalls;

/** The start of an execution. */
export interface BegunExecution {
  readonly kind: ExecutionKind;
  readonly rows: readonly number[] | 'all';
  /** Those of them that keep their results and only get a new grade. */
  readonly regraded?: ReadonlySet<number> | undefined;
  /** Those of them that begin a new pass of their evaluations; the others repeat. */
  readonly newPass?: readonly number[] | undefined;
  /** It is another pass, and not the rest of the one before. */
  readonly beginsPass?: boolean | undefined;
  /** RFC 3339. Default: now. */
  readonly at?: string;
  /** US dollars that the calls of the run may cost; absent without a budget. */
  readonly maxCost?: number | undefined;
  /** Full passes of an imported run; default 1. */
  readonly passes?: number | undefined;
  /** Some repeats of an imported run are of a version that did not tell full passes apart. */
  readonly hasOldRepeats?: boolean | undefined;
  /** Hash of the params of the run config. */
  readonly params?: string | undefined;
  /** The params in effect; absent for none. */
  readonly paramsInEffect?: JsonObject | undefined;
  /** Eval files of which results that count beside these rows have looked at something that is different now. */
  readonly otherFiles?: ReadonlySet<string> | undefined;
}

/**
 * Exclusive write access to a run while it is executed; holds its lock. Methods append to the log before they return,
 * and the log is synced within about 100 ms. Errors of all methods: `storage-full`, `storage-unusable`.
 */
export class RunOwner {
  readonly run: StoredRun;
  /** Called when syncing the log or writing `run.json` fails in the background. */
  onProblem: (error: unknown) => void = () => undefined;
  readonly #log: RunLog;
  readonly #lock: Lock;
  readonly #ownership: Ownership = { executing: false, paused: false };
  #saveTimer: NodeJS.Timeout | undefined;
  #saveCost = 0;
  /** The code with which each evaluation began, or went on with, the pass of this execution. */
  #codes = new Map<string, string>();
  /** This execution completes a pass that began with other params. */
  #hasOtherParams = false;
  /** See `BegunExecution`. */
  #otherFiles: ReadonlySet<string> = new Set();

  constructor(run: StoredRun, log: RunLog, lock: Lock) {
    this.run = run;
    this.#log = log;
    this.#lock = lock;
    run.ownership = this.#ownership;
    log.onSyncError = (error) => this.onProblem(error);
  }

  /** True while the execution is paused; not written to the log. */
  get paused(): boolean {
    return this.#ownership.paused;
  }

  set paused(paused: boolean) {
    this.#ownership.paused = paused;
  }

  /** Adds rows, or replaces the plans of existing ones. Indices must have no gaps. */
  plan(rows: readonly PlannedRow[]): void {
    this.#append(rows.map((row) => ({ type: 'planned', ...row })));
  }

  /** Starts an execution. Its rows become pending, except in a regrade. */
  schedule(execution: BegunExecution): void {
    const { kind, rows, regraded, newPass = [], at = now(), maxCost } = execution;
    const { params, paramsInEffect, beginsPass = false, passes = 1, hasOldRepeats } = execution;
    const { passed, of } = this.run.summary().verdicts;
    const isPass = newPass.length > 0 && beginsPass;
    this.#codes = kind === 'resume' ? lastCodes(this.run) : new Map();
    this.#hasOtherParams = kind === 'resume' && this.#isOtherParams(params, rows);
    this.#otherFiles = execution.otherFiles ?? new Set();
    const restarts = kind === 'rerun' || kind === 'regrade';
    this.#append([
      {
        type: 'scheduled',
        at,
        kind,
        rows: rows === 'all' ? rows : toRanges(rows),
        ...(regraded !== undefined && regraded.size > 0 && { regraded: toRanges([...regraded]) }),
        ...((restarts || newPass.length > 0) && { new_pass: toRanges(newPass) }),
        ...(isPass && { rate_before: { passed, of } }),
        ...(passes > 1 && { passes }),
        ...(hasOldRepeats && { old_repeats: true }),
        ...(restarts ? { created_at_ms: Date.parse(at) } : {}),
        ...(maxCost !== undefined && { max_cost: maxCost }),
        ...(params !== undefined && { params }),
        ...(paramsInEffect !== undefined && { params_in_effect: paramsInEffect }),
      },
    ]);
    this.#log.index.isUnseen = false;
    this.#ownership.executing = true;
    this.#ownership.paused = false;
  }

  /** Appends results, each after its calls. */
  finish(rows: readonly FinishedRow[]): void {
    const at = now();
    this.#append(
      afterCalls(rows, (row) => ({
        type: 'finished',
        at,
        output_hash: outputHash(row.output),
        ...row,
        other_code: this.#isOfOtherCode(row) || undefined,
        calls: undefined,
      })),
    );
  }

  /** True for a result with other code, params or files than those that count beside it. */
  #isOfOtherCode({ index, code }: FinishedRow): boolean {
    const row = this.run.rows[index];
    const isOther =
      this.#hasOtherParams || (row !== undefined && this.#otherFiles.has(fileOf(row)));
    if (row === undefined || code === undefined) return isOther;
    const known = this.#codes.get(row.evaluation);
    if (known === undefined) this.#codes.set(row.evaluation, code);
    return isOther || (known !== undefined && known !== code);
  }

  #isOtherParams(params: string | undefined, indices: readonly number[] | 'all'): boolean {
    const { params: before } = this.run.executions.at(-1) ?? {};
    if (params === undefined || before === undefined || params === before) return false;
    const again = new Set(indices === 'all' ? this.run.rows.keys() : indices);
    return this.run.rows.some((row, index) => !again.has(index) && isFinished(countedOf(row)));
  }

  /** Appends results of a regrade. */
  regrade(rows: readonly RegradedRow[]): void {
    const at = now();
    this.#append(afterCalls(rows, (row) => ({ type: 'regraded', at, ...row, calls: undefined })));
  }

  /** Appends the rubrics by which people label, those of the project beside those of evaluations, unless they are there. */
  addRubrics(evaluations: readonly WithRubrics[], project: RubricTexts = {}): void {
    const record = toRubricsRecord(this.#log.index.review, evaluations, project);
    if (record !== undefined) this.#append([record]);
  }

  /** Appends the code of eval files. Call this after `schedule`. */
  addCode(codes: readonly FoundCode[]): void {
    const at = now();
    this.#append(codes.map((code) => ({ type: 'code', at, ...code })));
  }

  /** Appends what evaluations of eval files looked at. Call this after `schedule`, and before their results. */
  addReads(reads: readonly FileReads[]): void {
    const at = now();
    this.#append(reads.map((one) => ({ type: 'reads', at, ...one })));
  }

  /** Appends calls that ended after the result of their row was stored. */
  addCalls(index: number, calls: StoredCalls): void {
    const { rows } = this.run;
    if (rows[index] === undefined) return;
    const late = new Set(calls.calls.map(({ number }) => number));
    const others = this.run.trace(index).calls.filter(({ number }) => !late.has(number));
    const usage = usageOf([...others, ...unpackCalls(calls).calls]);
    if (usage === undefined) return;
    this.#append([{ type: 'late_calls', index, at: now(), usage, ...calls }]);
  }

  /** Appends what calls used that are in no result. */
  addUnlisted(usage: Usage | undefined): void {
    if (usage !== undefined) this.#append([{ type: 'unlisted', at: now(), usage }]);
  }

  /** Says that an execution that was stopped makes no more calls. */
  settle(): void {
    this.#append([{ type: 'unlisted', at: now(), last: true }]);
  }

  /** Appends rows of an exported run. */
  restore(rows: readonly ImportedRow[]): void {
    const at = now();
    this.#append(
      afterCalls(rows, (row) => ({
        type: 'imported',
        at,
        ...(row.status === 'completed' || row.status === 'error'
          ? { output_hash: exportedOutputHash(row.output) }
          : {}),
        ...row,
        calls: undefined,
      })),
    );
  }

  /** Appends labels of results that were taken over. */
  copyLabels(labels: readonly ReviewLabel[]): void {
    if (labels.length === 0) return;
    this.#append(labels.map((label) => ({ type: 'label', ...label })));
  }

  /** Appends the review of an exported run. Error: `bad-request` for a name of a reviewer. */
  restoreReview({ samples, labels, rubrics }: ExportedReview): void {
    const { rows } = this.run;
    this.#append([
      { type: 'rubrics', at: now(), ...rubrics },
      ...samples.map((sample) => ({ type: 'sample', ...sample }) as const),
      ...labels
        .filter(({ index }) => rows[index] !== undefined)
        .map((label) => {
          const reviewer = checkName(label.reviewer, 'reviewer');
          return { type: 'label', ...label, reviewer } as const;
        }),
    ]);
  }

  /** Appends records of the parts of this run. */
  copy(records: readonly LogRecord[]): void {
    this.#append(records);
  }

  /** Appends a row of another run with its new grade. */
  take(row: ImportedRow, graded: RegradedRow): void {
    const at = now();
    const { calls: _, ...taken } = row;
    const regrade = (one: RegradedRow) =>
      ({ type: 'regraded', at, ...one, calls: undefined }) as const;
    // The calls of the new grading have those of the target, too.
    this.#append([
      { type: 'imported', at, output_hash: exportedOutputHash(row.output), ...taken },
      ...afterCalls([{ ...graded, calls: graded.calls ?? row.calls }], regrade),
    ]);
  }

  /** Leaves rows with their former grades, since their stored values cannot be restored. */
  leave(indices: readonly number[]): void {
    this.#append([{ type: 'left', at: now(), rows: toRanges(indices) }]);
  }

  /** Takes results that completed a pass with other code as those of one system with the others. */
  confirmCode(indices: readonly number[]): void {
    if (indices.length === 0) return;
    this.#append([{ type: 'same_code', at: now(), rows: toRanges(indices) }]);
  }

  /** Says which results are of evaluations that are gone, while others are to run again; all others are there. */
  noteGone(indices: readonly number[]): void {
    const gone = new Set(indices);
    const news = indices.filter((index) => this.run.rows[index]?.gone !== true);
    const back = [...this.run.rows.keys()].filter(
      (index) => this.run.rows[index]?.gone === true && !gone.has(index),
    );
    if (news.length + back.length === 0) return;
    this.#append([{ type: 'gone', at: now(), rows: toRanges(news), back: toRanges(back) }]);
  }

  /** Cancels the pending and running ones of these rows. */
  cancel(indices: readonly number[]): void {
    this.unmark(indices);
    if (indices.length === 0) return;
    this.#append([{ type: 'cancelled', at: now(), rows: toRanges(indices) }]);
  }

  /** Excludes rows whose evaluation no longer exists from all figures, until they are scheduled again. */
  prune(indices: readonly number[]): void {
    if (indices.length > 0) this.#append([{ type: 'pruned', at: now(), rows: toRanges(indices) }]);
  }

  /** Writes to the log that the execution ended, if one started, so that other processes do not see it as running. */
  end({ outcome, ...more }: Ending): void {
    if (!this.#log.index.executing) return;
    this.#append([{ type: 'closed', at: now(), outcome, ...more }]);
  }

  /** Reports the run as no longer running while the execution shuts down. */
  markEnding(): void {
    this.#ownership.executing = false;
  }

  /** Marks rows as running, in memory only, so that no row is still marked after a crash. */
  markRunning(indices: readonly number[]): void {
    this.#log.index.markRunning(indices);
  }

  /** Undoes `markRunning`. */
  unmark(indices: readonly number[]): void {
    this.#log.index.unmark(indices);
  }

  /** Writes `run.json` now. While rows finish, it is also written about once a second. */
  async save(): Promise<void> {
    clearTimeout(this.#saveTimer);
    this.#saveTimer = undefined;
    const start = performance.now();
    const saved = this.run.save();
    this.#saveCost = performance.now() - start;
    await saved;
  }

  /** Ends the execution, if one started, and releases the lock. The run can still be read. */
  async close(outcome: Ending['outcome'], more: Omit<Ending, 'outcome'> = {}): Promise<void> {
    await this.#release(() => this.end({ outcome, ...more }));
  }

  /** Releases the lock without ending the execution, which other processes then see as interrupted. */
  async release(): Promise<void> {
    await this.#release(() => undefined);
  }

  async #release(last: () => void): Promise<void> {
    const { index } = this.#log;
    index.isUnseen = false;
    index.unmark([...index.rows.keys()]);
    this.#ownership.executing = false;
    this.#ownership.paused = false;
    try {
      last();
      // The log is the truth; a listing rebuilds `run.json`.
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
    // Summarising a very large run takes a while, so limit it to a twentieth of the time.
    const delay = Math.max(1000, this.#saveCost * 20);
    this.#saveTimer = setTimeout(() => {
      this.save().catch((error: unknown) => this.onProblem(error));
    }, delay);
    this.#saveTimer.unref();
  }
}

/** The code of the result of each evaluation that ran last here; of one that was only carried over, the code that it fitted. */
function lastCodes({ rows, executions }: StoredRun): Map<string, string> {
  const last = new Map<string, { readonly code: string; readonly finished: number }>();
  const ofFiles = executions
    .flatMap(({ code }) => code)
    .map(({ file, code }) => [file, code] as const);
  const fitted = new Map(ofFiles);
  for (const row of rows.map(countedOf)) {
    const { evaluation, status, origin, pruned, finished = 0 } = row;
    if (pruned === true || !isFinished({ status })) continue;
    const [code, at] = origin === undefined ? [row.code, finished] : [fitted.get(fileOf(row)), -1];
    if (code === undefined) continue;
    if (at >= (last.get(evaluation)?.finished ?? -1)) last.set(evaluation, { code, finished: at });
  }
  return new Map([...last].map(([evaluation, { code }]) => [evaluation, code]));
}

/** The records of rows, each preceded by the record of its calls. */
function afterCalls<Row extends WithCalls & { readonly index: number }>(
  rows: readonly Row[],
  toRecord: (row: Row) => LogRecord,
): LogRecord[] {
  const records: LogRecord[] = [];
  for (const row of rows) {
    // `type` and `index` first: `indexOfCalls` reads only the start of the line.
    if (row.calls !== undefined) records.push({ type: 'calls', index: row.index, ...row.calls });
    records.push(toRecord(row));
  }
  return records;
}

function now(): string {
  return new Date().toISOString();
}
