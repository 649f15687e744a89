// Beyond this many different values, sharing saves little and the table itself costs.
const limit = 10_000;

/** Keeps one copy of values that repeat from row to row, so that 100,000 rows stay small. */
export class Interning {
  readonly #strings = new Map<string, string>();
  readonly #labels = new Map<string, readonly string[]>();

  /** An equal string, the same one for equal strings. */
  string(value: string): string {
    return shared(this.#strings, value, () => value);
  }

  /** Equal labels, the same list for equal labels. */
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
