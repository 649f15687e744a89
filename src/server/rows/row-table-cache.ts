import { countedOf } from '../../model/result.js';
import type { StoredRun } from '../../store/stored-run.js';
import { FieldTexts } from './field-texts.js';
import { type RowSource, rowSource } from './light-row.js';
import { type RowReads, RowTable } from './row-table.js';
import { RowTexts, TextMemory } from './row-texts.js';

/** Characters of text kept in memory for searches, over all open runs. */
const defaultMemory = 128 * 1024 * 1024;

/** The current table of a run. */
export interface CurrentTable {
  readonly table: RowTable;
  /** Access to the values of the same moment. */
  readonly source: RowSource;
  /** Changes whenever a row changes. */
  readonly version: string;
}

interface KnownRun {
  readonly reads: RowReads;
  version: string;
  table: RowTable;
}

/** Caches the tables of all open runs. */
export class RowTableCache {
  readonly #runs = new WeakMap<StoredRun, KnownRun>();
  readonly #countedRuns = new WeakMap<StoredRun, KnownRun>();
  readonly #memory: TextMemory;

  /** `characters`: the most that is kept in memory for searches. */
  constructor(characters: number = defaultMemory) {
    this.#memory = new TextMemory(characters);
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
      known.table = new RowTable(source, known.reads, known.table);
      known.version = version;
    }
    return { table: known.table, source, version };
  }

  #known(run: StoredRun, runs = this.#runs): KnownRun {
    let known = runs.get(run);
    if (known === undefined) {
      const reads = { texts: new RowTexts(this.#memory), fields: new FieldTexts() };
      known = { reads, version: '', table: new RowTable({ rows: [] }, reads) };
      runs.set(run, known);
    }
    return known;
  }
}
