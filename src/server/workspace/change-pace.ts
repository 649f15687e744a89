// However long an act takes, it is not put off for longer than this; milliseconds.
const longestWait = 5000;

export interface PaceOptions {
  /** Milliseconds from one beginning to the next at least. */
  readonly interval: number;
  /** How many times as long as an act took the next one has to wait. */
  readonly rest: number;
}

/** Does something soon after it was asked for: at once when it has rested long enough, else when it has. */
export class Pace {
  readonly #act: () => Promise<void>;
  readonly #options: PaceOptions;
  #timer: NodeJS.Timeout | undefined;
  #isActing = false;
  #isWanted = false;
  #notBefore = 0;

  /** `act` takes care of its errors. */
  constructor(act: () => Promise<void>, options: PaceOptions) {
    this.#act = act;
    this.#options = options;
  }

  /** Asks for it; asking again before it begins changes nothing. */
  request(): void {
    this.#isWanted = true;
    if (this.#isActing || this.#timer !== undefined) return;
    const wait = Math.max(0, this.#notBefore - performance.now());
    this.#timer = setTimeout(() => void this.#run(), wait);
    this.#timer.unref();
  }

  /** Forgets what was asked for. */
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
