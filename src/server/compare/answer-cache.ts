import { LruMap } from '../lru-map.js';

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
