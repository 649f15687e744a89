/**
 * The probabilities that chance alone makes a sum of differences at most (`lower`) and at least (`higher`) the
 * observed one.
 */
export interface Tails {
  readonly lower: number;
  readonly higher: number;
  /** The smallest of both tails that any outcome of the same data has. */
  readonly attainable: number;
}

/** Options for computing tails. */
export interface TailOptions {
  /** Number of draws if there are too many outcomes to enumerate; default 20,000. */
  readonly draws?: number | undefined;
  /** Values closer than this are equal; default 0. */
  readonly tolerance?: number;
}

/** The tails where nothing differs. */
export const noDifference: Tails = { lower: 1, higher: 1, attainable: 1 };

/** The two-sided p-value: twice the smaller tail, at most 1 (Agresti 2002, Categorical Data Analysis, 3.5). */
export function twoSidedP({ lower, higher }: Pick<Tails, 'lower' | 'higher'>): number {
  return Math.min(1, 2 * Math.min(lower, higher));
}

/** The tails of the mirrored differences. */
export function mirroredTails({ lower, higher, attainable }: Tails): Tails {
  return { lower: higher, higher: lower, attainable };
}

/**
 * Estimates tails from drawn sums. The observed sum counts as one draw, so no tail is 0 (Phipson and Smyth 2010,
 * "Permutation P-values Should Never Be Zero", Statistical Applications in Genetics and Molecular Biology 9:39).
 */
export class DrawnTails {
  readonly #mostLower: number;
  readonly #leastHigher: number;
  readonly #attainable: number;
  #drawn = 1;
  #lower = 1;
  #higher = 1;

  /**
   * `attainable`: the exact one, which few draws cannot reach. `slack`: how far rounding can separate sums that are
   * equal on paper.
   */
  constructor(observed: number, attainable: number, slack: number) {
    this.#attainable = attainable;
    this.#mostLower = observed + slack;
    this.#leastHigher = observed - slack;
  }

  add(sum: number): void {
    this.#drawn += 1;
    if (sum <= this.#mostLower) this.#lower += 1;
    if (sum >= this.#leastHigher) this.#higher += 1;
  }

  tails(): Tails {
    return {
      lower: this.#lower / this.#drawn,
      higher: this.#higher / this.#drawn,
      attainable: Math.max(this.#attainable, 1 / this.#drawn),
    };
  }
}
