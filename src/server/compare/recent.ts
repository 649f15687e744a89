interface Known<T> {
  readonly version: string;
  readonly answer: Promise<T>;
}

/**
 * Keeps the answers that were asked for last, each of one version, so that the same is not worked out twice, also not
 * at the same time.
 */
export class Recent<T> {
  readonly #most: number;
  readonly #known = new Map<string, Known<T>>();

  /** `most`: how many answers are kept. */
  constructor(most: number) {
    this.#most = most;
  }

  /** The answer of this name, made when it is not known in this version; one that fails is forgotten. */
  get(name: string, version: string, make: () => Promise<T>): Promise<T> {
    const before = this.#known.get(name);
    const known = before?.version === version ? before : this.#begin(name, version, make);
    // What was asked for last stands last.
    this.#known.delete(name);
    this.#known.set(name, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > this.#most && oldest !== undefined) this.#known.delete(oldest);
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
