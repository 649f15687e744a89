import type { StoredRun } from '../../store/stored-run.js';
import { type RowSource, rowSource } from './light-row.js';
import { RowDigests } from './row-digests.js';
import { RowTable } from './row-table.js';
import { TextBudget } from './text-budget.js';

/** Bytes of text that are held for searching, over all open runs. */
const defaultBudget = 128 * 1024 * 1024;

/** The rows of a run as it is now. */
export interface CurrentTable {
  readonly table: RowTable;
  /** The same moment, for reading values. */
  readonly source: RowSource;
  /** Changes when anything of the rows does. */
  readonly version: string;
}

interface KnownRun {
  readonly digests: RowDigests;
  version: string;
  table: RowTable;
}

/** Keeps for every open run what makes the next question about its rows cheap. */
export class RowTables {
  readonly #runs = new WeakMap<StoredRun, KnownRun>();
  readonly #budget: TextBudget;

  /** `budget` is in bytes, for the texts that are held for searching. */
  constructor(budget: number = defaultBudget) {
    this.#budget = new TextBudget(budget);
  }

  /** The rows of a run at this moment. */
  current(run: StoredRun): CurrentTable {
    const { version } = run;
    const source = rowSource(run);
    const known = this.#known(run);
    if (known.version !== version) {
      known.table = new RowTable(source.rows, known.digests, known.table);
      known.version = version;
    }
    return { table: known.table, source, version };
  }

  /** Reads in the background what the first search will need. */
  warm(run: StoredRun, source: RowSource): void {
    const end = run.use();
    // Whoever needs it meets the same error and reports it.
    this.#known(run)
      .digests.warm(source)
      .catch(() => undefined)
      .finally(end);
  }

  #known(run: StoredRun): KnownRun {
    let known = this.#runs.get(run);
    if (known === undefined) {
      const digests = new RowDigests(this.#budget);
      known = { digests, version: '', table: new RowTable([], digests) };
      this.#runs.set(run, known);
    }
    return known;
  }
}
