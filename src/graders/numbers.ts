import { describeValue } from '../authoring/describe-value.js';
import type { Evaluator } from '../authoring/evaluator.js';
import { aDistance, aNumber, demand, demandOptions, maybe, type Rule } from './check.js';
import { isPath, isWithin, valueAtPath } from './difference.js';
import { wantedOf } from './equality.js';
import { type GraderOptions, grader } from './grader.js';

/** What graders of numbers take. */
export interface NumberOptions extends GraderOptions {
  /** Where the number is in the output: `order.total`, `items[0].price`. Default: the output is the number. */
  readonly path?: string | undefined;
}

/** What {@link closeTo} takes. */
export interface CloseToOptions extends NumberOptions {
  /** The largest distance that passes, 0 or more. */
  readonly within: number;
}

/**
 * Passes when a number is at most so far from the expected one, or from the reference where none is given (`undefined`; with a
 * `path`, from the number at this path of the reference). The value is the number. Text is no number: it makes the result an error.
 */
export function closeTo(
  expected: number | undefined,
  given: CloseToOptions & { readonly path: string },
): Evaluator;
export function closeTo(
  expected: number,
  given: CloseToOptions,
): Evaluator<unknown, number, unknown>;
export function closeTo(
  expected: number | undefined,
  given: CloseToOptions,
): Evaluator<unknown, number, number>;
export function closeTo(
  expected: number | undefined,
  given: CloseToOptions,
): Evaluator<unknown, unknown, unknown> {
  demand('what closeTo takes', expected, maybe(aNumber));
  demandOptions('closeTo', given, { within: aDistance, path: aPath });
  demand('"within" of closeTo', given.within, aDistance);
  const { within, path, ...options } = given;
  return grader('closeTo', options, (args) => {
    const reference = wantedOf('closeTo', expected, args);
    const at = typeof reference === 'object' ? path : undefined;
    const wanted = numberOf(reference, { name: 'closeTo', path: at, what: 'the reference' });
    const value = numberOf(args.output, { name: 'closeTo', path, what: 'the output' });
    const passed = isWithin(value, wanted, within);
    return { passed, value, ...(!passed && { notes: `wanted ${wanted} ± ${within}` }) };
  });
}

/** Passes when a number is from `low` to `high`, both included. The value is the number. */
export function between(
  low: number,
  high: number,
  given: NumberOptions & { readonly path: string },
): Evaluator;
export function between(
  low: number,
  high: number,
  given?: NumberOptions,
): Evaluator<unknown, number, unknown>;
export function between(
  low: number,
  high: number,
  given: NumberOptions = {},
): Evaluator<unknown, unknown, unknown> {
  const isOrdered = typeof low === 'number' && typeof high === 'number' && low <= high;
  if (!isOrdered) {
    const bounds = `${describeValue(low)} and ${describeValue(high)}`;
    throw new TypeError(`between needs two numbers, the smaller one first, not ${bounds}`);
  }
  demandOptions('between', given, { path: aPath });
  const { path, ...options } = given;
  return grader('between', options, ({ output }) => {
    const value = numberOf(output, { name: 'between', path, what: 'the output' });
    const passed = value >= low && value <= high;
    return { passed, value, ...(!passed && { notes: `wanted ${low} to ${high}` }) };
  });
}

const aPath: Rule = { fits: isPath, wanted: 'a path' };

interface NumberPlace {
  readonly name: string;
  readonly path: string | undefined;
  readonly what: string;
}

function numberOf(value: unknown, { name, path, what }: NumberPlace): number {
  const found = path === undefined ? value : valueAtPath(value, path);
  if (typeof found === 'number' && Number.isFinite(found)) return found;
  const at = path === undefined ? what : `${path} of ${what}`;
  throw new TypeError(`${name} grades finite numbers, but ${at} is ${describeValue(found)}`);
}
