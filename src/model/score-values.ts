import { type Percentiles, percentilesOf } from '../statistics/percentile.js';
import { ScaleFinder } from '../statistics/value-scale.js';

/** The values of a score: the scale that they lie on, and their percentiles. */
export class ScoreValues extends ScaleFinder {
  readonly #values: number[] = [];
  #areKnown = true;

  override add(sum: number, count = 1): void {
    super.add(sum, count);
    if (count === 1) this.#values.push(sum);
    else this.#areKnown = false;
  }

  /** `null` when only sums of some are known. */
  percentiles(): Percentiles {
    return percentilesOf(this.#areKnown ? Float64Array.from(this.#values).sort() : []);
  }
}
