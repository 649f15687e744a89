import {
  type Correction,
  type EarlierAttempt,
  isFinished,
  type Json,
  type JsonObject,
  type ResultEntry,
  type ResultStatus,
} from '../../model/result.js';
import { mergeHumanScores, type Score, type ScoreFacts } from '../../model/score.js';
import type { ScoreRules } from '../../model/score-rule.js';
import type { Usage } from '../../model/usage.js';
import type { EditedRecord, PlannedRecord, RowRecord } from '../log/records.js';
import type { EventPlace } from '../log/row-events.js';
import { sameScores, tidyScore } from '../log/stored-score.js';

/** What can happen to a row: a record about it, or its part in a record about many rows. */
export type RowEvent = RowRecord | { readonly type: 'reset' | 'cancelled' | 'pruned' };

/** The part of a row that selections and summaries need; scores come with or without their notes. */
export interface RowState<S extends ScoreFacts> {
  readonly status: ResultStatus;
  readonly latency: number | null;
  readonly scores: readonly S[];
  readonly regradable: boolean;
  readonly outputHash?: string | undefined;
  readonly code?: string | undefined;
  readonly pruned?: boolean | undefined;
  readonly usage?: Usage | undefined;
}

/** A row nothing has happened to. */
export const untouched: RowState<never> = {
  status: 'not_started',
  latency: null,
  scores: [],
  regradable: false,
  outputHash: undefined,
  code: undefined,
  pruned: undefined,
  usage: undefined,
};

const pending: RowState<never> = { ...untouched, status: 'pending' };

/** The state of a row after an event. `narrow` makes the scores of the log into those that are kept. */
export function nextState<S extends ScoreFacts>(
  state: RowState<S>,
  event: RowEvent,
  narrow: (scores: readonly Score[]) => readonly S[],
): RowState<S> {
  switch (event.type) {
    case 'planned':
    case 'calls':
      return state;
    case 'late_calls':
      return { ...state, usage: event.usage };
    case 'reset':
      return pending;
    case 'cancelled':
      return state.status === 'pending' ? { ...state, status: 'cancelled' } : state;
    case 'pruned':
      return { ...state, pruned: true };
    case 'finished':
      return {
        status: event.status,
        latency: event.latency,
        scores: merged(narrow(event.scores), state.scores),
        regradable: event.regradable === true,
        outputHash: event.output_hash,
        code: event.code,
        pruned: state.pruned,
        usage: event.usage,
      };
    case 'regraded':
      return {
        status: event.status,
        latency: state.latency,
        scores: merged(narrow(event.scores), state.scores),
        regradable: state.regradable,
        outputHash: state.outputHash,
        code: event.code,
        pruned: state.pruned,
        usage: event.usage,
      };
    case 'edited':
      return event.scores === undefined ? state : { ...state, scores: narrow(event.scores.after) };
    case 'imported':
      return {
        status: event.status,
        latency: event.latency,
        scores: narrow(event.scores),
        regradable: event.regradable === true,
        outputHash: event.output_hash,
        code: event.code,
        pruned: event.pruned,
        usage: event.usage,
      };
  }
}

function merged<S extends ScoreFacts>(machine: readonly S[], current: readonly S[]): readonly S[] {
  return current.some((score) => score.source === 'human')
    ? mergeHumanScores(machine, current)
    : machine;
}

/** Where in the log a row finished last, or was graded last; `before`: before the event. */
export function finishedAt(
  before: number | undefined,
  { type }: RowEvent,
  { offset }: EventPlace,
): number | undefined {
  if (type === 'reset') return undefined;
  return type === 'finished' || type === 'regraded' || type === 'imported' ? offset : before;
}

/** A result, and how values of its scores are judged. */
export interface GradedEntry {
  readonly entry: ResultEntry;
  readonly scoreRules: ScoreRules | undefined;
}

interface FullRow extends RowState<Score> {
  readonly plan: PlannedRecord | undefined;
  readonly scoreRules: ScoreRules | undefined;
  readonly output: Json;
  readonly error: string | null;
  readonly metadata: JsonObject | undefined;
  readonly trace_data: JsonObject;
  readonly annotation: string;
  readonly corrections: readonly Correction[];
  readonly finishedAt: string;
  readonly attempts: readonly EarlierAttempt[];
}

const emptyRow: FullRow = {
  ...untouched,
  plan: undefined,
  scoreRules: undefined,
  output: null,
  error: null,
  metadata: undefined,
  trace_data: {},
  annotation: '',
  corrections: [],
  finishedAt: '',
  attempts: [],
};

/** A row, the rules its scores are judged by, and its earlier attempts, oldest first, after all that happened to it. */
export function replayRow(
  index: number,
  events: Iterable<RowEvent>,
): GradedEntry & { readonly attempts: readonly EarlierAttempt[] } {
  let row = emptyRow;
  for (const event of events) row = nextRow(row, event);
  const { plan = lostPlan(index), scoreRules, attempts } = row;
  return { entry: toEntry(row, plan), scoreRules, attempts };
}

function nextRow(row: FullRow, event: RowEvent): FullRow {
  const state = nextState<Score>(row, event, (scores) => scores.map(tidyScore));
  const next: FullRow = { ...row, ...state };
  switch (event.type) {
    case 'planned':
      return { ...next, plan: event, scoreRules: event.score_rules };
    case 'reset':
      return {
        ...next,
        output: null,
        error: null,
        metadata: undefined,
        trace_data: {},
        attempts: isFinished(row) ? [...row.attempts, toAttempt(row)] : row.attempts,
      };
    case 'cancelled':
    case 'pruned':
    case 'calls':
    case 'late_calls':
      return next;
    case 'finished':
      return {
        ...next,
        output: event.output,
        error: event.error,
        metadata: event.metadata,
        trace_data: event.trace_data,
        finishedAt: event.at,
      };
    case 'regraded':
      return {
        ...next,
        scoreRules: event.score_rules,
        error: event.error,
        metadata: event.metadata ?? row.metadata,
        trace_data: event.trace_data ?? row.trace_data,
        corrections: sameScores(row.scores, next.scores)
          ? row.corrections
          : [...row.corrections, correction('scores', row.scores, next.scores, event.at)],
      };
    case 'edited':
      return {
        ...next,
        annotation: event.annotation?.after ?? row.annotation,
        corrections: [...row.corrections, ...corrections(row, next, event)],
      };
    case 'imported':
      return {
        ...next,
        output: event.output,
        error: event.error,
        metadata: undefined,
        trace_data: event.trace_data,
        annotation: event.annotation,
        corrections: event.correction_history,
        finishedAt: event.at,
      };
  }
}

/** What an edit replaced is what the log had there, whatever its author saw: another process may have been quicker. */
function corrections(row: FullRow, next: FullRow, event: EditedRecord): Correction[] {
  const { annotation, scores, at } = event;
  const found: Correction[] = [];
  if (annotation && annotation.after !== row.annotation) {
    found.push(correction('annotation', row.annotation, annotation.after, at));
  }
  if (scores && !sameScores(row.scores, next.scores)) {
    found.push(correction('scores', row.scores, next.scores, at));
  }
  return found;
}

function correction(
  field: Correction['field'],
  before: Correction['before'],
  after: Correction['after'],
  timestamp: string,
): Correction {
  return { field, before, after, timestamp };
}

function toAttempt(row: FullRow): EarlierAttempt {
  return {
    input: row.plan?.input ?? null,
    output: row.output,
    reference: row.plan?.reference ?? null,
    scores: row.scores,
    error: row.error,
    latency: row.latency,
    metadata: row.metadata ?? row.plan?.metadata ?? {},
    trace_data: row.trace_data,
    status: row.status,
    ...(row.code === undefined ? {} : { code: row.code }),
    ...(row.usage === undefined ? {} : { usage: row.usage }),
    finished_at: row.finishedAt,
  };
}

function toEntry(row: FullRow, plan: PlannedRecord): ResultEntry {
  return {
    id: plan.id,
    function: plan.function,
    dataset: plan.dataset,
    labels: plan.labels,
    ...(plan.trial === undefined ? {} : { trial: plan.trial }),
    ...(plan.trial_of === undefined ? {} : { trial_of: plan.trial_of }),
    ...(row.regradable ? { regradable: true } : {}),
    ...(row.pruned === true ? { pruned: true } : {}),
    result: {
      input: plan.input,
      output: row.output,
      reference: plan.reference,
      scores: row.scores,
      error: row.error,
      latency: row.latency,
      metadata: row.metadata ?? plan.metadata,
      trace_data: row.trace_data,
      status: row.status,
      annotation: row.annotation,
      correction_history: row.corrections,
      ...(row.code === undefined ? {} : { code: row.code }),
      ...(row.usage === undefined ? {} : { usage: row.usage }),
    },
  };
}

/** Stands in for the plan of a row whose planned line cannot be read, so that no row moves. */
export function lostPlan(index: number): PlannedRecord {
  const id = `unreadable::row-${index}`;
  return {
    type: 'planned',
    index,
    id,
    evaluation: id,
    function: `row-${index}`,
    dataset: 'unreadable',
    labels: [],
    input: null,
    reference: null,
    metadata: {},
  };
}
