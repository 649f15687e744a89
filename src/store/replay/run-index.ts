import { type Cost, costOf } from '../../model/calls/run-usage.js';
import type { Origin, ResultStatus, RowFacts } from '../../model/result.js';
import type { PlannedRecord } from '../log/records.js';
import { beside, type EventPlace, type RowEventIndex } from '../log/row-event-index.js';
import { lostPlan } from './row-replay.js';
import {
  applyEvent,
  type Changing,
  countsAfter,
  finishedAt,
  gradedBeside,
  type RowEvent,
  startedAt,
  untouched,
} from './row-state.js';
import { RunReplay } from './run-replay.js';
import { ScoreLists } from './score-lists.js';

/** A row without its long values. Rows are immutable: a change replaces the object. */
export interface Row extends RowFacts {
  readonly attempt: number;
  /** True when the target has finished, so that the stored output can be graded again. */
  readonly regradable: boolean;
  /** Why grading it again could say something else; absent if its values are stored as they were. */
  readonly inexact?: string | undefined;
  readonly counted?: Row | undefined;
  /** The number of the row's latest event in `RowEventIndex`, which knows where its values are in the log. */
  readonly events: number;
}

/** Every row has these fields in this order, so that copies of rows are quick. */
const emptyRow: Row = {
  id: '',
  evaluation: '',
  function: '',
  dataset: '',
  labels: [],
  trial: undefined,
  trial_of: undefined,
  cluster: undefined,
  ...untouched,
  finished: undefined,
  startedAt: undefined,
  counted: undefined,
  events: 0,
};

/** A run in memory: its header and light rows, updated record by record. */
export class RunIndex extends RunReplay {
  readonly rows: Row[] = [];
  readonly #interning = new Interning();
  readonly #scores = new ScoreLists();
  /** The running rows, with their status in the log. */
  readonly #running = new Map<number, ResultStatus>();
  /** True for a row that was pending at a version. */
  #pending: { readonly version: number; readonly has: boolean } | undefined;

  override get total(): number {
    return this.rows.length;
  }

  override get hasPending(): boolean {
    if (this.#pending?.version !== this.version) {
      const has = this.rows.some((row) => row.status === 'pending' && row.pruned !== true);
      this.#pending = { version: this.version, has };
    }
    return this.#pending.has;
  }

  /** Marks rows as running, in memory only. */
  markRunning(indices: readonly number[]): void {
    for (const index of indices) {
      const row = this.rows[index];
      if (row === undefined || this.#running.has(index)) continue;
      this.#running.set(index, row.status);
      this.rows[index] = { ...row, status: 'running' };
    }
    this.version += 1;
  }

  /** Undoes `markRunning`: rows get their status in the log again. */
  unmark(indices: readonly number[]): void {
    for (const index of indices) {
      const row = this.rows[index];
      const status = this.#running.get(index);
      if (row === undefined || status === undefined) continue;
      this.#running.delete(index);
      this.rows[index] = { ...row, status };
    }
    this.version += 1;
  }

  protected override isPending(index: number): boolean {
    return this.rows[index]?.status === 'pending';
  }

  protected override plan(record: PlannedRecord, place: EventPlace): void {
    const { index } = record;
    while (this.rows.length < index) {
      this.rows.push(this.#planned(emptyRow, lostPlan(this.rows.length)));
    }
    const row = this.#planned(this.rows[index] ?? emptyRow, record);
    row.events = this.events.add(row.events, place);
    this.rows[index] = row;
  }

  override get spent(): Cost {
    return costOf(this.rows, this.unlisted(true));
  }

  protected override leave(index: number): void {
    const row = this.rows[index];
    if (row === undefined) return;
    const { counted } = row;
    const left = counted && { ...counted, hasFormerGrade: true };
    this.rows[index] = { ...row, hasFormerGrade: true, counted: left };
  }

  protected override addPlace(index: number, place: EventPlace): boolean {
    const row = this.rows[index];
    if (row === undefined) return false;
    this.rows[index] = { ...row, events: this.events.add(row.events, place) };
    return true;
  }

  protected override update(index: number, event: RowEvent, place: EventPlace): boolean {
    const row = this.rows[index];
    if (row === undefined) return false;
    if ('attempt' in event && event.attempt === 'counted') {
      const { counted } = row;
      if (counted === undefined) return true;
      const changed = { ...counted };
      this.#apply(changed, event, place);
      this.rows[index] = { ...row, counted: changed };
      return event.type === 'edited' || this.update(index, gradedBeside(event), beside(place));
    }
    // While a log is read, replacing rows would produce as much garbage as the rows of a long run.
    const changed: Changing<Row> = this.isUnseen ? row : { ...row };
    const status = this.#running.get(index);
    changed.status = status ?? row.status;
    const counts = countsAfter(changed, row.counted !== undefined, event);
    if (counts === 'before') changed.counted = { ...changed, counted: undefined };
    if (counts === 'newest') changed.counted = undefined;
    this.#apply(changed, event, place);
    if (changed.counted !== undefined && event.type === 'same_code') {
      changed.counted = { ...changed.counted };
      this.#apply(changed.counted, event, place);
    }
    const { counted, pruned } = changed;
    if (counted !== undefined && counted.pruned !== pruned)
      changed.counted = { ...counted, pruned };
    if (status !== undefined && staysRunning.has(event.type)) changed.status = 'running';
    else this.#running.delete(index);
    this.rows[index] = changed;
    return true;
  }

  #apply(row: Changing<Row>, event: RowEvent, place: EventPlace): void {
    applyEvent(row, event, this.#scores.of);
    row.events = this.events.add(row.events, place);
    row.finished = finishedAt(row.finished, event, place);
    row.startedAt = startedAt(row.startedAt, event);
    if (row.code !== undefined) row.code = this.#interning.string(row.code);
    if (row.origin !== undefined) row.origin = this.#interning.origin(row.origin);
  }

  #planned(row: Row, plan: PlannedRecord): Changing<Row> {
    const shared = this.#interning;
    return {
      ...row,
      id: plan.id,
      // Equal without cases: share the string.
      evaluation: plan.evaluation === plan.id ? plan.id : shared.string(plan.evaluation),
      function: plan.trial === undefined ? plan.function : shared.string(plan.function),
      dataset: shared.string(plan.dataset),
      labels: shared.labels(plan.labels),
      trial: plan.trial,
      trial_of: plan.trial_of === undefined ? undefined : shared.string(plan.trial_of),
      cluster: plan.cluster === undefined ? undefined : shared.string(plan.cluster),
    };
  }
}

/** Events that do not end what a row is running for. */
const staysRunning: ReadonlySet<RowEvent['type']> = new Set([
  'edited',
  'late_calls',
  'graded_beside',
]);

/** Creates an index that keeps all rows in memory. */
export function newRunIndex(events: RowEventIndex): RunIndex {
  return new RunIndex(events);
}

// With more distinct values, sharing saves little, and the table needs memory.
const limit = 10_000;

/** Shares equal values of rows, to save memory in runs of 100,000 rows. */
class Interning {
  readonly #strings = new Map<string, string>();
  readonly #labels = new Map<string, readonly string[]>();
  readonly #origins = new Map<string, Origin>();

  string(value: string): string {
    return shared(this.#strings, value, () => value);
  }

  /** The shared copy of an origin. */
  origin(origin: Origin): Origin {
    const { run_id, run_name, kind } = origin;
    return shared(this.#origins, `${run_id}\0${kind}\0${run_name}`, () => origin);
  }

  /** The shared copy of a list of labels. */
  labels(labels: readonly string[]): readonly string[] {
    if (labels.length === 0) return noLabels;
    return shared(this.#labels, JSON.stringify(labels), () => labels);
  }
}

const noLabels: readonly string[] = [];

function shared<T>(table: Map<string, T>, name: string, make: () => T): T {
  const known = table.get(name);
  if (known !== undefined) return known;
  const value = make();
  if (table.size < limit) table.set(name, value);
  return value;
}
