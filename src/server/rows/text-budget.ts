/** Something that holds text and can let go of it. */
export interface TextHolder {
  /** Bytes held. */
  readonly bytes: number;
  /** Is being read or filled. */
  readonly busy: boolean;
  /** `performance.now()` of the last use. */
  readonly usedAt: number;
  /** Lets go of everything. */
  clear(): void;
}

/** How much text the open runs of a server may hold together; the runs nobody searched for longest give way. */
export class TextBudget {
  readonly #limit: number;
  // A run that was closed takes its text with it.
  readonly #holders = new Set<WeakRef<TextHolder>>();

  /** The limit is in bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts what a holder has from now on. */
  add(holder: TextHolder): void {
    this.#holders.add(new WeakRef(holder));
  }

  /** True when so many bytes more fit; others may have been cleared for it. */
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
