/** How likely chance alone makes a sum of differences as low as the observed one, or lower; and as high, or higher. */
export interface Tails {
  readonly lower: number;
  readonly higher: number;
}

/** How tails are worked out. */
export interface TailOptions {
  /** How often is drawn where there are too many outcomes to count them all; 20,000 unless told. */
  readonly draws?: number | undefined;
  /** Values closer than this are equal; 0 unless told. */
  readonly tolerance?: number;
}

/** The tails where nothing differs. */
export const noDifference: Tails = { lower: 1, higher: 1 };

/** The two-sided p-value: twice the smaller tail, at most 1 (Agresti 2002, Categorical Data Analysis, 3.5). */
export function twoSidedP({ lower, higher }: Tails): number {
  return Math.min(1, 2 * Math.min(lower, higher));
}

/** The tails of the mirrored differences. */
export function mirroredTails({ lower, higher }: Tails): Tails {
  return { lower: higher, higher: lower };
}

/**
 * Estimates tails from drawn sums. The observed sum counts as one of them, so no tail is 0 (Phipson and Smyth 2010,
 * "Permutation P-values Should Never Be Zero", Statistical Applications in Genetics and Molecular Biology 9:39).
 */
export class DrawnTails {
  readonly #mostLower: number;
  readonly #leastHigher: number;
  #drawn = 1;
  #lower = 1;
  #higher = 1;

  /** `slack`: how far sums that are equal on paper may be apart by rounding. */
  constructor(observed: number, slack: number) {
    this.#mostLower = observed + slack;
    this.#leastHigher = observed - slack;
  }

  add(sum: number): void {
    this.#drawn += 1;
    if (sum <= this.#mostLower) this.#lower += 1;
    if (sum >= this.#leastHigher) this.#higher += 1;
  }

  tails(): Tails {
    return { lower: this.#lower / this.#drawn, higher: this.#higher / this.#drawn };
  }
}
