import { isObject } from '../../model/json.js';
import type { Json, ResultEntry } from '../../model/result.js';
import { fieldText, type ResultField, resultFieldText } from '../../model/result-field.js';
import type { Row } from '../../store/replay/run-index.js';
import { LruMap } from '../cache.js';
import { forEachEntry, isLong, type RowSource, sourceEntries } from './light-row.js';

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
    const note = (index: number, entry: ResultEntry) => {
      const text = fieldText(entry.result, field);
      const shared = text === null ? null : (known.get(text) ?? text);
      if (shared !== null) known.set(shared, shared);
      texts[index] = shared;
      rows[index] = source.rows[index];
    };
    await forEachEntry(source, changed, note, { signal });
    return texts.slice(0, source.rows.length);
  }
}

/** Results that are looked at, evenly spread over the run. */
export const sampledResults = 200;
/** Maximum fields of an answer. */
export const mostKnownFields = 200;
/** Maximum names below a value. */
const deepest = 3;

/** The fields that sampled results have, those of the metadata first. Long results are left out if there are others. */
export async function knownFields(source: RowSource) {
  const all = [...source.rows.keys()];
  const short = all.filter((index) => {
    const row = source.rows[index];
    return row !== undefined && !isLong(source.file, row);
  });
  const found = new Map<string, { results: number; readonly values: Set<string> }>();
  for await (const { entry } of sourceEntries(source, spread(short.length === 0 ? all : short))) {
    for (const field of fieldsOf(entry.result)) {
      const text = fieldText(entry.result, field);
      if (text === null) continue;
      const name = resultFieldText(field);
      const known = found.get(name) ?? { results: 0, values: new Set<string>() };
      known.results += 1;
      known.values.add(text);
      found.set(name, known);
    }
  }
  return [...found]
    .map(([field, { results, values }]) => ({ field, results, values: values.size }))
    .sort((a, b) => rootOf(a) - rootOf(b) || b.results - a.results)
    .slice(0, mostKnownFields);
}

function spread(indices: readonly number[]): number[] {
  const step = Math.max(1, indices.length / sampledResults);
  const count = Math.min(indices.length, sampledResults);
  return Array.from({ length: count }, (_, n) => indices[Math.floor(n * step)] ?? 0);
}

const roots = ['metadata', 'input', 'output', 'reference'] as const;

function rootOf({ field }: { readonly field: string }): number {
  return roots.findIndex((root) => field.startsWith(root));
}

function* fieldsOf(result: Readonly<Record<(typeof roots)[number], Json>>): Iterable<ResultField> {
  for (const of of roots) yield* below({ of, path: [] }, result[of]);
}

/** The fields with names alone that lead to values other than objects. */
function* below(field: ResultField, value: Json | undefined): Iterable<ResultField> {
  if (!isObject(value)) {
    if (field.path.length > 0 && !Array.isArray(value)) yield field;
    return;
  }
  if (field.path.length === deepest) return;
  for (const [key, inner] of Object.entries(value)) {
    yield* below({ ...field, path: [...field.path, key] }, inner as Json);
  }
}
