/** What the finished trials of a unit say under one score key. */
export interface UnitScore {
  readonly key: string;
  /** `ratio` when any of these scores has `passed`: then only those count; else `value`. */
  readonly kind: 'ratio' | 'value';
  /** How many passed, or the sum of the values. */
  readonly sum: number;
  /** How many scores that is over: 1 or more. */
  readonly count: number;
}

/** An evaluation with its case, all trials together: what runs are compared by. */
export interface Unit {
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
  /** Each key once, in order of first appearance. A list: of 100,000 units a map each would weigh more than the rest. */
  readonly scores: readonly UnitScore[];
  /** Stands for the distinct outputs of the finished trials; `null` when they are not known. */
  readonly outputHash: string | null;
  /** Seconds, the mean over finished trials that have one; else `null`. */
  readonly latency: number | null;
}

/** The share of judged trials that passed, `null` when none was judged. */
export function passShare(unit: Unit): number | null {
  return unit.judged === 0 ? null : unit.passes / unit.judged;
}

/** What the finished trials say under a key; `undefined` when they have no such score. */
export function scoreOf({ scores }: Unit, key: string): UnitScore | undefined {
  for (const score of scores) if (score.key === key) return score;
  return undefined;
}
