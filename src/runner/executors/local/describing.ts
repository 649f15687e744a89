import { AssayError } from '../../../errors.js';
import type { DescribedValues } from '../../../protocol/messages.js';

/** Takes values as they come; what it throws ends the describing. */
export type OnValues = (values: readonly DescribedValues[]) => void;

export interface DescribingOptions {
  /** Evaluations that are to be described, in this order. */
  readonly ids: readonly string[];
  readonly onValues: OnValues;
  /** Milliseconds that may pass without any values. */
  readonly deadlineMs: number;
  /** They have: end the process. */
  readonly onDeadline: () => void;
}

/** Follows a process while it hands over the authored values of evaluations. */
export class Describing {
  /** Resolves when all values have come. */
  readonly done: Promise<void>;
  readonly #options: DescribingOptions;
  #received = 0;
  #timer: NodeJS.Timeout | undefined;
  #resolve: () => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  constructor(options: DescribingOptions) {
    this.#options = options;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#await();
  }

  /** True when nothing more is to be expected. */
  receive(values: readonly DescribedValues[]): boolean {
    const { ids, onValues } = this.#options;
    try {
      onValues(values);
    } catch (error) {
      this.fail(error);
      return true;
    }
    this.#received += values.length;
    this.#await();
    if (this.#received < ids.length) return false;
    clearTimeout(this.#timer);
    this.#resolve();
    return true;
  }

  /** The process has ended before it was through. */
  fail(error: unknown): void {
    clearTimeout(this.#timer);
    this.#reject(error);
  }

  /** Reading a value may call code of the user's, which may never return. */
  #await(): void {
    const { ids, deadlineMs, onDeadline } = this.#options;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.fail(
        new AssayError(
          'discovery-failed',
          `Reading the values of ${ids[this.#received]}, or of a case after it, takes more than ${deadlineMs / 1000} s.`,
        ),
      );
      onDeadline();
    }, deadlineMs);
  }
}
