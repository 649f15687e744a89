/** A holder of text in memory, which can be cleared. */
export interface TextHolder {
  /** Bytes in memory. */
  readonly bytes: number;
  /** True while it is being read or filled. */
  readonly busy: boolean;
  /** `performance.now()` of the last use. */
  readonly usedAt: number;
  /** Frees its memory. */
  clear(): void;
}

/** Limits the text in memory of all open runs of a server; the least recently searched runs are cleared first. */
export class TextBudget {
  readonly #limit: number;
  // The text of a closed run is garbage collected.
  readonly #holders = new Set<WeakRef<TextHolder>>();

  /** The limit is in bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Registers a holder. */
  add(holder: TextHolder): void {
    this.#holders.add(new WeakRef(holder));
  }

  /** True when this many more bytes fit, after clearing other holders if necessary. */
  makeRoom(bytes: number): boolean {
    const holders = this.#alive();
    let held = holders.reduce((sum, holder) => sum + holder.bytes, 0);
    const idle = holders.filter((holder) => !holder.busy && holder.bytes > 0);
    idle.sort((a, b) => b.usedAt - a.usedAt);
    while (held + bytes > this.#limit) {
      const oldest = idle.pop();
      if (oldest === undefined) return false;
      held -= oldest.bytes;
      oldest.clear();
    }
    return true;
  }

  #alive(): TextHolder[] {
    const holders: TextHolder[] = [];
    for (const reference of this.#holders) {
      const holder = reference.deref();
      if (holder === undefined) this.#holders.delete(reference);
      else holders.push(holder);
    }
    return holders;
  }
}
