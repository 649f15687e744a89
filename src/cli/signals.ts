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
 * Calls `clean` when a signal ends the process, then ends it by the same signal; returns a function that stops
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

/**
 * The first two signals that end the process; closing the terminal window counts as SIGTERM. It listens from now on, so that
 * no signal comes between them.
 */
export function endingSignals(): Readonly<Record<'first' | 'second', Promise<Interrupt>>> {
  const waiting: ((signal: Interrupt) => void)[] = [];
  const next = () => new Promise<Interrupt>((resolve) => waiting.push(resolve));
  const stop = onSignals(ending, (signal) => {
    waiting.shift()?.(signal === 'SIGINT' ? signal : 'SIGTERM');
    if (waiting.length === 0) stop();
  });
  return { first: next(), second: next() };
}

/** Catches the first signal before a run has started, so that nothing half-created remains. */
export class EarlyInterrupt {
  /** The caught signal. */
  caught: Interrupt | undefined;
  readonly #controller = new AbortController();
  /** Stops listening, so that another listener handles signals from now on. */
  readonly leave = onInterrupt((signal) => {
    this.leave();
    this.caught = signal;
    this.#controller.abort();
  });

  get signal(): AbortSignal {
    return this.#controller.signal;
  }
}
