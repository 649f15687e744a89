import { type Cost, costOf } from '../../model/calls/run-usage.js';
import type { ResultStatus, RowFacts, RowIdentity } from '../../model/result.js';
import type { ScoreFacts } from '../../model/scores/score.js';
import type { PlannedRecord } from '../log/records.js';
import { beside, type EventPlace, type RowEventIndex } from '../log/row-event-index.js';
import { Interning } from './interning.js';
import { lostPlan } from './row-replay.js';
import {
  countsAfter,
  finishedAt,
  gradedBeside,
  nextState,
  type RowEvent,
  type RowState,
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

/** The fields of a row that are in neither its plan nor its state. */
type RowMore = Pick<Row, 'events' | 'code' | 'finished' | 'origin' | 'startedAt' | 'counted'>;

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
      this.rows[index] = rowOf(row, row, 'running', row);
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
      this.rows[index] = rowOf(row, row, status, row);
    }
    this.version += 1;
  }

  protected override isPending(index: number): boolean {
    return this.rows[index]?.status === 'pending';
  }

  protected override plan(record: PlannedRecord, place: EventPlace): void {
    const { index } = record;
    while (this.rows.length < index) {
      this.rows.push(this.#row(lostPlan(this.rows.length), untouched, { events: 0 }));
    }
    const row = this.rows[index];
    const events = this.events.add(row?.events ?? 0, place);
    this.rows[index] = this.#row(record, row ?? untouched, { ...row, events });
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
      this.rows[index] = { ...row, counted: this.#after(counted, event, place) };
      return event.type === 'edited' || this.update(index, gradedBeside(event), beside(place));
    }
    const status = this.#running.get(index);
    const before = status === undefined ? row : rowOf(row, row, status, row);
    const staysRunning =
      status !== undefined &&
      (event.type === 'edited' || event.type === 'late_calls' || event.type === 'graded_beside');
    if (status !== undefined && !staysRunning) this.#running.delete(index);
    const after = nextState(before, event, this.#scores.of);
    const shown = staysRunning ? 'running' : after.status;
    const more = {
      ...this.#moreAfter(row, after, event, place),
      counted: countedAfter(before, event, after.pruned),
    };
    // While a log is read, replacing rows would produce as much garbage as the rows of a long run.
    if (this.isUnseen) changeRow(row, after, more);
    else this.rows[index] = rowOf(row, after, shown, more);
    return true;
  }

  #after(row: Row, event: RowEvent, place: EventPlace): Row {
    const after = nextState(row, event, this.#scores.of);
    const more = { ...this.#moreAfter(row, after, event, place), counted: undefined };
    return rowOf(row, after, after.status, more);
  }

  #moreAfter(
    row: Row,
    { code, origin }: RowState<ScoreFacts>,
    event: RowEvent,
    place: EventPlace,
  ): Omit<RowMore, 'counted'> {
    return {
      events: this.events.add(row.events, place),
      code: code === undefined ? undefined : this.#interning.string(code),
      finished: finishedAt(row.finished, event, place),
      origin: origin === undefined ? undefined : this.#interning.origin(origin),
      startedAt: startedAt(row.startedAt, event),
    };
  }

  #row(plan: PlannedRecord, state: RowState<ScoreFacts>, more: RowMore): Row {
    const shared = this.#interning;
    const identity = {
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
    return rowOf(identity, state, state.status, more);
  }
}

/** Creates an index that keeps all rows in memory. */
export function newRunIndex(events: RowEventIndex): RunIndex {
  return new RunIndex(events);
}

/** The attempt that counts after an event, if it is not the newest. */
function countedAfter(before: Row, event: RowEvent, pruned: boolean | undefined): Row | undefined {
  const counts = countsAfter(before, before.counted !== undefined, event);
  if (counts === 'newest') return undefined;
  const counted = counts === 'before' ? before : before.counted;
  if (counted === undefined) return undefined;
  // A copy: while a log is read, rows are changed in place.
  const isSame = counts === 'same' && counted.pruned === pruned;
  return isSame ? counted : { ...counted, pruned, counted: undefined };
}

/** Creates a row from an object literal, which is several times faster than spreading. */
function rowOf(
  of: RowIdentity & Pick<Row, 'evaluation'>,
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
    cluster: of.cluster,
    status,
    attempt: state.attempt,
    latency: state.latency,
    scores: state.scores,
    regradable: state.regradable,
    inexact: state.inexact,
    hasFormerGrade: state.hasFormerGrade,
    lostScores: state.lostScores,
    outputHash: state.outputHash,
    code: more.code,
    finished: more.finished,
    pruned: state.pruned,
    usage: state.usage,
    replaced_usage: state.replaced_usage,
    origin: more.origin,
    startedAt: more.startedAt,
    noDraw: state.noDraw,
    verifies: state.verifies,
    otherCode: state.otherCode,
    scoresBefore: state.scoresBefore,
    counted: more.counted,
    events: more.events,
  };
}

function changeRow(
  row: { -readonly [Key in keyof Row]: Row[Key] },
  state: RowState<ScoreFacts>,
  { code, finished, origin, startedAt: started, counted, events }: RowMore,
): void {
  row.status = state.status;
  row.attempt = state.attempt;
  row.latency = state.latency;
  row.scores = state.scores;
  row.regradable = state.regradable;
  row.inexact = state.inexact;
  row.hasFormerGrade = state.hasFormerGrade;
  row.lostScores = state.lostScores;
  row.outputHash = state.outputHash;
  row.code = code;
  row.finished = finished;
  row.pruned = state.pruned;
  row.usage = state.usage;
  row.replaced_usage = state.replaced_usage;
  row.origin = origin;
  row.startedAt = started;
  row.noDraw = state.noDraw;
  row.verifies = state.verifies;
  row.otherCode = state.otherCode;
  row.scoresBefore = state.scoresBefore;
  row.counted = counted;
  row.events = events;
}
