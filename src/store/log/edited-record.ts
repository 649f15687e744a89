import { AssayError } from '../../errors.js';
import type { Correction, Result } from '../../model/result.js';
import { mergeHumanScores, type Score, sameGrade, sameScores } from '../../model/scores/score.js';
import {
  deriveVerdict,
  isOnScale,
  ruleOf,
  type ScoreRules,
  scaleText,
} from '../../model/scores/score-rule.js';
import { isScore, tidyScore } from '../../model/scores/score-shape.js';
import { faultOf, faultText } from '../../model/shapes.js';
import type { GradedEntry } from '../replay/row-replay.js';
import type { EditedRecord } from './records.js';

/** A change of a result by a person; absent fields stay. */
export interface ResultChange {
  readonly annotation?: string;
  /** All new scores of the result; of the attempt that counts, too, if its output is equal. */
  readonly scores?: readonly Score[];
  /** All new scores of the attempt that counts in place of a repeat. */
  readonly countedScores?: readonly Score[];
}

/**
 * The log line of an edit, or `undefined` when nothing changes. Scores that were edited or added become human ones, a
 * score sent back unchanged keeps its source, and a value without a verdict gets that of its rule. Error: `bad-request`
 * for invalid scores, and for a value that is not on its scale.
 */
export function toEditedRecord(
  index: number,
  { entry, scoreRules }: GradedEntry,
  change: ResultChange,
  at: string,
): EditedRecord | undefined {
  const { annotation: note, scores } = entry.result;
  const after =
    change.scores === undefined ? scores : editedScores(scores, change.scores, scoreRules);
  const annotated = change.annotation !== undefined && change.annotation !== note;
  const rescored = !sameScores(scores, after);
  if (!annotated && !rescored) return undefined;
  return {
    type: 'edited',
    index,
    at,
    ...(annotated ? { annotation: { before: note, after: change.annotation } } : {}),
    ...(rescored ? { scores: { before: scores, after } } : {}),
  };
}

/**
 * The log line with which an edit of a repeat also applies to the attempt that counts, whose output is the same; `undefined`
 * when that changes nothing. A person's scores are taken over, grades of the repeat are not.
 */
export function toCountedEdit(
  { index, at, scores: edited }: EditedRecord,
  counted: readonly Score[],
): EditedRecord | undefined {
  if (edited === undefined) return undefined;
  const after = mergeHumanScores(counted, edited.after);
  if (sameScores(counted, after)) return undefined;
  return { type: 'edited', index, at, attempt: 'counted', scores: { before: counted, after } };
}

/** The same change of many results by a person. */
export type BulkChange =
  | { readonly annotation: string }
  /** Replaces the score of its key, or adds it. */
  | { readonly score: Score }
  /** Removes the scores of a key. */
  | { readonly clear: string }
  /** Gives the scores of a key back as the evaluators gave them; removes those that only people gave. */
  | { readonly restore: string }
  /** Reverts the change made at a time (`timestamp` of the correction), unless the value was changed since. */
  | { readonly undo: string };

/** The log line of one result of a bulk change. See {@link toEditedRecord}. */
export function toBulkEditedRecord(
  index: number,
  graded: GradedEntry,
  change: BulkChange,
  at: string,
): EditedRecord | undefined {
  if ('annotation' in change) return toEditedRecord(index, graded, change, at);
  const { result } = graded.entry;
  if ('undo' in change) return undone(index, result, change.undo, at);
  if ('restore' in change) return restored(index, result, change.restore, at);
  const { scores } = result;
  if ('clear' in change) {
    const kept = scores.filter(({ key }) => key !== change.clear);
    return toEditedRecord(index, graded, { scores: kept }, at);
  }
  const { score } = change;
  const isThere = scores.some(({ key }) => key === score.key);
  const after = isThere
    ? scores.map((other) => (other.key === score.key ? score : other))
    : [...scores, score];
  return toEditedRecord(index, graded, { scores: after }, at);
}

function undone(
  index: number,
  { annotation, scores, correction_history: history }: Result,
  time: string,
  at: string,
): EditedRecord | undefined {
  const now = { annotation, scores };
  const beforeOf = (field: Correction['field']) => {
    const made = history.find((one) => one.field === field && one.timestamp === time);
    // What was changed and changed back since is as it was.
    return made && isSameValue(made.after, now[field]) ? made.before : undefined;
  };
  const note = beforeOf('annotation');
  const grades = beforeOf('scores');
  if (note === undefined && grades === undefined) return undefined;
  return {
    type: 'edited',
    index,
    at,
    ...(note !== undefined && { annotation: { before: annotation, after: note as string } }),
    ...(grades !== undefined && { scores: { before: scores, after: grades as readonly Score[] } }),
  };
}

function isSameValue(one: Correction['after'], other: Correction['after']): boolean {
  return typeof one === 'string' || typeof other === 'string'
    ? one === other
    : sameScores(one as readonly Score[], other as readonly Score[]);
}

function restored(
  index: number,
  { scores, correction_history: history }: Result,
  key: string,
  at: string,
): EditedRecord | undefined {
  const lists = history.flatMap(({ field, before }) =>
    field === 'scores' ? [before as readonly Score[]] : [],
  );
  const isOwn = (score: Score) => score.key === key && score.source !== 'human';
  const given = lists.findLast((list) => list.some(isOwn))?.find(isOwn);
  const isByHand = (score: Score) => score.key === key && score.source === 'human';
  const kept = scores.flatMap((score) => (isByHand(score) ? (given ?? []) : score));
  // A person has removed it.
  const isGone = given !== undefined && !scores.some((score) => score.key === key);
  const after = isGone ? [...kept, given] : kept;
  if (sameScores(scores, after)) return undefined;
  return { type: 'edited', index, at, scores: { before: scores, after } };
}

function editedScores(
  current: readonly Score[],
  sent: readonly Score[],
  rules: ScoreRules | undefined,
): Score[] {
  return sent.map((score, position) => {
    // The source and the threshold come from the previous score.
    const {
      source: _,
      threshold: __,
      better: ___,
      scale: ____,
      rubric_version: _____,
      ...grade
    } = score;
    if (!isScore(grade)) {
      const fault = faultOf(grade, isScore);
      throw new AssayError('bad-request', `Score ${position}${fault.at} ${faultText(fault)}.`);
    }
    const rule = ruleOf(rules, grade.key);
    if (grade.value !== undefined && rule?.scale && !isOnScale(grade.value, rule.scale)) {
      throw new AssayError(
        'bad-request',
        `The value of ${grade.key} must be ${scaleText(rule.scale)}, not ${grade.value}.`,
      );
    }
    const judged = deriveVerdict(grade, rule);
    const unchanged = current.find((other) => sameGrade(other, judged));
    return unchanged ?? tidyScore({ ...judged, source: 'human' });
  });
}
