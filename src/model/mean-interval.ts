import type { Bounds } from '../statistics/bounds.js';
import { studentQuantile } from '../statistics/student-quantile.js';

/** Adds up values so that their mean and its interval are known at the end (Welford 1962, Technometrics 4). */
export class MeanCounter {
  count = 0;
  mean = 0;
  #squares = 0;

  add(value: number): void {
    this.count += 1;
    const offset = value - this.mean;
    this.mean += offset / this.count;
    this.#squares += offset * (value - this.mean);
  }

  /**
   * Student's 95 % interval of the mean, mean ± t · s / √n with n − 1 degrees of freedom; it takes the values
   * as independent. `null` bounds below two values.
   */
  interval(): Bounds {
    const freedom = this.count - 1;
    if (freedom < 1) return { low: null, high: null };
    const deviation = Math.sqrt(this.#squares / freedom / this.count);
    const half = studentQuantile(0.975, freedom) * deviation;
    return { low: this.mean - half, high: this.mean + half };
  }
}
