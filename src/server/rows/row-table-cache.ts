import { countedOf } from '../../model/result.js';
import type { StoredRun } from '../../store/stored-run.js';
import { type RowSource, rowSource } from './light-row.js';
import { RowDigests } from './row-digests.js';
import { RowTable } from './row-table.js';
import { TextBudget } from './text-budget.js';

/** Maximum bytes of text kept in memory for searches, over all open runs. */
const defaultBudget = 128 * 1024 * 1024;

/** The current table of a run. */
export interface CurrentTable {
  readonly table: RowTable;
  /** Access to the values of the same moment. */
  readonly source: RowSource;
  /** Changes whenever a row changes. */
  readonly version: string;
}

interface KnownRun {
  readonly digests: RowDigests;
  version: string;
  table: RowTable;
}

/** Caches the tables of all open runs. */
export class RowTableCache {
  readonly #runs = new WeakMap<StoredRun, KnownRun>();
  readonly #countedRuns = new WeakMap<StoredRun, KnownRun>();
  readonly #budget: TextBudget;

  /** `budget`: maximum bytes of texts kept in memory for searches. */
  constructor(budget: number = defaultBudget) {
    this.#budget = new TextBudget(budget);
  }

  /** The table of a run as of now. */
  current(run: StoredRun): CurrentTable {
    return this.#table(run, rowSource(run), this.#runs);
  }

  /** The same with the attempts that count in place of repeats. */
  counted(run: StoredRun): CurrentTable {
    const source = rowSource(run);
    if (source.rows.every(({ counted }) => counted === undefined)) return this.current(run);
    return this.#table(run, { ...source, rows: source.rows.map(countedOf) }, this.#countedRuns);
  }

  #table(run: StoredRun, source: RowSource, runs: WeakMap<StoredRun, KnownRun>): CurrentTable {
    const { version } = run;
    const known = this.#known(run, runs);
    if (known.version !== version) {
      known.table = new RowTable(source.rows, known.digests, known.table);
      known.version = version;
    }
    return { table: known.table, source, version };
  }

  /** Reads ahead in the background for the first search. */
  warm(run: StoredRun, source: RowSource): void {
    const end = run.use();
    // The search that needs it gets the same error and reports it.
    this.#known(run)
      .digests.warm(source)
      .catch(() => undefined)
      .finally(end);
  }

  #known(run: StoredRun, runs = this.#runs): KnownRun {
    let known = runs.get(run);
    if (known === undefined) {
      const digests = new RowDigests(this.#budget);
      known = { digests, version: '', table: new RowTable([], digests) };
      runs.set(run, known);
    }
    return known;
  }
}
