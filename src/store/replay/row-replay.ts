import { type KeptValues, mergeKept } from '../../model/kept-values.js';
import {
  type Correction,
  type EarlierAttempt,
  isFinished,
  type Json,
  type JsonObject,
  type ResultEntry,
} from '../../model/result.js';
import type { Score } from '../../model/scores/score.js';
import type { ScoreRules } from '../../model/scores/score-rule.js';
import type { EditedRecord, PlannedRecord } from '../log/records.js';
import { sameScores, tidyScore } from '../log/stored-score.js';
import { nextState, type RowEvent, type RowState, untouched } from './row-state.js';

/** A result with the rules that judge its scores. */
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
  /** Of its values but those of the plan. */
  readonly kept: KeptValues | undefined;
  readonly trace_data: JsonObject;
  readonly annotation: string;
  readonly corrections: readonly Correction[];
  readonly startedAt: string | undefined;
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
  kept: undefined,
  trace_data: {},
  annotation: '',
  corrections: [],
  startedAt: undefined,
  finishedAt: '',
  attempts: [],
};

/** The result of a row after all its events, with its score rules and its earlier attempts, oldest first. */
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
        kept: undefined,
        trace_data: {},
        startedAt: undefined,
        attempts: isFinished(row) ? [...row.attempts, toAttempt(row)] : row.attempts,
      };
    case 'cancelled':
    case 'pruned':
    case 'calls':
    case 'late_calls':
    case 'graded_beside':
      return next;
    case 'finished':
      return {
        ...next,
        output: event.output,
        error: event.error,
        metadata: event.metadata,
        kept: event.kept,
        trace_data: event.trace_data,
        startedAt: event.started_at,
        finishedAt: event.at,
      };
    case 'regraded':
      return {
        ...next,
        scoreRules: event.score_rules,
        error: event.error,
        metadata: event.metadata ?? row.metadata,
        kept: mergeKept(row.kept, event.kept, [
          ...(event.metadata === undefined ? [] : (['metadata'] as const)),
          ...(event.trace_data === undefined ? [] : (['trace_data'] as const)),
        ]),
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
        metadata: event.metadata,
        kept: event.kept,
        trace_data: event.trace_data,
        annotation: event.annotation,
        corrections: event.correction_history,
        startedAt: event.started_at,
        finishedAt: event.at,
      };
  }
}

/** The `before` values come from the log, not from the edit: another process may have edited the row in between. */
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
    ...(row.startedAt === undefined ? {} : { started_at: row.startedAt }),
    metadata: row.metadata ?? row.plan?.metadata ?? {},
    trace_data: row.trace_data,
    status: row.status,
    ...(row.code === undefined ? {} : { code: row.code }),
    ...(row.origin === undefined ? {} : { origin: row.origin }),
    ...(row.reason === undefined ? {} : { reason: row.reason }),
    ...(row.usage === undefined ? {} : { usage: row.usage }),
    finished_at: row.finishedAt,
  };
}

function toEntry(row: FullRow, plan: PlannedRecord): ResultEntry {
  const kept = mergeKept(plan.kept, row.kept, row.metadata === undefined ? [] : ['metadata']);
  return {
    id: plan.id,
    function: plan.function,
    dataset: plan.dataset,
    labels: plan.labels,
    ...(plan.trial === undefined ? {} : { trial: plan.trial }),
    ...(plan.trial_of === undefined ? {} : { trial_of: plan.trial_of }),
    ...(plan.cluster === undefined ? {} : { cluster: plan.cluster }),
    ...(row.regradable ? { regradable: true } : {}),
    ...(row.inexact === undefined ? {} : { inexact: true, inexact_because: row.inexact }),
    ...(kept === undefined ? {} : { kept }),
    ...(row.lostScores === undefined ? {} : { lost_scores: row.lostScores }),
    ...(row.otherCode === true ? { other_code: true } : {}),
    ...(row.pruned === true ? { pruned: true } : {}),
    result: {
      input: plan.input,
      output: row.output,
      reference: plan.reference,
      scores: row.scores,
      error: row.error,
      latency: row.latency,
      ...(row.startedAt === undefined ? {} : { started_at: row.startedAt }),
      metadata: row.metadata ?? plan.metadata,
      trace_data: row.trace_data,
      status: row.status,
      annotation: row.annotation,
      correction_history: row.corrections,
      ...(row.code === undefined ? {} : { code: row.code }),
      ...(row.origin === undefined ? {} : { origin: row.origin }),
      ...(row.reason === undefined ? {} : { reason: row.reason }),
      ...(row.verifies === true ? { verifies: true } : {}),
      ...(row.usage === undefined ? {} : { usage: row.usage }),
      ...(row.replaced_usage === undefined ? {} : { replaced_usage: row.replaced_usage }),
    },
  };
}

/** The placeholder for a plan that cannot be read, so that the other rows keep their indices. */
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
