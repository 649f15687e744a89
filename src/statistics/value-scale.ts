/** The ends of the scale of values; infinite for an unbounded one. */
export interface Scale {
  readonly low: number;
  readonly high: number;
  /** It was declared, not recognised. */
  readonly isDeclared?: true;
}

/** The scale of seconds, tokens, money, where a value can lie arbitrarily far from the others. */
export const unbounded: Scale = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };

/**
 * Finds the scale of values: the declared one, if all are on it; else 0 to 1 for grades (all within 0 to 1), 0 to 10 for ratings (all whole numbers from 0
 * to 10), or 0 to 5 if none is larger, and `unbounded` for anything else.
 */
export class ScaleFinder {
  #areGrades = true;
  #areRatings = true;
  #smallest = Number.POSITIVE_INFINITY;
  #largest = Number.NEGATIVE_INFINITY;
  #declared: Scale | undefined;

  /** Adds a value, or the sum of `count` values. Of several declared scales, the widest ends count. */
  add(sum: number, count = 1, declared?: readonly [number, number]): void {
    this.#areGrades &&= sum >= 0 && sum <= count;
    this.#areRatings &&= Number.isInteger(sum) && sum >= 0 && sum <= 10 * count;
    this.#smallest = Math.min(this.#smallest, sum / count);
    this.#largest = Math.max(this.#largest, sum / count);
    if (declared === undefined) return;
    const { low = declared[0], high = declared[1] } = this.#declared ?? {};
    if (this.#declared && low <= declared[0] && high >= declared[1]) return;
    const [least, most] = [Math.min(low, declared[0]), Math.max(high, declared[1])];
    this.#declared = { low: least, high: most, isDeclared: true };
  }

  /** The scale of the added values; without values, 0 to 1. */
  get scale(): Scale {
    const { low = 0, high = 0 } = this.#declared ?? {};
    if (this.#declared && low <= this.#smallest && this.#largest <= high) return this.#declared;
    if (this.#areGrades) return { low: 0, high: 1 };
    if (!this.#areRatings) return unbounded;
    return { low: 0, high: this.#largest <= 5 ? 5 : 10 };
  }
}

/** The scale of the difference between two values of a scale. */
export function differenceScale({ low, high }: Scale): Scale {
  return { low: low - high, high: high - low };
}

/** True for a scale without ends. */
export function isUnbounded({ high }: Scale): boolean {
  return high === Number.POSITIVE_INFINITY;
}
