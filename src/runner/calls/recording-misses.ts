import type { RecordingLookups, RecordingMiss } from '../../recordings/recording.js';
import { countOf } from '../../text/count-text.js';

/** Finds out why recordings never match. */
export class RecordingMisses {
  #found = 0;
  #missed = 0;
  readonly #misses = new Map<string, { count: number; readonly first: RecordingMiss }>();

  add({ found, missed }: RecordingLookups): void {
    this.#found += found;
    this.#missed += missed.length;
    for (const { path, before = '' } of missed) {
      if (path === undefined) continue;
      const known = this.#misses.get(path);
      if (known === undefined) this.#misses.set(path, { count: 1, first: { path, before } });
      else known.count += 1;
    }
  }

  /** One sentence; absent when some requests were found, or there was nothing to compare them with. */
  get diagnosis(): string | undefined {
    const [most] = [...this.#misses.values()].sort((a, b) => b.count - a.count);
    if (this.#found > 0 || this.#missed < 2 || most === undefined) return undefined;
    const { path, before } = most.first;
    const where = before === '' ? '' : ` at ${JSON.stringify(before)}`;
    const which = most.count === this.#missed ? 'every one' : `${most.count} of them`;
    return `${countOf(this.#missed, 'request')}, 0 found: ${path} differs in ${which}${where}. Leave out what differs by nature with the option or setting normalize.`;
  }
}
