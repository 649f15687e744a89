import type { Correction, Score } from '../../api/schema.js';

/** The change of one score. */
export interface ScoreChange {
  readonly key: string;
  readonly before: Score | undefined;
  readonly after: Score | undefined;
}

/** The content of a correction. */
export type CorrectionChange =
  | { readonly kind: 'annotation'; readonly before: string; readonly after: string }
  | {
      readonly kind: 'scores';
      readonly changes: readonly ScoreChange[];
      /** Who changed them; `undefined` if unknown. */
      readonly by: 'by hand' | 'regrade' | undefined;
    };

/** Compares the scores before and after a correction. */
export function readCorrection({ field, before, after }: Correction): CorrectionChange {
  if (field === 'annotation') {
    return { kind: 'annotation', before: textOf(before), after: textOf(after) };
  }
  const changes = changesBetween(scoresOf(before), scoresOf(after));
  return { kind: 'scores', changes, by: whoDid(changes) };
}

function changesBetween(before: readonly Score[], after: readonly Score[]): readonly ScoreChange[] {
  const changes: ScoreChange[] = [];
  const left = [...after];
  for (const score of before) {
    const place = left.findIndex(({ key }) => key === score.key);
    const [now] = place < 0 ? [] : left.splice(place, 1);
    if (now === undefined || !isSame(score, now)) {
      changes.push({ key: score.key, before: score, after: now });
    }
  }
  return [
    ...changes,
    ...left.map((score) => ({ key: score.key, before: undefined, after: score })),
  ];
}

function isSame(one: Score, other: Score): boolean {
  return (
    one.passed === other.passed &&
    one.value === other.value &&
    one.threshold === other.threshold &&
    one.better === other.better &&
    (one.notes ?? '') === (other.notes ?? '')
  );
}

/** Scores set by a person have a source; a regrade keeps those and replaces all others, so only a person takes one back. */
function whoDid(changes: readonly ScoreChange[]): 'by hand' | 'regrade' | undefined {
  const isByHand = ({ before, after }: ScoreChange) =>
    before?.source === 'human' || after?.source === 'human';
  if (changes.some(isByHand)) return 'by hand';
  return changes.some(({ after }) => after !== undefined) ? 'regrade' : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function scoresOf(value: unknown): readonly Score[] {
  // Written by the server: a list of scores.
  return Array.isArray(value) ? (value as readonly Score[]) : [];
}
