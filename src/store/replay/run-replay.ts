import { randomBytes } from 'node:crypto';
import { isUnused } from '../../model/calls/known-usage.js';
import { type Cost, noCost, sumOfUsage } from '../../model/calls/run-usage.js';
import { cutOffUsage, noUsage, type Usage } from '../../model/calls/usage.js';
import type { JsonObject } from '../../model/result.js';
import {
  type ExecutionFacts,
  executionFacts,
  type RunPlace,
  type RunState,
  runPlaceOf,
  sumOfWaits,
} from '../../model/run.js';
import type { Merged } from '../../model/shard.js';
import {
  type Ending,
  formatVersion,
  type LogRecord,
  type PlannedRecord,
  type RunRecord,
  type ScheduledRecord,
} from '../log/records.js';
import {
  type EventPlace,
  eventKinds,
  passPlace,
  type RowEventIndex,
  resetPlace,
} from '../log/row-event-index.js';
import { selectedRows } from '../log/row-ranges.js';
import { ExecutionCodes } from './execution-code.js';
import type { RowEvent } from './row-state.js';
import { RunReview } from './run-review.js';

/** Identity of a run, from its log. */
export interface RunHeader extends RunPlace {
  readonly run_id: string;
  readonly session_name: string;
  readonly run_name: string;
  /** Unix milliseconds; when the run last started. */
  readonly created_at_ms: number;
  /** Unix milliseconds; when the run first began. */
  readonly started_at_ms: number;
  readonly path: string;
  readonly config_name: string;
  /** Data for reruns besides the path; opaque to the store. */
  readonly selection: JsonObject;
  readonly merged?: Merged;
}

// The shortest planned line there can be. It bounds how many rows a file of a given size can claim.
const shortestPlan = 100;

const repeat: RowEvent = { type: 'reset', pass: false };
const newPass: RowEvent = { type: 'reset', pass: true };

/** Lines about an execution. */
const changesNoRow = new Set<LogRecord['type']>(['closed', 'unlisted', 'code', 'reads']);

/** The state that the records of a log add up to, one record at a time. Subclasses decide what they keep of a row. */
export abstract class RunReplay {
  header: RunHeader | undefined;
  /** Version of the format the log was written in. */
  format = formatVersion;
  /** An execution was scheduled and not closed. */
  executing = false;
  /** Anything was ever scheduled. */
  started = false;
  /** Those of the last execution whose calls were priced. */
  #prices: ExecutionFacts['prices'];
  #waited: ExecutionFacts['waited'];
  #maxCost: ExecutionFacts['max_cost'];
  #params: ExecutionFacts['params'];
  /** Where the last execution that has ended ran. */
  #place: Pick<Ending, 'commit' | 'dirty'> = {};
  /** What calls spent that are in no result; absent for nothing. */
  #unlisted: Usage | undefined;
  /** A stopped execution may still make calls. */
  #mayCall = false;
  /** How often the process of an execution was killed. */
  #cutOff = 0;
  /** Something in the run has called models, or may have. */
  #hasCalled = false;
  /** A result says whether evaluations of the run call models. */
  #hasFinished = false;
  /** An execution was closed. */
  #wasClosed = false;
  /** What the run had spent before the execution that was started, or resumed, last. */
  spentBefore = noCost;
  /** Present if the budget stopped the last execution. */
  budget: Ending['budget'];
  /** Rows of the last execution. */
  selectedTotal = 0;
  /** Full passes that the run had when it was imported; 1 if it was not. */
  #importedPasses = 1;
  /** Pass rates before each pass but the first, and but those before an import. */
  readonly ratesBefore: { readonly passed: number; readonly of: number }[] = [];
  /** Some repeats may be of a version that did not tell full passes apart. */
  hasOldRepeats = false;
  /** Rows that the last execution is to grade again, and has not. */
  readonly #ungraded = new Set<number>();
  /** Rows that a regrade which has graded none so far is to grade. */
  #toGrade: readonly number[] = [];
  /** The last execution added one of these. */
  #beganPass = false;
  /** RFC 3339; when the run last changed, as the log says. */
  #changedAt: string | undefined;
  /** Changes with every record and status. */
  version = 0;
  /** Tells this reading of the log from every other one. */
  readonly reading = randomBytes(6).toString('hex');
  /** Nobody has seen a row yet, so rows may be changed in place. */
  isUnseen = false;
  /** What reviewers say of its results. */
  readonly review = new RunReview();
  /** The code of its executions. */
  readonly codes = new ExecutionCodes();
  protected readonly events: RowEventIndex;

  constructor(events: RowEventIndex) {
    this.events = events;
  }

  /** The number of rows. */
  abstract get total(): number;

  /** What its calls have cost in all executions. */
  abstract get spent(): Cost;

  /** Something is still to run. */
  abstract get hasPending(): boolean;

  /** The execution in progress has a row to run or to grade. */
  get hasRowsToDo(): boolean {
    return this.hasPending || (this.executing && this.#ungraded.size > 0);
  }

  protected abstract isPending(index: number): boolean;

  /** Applies the plan of a row; plans of rows before it may be lost. */
  protected abstract plan(record: PlannedRecord, place: EventPlace): void;

  /** Notes that a regrade has left a row with its former grade. */
  protected abstract leave(index: number): void;

  /** Stores the place of a line that does not change the row; false if there is no such row. */
  protected abstract addPlace(index: number, place: EventPlace): boolean;

  /** Applies an event of a row; false if there is no such row. */
  protected abstract update(index: number, event: RowEvent, place: EventPlace): boolean;

  /**
   * Takes in one record found at a place of the log. False when it does not fit the run and was left out.
   * This is the only way in: for replay, for lines of other processes and for our own.
   */
  apply(record: LogRecord, offset: number, length: number): boolean {
    // Nothing but a review reads labels, so whatever was computed of the rows stays.
    if (record.type === 'label') return record.index < this.total && this.review.addLabel(record);
    if (record.type === 'labels') {
      const areKnown = record.labels.every(({ index }) => index < this.total);
      return areKnown && this.review.addLabels(record);
    }
    if (record.type === 'sample') return this.review.addSample(record);
    if (record.type === 'rubrics') return this.review.addRubrics(record);
    this.version += 1;
    if ('usage' in record && record.usage !== undefined)
      this.#hasCalled ||= !isUnused(record.usage);
    if (record.type === 'finished' || record.type === 'imported') this.#hasFinished = true;
    if ('at' in record && !changesNoRow.has(record.type)) this.#changedAt = record.at;
    switch (record.type) {
      case 'run':
        return this.#begin(record);
      case 'planned':
        return this.#plan(record, { kind: eventKinds.planned, offset, length });
      case 'scheduled':
        this.codes.schedule(record, offset, this.total);
        return this.#schedule(record);
      case 'code':
      case 'reads':
        return this.codes.add(record, offset, length);
      case 'cancelled':
        for (const index of selectedRows(record.rows, this.total)) {
          if (this.isPending(index)) {
            this.update(index, record, { kind: eventKinds.cancelled, offset, length: 0 });
          }
        }
        return true;
      case 'pruned':
        for (const index of selectedRows(record.rows, this.total)) {
          this.update(index, record, { kind: eventKinds.pruned, offset, length: 0 });
        }
        return true;
      case 'same_code':
        for (const index of selectedRows(record.rows, this.total)) {
          this.update(index, record, { kind: eventKinds.same_code, offset, length: 0 });
        }
        return true;
      case 'gone':
        for (const kind of ['gone', 'back'] as const) {
          const rows = kind === 'gone' ? record.rows : record.back;
          for (const index of selectedRows(rows, this.total)) {
            this.update(index, { type: kind }, { kind: eventKinds[kind], offset, length: 0 });
          }
        }
        return true;
      case 'left':
        for (const index of selectedRows(record.rows, this.total)) this.leave(index);
        this.#endPass();
        return true;
      case 'renamed':
        if (this.header) this.header = { ...this.header, run_name: record.run_name };
        return true;
      case 'closed':
        this.executing = false;
        this.#prices = record.prices ?? this.#prices;
        this.#waited = sumOfWaits(this.#waited, record.waited);
        this.#addUnlisted(record);
        this.#mayCall = record.may_call === true;
        this.#wasClosed = true;
        this.budget = record.budget;
        this.#place = { commit: record.commit, dirty: record.dirty };
        return true;
      case 'unlisted':
        this.#unlisted = sumOfUsage(this.#unlisted, record.usage);
        if (record.last === true) this.#mayCall = false;
        return true;
      case 'calls':
        return this.noteCalls(record.index, offset, length);
      default: {
        const place = { kind: eventKinds[record.type], offset, length };
        if (record.type === 'regraded') {
          this.#leaveOthers();
          this.#ungraded.delete(record.index);
        }
        const isKnown = this.update(record.index, record, place);
        if (record.type !== 'imported') return isKnown;
        if (isKnown) this.codes.take(record.index);
        return record.runs_again === true ? this.update(record.index, repeat, resetPlace) : isKnown;
      }
    }
  }

  /** Takes in where the calls of a row are. False when there is no such row. */
  noteCalls(index: number, offset: number, length: number): boolean {
    return this.addPlace(index, { kind: eventKinds.calls, offset, length });
  }

  /** The facts of the last execution. */
  get facts(): ExecutionFacts {
    return executionFacts({
      prices: this.#prices,
      waited: this.#waited,
      max_cost: this.#maxCost,
      params: this.#params,
      commit: this.#place.commit,
      dirty: this.#place.dirty,
      outcome: this.budget && 'budget',
    });
  }

  /** The state as seen by other processes; `isHeld`: another process has the lock. */
  state(isHeld: boolean): RunState {
    // A process with the lock of a run that has not started is about to start it.
    if (!this.started) return isHeld ? 'running' : 'not_started';
    if (this.executing && isHeld) return 'running';
    return this.hasPending ? 'interrupted' : 'finished';
  }

  /** Unix milliseconds; when anything in the run last changed. */
  get updatedAtMs(): number {
    const changed = Date.parse(this.#changedAt ?? '');
    return Number.isNaN(changed) ? (this.header?.created_at_ms ?? 0) : changed;
  }

  #begin(record: RunRecord): boolean {
    if (this.header !== undefined) return false;
    this.header = headerOf(record);
    this.format = record.format;
    return true;
  }

  #plan(record: PlannedRecord, place: EventPlace): boolean {
    const { index } = record;
    if (index > this.total && index > place.offset / shortestPlan) return false;
    this.plan(record, place);
    return true;
  }

  /** An execution that leaves rows with their former grades is no pass of the run. */
  #endPass(): void {
    if (this.#beganPass && this.executing) this.ratesBefore.pop();
    this.#beganPass = false;
  }

  /** Before there were passes, nothing said which rows begin one. */
  #notePass({ kind, new_pass, rate_before, old_repeats = false }: ScheduledRecord): void {
    const isAgain = kind === 'rerun' || kind === 'regrade';
    if (rate_before !== undefined) this.hasOldRepeats = false;
    else if (old_repeats || (isAgain && new_pass === undefined)) this.hasOldRepeats = true;
  }

  #addUnlisted({ unlisted, unlisted_cost: cost }: Ending): void {
    // Older versions noted the sum over all executions, without a number of calls.
    if (cost !== undefined) this.#unlisted = { ...noUsage, cost };
    if (unlisted !== undefined) this.#unlisted = sumOfUsage(this.#unlisted, unlisted);
  }

  /** What calls spent that are in no result; absent for nothing. If no process holds the run, what is not closed was cut off. */
  unlisted(isHeld: boolean): Usage | undefined {
    if (this.#hasFinished && !this.#hasCalled) return this.#unlisted;
    const cutOff = this.#cutOff + (this.#isOpen && !isHeld ? 1 : 0);
    let sum = this.#unlisted;
    for (let count = 0; count < cutOff; count += 1) sum = sumOfUsage(sum, cutOffUsage);
    return sum;
  }

  /** An execution may have made calls that no line says. A merge leaves out how the executions of its parts ended. */
  get #isOpen(): boolean {
    const isMerging = this.header?.merged !== undefined && !this.#wasClosed;
    return (this.executing || this.#mayCall) && !isMerging;
  }

  /** From the first new grade on, those that are not graded yet are of other graders, whatever stops the regrade. */
  #leaveOthers(): void {
    for (const index of this.#toGrade) this.leave(index);
    this.#toGrade = [];
  }

  /** Number of full passes. */
  get passes(): number {
    return this.#importedPasses + this.ratesBefore.length;
  }

  #schedule(record: ScheduledRecord): boolean {
    // A resume goes on with what its execution has spent.
    if (record.kind !== 'resume') this.spentBefore = this.started ? this.spent : noCost;
    if (this.#isOpen) this.#cutOff += 1;
    this.#mayCall = false;
    let total = 0;
    this.#ungraded.clear();
    const regraded = new Set(record.regraded && selectedRows(record.regraded, this.total));
    const inPass = new Set(record.new_pass && selectedRows(record.new_pass, this.total));
    for (const index of selectedRows(record.rows, this.total)) {
      total += 1;
      if (record.kind === 'regrade' || regraded.has(index)) {
        this.#ungraded.add(index);
        continue;
      }
      if (inPass.has(index)) this.update(index, newPass, passPlace);
      else this.update(index, repeat, resetPlace);
    }
    this.#toGrade = record.kind === 'regrade' ? [...inPass] : [];
    if (record.passes !== undefined) this.#importedPasses = record.passes;
    this.#notePass(record);
    if (record.rate_before !== undefined) this.ratesBefore.push(record.rate_before);
    this.#beganPass = record.rate_before !== undefined;
    this.selectedTotal = total;
    this.started = true;
    this.executing = true;
    this.budget = undefined;
    this.#maxCost = record.max_cost;
    this.#params = record.params_in_effect;
    if (this.header && record.created_at_ms !== undefined) {
      this.header = { ...this.header, created_at_ms: record.created_at_ms };
    }
    return true;
  }
}

/** Reads a run from a `run` line, or from a document with its fields. */
export function headerOf(record: Omit<RunRecord, 'type' | 'format' | 'assay'>): RunHeader {
  const { run_id, session_name, run_name, created_at_ms, path, config_name, selection } = record;
  const { started_at_ms = created_at_ms, merged } = record;
  return {
    ...{ run_id, session_name, run_name, created_at_ms, started_at_ms },
    ...{ path, config_name, selection },
    ...runPlaceOf(record),
    ...(merged && { merged }),
  };
}
