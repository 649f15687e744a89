import type { ScoreFacts } from '../../model/scores/score.js';
import type { DeclaredScale } from '../../model/scores/score-limits.js';
import type { Passes } from '../../statistics/fisher-exact.js';
import type { ScaleFinder } from '../../statistics/value-scale.js';

/** One score key over the finished trials of a case. */
export interface CaseScore {
  readonly key: string;
  /** `ratio` when an evaluator gave any of these scores a verdict (then only verdicts count), else `value`. */
  readonly kind: 'ratio' | 'value';
  /** The number of passes, or the sum of the values. */
  readonly sum: number;
  /** The number of scores in `sum`: 1 or more. */
  readonly count: number;
  /** True for a `ratio` whose verdicts only persons, and thresholds, gave: no evaluator. */
  readonly human?: true | undefined;
  /** True if all its verdicts are assertions of the body that failed. */
  readonly asserted?: true | undefined;
  /** The verdicts that a threshold derived from values; those of a `ratio` are also in `sum` and `count`. */
  readonly derived?: Passes | undefined;
  /** The values of the trials; absent when `sum` alone is enough: for a single value without a verdict. */
  readonly values?: readonly number[] | undefined;
  /** `higher` if absent. */
  readonly better?: 'lower' | undefined;
  /** Of its values; absent if none was declared. */
  readonly scale?: DeclaredScale | undefined;
  /** The versions of the rubrics by which judges gave it, each once; absent if none is known. */
  readonly rubrics?: readonly string[] | undefined;
  /** The models that judges called for it, each once; absent if none is known. */
  readonly models?: readonly string[] | undefined;
  /** Of a score that a judge gave: hashes of the code that grades its results, each once; absent if none is known. */
  readonly grading?: readonly string[] | undefined;
}

/** Total usage of the calls of the finished trials of a case. */
export interface CaseUsage {
  /** Calls of models; `null` if a trial started programs whose calls are not seen. */
  readonly calls: number | null;
  /** Input and output; `null` if a trial has calls and none of them reported tokens. */
  readonly tokens: number | null;
  /** US dollars; `null` when the price of a call is not known, and with replayed calls. */
  readonly cost: number | null;
  /** US dollars of the calls whose cost is known, where that of others is not; absent for none. */
  readonly least?: number | undefined;
  /** Some calls were answered from recordings, and cost nothing. */
  readonly replayed?: true | undefined;
  /** With replayed calls: US dollars of all calls, those at what they cost when they were recorded; `null` if unknown. */
  readonly recorded?: number | null | undefined;
}

/** An evaluation with one of its cases, all trials together: the unit of comparison. */
export interface EvalCase {
  /** The id of its results, without the trial. */
  readonly id: string;
  readonly function: string;
  readonly dataset: string;
  /** See `RowIdentity`. */
  readonly cluster?: string | undefined;
  /** Finished trials: 1 for a finished case without trials, 0 when none has finished. */
  readonly trials: number;
  /** Finished trials that passed. */
  readonly passes: number;
  /** Finished trials with a verdict or an error: the denominator of `passes`. */
  readonly judged: number;
  /** Finished trials that are errors; `undefined` when unknown. */
  readonly errors: number | undefined;
  /** Errors that are left out, and so not in `judged` and `errors`; absent for none. */
  readonly ignored?: number | undefined;
  /**
   * Each key once, in order of first appearance. A list, because 100,000 maps would need more memory than
   * everything else.
   */
  readonly scores: readonly CaseScore[];
  /** The scores of each completed trial; only where `scores` may not tell which of them a trial passed together. */
  readonly grades?: readonly (readonly ScoreFacts[])[] | undefined;
  /**
   * Identifies the attempts of its finished trials: the same in a run that carried them over. `undefined` when one of
   * them is unknown.
   */
  readonly draw?: string | undefined;
  /** Identifies these attempts with the code that graded them and their scores. */
  readonly graded?: string | undefined;
  /** True for several trials that all have the same output and scores. */
  readonly alike?: true | undefined;
  /** Identifies the set of distinct outputs of the finished trials; `null` when unknown. */
  readonly outputHash: string | null;
  /** Seconds: the mean over finished trials that have a latency, else `null`. */
  readonly latency: number | null;
  /** The latency of each trial, when more than one has a latency. */
  readonly latencies?: readonly number[] | undefined;
  /** In all cases of a run that made calls of models, also in those without one; absent in other runs. */
  readonly usage?: CaseUsage | undefined;
}

/** Mean usage of the calls of a case over its trials; `null` if unknown. */
export function meanUsed(
  { usage, trials }: EvalCase,
  amount: 'cost' | 'tokens' | 'calls',
): number | null {
  const sum = usage?.[amount] ?? null;
  return sum === null || trials === 0 ? null : sum / trials;
}

/** The cost of the calls of cases; plain JSON. */
export interface CaseCost {
  /**
   * US dollars of a case: the mean over its trials, then over cases with a finished trial. A lower bound if that of some is
   * unknown; `null` if nothing is known of any.
   */
  readonly per_case: number | null;
  /** The cases with a call of unknown cost. */
  readonly unknown: number;
  /** The cases with replayed calls, which count with what they cost when they were recorded; absent for none. */
  readonly replayed?: number;
}

/**
 * What cases cost: target, evaluators and all else that they call, carried over, replayed or not; `null` for a run that records
 * no calls.
 */
export function caseCost(cases: readonly EvalCase[]): CaseCost | null {
  let [sum, finished, unknown, replayed] = [0, 0, 0, 0];
  for (const { usage, trials } of cases) {
    if (usage === undefined) return null;
    if (trials === 0) continue;
    finished += 1;
    const cost = usage.replayed ? usage.recorded : usage.cost;
    sum += (cost ?? usage.least ?? 0) / trials;
    if (cost == null) unknown += 1;
    if (usage.replayed) replayed += 1;
  }
  if (finished === 0) return null;
  const isKnown = unknown === 0 || sum > 0;
  return { per_case: isKnown ? sum / finished : null, unknown, ...(replayed > 0 && { replayed }) };
}

/** The latencies of all trials that have one, in seconds. */
export function latenciesOf({ latency, latencies }: EvalCase): readonly number[] {
  return latencies ?? (latency === null ? [] : [latency]);
}

/** The same case with its errors not judged; requires a known number of errors. */
export function withoutErrors(evalCase: EvalCase): EvalCase {
  const { errors = 0 } = evalCase;
  if (errors === 0) return evalCase;
  return { ...evalCase, judged: evalCase.judged - errors, errors: 0, ignored: errors };
}

/** The number of finished trials that are no errors. */
export function completedOf({ trials, errors = 0, ignored = 0 }: EvalCase): number {
  return trials - errors - ignored;
}

/** The share of judged trials that passed; `null` without judged trials. */
export function passShare(evalCase: EvalCase): number | null {
  return evalCase.judged === 0 ? null : evalCase.passes / evalCase.judged;
}

/** The verdicts of a score, whether given or derived from a threshold; `undefined` when there are none. */
export function verdictsOf({ kind, sum, count, derived }: CaseScore): Passes | undefined {
  return kind === 'ratio' ? { passes: sum, of: count } : derived;
}

/** The values of the trials of a score; `undefined` when there are none or only their sum is known. */
export function valuesOf({ kind, sum, count, values }: CaseScore): readonly number[] | undefined {
  if (values !== undefined) return values;
  return kind === 'value' && count === 1 ? [sum] : undefined;
}

/** Adds the values of the trials of a score individually, or as a sum when only that is known. */
export function addValues(score: CaseScore, to: ScaleFinder): void {
  const { kind, sum, count, values, scale } = score;
  if (values !== undefined) for (const value of values) to.add(value, 1, scale);
  else if (kind === 'value') to.add(sum, count, scale);
}

/** The sum of the squares of the values of a score; if only their sum is known, as if they were alike. */
export function squaresOf(score: CaseScore): number {
  const values = valuesOf(score);
  if (values === undefined) return score.sum ** 2 / score.count;
  return values.reduce((sum, value) => sum + value ** 2, 0);
}

/** The mean of the values of a score; `null` without values. */
export function meanValueOf({ kind, sum, count, values }: CaseScore): number | null {
  if (values !== undefined)
    return values.reduce((total, value) => total + value, 0) / values.length;
  return kind === 'value' ? sum / count : null;
}

/** The score of this key; `undefined` when the finished trials have none. */
export function scoreOf({ scores }: EvalCase, key: string): CaseScore | undefined {
  for (const score of scores) if (score.key === key) return score;
  return undefined;
}
