import { setImmediate } from 'node:timers/promises';

/** A map of at most `max` entries; the least recently used one goes first. */
export class LruMap<Value> {
  readonly #max: number;
  readonly #entries = new Map<string, Value>();

  constructor(max: number) {
    this.#max = max;
  }

  get(key: string): Value | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#max && oldest !== undefined) this.#entries.delete(oldest);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}

interface Known<T> {
  readonly version: string;
  readonly answer: Promise<T>;
}

/**
 * A cache of the most recently used answers, each for one version. Concurrent requests share one computation.
 */
export class AnswerCache<T> {
  readonly #known: LruMap<Known<T>>;

  /** `most`: the number of cached answers. */
  constructor(most: number) {
    this.#known = new LruMap(most);
  }

  /** The cached answer for a name and version, computed if missing; failures are not cached. */
  get(name: string, version: string, make: () => Promise<T>): Promise<T> {
    const before = this.#known.get(name);
    const known = before?.version === version ? before : this.#begin(name, version, make);
    this.#known.set(name, known);
    return known.answer;
  }

  #begin(name: string, version: string, make: () => Promise<T>): Known<T> {
    const known = { version, answer: make() };
    known.answer.catch(() => {
      if (this.#known.get(name) === known) this.#known.delete(name);
    });
    return known;
  }
}

/** A queue that runs one task at a time, and lets requests run between two tasks. */
export type SerialQueue = <T>(work: () => Promise<T>) => Promise<T>;

/** Creates an empty queue. */
export function serialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(async () => {
      await setImmediate();
      return work();
    });
    last = done.catch(() => undefined);
    return done;
  };
}
