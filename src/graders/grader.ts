import { describeValue } from '../authoring/describe-value.js';
import type { Evaluator, EvaluatorArgs, MaybePromise } from '../authoring/evaluator.js';
import type { ScoreInput } from '../authoring/grades/grade.js';
import { isPlain } from '../authoring/is-record.js';
import { convert } from '../values/convert.js';
import { demand, demandOptions, type Rule } from './check.js';

/** What every grader takes. */
export interface GraderOptions {
  /** The key of its score. Default: the name of the grader. */
  readonly key?: string | undefined;
}

/** The score of a grader; `undefined` for none. */
export type Graded = Omit<ScoreInput, 'key'> | undefined;

/** An evaluator whose function has the name of the grader, or the key, which is the key of its score. */
export function grader<Input = unknown, Output = unknown, Reference = unknown>(
  name: string,
  { key = name }: GraderOptions,
  grade: (args: EvaluatorArgs<Input, Output, Reference>) => MaybePromise<Graded>,
): Evaluator<Input, Output, Reference> {
  // What shows values is loaded now: a target may replace what that takes.
  convert(undefined);
  const evaluator: Evaluator<Input, Output, Reference> = (args) => grade(args);
  return Object.defineProperty(evaluator, 'name', { value: key });
}

/** A verdict, with notes if it failed. */
export function verdict(passed: boolean, notes: () => string): ScoreInput {
  return passed ? { passed } : { passed, notes: notes() };
}

/**
 * Separates the values that a grader was given from its options, which come last.
 * @throws {TypeError} for a value that is none, and for options that are none
 */
export function splitOptions<Value, Options extends object>(
  name: string,
  given: readonly (Value | Options)[],
  {
    value,
    rules = {},
  }: { readonly value: Rule; readonly rules?: { readonly [option: string]: Rule } },
): { readonly values: readonly Value[]; readonly options: Options | undefined } {
  const last = given.at(-1);
  const hasOptions = isPlain(last);
  const values = hasOptions ? given.slice(0, -1) : given;
  for (const one of values) demand(`what ${name} takes`, one, value);
  if (hasOptions) demandOptions(name, last, rules);
  return {
    values: values as readonly Value[],
    options: hasOptions ? (last as Options) : undefined,
  };
}

/**
 * The text of an output, or of what it is compared with.
 * @throws {TypeError} for anything else, so that the result is an error: not even `excludes` passes where there is no text
 */
export function textOf(value: unknown, name: string, what = 'the output'): string {
  if (typeof value === 'string') return value;
  throw new TypeError(`${name} grades text, but ${what} is ${describeValue(value)}`);
}

/** The mean of values with their weights. */
export function meanOf(parts: readonly (readonly [value: number, weight: number])[]): number {
  const [[first] = [Number.NaN]] = parts;
  // The sum of three times 0.7 is rounded.
  if (parts.every(([value]) => value === first)) return first;
  const total = parts.reduce((sum, [, weight]) => sum + weight, 0);
  return parts.reduce((sum, [value, weight]) => sum + value * weight, 0) / total;
}

/** True for a mean that is at least `min`, but for the rounding of its sum. */
export function reaches(mean: number, min: number): boolean {
  return mean >= min - 4 * Number.EPSILON * Math.abs(min);
}

const longestShown = 80;

/** A value in notes: as JSON, cut after 80 characters. */
export function shown(value: unknown): string {
  const isPart = typeof value === 'string' || (typeof value === 'object' && value !== null);
  const text = isPart ? JSON.stringify(convert(value).value) : describeValue(value);
  if (text.length <= longestShown) return text;
  // Not half of a character.
  return `${text.slice(0, longestShown).replace(/[\ud800-\udbff]$/, '')}…`;
}
