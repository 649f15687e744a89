import type { ChangeCounts } from '../../compare/cases/change.js';
import { LruMap } from '../lru-map.js';
import { AnswerCache } from './answer-cache.js';
import type { Comparisons } from './comparisons.js';
import { type PairFacets, pairFacets } from './pair-facets.js';
import { judgePairs, type PairFilter } from './pair-filter.js';
import { type PairOrder, sortPairs } from './pair-order.js';
import { PairTable } from './pair-table.js';
import { type RunAtMoment, toMoment } from './run-moment.js';

/** A filter and a sort order. */
export interface PairQuery {
  readonly filter: PairFilter;
  readonly order: PairOrder;
}

/** The pairs that match a query. */
export interface FoundPairs {
  readonly table: PairTable;
  readonly pairs: Uint32Array;
  /** For each run, over the pairs that match all filters except the one by change; `null` for the base. */
  readonly changes: readonly (ChangeCounts | null)[];
  readonly facets: PairFacets;
}

/** The matches of one filter, in the last requested order. */
interface Answer extends Pick<FoundPairs, 'changes' | 'facets'> {
  readonly matching: Uint32Array;
  sorted: { readonly order: string; readonly pairs: Uint32Array } | undefined;
}

/** A table and its cached answers. */
interface KnownTable {
  readonly table: PairTable;
  readonly answers: LruMap<Answer>;
}

const keptTables = 2;
const keptAnswers = 4;

/** Caches the pairs of runs until the runs change. */
export class PairCache {
  readonly #comparisons: Comparisons;
  readonly #tables = new AnswerCache<KnownTable>(keptTables);

  constructor(comparisons: Comparisons) {
    this.#comparisons = comparisons;
  }

  /** The matching pairs, sorted; cached. The first run is the base. */
  async query(
    runs: readonly RunAtMoment[],
    { filter, order }: PairQuery,
    signal?: AbortSignal,
  ): Promise<FoundPairs> {
    const { table, answers } = await this.#table(runs);
    const name = JSON.stringify(filter);
    const answer = answers.get(name) ?? (await answerOf(table, runs, filter, signal));
    answers.set(name, answer);
    const { changes, facets } = answer;
    return { table, pairs: await sortedPairs(table, answer, order), changes, facets };
  }

  #table(runs: readonly RunAtMoment[]): Promise<KnownTable> {
    const moments = runs.map(toMoment);
    const name = moments.map(({ runId }) => runId).join(' ');
    const version = moments.map((moment) => moment.version).join(' ');
    return this.#tables.get(name, version, async () => {
      const cases = await Promise.all(moments.map((moment) => this.#comparisons.cases(moment)));
      return {
        table: PairTable.of(cases),
        answers: new LruMap<Answer>(keptAnswers),
      };
    });
  }
}

async function answerOf(
  table: PairTable,
  runs: readonly RunAtMoment[],
  filter: PairFilter,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const judgement = await judgePairs(table, runs, filter, signal);
  const { left, meetsChange } = judgement;
  const matching = pairsWhere(table, (pair) => left[pair] === 1 && meetsChange[pair] === 1);
  const changes = table.countChanges(pairsWhere(table, (pair) => left[pair] === 1));
  const facets = pairFacets(table, runs, judgement);
  return { matching, changes, facets, sorted: undefined };
}

function pairsWhere({ length }: PairTable, isSo: (pair: number) => boolean): Uint32Array {
  const pairs = new Uint32Array(length);
  let count = 0;
  for (let pair = 0; pair < length; pair += 1) {
    if (!isSo(pair)) continue;
    pairs[count] = pair;
    count += 1;
  }
  return pairs.slice(0, count);
}

async function sortedPairs(
  table: PairTable,
  answer: Answer,
  order: PairOrder,
): Promise<Uint32Array> {
  const name = JSON.stringify(order);
  if (answer.sorted?.order === name) return answer.sorted.pairs;
  const pairs = sortPairs(table, answer.matching, order);
  answer.sorted = { order: name, pairs };
  return pairs;
}
