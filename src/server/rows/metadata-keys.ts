import { setImmediate } from 'node:timers/promises';
import { metadataKey } from '../../model/summary/row-groups.js';
import type { Row } from '../../store/replay/run-index.js';
import { LruMap } from '../lru-map.js';
import { type RowSource, sourceEntries } from './light-row.js';

/** Milliseconds of work before yielding to the event loop. */
const slice = 8;
/** The number of cached columns. */
const keptColumns = 4;

interface Column {
  /** The rows that the keys are of. */
  readonly rows: (Row | undefined)[];
  readonly keys: (string | null)[];
  /** One string for equal keys. */
  readonly texts: Map<string, string>;
}

/** What the results of a run have in their metadata, read from its log once, and again for changed rows. */
export class MetadataKeys {
  readonly #columns = new LruMap<Column>(keptColumns);
  #queue: Promise<unknown> = Promise.resolve();

  /** The {@link metadataKey} of each row. */
  read(source: RowSource, name: string, signal?: AbortSignal): Promise<readonly (string | null)[]> {
    const read = this.#queue.then(() => this.#read(source, name, signal));
    this.#queue = read.catch(() => undefined);
    return read;
  }

  async #read(source: RowSource, name: string, signal?: AbortSignal) {
    const column = this.#columns.get(name) ?? { rows: [], keys: [], texts: new Map() };
    this.#columns.set(name, column);
    const { rows, keys, texts } = column;
    const changed = [...source.rows.keys()].filter((index) => source.rows[index] !== rows[index]);
    let since = performance.now();
    for await (const { index, entry } of sourceEntries(source, changed)) {
      const key = metadataKey(entry.result.metadata, name);
      const known = key === null ? null : (texts.get(key) ?? key);
      if (known !== null) texts.set(known, known);
      keys[index] = known;
      rows[index] = source.rows[index];
      if (performance.now() - since < slice) continue;
      await setImmediate();
      signal?.throwIfAborted();
      since = performance.now();
    }
    return keys.slice(0, source.rows.length);
  }
}
