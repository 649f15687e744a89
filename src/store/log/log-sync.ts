import { fdatasync } from 'node:fs';
import { toStorageError } from '../storage-error.js';

/**
 * Syncs appended lines to disk: soon and together, or at once for waiting callers. One sync at a time.
 * Errors: `storage-full`, `storage-unusable`.
 */
export class LogSync {
  readonly #fd: () => number | undefined;
  readonly #folder: string;
  readonly #onError: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #dirty = false;

  /** `folder`: named in errors; `onError`: called with errors for which no caller waits. */
  constructor(fd: () => number | undefined, folder: string, onError: (error: unknown) => void) {
    this.#fd = fd;
    this.#folder = folder;
    this.#onError = onError;
  }

  /** Schedules a sync within about 100 ms. */
  soon(): void {
    this.#dirty = true;
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.now().catch(this.#onError);
    }, 100);
    // The system already has the lines, so a pending sync does not keep the process alive.
    this.#timer.unref();
  }

  /** Resolves when everything appended until this call is on disk. */
  async now(): Promise<void> {
    while (this.#running !== undefined) await this.#running.catch(() => undefined);
    if (!this.#dirty) return;
    this.#dirty = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running = this.#sync().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  }

  #sync(): Promise<void> {
    const fd = this.#fd();
    if (fd === undefined) return Promise.resolve();
    return new Promise((resolve, reject) => {
      fdatasync(fd, (error) => {
        if (error === null) return resolve();
        this.#dirty = true;
        reject(toStorageError(error, this.#folder));
      });
    });
  }
}
