import type { DescribedValues } from '../protocol/messages.js';

/** Takes values as they come; what it throws ends the describing. */
export type OnValues = (values: readonly DescribedValues[]) => void;

/** Follows a process while it hands over the authored values of evaluations. */
export class Describing {
  /** Resolves when all values have come. */
  readonly done: Promise<void>;
  #left: number;
  readonly #onValues: OnValues;
  #resolve: () => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  /** `count` evaluations are to be described. */
  constructor(count: number, onValues: OnValues) {
    this.#left = count;
    this.#onValues = onValues;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** True when nothing more is to be expected. */
  receive(values: readonly DescribedValues[]): boolean {
    try {
      this.#onValues(values);
    } catch (error) {
      this.#reject(error);
      return true;
    }
    this.#left -= values.length;
    if (this.#left > 0) return false;
    this.#resolve();
    return true;
  }

  /** The process has ended before it was through. */
  fail(error: unknown): void {
    this.#reject(error);
  }
}
