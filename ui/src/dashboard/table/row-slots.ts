/** What stands for a line of the table; see `lineKey`. */
type Key = string | number;

/**
 * Says which element of the page shows which line. A line keeps its element while it is in sight, and with it the focus;
 * one that comes into sight takes that of one that has gone, which is several times as quick as making a new one.
 */
export class RowSlots {
  #slots: ReadonlyMap<Key, number> = new Map();

  /** The slot of each line in sight. */
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
