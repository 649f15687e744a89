import { deriveVerdict } from '../../../../src/model/scores/score-rule.js';
import type { Score, SentScore } from '../../api/schema.js';

/** A score while it is typed. */
export interface ScoreDraft {
  readonly key: string;
  /** `none`: the verdict follows from the value and its threshold, if there is one. */
  readonly verdict: 'pass' | 'fail' | 'none';
  readonly value: string;
  readonly notes: string;
}

/** Error messages by field. */
export type DraftFaults = Readonly<Partial<Record<'key' | 'verdict' | 'value', string>>>;

/** Longest key, in characters. */
const maxKeyLength = 200;

/** The draft to edit a score; an empty one for a new score. */
export function draftOf(score: Score | undefined): ScoreDraft {
  if (score === undefined) return { key: '', verdict: 'none', value: '', notes: '' };
  const { key, passed, value, notes } = score;
  const isDerived = passed === derivedVerdict(score, value);
  return {
    key,
    verdict: passed === undefined || isDerived ? 'none' : passed ? 'pass' : 'fail',
    value: value === undefined ? '' : String(value),
    notes: notes ?? '',
  };
}

/** The verdict that a value gets by the threshold of a score; `undefined` without a threshold or value. */
function derivedVerdict(
  { key, threshold, better }: Score,
  value: number | undefined,
): boolean | undefined {
  return value === undefined
    ? undefined
    : deriveVerdict({ key, value }, { threshold, better }).passed;
}

/** The verdict that the value of a draft gets while its key is that of the score. */
export function draftVerdict(draft: ScoreDraft, score: Score | undefined): boolean | undefined {
  const value = numberOf(draft.value);
  if (score === undefined || draft.key.trim() !== score.key || typeof value !== 'number') {
    return undefined;
  }
  return derivedVerdict(score, value);
}

/** Finds values that the server would refuse. `taken`: keys of the other scores. */
export function faultsOf(draft: ScoreDraft, taken: readonly string[]): DraftFaults {
  const { key, verdict, value } = draft;
  return {
    ...(key.trim() === '' && { key: 'A score needs a key.' }),
    ...([...key].length > maxKeyLength && { key: `A key has at most ${maxKeyLength} characters.` }),
    ...(taken.includes(key.trim()) && { key: 'There is another score with this key.' }),
    ...(numberOf(value) === 'bad' && { value: 'A number such as 0.25.' }),
    ...(verdict === 'none' &&
      value.trim() === '' && { verdict: 'A score needs pass or fail, or a value.' }),
  };
}

/** The score of a draft without faults. */
export function scoreOf({ key, verdict, value, notes }: ScoreDraft): SentScore {
  const number = numberOf(value);
  return {
    key: key.trim(),
    ...(verdict !== 'none' && { passed: verdict === 'pass' }),
    ...(typeof number === 'number' && { value: number }),
    ...(notes.trim() !== '' && { notes: notes.trim() }),
  };
}

/** A score as the API accepts it: the server adds its source and threshold. */
export function sent({ source: _, threshold: __, better: ___, ...score }: Score): SentScore {
  return score;
}

/** The scores with the one at `place` changed, taken away (`undefined`), or added (no place). */
export function withScore(
  scores: readonly Score[],
  place: number | undefined,
  score: SentScore | undefined,
): SentScore[] {
  const all: (SentScore | undefined)[] = scores.map(sent);
  if (place === undefined || place >= all.length) all.push(score);
  else all[place] = score;
  return all.filter((one) => one !== undefined);
}

function numberOf(text: string): number | 'none' | 'bad' {
  const trimmed = text.trim();
  if (trimmed === '') return 'none';
  const number = Number(trimmed.replace(',', '.'));
  return Number.isFinite(number) ? number : 'bad';
}
