import type { Origin } from '../../model/result.js';

// With more distinct values, sharing saves little, and the table needs memory.
const limit = 10_000;

/** Shares equal values of rows, to save memory in runs of 100,000 rows. */
export class Interning {
  readonly #strings = new Map<string, string>();
  readonly #labels = new Map<string, readonly string[]>();
  readonly #origins = new Map<string, Origin>();

  /** The shared copy of a string. */
  string(value: string): string {
    return shared(this.#strings, value, () => value);
  }

  /** The shared copy of an origin. */
  origin(origin: Origin): Origin {
    const { run_id, run_name, kind } = origin;
    return shared(this.#origins, `${run_id}\0${kind}\0${run_name}`, () => origin);
  }

  /** The shared copy of a list of labels. */
  labels(labels: readonly string[]): readonly string[] {
    if (labels.length === 0) return noLabels;
    return shared(this.#labels, JSON.stringify(labels), () => labels);
  }
}

const noLabels: readonly string[] = [];

function shared<T>(table: Map<string, T>, name: string, make: () => T): T {
  const known = table.get(name);
  if (known !== undefined) return known;
  const value = make();
  if (table.size < limit) table.set(name, value);
  return value;
}
