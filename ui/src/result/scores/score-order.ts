import type { Score } from '../../api/schema.js';

/** With more scores, they fold to lines, in groups with captions. */
const most = 12;

/** True for so many scores that each is one line. */
export function isManyScores(scores: readonly Score[]): boolean {
  return scores.length > most;
}

/** A score and its place in the result. */
interface PlacedScore {
  readonly score: Score;
  readonly place: number;
}

/** Scores with the same kind of verdict, in the order of the evaluation. */
export interface ScoreGroup {
  readonly kind: 'failing' | 'values' | 'passing';
  readonly scores: readonly PlacedScore[];
}

/** The scores whose key or notes contain a text, in groups: failing, values, passing. */
export function scoreGroups(scores: readonly Score[], filter: string): readonly ScoreGroup[] {
  const wanted = filter.trim().toLowerCase();
  const found = scores
    .map((score, place) => ({ score, place }))
    .filter(({ score: { key, notes = '' } }) => `${key}\n${notes}`.toLowerCase().includes(wanted));
  const kinds = ['failing', 'values', 'passing'] as const;
  return kinds
    .map((kind) => ({ kind, scores: found.filter(({ score }) => kindOf(score) === kind) }))
    .filter((group) => group.scores.length > 0);
}

function kindOf({ passed }: Score): ScoreGroup['kind'] {
  return passed === undefined ? 'values' : passed ? 'passing' : 'failing';
}
