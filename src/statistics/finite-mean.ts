// A power of two, so that scaling does not round.
const scale = 2 ** -40;

/** The mean of finite numbers, which is finite even if their sum overflows (JSON has no infinity). */
export class FiniteMean {
  count = 0;
  #sum = 0;
  #scaledSum = 0;

  add(value: number): void {
    this.count += 1;
    this.#sum += value;
    this.#scaledSum += value * scale;
  }

  /** 0 without numbers. */
  get value(): number {
    if (this.count === 0) return 0;
    if (Number.isFinite(this.#sum)) return this.#sum / this.count;
    const mean = this.#scaledSum / this.count / scale;
    return Math.min(Math.max(mean, -Number.MAX_VALUE), Number.MAX_VALUE);
  }
}
