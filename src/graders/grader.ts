import { describeValue } from '../authoring/describe-value.js';
import type { Evaluator, EvaluatorArgs, MaybePromise } from '../authoring/evaluator.js';
import type { ScoreInput } from '../authoring/grades/grade.js';

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
  const evaluator: Evaluator<Input, Output, Reference> = (args) => grade(args);
  return Object.defineProperty(evaluator, 'name', { value: key });
}

/** A verdict, with notes if it failed. */
export function verdict(passed: boolean, notes: () => string): ScoreInput {
  return passed ? { passed } : { passed, notes: notes() };
}

/** Separates the values that a grader was given from its options, which come last. */
export function splitOptions<Value, Options extends object>(
  given: readonly (Value | Options)[],
  isValue: (one: Value | Options) => one is Value,
): { readonly values: readonly Value[]; readonly options: Options | undefined } {
  const values = given.filter(isValue);
  const options = given.find((one): one is Options => !isValue(one));
  return { values, options };
}

/**
 * The text of an output, or of what it is compared with.
 * @throws {TypeError} for anything else, so that the result is an error: not even `excludes` passes where there is no text
 */
export function textOf(value: unknown, name: string, what = 'the output'): string {
  if (typeof value === 'string') return value;
  throw new TypeError(`${name} grades text, but ${what} is ${describeValue(value)}`);
}

const longestShown = 80;

/** A value in notes: as JSON, cut after 80 characters. */
export function shown(value: unknown): string {
  const text = jsonText(value) ?? describeValue(value);
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}

/** The JSON of a value; `undefined` where it has none, as of a cycle. */
export function jsonText(value: unknown, indent?: number): string | undefined {
  try {
    return JSON.stringify(value, null, indent);
  } catch {
    return undefined;
  }
}
