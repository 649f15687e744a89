import type { Correction, Score } from '../../api/schema.js';

/** What happened to one score. */
export interface ScoreChange {
  readonly key: string;
  readonly before: Score | undefined;
  readonly after: Score | undefined;
}

/** What a correction changed. */
export type Told =
  | { readonly kind: 'annotation'; readonly before: string; readonly after: string }
  | {
      readonly kind: 'scores';
      readonly changes: readonly ScoreChange[];
      /** `by hand`, `regrade`, or nothing where it cannot be known. */
      readonly by: 'by hand' | 'regrade' | undefined;
    };

/** Finds out what a correction changed. */
export function readCorrection({ field, before, after }: Correction): Told {
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

/** What a person set bears their mark; a regrade keeps those, and replaces all others. */
function whoDid(changes: readonly ScoreChange[]): 'by hand' | 'regrade' | undefined {
  const after = changes.flatMap((change) => (change.after ? [change.after] : []));
  if (after.some(({ source }) => source === 'human')) return 'by hand';
  return after.length > 0 ? 'regrade' : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function scoresOf(value: unknown): readonly Score[] {
  // Corrections of scores hold lists of them, which the server made.
  return Array.isArray(value) ? (value as readonly Score[]) : [];
}
