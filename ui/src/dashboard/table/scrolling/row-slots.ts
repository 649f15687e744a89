/** Identifies a line of the table; see `lineKey`. */
type Key = string | number;

/**
 * Assigns page elements to lines. A visible line keeps its element, and with it the focus; a new line reuses the
 * element of one that has left, which is several times as fast as creating one.
 */
export class RowSlots {
  #slots: ReadonlyMap<Key, number> = new Map();

  /** The slots of the visible lines. */
  assign(keys: readonly Key[]): readonly number[] {
    const before = this.#slots;
    const now = new Map<Key, number>();
    const taken = new Set<number>();
    for (const key of keys) {
      const slot = before.get(key);
      if (slot === undefined) continue;
      now.set(key, slot);
      taken.add(slot);
    }
    let next = 0;
    for (const key of keys) {
      if (now.has(key)) continue;
      while (taken.has(next)) next += 1;
      now.set(key, next);
      taken.add(next);
    }
    this.#slots = now;
    return keys.map((key) => now.get(key) ?? 0);
  }
}
