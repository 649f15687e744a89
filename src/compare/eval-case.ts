import type { ScaleFinder } from '../statistics/value-scale.js';

/** What the finished trials of a case say under one score key. */
export interface CaseScore {
  readonly key: string;
  /** `ratio` when any of these scores has `passed`: then only those count; else `value`. */
  readonly kind: 'ratio' | 'value';
  /** How many passed, or the sum of the values. */
  readonly sum: number;
  /** How many scores that is over: 1 or more. */
  readonly count: number;
  /** The values of the trials, where they are more than `sum` tells: of several trials, or beside verdicts. */
  readonly values?: readonly number[] | undefined;
  /** Absent: higher. */
  readonly better?: 'lower' | undefined;
}

/** An evaluation with its case, all trials together: what runs are compared by. */
export interface EvalCase {
  /** Id without the trial. */
  readonly id: string;
  readonly function: string;
  readonly dataset: string;
  /** Finished trials, 1 for an evaluation without trials; 0 when none has finished. */
  readonly trials: number;
  /** Finished trials that passed. */
  readonly passes: number;
  /** Finished trials that have a verdict or are an error: what `passes` is out of. */
  readonly judged: number;
  /** Finished trials that are an error; `undefined` when that is not known. */
  readonly errors: number | undefined;
  /** Each key once, in order of first appearance. A list: of 100,000 cases a map each would weigh more than the rest. */
  readonly scores: readonly CaseScore[];
  /** Stands for the distinct outputs of the finished trials; `null` when they are not known. */
  readonly outputHash: string | null;
  /** Seconds, the mean over finished trials that have one; else `null`. */
  readonly latency: number | null;
  /** Those of each trial, where more than one has a latency. */
  readonly latencies?: readonly number[] | undefined;
}

/** The latencies of all trials that have one, in seconds. */
export function latenciesOf({ latency, latencies }: EvalCase): readonly number[] {
  return latencies ?? (latency === null ? [] : [latency]);
}

/** The same case with its errors not judged; the number of errors has to be known. */
export function withoutErrors(evalCase: EvalCase): EvalCase {
  const { errors = 0 } = evalCase;
  return errors === 0 ? evalCase : { ...evalCase, judged: evalCase.judged - errors, errors: 0 };
}

/** The share of judged trials that passed, `null` when none was judged. */
export function passShare(evalCase: EvalCase): number | null {
  return evalCase.judged === 0 ? null : evalCase.passes / evalCase.judged;
}

/** The values of the trials under a score; `undefined` when there are none, or only their sum is known. */
export function valuesOf({ kind, sum, count, values }: CaseScore): readonly number[] | undefined {
  if (values !== undefined) return values;
  return kind === 'value' && count === 1 ? [sum] : undefined;
}

/** Adds the values of the trials under a score one by one, or at once where only their sum is known. */
export function addValues({ kind, sum, count, values }: CaseScore, to: ScaleFinder): void {
  if (values !== undefined) for (const value of values) to.add(value);
  else if (kind === 'value') to.add(sum, count);
}

/** The mean of the values under a score, `null` when it has none. */
export function meanValueOf({ kind, sum, count, values }: CaseScore): number | null {
  if (values !== undefined)
    return values.reduce((total, value) => total + value, 0) / values.length;
  return kind === 'value' ? sum / count : null;
}

/** What the finished trials say under a key; `undefined` when they have no such score. */
export function scoreOf({ scores }: EvalCase, key: string): CaseScore | undefined {
  for (const score of scores) if (score.key === key) return score;
  return undefined;
}
