import { countOf } from './count-text.js';
import { boundsText, percentText } from './share-text.js';

/** With fewer results that people passed, or that they failed, nothing is told of a judge. */
export const fewestOfEither = 20;

interface Missing {
  readonly passes: number;
  readonly fails: number;
}

/** `needs 20 fails, has 14`: the labels that a judge lacks. */
export function missingText({ passes, fails }: Missing): string {
  const lacks = [
    ...(passes < fewestOfEither ? [`${fewestOfEither} passes, has ${passes}`] : []),
    ...(fails < fewestOfEither ? [`${fewestOfEither} fails, has ${fails}`] : []),
  ];
  return `needs ${lacks.join(', and ')}`;
}

/** What to label next, so that a judge can be told. */
export type NextLabels =
  /** The labels are by an older rubric: the drawn results, by the newest. */
  | { readonly kind: 'newest' }
  /** What was drawn and has no label yet. */
  | { readonly kind: 'drawn'; readonly count: number }
  /** More, `of` about so many that it takes. */
  | { readonly kind: 'more'; readonly count: number; readonly of: number }
  /** Nothing is left to draw. */
  | { readonly kind: 'none' };

/** What to label next: what was drawn already, by the newest rubric, before more is drawn. `left`: results that can still be drawn. */
export function nextLabels(
  judge: {
    readonly missing?: Missing & { readonly more: number };
    readonly rubric_changed?: true;
    readonly labels: { readonly not_labelled: number };
  },
  left: number,
): NextLabels | undefined {
  const { missing, rubric_changed, labels } = judge;
  if (rubric_changed) return { kind: 'newest' };
  if (missing === undefined) return undefined;
  if (labels.not_labelled > 0) return { kind: 'drawn', count: labels.not_labelled };
  if (left === 0) return { kind: 'none' };
  return { kind: 'more', count: Math.min(missing.more, left), of: missing.more };
}

/** A coefficient with two decimals, `.96`; `?` if it is unknown. */
export function hundredthsText(value: number | null): string {
  if (value === null) return '?';
  return value
    .toFixed(2)
    .replace('-', '−')
    .replace(/^(−?)0\./, '$1.');
}

/** A corrected rate, or what it lacks. */
export interface ShownCorrected {
  readonly n: number;
  readonly missing?: Missing;
  readonly corrected?: {
    readonly estimate: number;
    readonly low: number | null;
    readonly high: number | null;
  };
}

/** The corrected rate of a score: `62.1 %`, its interval `50.2–72.7`, and `60 labels`; without one, `–` and what it lacks. */
export function correctedTexts({ n, missing, corrected }: ShownCorrected): {
  readonly value: string;
  readonly interval: string;
  readonly of: string;
} {
  if (corrected === undefined) {
    return { value: '–', interval: '', of: missing ? missingText(missing) : 'not known' };
  }
  const value = `${percentText(corrected.estimate)} %`;
  return { value, interval: boundsText(corrected), of: countOf(n, 'label') };
}

interface OfRubric {
  readonly key: string;
  readonly rubric_version: string | null;
}

/** `rubric 1a2b3c` where a score has several; `undefined` if its name alone says which it is. */
export function versionText(
  { key, rubric_version }: OfRubric,
  all: readonly OfRubric[],
): string | undefined {
  const isAlone = all.every((one) => one.key !== key || one.rubric_version === rubric_version);
  return isAlone ? undefined : `rubric ${rubric_version?.slice(0, 6) ?? 'none'}`;
}
