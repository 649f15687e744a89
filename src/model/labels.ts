import { hash } from 'node:crypto';
import { drawSome, type Random } from '../statistics/random.js';
import { isCount, isNumber } from './json.js';
import { outputHash } from './output-hash.js';
import { type Correction, countedOf, type RowFacts } from './result.js';
import type { Score } from './scores/score.js';
import { type Fitting, isText, listOf, object, oneOf, optional, recordOf } from './shapes.js';

export const labelVerdicts = ['pass', 'fail', 'unsure', 'skipped'] as const;

export const labelFields = {
  /** RFC 3339, UTC, with milliseconds. */
  at: isText,
  index: isCount,
  /** Key of the score that it is about. */
  key: isText,
  verdict: oneOf(...labelVerdicts),
  note: optional(isText),
  reviewer: isText,
  /** Version of the rubric by which the reviewer judged; absent without one. */
  rubric_version: optional(isText),
  /** Id of the sample in which the result was drawn; absent for one picked by hand, which enters no estimate. */
  sample: optional(isText),
  /** See `outputHash`. The label holds for results with this output. */
  output_hash: isText,
};
const isReviewLabel = object(labelFields);

/** What a reviewer says of a result for one score key. */
export interface ReviewLabel extends Fitting<typeof isReviewLabel> {}

/** What tells labels apart: of those in which these are the same, the last one counts. */
const identity = ['index', 'key', 'reviewer', 'rubric_version', 'output_hash'] as const;

/** True for two labels of which only the later one counts. */
export function isSameLabel(a: Pick<ReviewLabel, (typeof identity)[number]>, b: typeof a): boolean {
  return identity.every((name) => a[name] === b[name]);
}

export const stratifiedBy = ['none', 'dataset', 'verdict'] as const;
type StratifiedBy = (typeof stratifiedBy)[number];

const isStratum = object({
  /** Empty without strata. */
  name: isText,
  /** All results of the stratum that could be drawn, those of earlier samples included. */
  rows: isCount,
  /** In the order in which they were drawn. */
  drawn: listOf(isCount),
});

export const sampleFields = {
  at: isText,
  id: isText,
  seed: isNumber,
  by: oneOf(...stratifiedBy),
  /** The score whose verdict stratifies; only by verdict. */
  key: optional(isText),
  strata: listOf(isStratum),
};
const isReviewSample = object(sampleFields);

/** Results drawn at random from a run to be labelled. The weight of one is the `rows` of its stratum by those drawn of it. */
export interface ReviewSample extends Fitting<typeof isReviewSample> {}

/** What a sample is to be. */
export interface SampleRequest {
  readonly size: number;
  readonly by: StratifiedBy;
  readonly key?: string | undefined;
  /** A whole number. */
  readonly seed: number;
}

/** True for samples that are drawn in the same way, so that together they are one sample. */
export function isSameKind(a: KindOfSample, b: KindOfSample): boolean {
  return a.by === b.by && a.key === b.key;
}

type KindOfSample = Pick<ReviewSample, 'by' | 'key'>;

const versions = recordOf(recordOf(isText));

/** Fields of rubrics. */
export const rubricFields = {
  /** By version. */
  texts: recordOf(isText),
  /** Versions by evaluation and key, as the evaluations say. */
  evaluations: optional(versions),
  /** The same, of their judges. */
  judges: optional(versions),
  /** Versions by key, as the settings say. */
  project: optional(recordOf(isText)),
};

/** What exports have of the review of a run. */
export const isExportedReview = object({
  samples: listOf(isReviewSample),
  labels: listOf(isReviewLabel),
  rubrics: object(rubricFields),
});

/** The samples, labels and rubrics of a run. */
export interface ExportedReview extends Fitting<typeof isExportedReview> {}

/** The text by which people label. */
export interface Rubric {
  readonly version: string;
  readonly text: string;
}

/** The rubric with its version, which changes with the text: the first 12 hex digits of its SHA-256. */
export function rubricOfText(text: string): Rubric {
  return { version: hash('sha256', text).slice(0, 12), text };
}

/** The score that the judge of a key gave last, also where a person has replaced it since. */
export function judgeScore(
  { scores, correction_history: history = [] }: JudgedAttempt,
  key: string,
): Score | undefined {
  const lists = [scores, ...history.toReversed().flatMap(scoresBefore)];
  return lists.flat().find((score) => score.key === key && score.source !== 'human');
}

interface JudgedAttempt {
  readonly scores: readonly Score[];
  readonly correction_history?: readonly Correction[] | undefined;
}

function scoresBefore({ field, before }: Correction): (readonly Score[])[] {
  return field === 'scores' ? [before as readonly Score[]] : [];
}

/** True when judge and person say the opposite; `unsure`, and a judge without a verdict, say nothing. */
export function disagrees(verdict: ReviewLabel['verdict'], passed: boolean | undefined): boolean {
  return (verdict === 'pass' && passed === false) || (verdict === 'fail' && passed === true);
}

const noOutput = outputHash(null);

/** The hash of the output of the attempt that counts; `undefined` if there is none that can be labelled. */
export function labelledOutput(row: RowFacts): string | undefined {
  const { status, outputHash: hash, noDraw } = countedOf(row);
  const counts = row.pruned !== true && status === 'completed' && noDraw !== true;
  return counts && hash !== noOutput ? hash : undefined;
}

/**
 * Draws results that can be labelled and are in no sample of this kind, simply at random in each stratum. By dataset, a
 * stratum gets a part of the size by its number of results, at least one; by verdict, all get as many as can be. `undefined`
 * if nothing is left to draw.
 */
export function drawStrata(
  rows: readonly RowFacts[],
  samples: readonly ReviewSample[],
  { size, by, key }: Omit<SampleRequest, 'seed'>,
  random: Random,
): ReviewSample['strata'] | undefined {
  const taken = new Set(
    samples.filter((one) => isSameKind(one, { by, key })).flatMap((one) => drawnOf(one)),
  );
  const strata = new Map<string, { rows: number; left: number[] }>();
  rows.forEach((row, index) => {
    if (labelledOutput(row) === undefined) return;
    const name = stratumOf(row, { by, key });
    const stratum = strata.get(name) ?? { rows: 0, left: [] };
    stratum.rows += 1;
    if (!taken.has(index)) stratum.left.push(index);
    strata.set(name, stratum);
  });
  const sorted = [...strata].sort(([a], [b]) => (a < b ? -1 : 1));
  const lefts = sorted.map(([, { left }]) => left.length);
  const sizes = by === 'verdict' ? evenParts(lefts, size) : proportionalParts(lefts, size);
  const drawn = sorted.map(([name, stratum], at) => ({
    name,
    rows: stratum.rows,
    drawn: drawSome(stratum.left, sizes[at] ?? 0, random),
  }));
  return drawn.some((one) => one.drawn.length > 0) ? drawn : undefined;
}

/** The indices of all results of a sample. */
export function drawnOf({ strata }: Pick<ReviewSample, 'strata'>): number[] {
  return strata.flatMap(({ drawn }) => drawn);
}

export function stratumOf(row: RowFacts, { by, key }: KindOfSample): string {
  if (by === 'none') return '';
  if (by === 'dataset') return row.dataset;
  const passed = countedOf(row).scores.find((score) => score.key === key)?.passed;
  return passed === undefined ? 'none' : passed ? 'passed' : 'failed';
}

/** Parts of a size that are as equal as what is left of each allows. */
function evenParts(lefts: readonly number[], size: number): number[] {
  const parts = lefts.map(() => 0);
  for (let rest = size; rest > 0; ) {
    const open = lefts.flatMap((left, at) => (left > (parts[at] ?? 0) ? [at] : []));
    if (open.length === 0) break;
    const each = Math.max(1, Math.floor(rest / open.length));
    for (const at of open) {
      const part = parts[at] ?? 0;
      const more = Math.min(each, rest, (lefts[at] ?? 0) - part);
      parts[at] = part + more;
      rest -= more;
    }
  }
  return parts;
}

/** Parts of a size in the proportion of what is left of each, at least one of each, by the largest remainders. */
function proportionalParts(lefts: readonly number[], size: number): number[] {
  const total = lefts.reduce((sum, left) => sum + left, 0);
  const wanted = Math.min(size, total);
  const shares = lefts.map((left) => (total === 0 ? 0 : (wanted * left) / total));
  const parts = shares.map((share, at) => Math.min(lefts[at] ?? 0, Math.max(1, Math.floor(share))));
  for (let sum = parts.reduce((a, b) => a + b, 0); sum !== wanted; ) {
    const step = sum < wanted ? 1 : -1;
    const owed = (at: number) => step * ((shares[at] ?? 0) - (parts[at] ?? 0));
    const open = lefts.flatMap((left, at) => {
      const part = parts[at] ?? 0;
      return (step === 1 ? part < left : part > 1) ? [at] : [];
    });
    const most = open.reduce<number | undefined>(
      (best, at) => (best === undefined || owed(at) > owed(best) ? at : best),
      undefined,
    );
    if (most === undefined) break;
    parts[most] = (parts[most] ?? 0) + step;
    sum += step;
  }
  return parts;
}
