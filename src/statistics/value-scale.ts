/** The ends of the scale that values lie on; infinite where they have none. */
export interface Scale {
  readonly low: number;
  readonly high: number;
}

/** The scale of seconds, tokens, money: nothing says how far a value may lie from the others. */
export const unbounded: Scale = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };

/**
 * Finds the scale of values by their kind: grades when all lie within 0 to 1, ratings when all are whole numbers from 0
 * to 10 (to 5 when none is larger); `unbounded` when they are anything else.
 */
export class ScaleFinder {
  #areGrades = true;
  #areRatings = true;
  #largest = 0;

  /** Adds a value, or so many of which only the sum is known. */
  add(sum: number, count = 1): void {
    this.#areGrades &&= sum >= 0 && sum <= count;
    this.#areRatings &&= Number.isInteger(sum) && sum >= 0 && sum <= 10 * count;
    this.#largest = Math.max(this.#largest, sum / count);
  }

  /** Without values that of grades. */
  get scale(): Scale {
    if (this.#areGrades) return { low: 0, high: 1 };
    if (!this.#areRatings) return unbounded;
    return { low: 0, high: this.#largest <= 5 ? 5 : 10 };
  }
}

/** The scale of differences between two values of a scale. */
export function differenceScale({ low, high }: Scale): Scale {
  return { low: low - high, high: high - low };
}

/** True when values have no ends that they could lie at. */
export function isUnbounded({ high }: Scale): boolean {
  return high === Number.POSITIVE_INFINITY;
}
