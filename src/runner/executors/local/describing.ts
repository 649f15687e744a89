import { AssayError } from '../../../errors.js';
import type { DescribedValues } from '../../../protocol/messages.js';

/** Receives values as they arrive; an error ends the describing. */
export type OnValues = (values: readonly DescribedValues[]) => void;

export interface DescribingOptions {
  /** The cases to describe, in this order. */
  readonly ids: readonly string[];
  readonly onValues: OnValues;
  /** Maximum milliseconds without any values. */
  readonly deadlineMs: number;
  /** Called when the deadline has passed: kill the process. */
  readonly onDeadline: () => void;
}

/** Tracks a process while it sends the authored values of cases. */
export class Describing {
  /** Resolves when all values have arrived. */
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

  /** Returns true when nothing more is expected. */
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

  /** Called when the process ended early. */
  fail(error: unknown): void {
    clearTimeout(this.#timer);
    this.#reject(error);
  }

  /** Starts the timeout: reading a value may call user code that never returns. */
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
