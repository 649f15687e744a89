// Maximum pause, however long an act takes; milliseconds.
const longestWait = 5000;

export interface ThrottleOptions {
  /** Minimum milliseconds between two starts. */
  readonly interval: number;
  /** The pause, as a multiple of the duration of the last act. */
  readonly rest: number;
}

/** Throttles an action: runs it immediately if the pause after the last one is over, else at its end. */
export class Throttle {
  readonly #act: () => Promise<void>;
  readonly #options: ThrottleOptions;
  #timer: NodeJS.Timeout | undefined;
  #isActing = false;
  #isWanted = false;
  #notBefore = 0;

  /** `act` must handle its own errors. */
  constructor(act: () => Promise<void>, options: ThrottleOptions) {
    this.#act = act;
    this.#options = options;
  }

  /** Requests the action; requesting it again before it begins changes nothing. */
  request(): void {
    this.#isWanted = true;
    if (this.#isActing || this.#timer !== undefined) return;
    const wait = Math.max(0, this.#notBefore - performance.now());
    this.#timer = setTimeout(() => void this.#run(), wait);
    this.#timer.unref();
  }

  /** Drops the request. */
  cancel(): void {
    this.#isWanted = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #run(): Promise<void> {
    this.#timer = undefined;
    this.#isWanted = false;
    this.#isActing = true;
    const start = performance.now();
    try {
      await this.#act();
    } finally {
      const { interval, rest } = this.#options;
      const wait = Math.max(interval, rest * (performance.now() - start));
      this.#notBefore = start + Math.min(wait, longestWait);
      this.#isActing = false;
      if (this.#isWanted) this.request();
    }
  }
}
