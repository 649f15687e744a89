import type { Evaluator } from '../authoring/evaluator.js';
import { allTokensOf, isUnused } from '../model/calls/known-usage.js';
import { aNumber, demandOptions } from './check.js';
import { type Graded, type GraderOptions, grader, textOf } from './grader.js';

interface Bounds {
  /** The least that passes. Default: no bound. */
  readonly min: number;
  /** The most that passes. Default: no bound. */
  readonly max: number;
}

type Maybe<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** What graders of amounts take: at least one of both bounds. */
export type LimitOptions = GraderOptions &
  Maybe<Bounds> &
  (Pick<Bounds, 'min'> | Pick<Bounds, 'max'>);

/** Passes when the output has so many words: what stands between spaces and line breaks. The value is their number. */
export function words(limits: LimitOptions): Evaluator<unknown, string, unknown> {
  const judge = judgeOf('words', limits);
  return grader('words', limits, ({ output }) =>
    judge(textOf(output, 'words').split(/\s+/u).filter(Boolean).length),
  );
}

/**
 * Passes when the target took so many seconds. The value is their number. No score without a latency: without a target,
 * and where recordings answered.
 */
export function latency(limits: LimitOptions): Evaluator {
  const judge = judgeOf('latency', limits);
  return grader('latency', limits, ({ latency: seconds }) =>
    seconds === null ? undefined : judge(seconds),
  );
}

/**
 * Passes when target and body used so many tokens, input and output of all their calls of models. The value is their
 * number. No score where a call did not report its tokens, or may not have been seen.
 */
export function tokens(limits: LimitOptions): Evaluator {
  const judge = judgeOf('tokens', limits);
  return grader('tokens', limits, ({ usage }) => {
    const used = isUnused(usage) ? 0 : allTokensOf(usage);
    return used === undefined ? undefined : judge(used);
  });
}

/**
 * Passes when the calls of target and body cost so many US dollars, replayed ones as if they were made. The value is
 * their sum. No score where the cost of a call is not known, or a call may not have been seen.
 */
export function cost(limits: LimitOptions): Evaluator {
  const judge = judgeOf('cost', limits);
  return grader('cost', limits, async (args) => {
    const dollars = await args.cost();
    return dollars === null ? undefined : judge(dollars);
  });
}

/** Judges an amount; where there is only a `max`, lower is better. */
function judgeOf(name: string, limits: LimitOptions): (value: number) => Graded {
  demandOptions(name, limits, { min: aNumber, max: aNumber });
  const { min, max } = limits;
  if (min !== undefined && max !== undefined && min > max) {
    throw new TypeError(`"min" of ${name} must not be above "max"`);
  }
  if (min === undefined && max === undefined) {
    throw new TypeError(`${name} needs "min" or "max"`);
  }
  const wanted = [
    ...(min === undefined ? [] : [`at least ${min}`]),
    ...(max === undefined ? [] : [`at most ${max}`]),
  ];
  return (value) => {
    const passed = value >= (min ?? value) && value <= (max ?? value);
    return {
      ...{ passed, value },
      ...(min === undefined && { better: 'lower' }),
      ...(!passed && { notes: `wanted ${wanted.join(' and ')}` }),
    };
  };
}
