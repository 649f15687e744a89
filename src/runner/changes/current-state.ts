import type { Read } from '../../model/code/file-code.js';
import type { RunnerDependencies } from '../runner-dependencies.js';
import { hashToday } from './stored-code.js';

/** The hashes that reads have now, each computed once. */
export class CurrentState {
  readonly #runner: RunnerDependencies;
  readonly #hashes = new Map<string, string | null>();

  constructor(runner: RunnerDependencies) {
    this.#runner = runner;
  }

  /** `runId` is the run that has stored the read. */
  hashOf(read: Read, runId: string): string | null {
    const key = `${read.kind}\0${read.name}\0${read.kind === 'variable' ? runId : ''}`;
    const known = this.#hashes.get(key);
    if (known !== undefined) return known;
    const hash = hashToday(read, runId, this.#runner);
    this.#hashes.set(key, hash);
    return hash;
  }
}
