type Interrupt = 'SIGINT' | 'SIGTERM';

/** Catches the first signal that comes before a run has started, so that nothing half-made is left behind. */
export class EarlyInterrupt {
  /** The signal that came. */
  caught: Interrupt | undefined;
  readonly #controller = new AbortController();

  constructor() {
    process.once('SIGINT', this.#onSignal);
    process.once('SIGTERM', this.#onSignal);
  }

  /** Aborted when a signal has come. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Somebody else answers signals from now on. */
  leave(): void {
    process.off('SIGINT', this.#onSignal);
    process.off('SIGTERM', this.#onSignal);
  }

  readonly #onSignal = (signal: Interrupt): void => {
    this.leave();
    this.caught = signal;
    this.#controller.abort();
  };
}
