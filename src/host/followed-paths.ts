import type { PathLook } from '../files/path-state.js';
import type { LookedAt } from '../model/code/looked-at.js';
import { relativePath } from '../text/file-path.js';

/** What code looks at and writes, for a runner that watches files. */
export class FollowedPaths {
  /** What is followed is named relative to it; `undefined` if nobody asks. */
  #folder: string | undefined;
  readonly #onWrite: (name: string) => void;
  readonly #known = new Set<string>();
  #new: LookedAt[] = [];

  /** `onWrite` is called before a path is written for the first time. */
  constructor(onWrite: (name: string) => void) {
    this.#onWrite = onWrite;
  }

  start(folder: string): void {
    this.#folder = folder;
  }

  get isStarted(): boolean {
    return this.#folder !== undefined;
  }

  note(kind: PathLook, path: string): void {
    const name = this.#nameOfNew(kind, path);
    if (name !== undefined) this.#new.push({ kind, name });
  }

  noteWrite(path: string): void {
    const name = this.#nameOfNew('write', path);
    if (name !== undefined) this.#onWrite(name);
  }

  /** What was looked at since the last call. */
  take(): readonly LookedAt[] {
    return this.#new.splice(0);
  }

  #nameOfNew(kind: PathLook | 'write', path: string): string | undefined {
    const isKnown = this.#known.size === this.#known.add(`${kind}\0${path}`).size;
    return this.#folder === undefined || isKnown ? undefined : relativePath(this.#folder, path);
  }
}
