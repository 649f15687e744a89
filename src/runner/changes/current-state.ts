import type { Read } from '../../model/code/file-code.js';
import { answersFrom, isOffline, recordingsState } from '../../recordings/recorded-calls.js';
import type { CallSettings } from '../../recordings/recording.js';
import type { RunnerDependencies } from '../runner-dependencies.js';
import { hashToday } from './stored-code.js';

/** The hashes that reads have now, each computed once. */
export class CurrentState {
  readonly #runner: RunnerDependencies;
  readonly #calls: CallSettings | undefined;
  readonly #hasVariables: boolean;
  readonly #hashes = new Map<string, string | null>();

  /**
   * `calls`: how calls would be answered now; absent where that does not count. `hasVariables`: evaluations have the
   * environment of this process.
   */
  constructor(runner: RunnerDependencies, calls?: CallSettings, hasVariables = true) {
    this.#runner = runner;
    this.#calls = calls;
    this.#hasVariables = hasVariables;
  }

  /** The recordings of an eval file of which nothing was stored, because all calls were made. */
  unstoredRecordings(file: string): Read[] {
    return answersFrom(this.#calls?.recordings)
      ? [{ kind: 'recordings', name: file, hash: null }]
      : [];
  }

  /** `runId` is the run that has stored the read. */
  hashOf(read: Read, runId: string): string | null {
    if (read.kind === 'recordings') return this.#recordings(read);
    if (read.kind === 'variable' && !this.#hasVariables) return read.hash;
    const key = `${read.kind}\0${read.name}\0${read.kind === 'variable' ? runId : ''}`;
    const ofKind = { ...read, kind: read.kind };
    return this.#once(key, () => hashToday(ofKind, runId, this.#runner));
  }

  /** To ask a model again, its recorded answers are as good as new ones; what a run had no recording of offline is not. */
  #recordings({ name, hash }: Read): string | null {
    const calls = this.#calls;
    if (calls === undefined) return hash;
    if (!answersFrom(calls.recordings)) return isOffline(hash) ? null : hash;
    return this.#once(`recordings\0${name}`, () => recordingsState(name, calls));
  }

  #once(key: string, work: () => string | null): string | null {
    const known = this.#hashes.get(key);
    if (known !== undefined) return known;
    const hash = work();
    this.#hashes.set(key, hash);
    return hash;
  }
}
