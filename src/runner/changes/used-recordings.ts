import type { FileReads } from '../../model/code/file-code.js';
import { recordingsState } from '../../recordings/recorded-calls.js';
import type { CallSettings } from '../../recordings/recording.js';
import type { FinishedResult } from '../events.js';

/** The recordings that may answer calls of an execution: results depend on their state, and on which are missing. */
export class UsedRecordings {
  readonly #calls: CallSettings;
  /** The state that is stored, by eval file and by whose recordings they are. */
  readonly #states = new Map<string, Map<string, string | null>>();

  constructor(calls: CallSettings, files: Iterable<string>) {
    this.#calls = calls;
    if (calls.recordings === undefined) return;
    for (const file of files) this.#states.set(file, new Map([[file, null]]));
  }

  /** States that are not stored yet. Offline, nothing but the user changes files: what a run began with counts. */
  takeNews(): FileReads[] {
    const now = new Map<string, string | null>();
    const stateOf = (name: string) => {
      const state = now.get(name) ?? recordingsState(name, this.#calls);
      now.set(name, state);
      return state;
    };
    return [...this.#states].flatMap(([file, states]): FileReads[] => {
      const names = [...states.keys()].filter(
        (name) => this.#isWritten || states.get(name) === null,
      );
      const news = names.filter((name) => states.get(name) !== stateOf(name));
      const reads = news.map((name) => ({
        kind: 'recordings' as const,
        name,
        hash: stateOf(name),
      }));
      for (const { name, hash } of reads) states.set(name, hash);
      return reads.length === 0 ? [] : [{ file, reads }];
    });
  }

  get #isWritten(): boolean {
    return this.#calls.recordings?.mode !== 'offline';
  }

  /** Results whose requests were looked for in the recordings of other eval files, too; gives what is to be stored first. */
  note(finished: readonly FinishedResult[]): FileReads[] {
    if (this.#isWritten) return [];
    const wide = finished.filter(({ outcome }) => {
      const { lookups, calls } = outcome;
      if (lookups === undefined) return false;
      // Calls may not be stored.
      const isOfOther = calls?.calls.some(({ recording }) => recording?.startsWith('/')) ?? true;
      return isOfOther || lookups.missed.length > 0;
    });
    for (const { id } of wide) {
      for (const [file, states] of this.#states) {
        if (id.startsWith(`${file}::`) && !states.has('')) states.set('', null);
      }
    }
    return wide.length === 0 ? [] : this.takeNews();
  }
}
