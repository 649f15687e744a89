import { describeValue } from '../authoring/describe-value.js';
import type { Evaluator, EvaluatorArgs } from '../authoring/evaluator.js';
import { gradeToScores } from '../authoring/grades/grade-to-scores.js';
import type { Score } from '../model/scores/score.js';
import { type GraderOptions, grader, splitOptions } from './grader.js';
import { withVersions } from './judge-version.js';

type Of<Input, Output, Reference> = Evaluator<Input, Output, Reference>;

/**
 * Passes when all graders pass (options come last). Fails when one fails; no score when one has none and none fails. A grader may be any evaluator whose
 * scores have verdicts. Notes have those of the graders that failed.
 */
export function all<Input, Output, Reference>(
  ...given: readonly (Of<Input, Output, Reference> | GraderOptions)[]
): Of<Input, Output, Reference> {
  return combined('all', given, (verdicts) => {
    const failed = verdicts.filter(({ passed }) => passed === false);
    if (failed.length > 0) return { passed: false, notes: notesOf(failed) };
    return verdicts.some(({ passed }) => passed === undefined) ? undefined : { passed: true };
  });
}

/** Passes when a grader passes (options come last). Fails when all fail; no score when one has none and none passes. */
export function any<Input, Output, Reference>(
  ...given: readonly (Of<Input, Output, Reference> | GraderOptions)[]
): Of<Input, Output, Reference> {
  return combined('any', given, (verdicts) => {
    if (verdicts.some(({ passed }) => passed === true)) return { passed: true };
    if (verdicts.some(({ passed }) => passed === undefined)) return undefined;
    return { passed: false, notes: notesOf(verdicts) };
  });
}

function combined<Input, Output, Reference>(
  name: string,
  given: readonly (Of<Input, Output, Reference> | GraderOptions)[],
  judge: (
    verdicts: readonly Verdict[],
  ) => { readonly passed: boolean; readonly notes?: string | undefined } | undefined,
): Of<Input, Output, Reference> {
  const { values: graders, options = {} } = splitOptions<
    Of<Input, Output, Reference>,
    GraderOptions
  >(given, isGrader);
  const evaluator = grader<Input, Output, Reference>(name, options, async (args) =>
    judge(await verdictsOf(name, graders, args)),
  );
  return withVersions(evaluator, graders, { name });
}

/** Passes when a grader fails, and fails when it passes. Its score has the key `not_` and that of the grader. */
export function not<Input, Output, Reference>(
  of: Of<Input, Output, Reference>,
  options: GraderOptions = {},
): Of<Input, Output, Reference> {
  const grade = async (args: EvaluatorArgs<Input, Output, Reference>) => {
    const [verdict] = await verdictsOf('not', [of], args);
    if (verdict?.passed === undefined) return undefined;
    return verdict.passed ? { passed: false, notes: `${verdict.name} passes` } : { passed: true };
  };
  return withVersions(grader(`not_${of.name}`, options, grade), [of], { name: 'not' });
}

function isGrader<Input, Output, Reference>(
  one: Of<Input, Output, Reference> | GraderOptions,
): one is Of<Input, Output, Reference> {
  return typeof one === 'function';
}

/** What {@link weighted} takes. */
export interface WeightedOptions extends GraderOptions {
  /** The lowest value that passes, 0 to 1. Default: there is no verdict. */
  readonly min?: number | undefined;
}

/**
 * The weighted mean of graders, each with its weight above 0: a verdict is 1 or 0, and a value alone must be from 0 to 1.
 * No score when one of them has none. Notes have the part of each.
 */
export function weighted<Input, Output, Reference>(
  parts: {
    readonly [name: string]: readonly [Of<Input, Output, Reference>, weight: number];
  },
  { min, ...options }: WeightedOptions = {},
): Of<Input, Output, Reference> {
  const entries = Object.entries(parts);
  const total = entries.reduce((sum, [, [, weight]]) => sum + weight, 0);
  for (const [name, [, weight]] of entries) {
    if (!(weight > 0 && weight < Number.POSITIVE_INFINITY)) {
      throw new TypeError(`the weight of ${name} must be above 0, not ${describeValue(weight)}`);
    }
  }
  const grade = async (args: EvaluatorArgs<Input, Output, Reference>) => {
    const shares: { name: string; share: number | undefined; weight: number }[] = [];
    for (const [name, [of, weight]] of entries) {
      shares.push({ name, share: shareOf(name, await scoresOf(of, args)), weight });
    }
    if (total === 0 || shares.some(({ share }) => share === undefined)) return undefined;
    const value = shares.reduce((sum, { share = 0, weight }) => sum + share * weight, 0) / total;
    const notes = shares.map(({ name, share = 0 }) => `${name} ${Number(share.toFixed(3))}`);
    return { value, notes: notes.join(', '), ...(min !== undefined && { passed: value >= min }) };
  };
  const graders = entries.map(([, [of]]) => of);
  const weights = entries.map(([, [, weight]]) => weight);
  const what = { name: 'weighted', weights, min: min ?? null };
  return withVersions(grader('weighted', options, grade), graders, what);
}

interface Verdict {
  readonly name: string;
  /** `undefined` without a score. */
  readonly passed: boolean | undefined;
  readonly notes: string | undefined;
}

/** One after the other, in order. */
async function verdictsOf<Input, Output, Reference>(
  name: string,
  graders: readonly Of<Input, Output, Reference>[],
  args: EvaluatorArgs<Input, Output, Reference>,
): Promise<Verdict[]> {
  if (graders.length === 0) throw new TypeError(`${name} needs a grader`);
  const verdicts: Verdict[] = [];
  for (const of of graders) {
    const scores = await scoresOf(of, args);
    if (scores.length === 0) verdicts.push({ name: of.name, passed: undefined, notes: undefined });
    for (const { key, passed, notes } of scores) {
      if (passed === undefined) {
        throw new TypeError(
          `${name} needs verdicts, but the score ${JSON.stringify(key)} is only a value`,
        );
      }
      verdicts.push({ name: key, passed, notes });
    }
  }
  return verdicts;
}

async function scoresOf<Input, Output, Reference>(
  of: Of<Input, Output, Reference>,
  args: EvaluatorArgs<Input, Output, Reference>,
): Promise<Score[]> {
  return gradeToScores(await of(args), of.name, 0);
}

/** The mean share of the scores of a part. */
function shareOf(name: string, scores: readonly Score[]): number | undefined {
  if (scores.length === 0) return undefined;
  const shares = scores.map(
    ({ passed, value }) => (passed === undefined ? value : Number(passed)) ?? 0,
  );
  const outside = shares.find((share) => share < 0 || share > 1);
  if (outside === undefined) return shares.reduce((sum, one) => sum + one, 0) / shares.length;
  throw new TypeError(`the value of ${name} must be from 0 to 1, not ${outside}`);
}

function notesOf(verdicts: readonly Verdict[]): string {
  return verdicts
    .map(({ name, notes }) => (notes ? `${name}: ${notes}` : `${name} failed`))
    .join('; ');
}
