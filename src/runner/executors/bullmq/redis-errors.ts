import { isFull, isReply, redisProblem } from './redis-problem.js';

/** What to say of a server. */
export interface RedisNotes {
  /** The connection is lost. */
  readonly lost: string;
  /** The memory of the server is full. */
  readonly full: string;
  readonly onWarning: (text: string) => void;
}

const tryEveryMs = 1_000;

/** Says once what a server refuses, and waits while its memory is full. */
export class RedisErrors {
  readonly #shownUrl: string;
  readonly #notes: RedisNotes;
  readonly #said = new Set<string>();

  constructor(shownUrl: string, notes: RedisNotes) {
    this.#shownUrl = shownUrl;
    this.#notes = notes;
  }

  /** Writes, and tries again while the memory of the server is full and `isOver` is false. */
  async retryWhileFull<T>(write: () => Promise<T>, isOver: () => boolean): Promise<T> {
    for (let isRetry = false; ; isRetry = true) {
      try {
        const value = await write();
        if (isRetry) this.clear();
        return value;
      } catch (error) {
        if (!isFull(error)) throw error;
        this.report(error);
        if (isOver()) throw error;
        await new Promise((resolve) => setTimeout(resolve, tryEveryMs));
      }
    }
  }

  /** Says what the server refuses. Errors of the connection are not reported: that it is lost has been said. */
  report(error: unknown): void {
    if (isFull(error)) this.#say(this.#notes.full, this.#notes.full);
    else if (isReply(error)) {
      const problem = redisProblem(error, this.#shownUrl);
      // One hint for one problem, whatever commands it has.
      this.#say(problem.hints.join(), problem.inOneLine);
    }
  }

  /** The server does again what it is asked: what it refuses from now on is said again. */
  clear(): void {
    this.#said.clear();
  }

  #say(problem: string, text: string): void {
    if (this.#said.has(problem)) return;
    this.#said.add(problem);
    this.#notes.onWarning(text);
  }
}
