import type { Evaluator, EvaluatorArgs } from '../authoring/evaluator.js';
import { aDistance, demand, demandOptions, type Rule } from './check.js';
import { firstDifference, isPath, type Leniency } from './difference.js';
import { type GraderOptions, grader, shown, verdict } from './grader.js';

/** What {@link deepEquals} takes. */
export interface EqualityOptions extends GraderOptions {
  /** Paths that are not compared: `order.updatedAt`, `items.*.id`, where `*` is any key or position. */
  readonly ignore?: readonly string[] | undefined;
  /** Numbers that differ by at most so much are equal. Default: 0. */
  readonly tolerance?: number | undefined;
}

/**
 * Passes when the output equals a value, or the reference where none is given (`undefined`). Lists and objects are compared by what they
 * hold, whatever the order of keys; a field that is `undefined` is like none. Notes name the first path that differs.
 */
export function equals<Output = unknown>(
  expected?: Output,
  options: GraderOptions = {},
): Evaluator<unknown, Output, unknown> {
  demandOptions('equals', options);
  return compared('equals', expected, options, {});
}

/** {@link equals} without some paths, and with a tolerance for numbers. */
export function deepEquals<Output = unknown>(
  expected?: Output,
  given: EqualityOptions = {},
): Evaluator<unknown, Output, unknown> {
  demandOptions('deepEquals', given, { ignore: paths, tolerance: aDistance });
  const { ignore, tolerance, ...options } = given;
  return compared('deepEquals', expected, options, { ignore, tolerance });
}

/** Passes when the output equals one of these values, as {@link equals} compares them. */
export function oneOf<Output>(
  values: readonly Output[],
  options: GraderOptions = {},
): Evaluator<unknown, Output, unknown> {
  demand('what oneOf takes', values, aChoice);
  demandOptions('oneOf', options);
  return grader('oneOf', options, ({ output }) =>
    verdict(
      values.some((value) => firstDifference(output, value, {}) === undefined),
      () => `wanted one of ${shown(values)}, got ${shown(output)}`,
    ),
  );
}

const paths: Rule = {
  fits: (value) => Array.isArray(value) && value.every(isPath),
  wanted: 'a list of paths',
};
const aChoice: Rule = {
  fits: (value) => Array.isArray(value) && value.length > 0,
  wanted: 'a list of values',
};

function compared<Output>(
  name: string,
  expected: Output | undefined,
  options: GraderOptions,
  leniency: Leniency,
): Evaluator<unknown, Output, unknown> {
  return grader(name, options, (args: EvaluatorArgs<unknown, Output, unknown>) => {
    const difference = firstDifference(args.output, wantedOf(name, expected, args), leniency);
    return verdict(difference === undefined, () => difference ?? '');
  });
}

/**
 * The value that an output is compared with: the one that was given, else the reference.
 * @throws {TypeError} when there is neither
 */
export function wantedOf(
  name: string,
  expected: unknown,
  { reference }: Pick<EvaluatorArgs, 'reference'>,
): unknown {
  const wanted = expected === undefined ? reference : expected;
  if (wanted !== undefined) return wanted;
  throw new TypeError(
    `${name} has nothing to compare with: give it a value, or its case a reference`,
  );
}
