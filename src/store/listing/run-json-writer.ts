import { dirname } from 'node:path';
import { replaceFile } from '../../files/replace-file.js';
import { documentPath, fileMode } from '../folders.js';
import { toStorageError } from '../storage-error.js';

/** Milliseconds after a change at which `run.json` is written. */
const soonMs = 500;

/**
 * Replaces `run.json` of a run folder, one write at a time; `create-run.ts` writes the first one. The file is a cache of
 * the log for listings, so a failed background write is ignored.
 */
export class RunJsonWriter {
  readonly #path: string;
  readonly #text: () => string;
  readonly #isHeld: () => boolean;
  #saving: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `text`: renders the current file; `isHeld`: true while another owner of the run writes it. */
  constructor(folder: string, text: () => string, isHeld: () => boolean) {
    this.#path = documentPath(folder);
    this.#text = text;
    this.#isHeld = isHeld;
  }

  /** Errors: `storage-full`, `storage-unusable`. */
  async save(): Promise<void> {
    this.#cancelTimer();
    while (this.#saving !== undefined) await this.#saving.catch(() => undefined);
    this.#saving = this.#replace().finally(() => {
      this.#saving = undefined;
    });
    await this.#saving;
  }

  /** Schedules a write, unless one is scheduled. */
  saveSoon(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => void this.#saveIfFree(), soonMs);
    this.#timer.unref();
  }

  /** Performs a scheduled write now, and waits for one in progress. */
  async flush(): Promise<void> {
    if (this.#timer !== undefined) await this.#saveIfFree();
    await this.#saving?.catch(() => undefined);
  }

  async #replace(): Promise<void> {
    try {
      await replaceFile(this.#path, this.#text(), { mode: fileMode });
    } catch (error) {
      throw toStorageError(error, dirname(this.#path));
    }
  }

  async #saveIfFree(): Promise<void> {
    this.#cancelTimer();
    if (!this.#isHeld()) await this.save().catch(() => undefined);
  }

  #cancelTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
