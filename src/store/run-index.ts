import { randomBytes } from 'node:crypto';
import type { JsonObject, ResultStatus, RowFacts } from '../model/result.js';
import type { ScoreFacts } from '../model/score.js';
import { Interning } from './interning.js';
import {
  type Ending,
  formatVersion,
  type LogRecord,
  type PlannedRecord,
  type RunRecord,
  type ScheduledRecord,
} from './records.js';
import { lostPlan, nextState, type RowEvent, type RowState, untouched } from './replay.js';
import { type EventPlace, eventKinds, type PackedEvents, withEvent } from './row-events.js';
import { selectedRows } from './row-ranges.js';
import { ScoreLists } from './score-lists.js';

/** A row of a run without its long values. Rows are never changed, only replaced: a changed row is another object. */
export interface Row extends RowFacts {
  /** The target has finished, so the stored output can be graded again. */
  readonly regradable: boolean;
  /** Where in the log the row's values are. */
  readonly events: PackedEvents;
}

/** What a row has besides its plan and its state. */
type RowMore = Pick<Row, 'events' | 'code' | 'finished'>;

/** What identifies a run, as its log says. */
export interface RunHeader {
  readonly run_id: string;
  readonly session_name: string;
  readonly run_name: string;
  /** Unix milliseconds; when the run last started. */
  readonly created_at_ms: number;
  /** Unix milliseconds; when the run first began. */
  readonly started_at_ms: number;
  readonly path: string;
  readonly config_name: string;
  /** What a rerun needs besides the path; opaque to the store. */
  readonly selection: JsonObject;
}

// The shortest planned line there can be. It bounds how many rows a file of a given size can claim.
const shortestPlan = 100;

const reset: RowEvent = { type: 'reset' };
const resetPlace: EventPlace = { kind: eventKinds.reset, offset: 0, length: 0 };

/** A run in memory: its header and light rows, brought up to date one record at a time. */
export class RunIndex {
  readonly rows: Row[] = [];
  header: RunHeader | undefined;
  /** Version of the format the log was written in. */
  format = formatVersion;
  /** An execution was scheduled and not closed. */
  executing = false;
  /** Anything was ever scheduled. */
  started = false;
  /** Name and version of the list by which the calls of the last execution with calls were priced. */
  prices: string | undefined;
  /** How the budget ended the last execution before its end; absent when it did not. */
  budget: Ending['budget'];
  /** Rows of the last execution. */
  selectedTotal = 0;
  /** RFC 3339; when the run last changed, as the log says. */
  #changedAt: string | undefined;
  /** Changes with every record and status. */
  version = 0;
  /** Tells this reading of the log from every other one. */
  readonly reading = randomBytes(6).toString('hex');
  /**
   * Nobody has seen a row yet, so rows are changed in place: replacing each a few times leaves as much garbage as the
   * rows of a long run weigh. Set while a log is read for the first time, and until a new run is scheduled.
   */
  isUnseen = false;
  readonly #interning = new Interning();
  readonly #scores = new ScoreLists();
  /** Rows that run at this moment, with the status the log gives them. */
  readonly #running = new Map<number, ResultStatus>();

  /**
   * Takes in one record found at a place of the log. False when it does not fit the run and was left out.
   * This is the only way in: for replay, for lines of other processes and for our own.
   */
  apply(record: LogRecord, offset: number, length: number): boolean {
    this.version += 1;
    // The end of an execution changes nothing of what is in the run.
    if ('at' in record && record.type !== 'closed') this.#changedAt = record.at;
    switch (record.type) {
      case 'run':
        return this.#begin(record);
      case 'planned':
        return this.#plan(record, offset, length);
      case 'scheduled':
        return this.#schedule(record);
      case 'cancelled':
        for (const index of selectedRows(record.rows, this.rows.length)) {
          if (this.rows[index]?.status === 'pending') {
            this.#update(index, record, { kind: eventKinds.cancelled, offset, length: 0 });
          }
        }
        return true;
      case 'pruned':
        for (const index of selectedRows(record.rows, this.rows.length)) {
          this.#update(index, record, { kind: eventKinds.pruned, offset, length: 0 });
        }
        return true;
      case 'renamed':
        if (this.header) this.header = { ...this.header, run_name: record.run_name };
        return true;
      case 'closed':
        this.executing = false;
        this.prices = record.prices ?? this.prices;
        this.budget = record.budget;
        return true;
      case 'calls':
        return this.noteCalls(record.index, offset, length);
      default:
        return this.#update(record.index, record, {
          kind: eventKinds[record.type],
          offset,
          length,
        });
    }
  }

  /** Takes in where the calls of a row are. False when there is no such row. */
  noteCalls(index: number, offset: number, length: number): boolean {
    const row = this.rows[index];
    if (row === undefined) return false;
    const events = withEvent(row.events, { kind: eventKinds.calls, offset, length });
    this.rows[index] = { ...row, events };
    return true;
  }

  /** Unix milliseconds; when anything in the run last changed. */
  get updatedAtMs(): number {
    const changed = Date.parse(this.#changedAt ?? '');
    return Number.isNaN(changed) ? (this.header?.created_at_ms ?? 0) : changed;
  }

  /** Shows rows as running; the log knows nothing of it. */
  markRunning(indices: readonly number[]): void {
    for (const index of indices) {
      const row = this.rows[index];
      if (row === undefined || this.#running.has(index)) continue;
      this.#running.set(index, row.status);
      this.rows[index] = rowOf(row, row, 'running', row);
    }
    this.version += 1;
  }

  /** Gives rows that were shown as running the status of the log again. */
  unmark(indices: readonly number[]): void {
    for (const index of indices) {
      const row = this.rows[index];
      const status = this.#running.get(index);
      if (row === undefined || status === undefined) continue;
      this.#running.delete(index);
      this.rows[index] = rowOf(row, row, status, row);
    }
    this.version += 1;
  }

  #begin(record: RunRecord): boolean {
    if (this.header !== undefined) return false;
    this.header = headerOf(record);
    this.format = record.format;
    return true;
  }

  #plan(record: PlannedRecord, offset: number, length: number): boolean {
    const { index } = record;
    if (index > this.rows.length && index > offset / shortestPlan) return false;
    while (this.rows.length < index) {
      this.rows.push(this.#row(lostPlan(this.rows.length), untouched, { events: [] }));
    }
    const row = this.rows[index];
    const events = withEvent(row?.events ?? [], { kind: eventKinds.planned, offset, length });
    this.rows[index] = this.#row(record, row ?? untouched, { ...row, events });
    return true;
  }

  #schedule(record: ScheduledRecord): boolean {
    let total = 0;
    for (const index of selectedRows(record.rows, this.rows.length)) {
      total += 1;
      if (record.kind !== 'regrade') {
        this.#update(index, reset, resetPlace);
      }
    }
    this.selectedTotal = total;
    this.started = true;
    this.executing = true;
    this.budget = undefined;
    if (this.header && record.created_at_ms !== undefined) {
      this.header = { ...this.header, created_at_ms: record.created_at_ms };
    }
    return true;
  }

  #update(index: number, event: RowEvent, place: EventPlace): boolean {
    const row = this.rows[index];
    if (row === undefined) return false;
    const status = this.#running.get(index);
    const before: RowState<ScoreFacts> = status === undefined ? row : rowOf(row, row, status, row);
    const staysRunning =
      status !== undefined && (event.type === 'edited' || event.type === 'late_calls');
    if (status !== undefined && !staysRunning) this.#running.delete(index);
    const after = nextState(before, event, this.#scores.of);
    const shown = staysRunning ? 'running' : after.status;
    const events = withEvent(row.events, place);
    const { code } = after;
    const more = {
      events,
      code: code === undefined ? undefined : this.#interning.string(code),
      finished: finishedAt(row, event, place),
    };
    if (this.isUnseen) changeRow(row, after, more);
    else this.rows[index] = rowOf(row, after, shown, more);
    return true;
  }

  #row(plan: PlannedRecord, state: RowState<ScoreFacts>, more: RowMore): Row {
    const shared = this.#interning;
    const identity = {
      id: plan.id,
      // Without cases they are equal.
      evaluation: plan.evaluation === plan.id ? plan.id : shared.string(plan.evaluation),
      function: plan.trial === undefined ? plan.function : shared.string(plan.function),
      dataset: shared.string(plan.dataset),
      labels: shared.labels(plan.labels),
      trial: plan.trial,
      trial_of: plan.trial_of === undefined ? undefined : shared.string(plan.trial_of),
    };
    return rowOf(identity, state, state.status, more);
  }
}

/** What a `run` line, or a document with its fields, says of the run. */
export function headerOf(record: Omit<RunRecord, 'type' | 'format' | 'assay'>): RunHeader {
  const { run_id, session_name, run_name, created_at_ms, path, config_name, selection } = record;
  const { started_at_ms = created_at_ms } = record;
  return {
    ...{ run_id, session_name, run_name, created_at_ms, started_at_ms },
    ...{ path, config_name, selection },
  };
}

/** All rows have the same fields in the same order: made in one go, that is several times quicker than copying. */
function rowOf(
  of: Pick<Row, 'id' | 'evaluation' | 'function' | 'dataset' | 'labels' | 'trial' | 'trial_of'>,
  state: RowState<ScoreFacts>,
  status: ResultStatus,
  more: RowMore,
): Row {
  return {
    id: of.id,
    evaluation: of.evaluation,
    function: of.function,
    dataset: of.dataset,
    labels: of.labels,
    trial: of.trial,
    trial_of: of.trial_of,
    status,
    latency: state.latency,
    scores: state.scores,
    regradable: state.regradable,
    outputHash: state.outputHash,
    code: more.code,
    finished: more.finished,
    pruned: state.pruned,
    usage: state.usage,
    events: more.events,
  };
}

/** Where in the log a row finished last, or was graded last. */
function finishedAt(row: Row, { type }: RowEvent, { offset }: EventPlace): number | undefined {
  if (type === 'reset') return undefined;
  return type === 'finished' || type === 'regraded' || type === 'imported' ? offset : row.finished;
}

function changeRow(
  row: { -readonly [Key in keyof Row]: Row[Key] },
  state: RowState<ScoreFacts>,
  { code, finished, events }: RowMore,
): void {
  row.status = state.status;
  row.latency = state.latency;
  row.scores = state.scores;
  row.regradable = state.regradable;
  row.outputHash = state.outputHash;
  row.code = code;
  row.finished = finished;
  row.pruned = state.pruned;
  row.usage = state.usage;
  row.events = events;
}
