import { type KeptValues, mergeKept } from '../../model/kept-values.js';
import {
  type Correction,
  type EarlierAttempt,
  isFinished,
  type Json,
  type JsonObject,
  type ResultEntry,
} from '../../model/result.js';
import { type Score, sameScores } from '../../model/scores/score.js';
import type { ScoreRules } from '../../model/scores/score-rule.js';
import { tidyScore } from '../../model/scores/score-shape.js';
import type { FinishedRecord, ImportedRecord, PlannedRecord } from '../log/records.js';
import { applyEvent, type Changing, type RowEvent, type RowState, untouched } from './row-state.js';

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
  const row: Changing<FullRow> = { ...emptyRow };
  for (const event of events) change(row, event);
  const { plan = lostPlan(index), scoreRules, attempts } = row;
  return { entry: toEntry(row, plan), scoreRules, attempts };
}

function change(row: Changing<FullRow>, event: RowEvent): void {
  const before = row.scores;
  if (event.type === 'reset' && isFinished(row)) row.attempts = [...row.attempts, toAttempt(row)];
  applyEvent<Score>(row, event, (scores) => scores.map(tidyScore));
  switch (event.type) {
    case 'planned':
      row.plan = event;
      row.scoreRules = event.score_rules;
      return;
    case 'reset':
      row.output = null;
      row.error = null;
      row.metadata = undefined;
      row.kept = undefined;
      row.trace_data = {};
      row.startedAt = undefined;
      return;
    case 'finished':
      setValues(row, event);
      return;
    case 'regraded': {
      const { metadata, trace_data } = event;
      row.scoreRules = event.score_rules;
      row.error = event.error;
      row.kept = mergeKept(row.kept, event.kept, [
        ...(metadata === undefined ? [] : (['metadata'] as const)),
        ...(trace_data === undefined ? [] : (['trace_data'] as const)),
      ]);
      row.metadata = metadata ?? row.metadata;
      row.trace_data = trace_data ?? row.trace_data;
      noteChange(row, 'scores', before, row.scores, event.at);
      return;
    }
    case 'edited': {
      const { annotation, scores, at } = event;
      // What was there comes from the log, not from the edit: another process may have edited the row in between.
      if (annotation) noteChange(row, 'annotation', row.annotation, annotation.after, at);
      if (scores) noteChange(row, 'scores', before, row.scores, at);
      row.annotation = annotation?.after ?? row.annotation;
      return;
    }
    case 'imported':
      setValues(row, event);
      row.annotation = event.annotation;
      row.corrections = event.correction_history;
  }
}

function setValues(row: Changing<FullRow>, event: FinishedRecord | ImportedRecord): void {
  row.output = event.output;
  row.error = event.error;
  row.metadata = event.metadata;
  row.kept = event.kept;
  row.trace_data = event.trace_data;
  row.startedAt = event.started_at;
  row.finishedAt = event.at;
}

function noteChange(
  row: Changing<FullRow>,
  field: Correction['field'],
  before: Correction['before'],
  after: Correction['after'],
  timestamp: string,
): void {
  const isSame =
    typeof before === 'string'
      ? before === after
      : sameScores(before as readonly Score[], after as readonly Score[]);
  if (!isSame) row.corrections = [...row.corrections, { field, before, after, timestamp }];
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

/** True if the attempt has changed the metadata of its case; what is carried over has them of its own, too. */
function hasOwnMetadata({ metadata }: FullRow, plan: PlannedRecord): boolean {
  return metadata !== undefined && JSON.stringify(metadata) !== JSON.stringify(plan.metadata);
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
    ...(row.gone === true ? { gone: true } : {}),
    result: {
      input: plan.input,
      output: row.output,
      reference: plan.reference,
      scores: row.scores,
      error: row.error,
      latency: row.latency,
      ...(row.startedAt === undefined ? {} : { started_at: row.startedAt }),
      metadata: row.metadata ?? plan.metadata,
      ...(hasOwnMetadata(row, plan) && { authored_metadata: plan.metadata }),
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
