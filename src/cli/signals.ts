const interrupts = ['SIGINT', 'SIGTERM'] as const;
const ending = [...interrupts, 'SIGHUP'] as const;
/** A signal that asks a run to stop. */
export type Interrupt = (typeof interrupts)[number];

/** Listens to signals; returns a function that stops listening. */
function onSignals<S extends NodeJS.Signals>(
  signals: readonly S[],
  listener: (signal: S) => void,
): () => void {
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}

/** Calls a listener for every SIGINT and SIGTERM; returns a function that stops listening. */
export function onInterrupt(listener: (signal: Interrupt) => void): () => void {
  return onSignals(interrupts, listener);
}

/**
 * Calls `clean` when a signal ends the process, which then ends by that signal; returns a function that stops
 * listening.
 */
export function cleanOnSignal(clean: () => void): () => void {
  const stop = onSignals(ending, (signal) => {
    clean();
    stop();
    process.kill(process.pid, signal);
  });
  return stop;
}

/** Resolves with the next signal that asks the process to end; a terminal window that is closed counts as SIGTERM. */
export function nextSignal(): Promise<Interrupt> {
  return new Promise((resolve) => {
    const stop = onSignals(ending, (signal) => {
      stop();
      resolve(signal === 'SIGINT' ? signal : 'SIGTERM');
    });
  });
}

/** Catches the first signal that comes before a run has started, so that nothing half-made is left behind. */
export class EarlyInterrupt {
  /** The signal that came. */
  caught: Interrupt | undefined;
  readonly #controller = new AbortController();
  /** Stops listening: from now on another listener handles signals. */
  readonly leave = onInterrupt((signal) => {
    this.leave();
    this.caught = signal;
    this.#controller.abort();
  });

  /** Aborted when a signal has come. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }
}
