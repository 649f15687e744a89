import { hasVerdict, passes, type RowFacts } from '../../../model/result.js';

/** The number of results that pass since their last round, and of those that no longer do. */
export interface VerdictChanges {
  readonly fixed: number;
  readonly regressed: number;
}

/** Remembers which results passed when they last finished, over rounds that were stopped, too. */
export class LastVerdicts {
  readonly #passed = new Map<number, boolean>();

  /** Compares finished rows with what they were before, and remembers them. */
  update(rows: readonly RowFacts[], indices: Iterable<number>): VerdictChanges {
    let [fixed, regressed] = [0, 0];
    for (const index of indices) {
      const row = rows[index];
      if (row === undefined || (row.status !== 'error' && !hasVerdict(row))) continue;
      const before = this.#passed.get(index);
      const now = row.status === 'completed' && passes(row);
      this.#passed.set(index, now);
      if (before === undefined || before === now) continue;
      if (now) fixed += 1;
      else regressed += 1;
    }
    return { fixed, regressed };
  }
}
