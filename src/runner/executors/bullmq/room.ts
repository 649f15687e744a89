import { isFull } from './redis-problem.js';

const tryEveryMs = 1_000;

/** Waits for room in a server whose memory is full, and says once that it is. */
export class Room {
  readonly #onFull: () => void;
  #isFull = false;
  #isClosed = false;

  constructor(onFull: () => void) {
    this.#onFull = onFull;
  }

  /** Writes, and tries again while the server refuses for want of memory. */
  async write<T>(write: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const value = await write();
        this.found();
        return value;
      } catch (error) {
        if (!this.note(error) || this.#isClosed) throw error;
        await new Promise((resolve) => setTimeout(resolve, tryEveryMs));
      }
    }
  }

  /** True for an error that says that memory is full. */
  note(error: unknown): boolean {
    if (!isFull(error)) return false;
    if (!this.#isFull) this.#onFull();
    this.#isFull = true;
    return true;
  }

  /** Something was written. */
  found(): void {
    this.#isFull = false;
  }

  /** Writes fail from now on. */
  close(): void {
    this.#isClosed = true;
  }
}
