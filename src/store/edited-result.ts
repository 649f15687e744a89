import { AssayError } from '../errors.js';
import type { ResultEntry } from '../model/result.js';
import type { Score } from '../model/score.js';
import type { EditedRecord } from './records.js';
import { sameGrade, sameScores, scoreProblem, tidyScore } from './stored-score.js';

/** What a person changes of a result; what is not there stays. */
export interface ResultChange {
  readonly annotation?: string;
  /** All scores the result shall have. */
  readonly scores?: readonly Score[];
}

/**
 * The log line of an edit, or `undefined` when nothing changes. Scores that were edited or added become human ones,
 * a score sent back unchanged keeps its source. Error: `bad-request` for what is no score.
 */
export function toEditedRecord(
  index: number,
  entry: ResultEntry,
  change: ResultChange,
  at: string,
): EditedRecord | undefined {
  const { annotation: note, scores } = entry.result;
  const after = change.scores === undefined ? scores : editedScores(scores, change.scores);
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

function editedScores(current: readonly Score[], sent: readonly Score[]): Score[] {
  return sent.map((score, position) => {
    const { source: _source, ...grade } = score;
    const problem = scoreProblem(grade);
    if (problem !== undefined) {
      throw new AssayError('bad-request', `Score ${position} ${problem}.`);
    }
    const unchanged = current.find((other) => sameGrade(other, score));
    return unchanged ?? tidyScore({ ...grade, source: 'human' });
  });
}
