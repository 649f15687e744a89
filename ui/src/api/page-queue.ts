/** Concurrent requests: a browser opens six connections to a server, and events take one of them. */
const most = 4;

/** Further away than any page. */
const far = 1e9;

interface Waiting {
  readonly page: number;
  readonly start: () => void;
}

/** A queue of page requests: limits how many run at a time, and starts the page nearest to the viewport first. */
export class PageQueue {
  readonly #waiting = new Set<Waiting>();
  #running = 0;
  #aim = 0;
  #heading: -1 | 0 | 1 = 0;
  #took = 50;

  /** Average milliseconds of a request. */
  get took(): number {
    return this.#took;
  }

  /** Sets the page in the viewport (a fraction between two pages), and the direction of scrolling. */
  aim(page: number, heading: -1 | 0 | 1 = 0): void {
    this.#aim = page;
    this.#heading = heading;
  }

  /**
   * Sends a request when it is the page's turn. A request aborted before that is never sent; one that was sent is
   * completed, or fast scrolling would never show anything.
   */
  async ask<T>(page: number, signal: AbortSignal, act: () => Promise<T>): Promise<T> {
    await this.#turn(page, signal);
    const begun = performance.now();
    try {
      const answer = await act();
      this.#took += (performance.now() - begun - this.#took) / 8;
      return answer;
    } finally {
      this.#running -= 1;
      this.#next();
    }
  }

  #turn(page: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const giveUp = () => {
        this.#waiting.delete(waiting);
        reject(signal.reason);
      };
      const waiting: Waiting = {
        page,
        start: () => {
          signal.removeEventListener('abort', giveUp);
          resolve();
        },
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(waiting);
      // In a microtask, so that requests made at the same time are ordered too.
      queueMicrotask(() => this.#next());
    });
  }

  #next(): void {
    while (this.#running < most) {
      let nearest: Waiting | undefined;
      for (const waiting of this.#waiting) {
        if (nearest === undefined || this.#distance(waiting) < this.#distance(nearest)) {
          nearest = waiting;
        }
      }
      if (nearest === undefined) return;
      this.#waiting.delete(nearest);
      this.#running += 1;
      nearest.start();
    }
  }

  #distance({ page }: Waiting): number {
    const away = page - this.#aim;
    // Pages behind the scroll direction will be out of view when they arrive.
    return away * this.#heading < -0.5 ? far + Math.abs(away) : Math.abs(away);
  }
}
