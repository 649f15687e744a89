/** Tasks that were requested back and have not returned yet. */
export class Recall {
  /** Resolves when they are back, or the process that had them is gone. */
  readonly done: Promise<void>;
  #resolve: () => void = () => undefined;

  constructor() {
    this.done = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  end(): void {
    this.#resolve();
  }
}
