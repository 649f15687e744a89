import { spentOf, spentOnGrading, sumOfUsage } from '../../model/calls/run-usage.js';
import type { Usage } from '../../model/calls/usage.js';
import { whyUnreadable } from '../../model/kept-here.js';
import { isDraw, type Origin, type ResultStatus, type RowFacts } from '../../model/result.js';
import { mergeHumanScores, type Score, type ScoreFacts } from '../../model/scores/score.js';
import type { FinishedRecord, ImportedRecord, RowRecord } from '../log/records.js';
import type { EventPlace } from '../log/row-event-index.js';

/** A change of a row: a record about it, or its part of a record about many rows. */
export type RowEvent =
  | RowRecord
  | { readonly type: 'cancelled' | 'pruned' | 'same_code' | 'gone' | 'back' }
  /** The row is to run again; `pass`: in a new pass of its evaluation. */
  | { readonly type: 'reset'; readonly pass: boolean }
  /** Beside this attempt, the one that counts was graded again. */
  | { readonly type: 'graded_beside'; readonly usage: Usage | undefined };

/** The part of a row for selections and summaries. Scores may lack their notes. */
export interface RowState<S extends ScoreFacts> {
  readonly status: ResultStatus;
  /** How often the row was to run, this time included. */
  readonly attempt: number;
  readonly latency: number | null;
  readonly scores: readonly S[];
  readonly regradable: boolean;
  /** Why grading it again could say something else; absent if its values are stored as they were. */
  readonly inexact?: string | undefined;
  /** A regrade left it with its former grade. */
  readonly hasFormerGrade?: boolean | undefined;
  /** Keys of scores that it had before its stored form was graded again; absent for none. */
  readonly lostScores?: readonly string[] | undefined;
  readonly outputHash?: string | undefined;
  readonly code?: string | undefined;
  readonly pruned?: boolean | undefined;
  /** Its evaluation was gone when others ran again. */
  readonly gone?: boolean | undefined;
  readonly usage?: Usage | undefined;
  /** What its earlier attempts and gradings spent in this run. */
  readonly replaced_usage?: Usage | undefined;
  readonly origin?: Origin | undefined;
  readonly reason?: string | undefined;
  readonly noDraw?: boolean | undefined;
  readonly verifies?: RowFacts['verifies'];
  /** It completed a pass with other code, params or files than it began with. */
  readonly otherCode?: boolean | undefined;
  /** Its scores before the same code graded it again. */
  readonly scoresBefore?: readonly S[] | undefined;
}

/** The state of a new row. */
export const untouched: RowState<never> = {
  status: 'not_started',
  attempt: 0,
  latency: null,
  scores: [],
  regradable: false,
  inexact: undefined,
  hasFormerGrade: undefined,
  lostScores: undefined,
  outputHash: undefined,
  code: undefined,
  pruned: undefined,
  gone: undefined,
  usage: undefined,
  replaced_usage: undefined,
  origin: undefined,
  reason: undefined,
  noDraw: undefined,
  verifies: undefined,
  otherCode: undefined,
  scoresBefore: undefined,
};

/** Rows while events change them. */
export type Changing<Of> = { -readonly [Key in keyof Of]: Of[Key] };

/** Changes the state of a row by an event. `narrow` reduces the scores of the log to the kept fields. */
export function applyEvent<S extends ScoreFacts>(
  row: Changing<RowState<S>>,
  event: RowEvent,
  narrow: (scores: readonly Score[]) => readonly S[],
): void {
  switch (event.type) {
    case 'planned':
    case 'calls':
      return;
    case 'late_calls':
      row.usage = event.usage;
      return;
    case 'reset': {
      const replaced = sumOfUsage(row.replaced_usage, spentOf(row));
      const { attempt, verifies } = row;
      Object.assign(row, untouched);
      row.status = 'pending';
      row.attempt = attempt + 1;
      row.verifies = verifies && 'replaced';
      row.replaced_usage = replaced;
      return;
    }
    case 'graded_beside':
      row.replaced_usage = sumOfUsage(row.replaced_usage, spentOnGrading(event));
      return;
    case 'cancelled':
      if (row.status === 'pending') row.status = 'cancelled';
      return;
    case 'pruned':
      row.pruned = true;
      return;
    case 'gone':
      row.gone = true;
      return;
    case 'back':
      row.gone = undefined;
      return;
    case 'same_code':
      row.otherCode = undefined;
      return;
    case 'finished':
      setResult(row, event);
      row.scores = merged(narrow(event.scores), row.scores);
      row.hasFormerGrade = undefined;
      row.lostScores = undefined;
      row.origin = undefined;
      row.verifies = event.verifies ?? row.verifies;
      return;
    case 'regraded': {
      const { scores: before, code } = row;
      row.replaced_usage = sumOfUsage(row.replaced_usage, spentOnGrading(row));
      row.scores = merged(narrow(event.scores), before);
      row.scoresBefore = event.code !== undefined && event.code === code ? before : undefined;
      row.lostScores =
        row.inexact === undefined ? undefined : lostScores(before, row.lostScores, row.scores);
      row.status = event.status;
      row.inexact ??= inexactOf(event);
      row.hasFormerGrade = undefined;
      row.code = event.code;
      row.usage = event.usage;
      row.origin = row.origin && { ...row.origin, kind: 'regraded' };
      row.reason = event.reason;
      row.noDraw = undefined;
      return;
    }
    case 'edited':
      if (event.scores !== undefined) row.scores = narrow(event.scores.after);
      return;
    case 'imported':
      setResult(row, event);
      row.scores = narrow(event.scores);
      row.hasFormerGrade = event.former_grade;
      row.lostScores = event.lost_scores;
      row.pruned = event.pruned;
      row.gone = event.gone;
      row.replaced_usage = event.replaced_usage;
      row.origin = event.origin;
      row.verifies = event.verifies;
  }
}

/** What lines with all values of a result say of it. */
function setResult(
  row: Changing<RowState<ScoreFacts>>,
  event: FinishedRecord | ImportedRecord,
): void {
  row.status = event.status;
  row.latency = event.latency;
  row.regradable = event.regradable === true;
  row.inexact = inexactOf(event);
  row.outputHash = event.output_hash;
  row.code = event.code;
  row.usage = event.usage;
  row.reason = event.reason;
  row.noDraw = event.no_draw;
  row.otherCode = event.other_code;
  row.scoresBefore = undefined;
}

/** A new grade of the attempt that counts, as an event of the newer attempt. */
export function gradedBeside(event: RowEvent): RowEvent {
  return { type: 'graded_beside', usage: event.type === 'regraded' ? event.usage : undefined };
}

/** Keys of scores that are missing after a grading, or have no verdict any more. */
function lostScores(
  before: readonly ScoreFacts[],
  lost: readonly string[] = [],
  after: readonly ScoreFacts[] = [],
): readonly string[] | undefined {
  const now = new Map(after.map((score) => [score.key, score]));
  const isLost = ({ key, passed }: ScoreFacts) =>
    !now.has(key) || (passed !== undefined && now.get(key)?.passed === undefined);
  const still = lost.filter((key) => now.get(key)?.passed === undefined);
  const keys = new Set([...still, ...before.filter(isLost).map(({ key }) => key)]);
  return keys.size === 0 ? undefined : [...keys];
}

/** Why the values of a result cannot be restored in this process. */
function inexactOf({ inexact, kept }: Pick<ImportedRecord, 'inexact' | 'kept'>) {
  return inexact ?? whyUnreadable(kept);
}

/**
 * What counts of a row after an event that is not about the counted attempt: `before` (the row before the event becomes the
 * attempt that counts), `newest` (no other attempt counts any more), or `same`.
 */
export function countsAfter(
  row: Pick<RowFacts, 'status' | 'noDraw'>,
  hasCounted: boolean,
  event: RowEvent,
): 'before' | 'newest' | 'same' {
  if ((event.type === 'reset' || event.type === 'regraded') && event.pass === true) return 'newest';
  if (hasCounted || !isDraw(row)) return 'same';
  const repeats =
    event.type === 'reset' ||
    event.type === 'regraded' ||
    (event.type === 'imported' && event.repeat === true);
  return repeats ? 'before' : 'same';
}

function merged<S extends ScoreFacts>(machine: readonly S[], current: readonly S[]): readonly S[] {
  return current.some((score) => score.source === 'human')
    ? mergeHumanScores(machine, current)
    : machine;
}

/** When the attempt of a row began, after an event; `before` is the time before it. In Unix milliseconds. */
export function startedAt(before: number | undefined, event: RowEvent): number | undefined {
  if (event.type === 'reset') return undefined;
  if (event.type !== 'finished' && event.type !== 'imported') return before;
  return event.started_at === undefined ? undefined : Date.parse(event.started_at);
}

/** The log offset at which a row last finished or was graded, after an event; `before` is the offset before it. */
export function finishedAt(
  before: number | undefined,
  { type }: RowEvent,
  { offset }: EventPlace,
): number | undefined {
  if (type === 'reset') return undefined;
  return type === 'finished' || type === 'regraded' || type === 'imported' ? offset : before;
}
