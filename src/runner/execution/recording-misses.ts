import type { RecordingLookups } from '../../recordings/recording.js';
import { countOf } from '../../text/count-text.js';

/** Finds out why recordings never match, and what was not recorded. */
export class RecordingMisses {
  #found = 0;
  #missed = 0;
  #unrecorded = 0;
  #local = 0;
  #unused = 0;
  /** Counts of the text before the difference, by path. */
  readonly #misses = new Map<string, Map<string, number>>();

  add({ found, missed, unrecorded = 0, local = 0, unused = 0 }: RecordingLookups): void {
    this.#unused += unused;
    this.#unrecorded += unrecorded;
    this.#local += local;
    this.#found += found;
    this.#missed += missed.length;
    for (const { path, before = '' } of missed) {
      if (path === undefined) continue;
      const known = this.#misses.get(path) ?? new Map<string, number>();
      this.#misses.set(path, known.set(before, (known.get(before) ?? 0) + 1));
    }
  }

  /** Number of requests that were not recorded. */
  get missed(): number {
    return this.#missed;
  }

  /** One sentence; absent when no request went to this machine but those of models. */
  get local(): string | undefined {
    if (this.#local === 0) return undefined;
    const were = this.#local === 1 ? 'was' : 'were';
    return `${countOf(this.#local, 'call')} to this machine ${were} not recorded. To record such calls, name their hosts: recordings_hosts.`;
  }

  /** One sentence; absent when all recordings were used, or that is not known. */
  get unused(): string | undefined {
    if (this.#unused === 0) return undefined;
    const [were, cases] = this.#unused === 1 ? ['was', 'its case'] : ['were', 'their cases'];
    return `${countOf(this.#unused, 'recording')} ${were} not asked for by ${cases}. To remove what completed results do not use: assay recordings prune --unused-by latest.`;
  }

  /** One sentence; absent when everything that was asked for was recorded. */
  get unrecorded(): string | undefined {
    const count = this.#unrecorded;
    if (count === 0) return undefined;
    const [were, whose, end, holds, them] =
      count === 1
        ? ['was', 'its answer', 'its end', 'holds', 'it']
        : ['were', 'their answers', 'their ends', 'hold', 'them'];
    return `${countOf(count, 'request')} ${were} not recorded: ${whose} failed, broke off, ${were} not read to ${end} or ${holds} an error. --offline will refuse ${them}.`;
  }

  /** One sentence; absent when some requests were found, or there was nothing to compare them with. */
  get diagnosis(): string | undefined {
    const [most] = [...this.#misses].sort(([, a], [, b]) => countIn(b) - countIn(a));
    if (this.#found > 0 || this.#missed < 2 || most === undefined) return undefined;
    const [path, places] = most;
    const count = countIn(places);
    const [[before, alike] = ['', 0]] = [...places].sort(([, a], [, b]) => b - a);
    const at = alike === count ? ' at' : ', most often at';
    const where = before === '' ? '' : `${at} ${JSON.stringify(before)}`;
    const which = count === this.#missed ? 'every one' : `${count} of them`;
    return `${countOf(this.#missed, 'request')}, 0 found: ${path} differs in ${which}${where}. If you changed it, record again: --record. If it differs each time, leave it out: normalize.`;
  }
}

function countIn(places: ReadonlyMap<string, number>): number {
  return [...places.values()].reduce((sum, count) => sum + count, 0);
}
