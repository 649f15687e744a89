import type { Comparisons } from './comparisons.js';
import { inTurns } from './in-turns.js';
import { type MatchingPairs, matchPairs, type PairFilter } from './pair-filter.js';
import { type PairOrder, sortPairs } from './pair-order.js';
import { PairTable } from './pair-table.js';
import { Recent } from './recent.js';
import { type RunAtMoment, toMoment } from './run-moment.js';

/** Which pairs, in which order. */
export interface PairQuery {
  readonly filter: PairFilter;
  readonly order: PairOrder;
}

/** Pairs that were asked for. */
export interface FoundPairs extends MatchingPairs {
  readonly table: PairTable;
}

/** A table, and what was asked of it. */
interface KnownTable {
  readonly table: PairTable;
  readonly answers: Map<string, MatchingPairs>;
}

const keptTables = 2;
const keptAnswers = 4;

/** Pairs of runs, kept while the runs do not change. */
export class PairTables {
  readonly #comparisons: Comparisons;
  readonly #tables = new Recent<KnownTable>(keptTables);

  constructor(comparisons: Comparisons) {
    this.#comparisons = comparisons;
  }

  /** Pairs that match, sorted, from memory when the same was asked before; the first run is the base. */
  async query(
    runs: readonly RunAtMoment[],
    { filter, order }: PairQuery,
    signal?: AbortSignal,
  ): Promise<FoundPairs> {
    const { table, answers } = await this.#table(runs);
    const name = JSON.stringify([filter, order]);
    let answer = answers.get(name);
    if (answer === undefined) {
      const { pairs, anyChange } = await matchPairs(table, runs, filter, signal);
      answer = { pairs: sortPairs(table, pairs, order), anyChange };
    }
    // What was asked for last stands last.
    answers.delete(name);
    answers.set(name, answer);
    const [oldest] = answers.keys();
    if (answers.size > keptAnswers && oldest !== undefined) answers.delete(oldest);
    return { table, ...answer };
  }

  #table(runs: readonly RunAtMoment[]): Promise<KnownTable> {
    const moments = runs.map(toMoment);
    const name = moments.map(({ runId }) => runId).join(' ');
    const version = moments.map((moment) => moment.version).join(' ');
    return this.#tables.get(name, version, async () => {
      const units = await Promise.all(moments.map((moment) => this.#comparisons.units(moment)));
      return { table: await inTurns(PairTable.of(units)), answers: new Map() };
    });
  }
}
