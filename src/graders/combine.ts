import { describeValue } from '../authoring/describe-value.js';
import type { Evaluator, EvaluatorArgs } from '../authoring/evaluator.js';
import { gradeToScores } from '../authoring/grades/grade-to-scores.js';
import { isPlain } from '../authoring/is-record.js';
import type { Score } from '../model/scores/score.js';
import { aGrader, aShare, demand, demandOptions, type Rule } from './check.js';
import { type GraderOptions, grader, meanOf, reaches, splitOptions } from './grader.js';
import { withVersions } from './judge-version.js';

type List<G> = readonly (G | GraderOptions)[];

/** A list that was made by code, so that nobody knows how long it is. */
type AnyNumber<Given extends readonly unknown[]> = number extends Given['length']
  ? Given
  : readonly [never];

type Of<Input, Output, Reference> = Evaluator<Input, Output, Reference>;

/**
 * Passes when all graders pass (options come last). Fails when one fails; no score when one has none and none fails. An error of one
 * is an error of all, unless one before it has failed. A grader may be any evaluator whose
 * scores have verdicts. Notes have those of the graders that failed.
 */
export function all<Input, Output, Reference>(
  ...given: readonly [
    Of<Input, Output, Reference>,
    ...(Of<Input, Output, Reference> | GraderOptions)[],
  ]
): Of<Input, Output, Reference>;
export function all<Given extends List<Of<Input, Output, Reference>>, Input, Output, Reference>(
  ...given: AnyNumber<Given>
): Of<Input, Output, Reference>;
export function all<Input, Output, Reference>(
  ...given: List<Of<Input, Output, Reference>>
): Of<Input, Output, Reference> {
  return combined('all', given, false, (verdicts) => {
    const failed = verdicts.filter(({ passed }) => passed === false);
    if (failed.length > 0) return { passed: false, notes: notesOf(failed) };
    return verdicts.some(({ passed }) => passed === undefined) ? undefined : { passed: true };
  });
}

/** Passes when a grader passes (options come last). Fails when all fail; no score when one has none and none passes. Errors: as {@link all}. */
export function any<Input, Output, Reference>(
  ...given: readonly [
    Of<Input, Output, Reference>,
    ...(Of<Input, Output, Reference> | GraderOptions)[],
  ]
): Of<Input, Output, Reference>;
export function any<Given extends List<Of<Input, Output, Reference>>, Input, Output, Reference>(
  ...given: AnyNumber<Given>
): Of<Input, Output, Reference>;
export function any<Input, Output, Reference>(
  ...given: List<Of<Input, Output, Reference>>
): Of<Input, Output, Reference> {
  return combined('any', given, true, (verdicts) => {
    if (verdicts.some(({ passed }) => passed === true)) return { passed: true };
    if (verdicts.some(({ passed }) => passed === undefined)) return undefined;
    return { passed: false, notes: notesOf(verdicts) };
  });
}

function combined<Input, Output, Reference>(
  name: string,
  given: readonly (Of<Input, Output, Reference> | GraderOptions)[],
  decisive: boolean,
  judge: (
    verdicts: readonly Verdict[],
  ) => { readonly passed: boolean; readonly notes?: string | undefined } | undefined,
): Of<Input, Output, Reference> {
  const { values: graders, options = {} } = splitOptions<
    Of<Input, Output, Reference>,
    GraderOptions
  >(name, given, { value: aGrader });
  if (graders.length === 0) throw new TypeError(`${name} needs a grader`);
  const evaluator = grader<Input, Output, Reference>(name, options, async (args) => {
    const verdicts: Verdict[] = [];
    // One after the other, in order.
    for (const of of graders) {
      try {
        verdicts.push(await verdictOf(name, of, args));
      } catch (error) {
        if (!verdicts.some(({ passed }) => passed === decisive)) throw error;
      }
    }
    return judge(verdicts);
  });
  return withVersions(evaluator, graders, { name });
}

/** Passes when a grader fails, and fails when it passes. Its score has the key `not_` and that of the grader. */
export function not<Input, Output, Reference>(
  of: Of<Input, Output, Reference>,
  options: GraderOptions = {},
): Of<Input, Output, Reference> {
  demand('what not takes', of, aGrader);
  demandOptions('not', options);
  const grade = async (args: EvaluatorArgs<Input, Output, Reference>) => {
    const verdict = await verdictOf('not', of, args);
    if (verdict.passed === undefined) return undefined;
    return verdict.passed ? { passed: false, notes: `${verdict.name} passes` } : { passed: true };
  };
  return withVersions(grader(`not_${of.name}`, options, grade), [of], { name: 'not' });
}

/** What {@link weighted} takes. */
export interface WeightedOptions extends GraderOptions {
  /** The lowest value that passes, 0 to 1. Default: there is no verdict. */
  readonly min?: number | undefined;
}

/**
 * The weighted mean of graders, each with its weight above 0: a verdict is 1 or 0, and a value alone must be from 0 to 1, more of it better.
 * No score when one of them has none. Notes have the part of each.
 */
export function weighted<Input, Output, Reference, Name extends string>(
  parts: {
    readonly [name in Name]: readonly [Of<Input, Output, Reference>, weight: number];
  } & ([Name] extends [never] ? never : unknown),
  given: WeightedOptions = {},
): Of<Input, Output, Reference> {
  demand('what weighted takes', parts, someParts);
  demandOptions('weighted', given, { min: aShare });
  const { min, ...options } = given;
  const entries = Object.entries<readonly [Of<Input, Output, Reference>, weight: number]>(parts);
  for (const [name, [of, weight]] of entries) {
    demand(`the part ${name} of weighted`, of, aGrader);
    if (!(typeof weight === 'number' && weight > 0 && weight < Number.POSITIVE_INFINITY)) {
      throw new TypeError(`the weight of ${name} must be above 0, not ${describeValue(weight)}`);
    }
  }
  const grade = async (args: EvaluatorArgs<Input, Output, Reference>) => {
    const shares: { name: string; share: number | undefined; weight: number }[] = [];
    for (const [name, [of, weight]] of entries) {
      shares.push({ name, share: shareOf(name, await scoreOf('weighted', of, args)), weight });
    }
    if (shares.some(({ share }) => share === undefined)) return undefined;
    const value = meanOf(shares.map(({ share = 0, weight }) => [share, weight]));
    const notes = shares.map(({ name, share = 0 }) => `${name} ${Number(share.toFixed(3))}`);
    return {
      value,
      notes: notes.join(', '),
      ...(min !== undefined && { passed: reaches(value, min) }),
    };
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

async function verdictOf<Input, Output, Reference>(
  name: string,
  of: Of<Input, Output, Reference>,
  args: EvaluatorArgs<Input, Output, Reference>,
): Promise<Verdict> {
  const score = await scoreOf(name, of, args);
  if (score === undefined) return { name: of.name, passed: undefined, notes: undefined };
  const { key, passed, notes } = score;
  if (passed !== undefined) return { name: key, passed, notes };
  throw new TypeError(
    `${name} needs verdicts, but the score ${JSON.stringify(key)} is only a value`,
  );
}

/**
 * The score of a part; `undefined` for none, and for a tie of `pairwise`.
 * @throws {TypeError} when it has several, of which none is said to count
 */
async function scoreOf<Input, Output, Reference>(
  name: string,
  of: Of<Input, Output, Reference>,
  args: EvaluatorArgs<Input, Output, Reference>,
): Promise<Score | undefined> {
  const scores = gradeToScores(await of(args), of.name, 0);
  const [score, second] = scores;
  if (score === undefined || second === undefined) return score;
  const isPairwise =
    scores.length === 2 && score.key === of.name && second.key === `${of.name}_agrees`;
  if (isPairwise && name === 'weighted') return score;
  if (isPairwise) return score.passed === undefined ? undefined : score;
  const keys = scores.map(({ key }) => JSON.stringify(key)).join(', ');
  throw new TypeError(
    `${name} needs graders with one score, but ${of.name || 'a grader'} gave ${keys}: choose one in a function of your own`,
  );
}

/** The share of the score of a part. */
function shareOf(name: string, score: Score | undefined): number | undefined {
  if (score === undefined) return undefined;
  if (score.passed === undefined && score.better === 'lower') {
    throw new TypeError(`${name} needs a verdict: of its value alone, lower is better`);
  }
  const share = (score.passed === undefined ? score.value : Number(score.passed)) ?? 0;
  if (share >= 0 && share <= 1) return share;
  throw new TypeError(`the value of ${name} must be from 0 to 1, not ${share}`);
}

const someParts: Rule = {
  fits: (value) =>
    isPlain(value) &&
    Object.keys(value).length > 0 &&
    Object.values(value).every((part) => Array.isArray(part) && part.length === 2),
  wanted: 'an object of parts, each a grader and its weight: { right: [equals(), 3] }',
};

function notesOf(verdicts: readonly Verdict[]): string {
  return verdicts
    .map(({ name, notes }) => (notes ? `${name}: ${notes}` : `${name} failed`))
    .join('; ');
}
