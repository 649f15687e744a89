import { setImmediate } from 'node:timers/promises';
import { fieldText, type ResultField, resultFieldText } from '../../model/result-field.js';
import type { Row } from '../../store/replay/run-index.js';
import { LruMap } from '../lru-map.js';
import { type RowSource, sourceEntries } from './light-row.js';

/** Milliseconds of work before yielding to the event loop. */
const slice = 8;
/** The number of cached fields. */
const keptFields = 4;

interface Column {
  /** The rows that the texts are of. */
  readonly rows: (Row | undefined)[];
  readonly texts: (string | null)[];
  /** One string for equal texts. */
  readonly known: Map<string, string>;
}

/** The texts of fields of the results of a run, read from its log once, and again for changed rows. */
export class FieldTexts {
  readonly #columns = new LruMap<Column>(keptFields);
  #queue: Promise<unknown> = Promise.resolve();

  /** The {@link fieldText} of each row. */
  read(
    source: RowSource,
    field: ResultField,
    signal?: AbortSignal,
  ): Promise<readonly (string | null)[]> {
    const read = this.#queue.then(() => this.#read(source, field, signal));
    this.#queue = read.catch(() => undefined);
    return read;
  }

  async #read(source: RowSource, field: ResultField, signal?: AbortSignal) {
    const name = resultFieldText(field);
    const column = this.#columns.get(name) ?? { rows: [], texts: [], known: new Map() };
    this.#columns.set(name, column);
    const { rows, texts, known } = column;
    const changed = [...source.rows.keys()].filter((index) => source.rows[index] !== rows[index]);
    let since = performance.now();
    for await (const { index, entry } of sourceEntries(source, changed)) {
      const text = fieldText(entry.result, field);
      const shared = text === null ? null : (known.get(text) ?? text);
      if (shared !== null) known.set(shared, shared);
      texts[index] = shared;
      rows[index] = source.rows[index];
      if (performance.now() - since < slice) continue;
      await setImmediate();
      signal?.throwIfAborted();
      since = performance.now();
    }
    return texts.slice(0, source.rows.length);
  }
}
