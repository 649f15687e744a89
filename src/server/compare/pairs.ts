import type { Change, ChangeCounts } from '../../compare/cases/change.js';
import { isFinished, passes, type RowFacts } from '../../model/result.js';
import { standingOf } from '../../model/scores/verdict.js';
import { AnswerCache, LruMap } from '../cache.js';
import { type LightRow, lightRowsOf } from '../rows/light-row.js';
import type { CurrentTable } from '../rows/row-table.js';
import { type Fold, toFold } from '../rows/trials.js';
import {
  type Comparisons,
  type RunAsCompared,
  type RunAtMoment,
  toHead,
  toMoment,
} from './comparisons.js';
import { judgePairs, type PairFacets, type PairFilter, pairFacets } from './pair-filter.js';
import { type PairOrder, sortPairs } from './pair-order.js';
import { PairTable } from './pair-table.js';

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

/** A case in one of the compared runs, as JSON. */
export interface PairSide {
  /** The change from the base; `null` in the base, and if neither run has the case. */
  readonly change: Change | null;
  /** Keys of the scores that differ from the base; empty in the base, and if one of them does not have the case. */
  readonly moved_scores: readonly string[];
  /** Its outputs are known to be those of the base; with trials, the set of distinct outputs is. */
  readonly same_output: boolean;
  /** Indices of its rows; empty if the run does not have the case. */
  readonly indices: readonly number[];
  /**
   * Its row; with trials, the most relevant one (the same in all runs), with `fold`. `null` if the run does not have the
   * case.
   */
  readonly row: (LightRow & { readonly fold?: Fold }) | null;
}

/** A case in all compared runs, as JSON. */
export interface Pair {
  /** Without the trial. */
  readonly id: string;
  readonly function: string;
  readonly dataset: string;
  /** In the order of the runs. */
  readonly runs: readonly PairSide[];
}

/** A page of pairs, as JSON. */
export interface PairPage {
  /** In the order of the request, the base first. */
  readonly runs: readonly RunAsCompared[];
  /** The number of all pairs. */
  readonly total: number;
  /** The number of matching pairs. */
  readonly filtered: number;
  readonly offset: number;
  /** For each run, over the pairs that match all filters except the one by change; `null` for the base. */
  readonly changes: readonly (ChangeCounts | null)[];
  readonly facets: PairFacets;
  readonly pairs: readonly Pair[];
}

/** Reads the rows of a page of pairs. */
export async function readPairPage(
  currents: readonly RunAtMoment[],
  { table, pairs, changes, facets }: FoundPairs,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<PairPage> {
  const shown = Array.from(pairs.slice(offset, offset + limit));
  const indices = currents.map((_, run) =>
    shown.map((pair) => Array.from(table.rowsOf(pair, run))),
  );
  const places = shown.map((pair, at) =>
    decisiveTrial(
      currents.map((current, run) => ({
        rows: indices[run]?.[at]?.flatMap((index) => current.table.rows[index] ?? []) ?? [],
        change: table.change(pair, run),
      })),
    ),
  );
  const sides = await Promise.all(
    currents.map((current, run) =>
      readSides(
        current,
        shown.map((pair, at) => {
          const own = indices[run]?.[at] ?? [];
          const place = places[at] ?? 0;
          return {
            change: table.change(pair, run),
            moved_scores: table.movedScores(pair, run),
            same_output: table.hasSameOutput(pair, run),
            indices: own,
            shown: own[place] ?? own[0],
          };
        }),
      ),
    ),
  );
  return {
    runs: currents.map(({ run }) => toHead(run)),
    total: table.length,
    filtered: pairs.length,
    offset,
    changes,
    facets,
    pairs: shown.map((pair, place) => {
      const { id, function: name, dataset } = table.anyCase(pair);
      return { id, function: name, dataset, runs: sides.flatMap((side) => side[place] ?? []) };
    }),
  };
}

/** The sides of pairs in one run, in order. `shown`: the index of the row to read. */
async function readSides(
  { table, source }: CurrentTable,
  pairs: readonly (Omit<PairSide, 'row'> & { readonly shown: number | undefined })[],
): Promise<PairSide[]> {
  const wanted = pairs.flatMap(({ shown }) => shown ?? []);
  const lightRows = new Map(
    (await lightRowsOf(source, wanted)).map((row) => [row.index, row] as const),
  );
  return pairs.map(({ shown, ...side }) => {
    const row = lightRows.get(shown ?? -1);
    const group = row?.trial_of === undefined ? undefined : table.groups.get(row.trial_of);
    const fold = group === undefined ? {} : { fold: toFold(table, group) };
    return { ...side, row: row === undefined ? null : { ...row, ...fold } };
  });
}

/** The trials of a case in one run, and the change of the case. */
interface ComparedTrials {
  readonly rows: readonly RowFacts[];
  readonly change: Change | null;
}

/**
 * The position of the trial that explains the change of a case best; the first run is the base. It is the first trial
 * that regressed or was fixed like the case in any run, else the first with another verdict or output than in the base,
 * else 0.
 */
function decisiveTrial([base, ...others]: readonly ComparedTrials[]): number {
  let decisive = 0;
  let most = 0;
  for (const [place, before] of base?.rows.entries() ?? []) {
    for (const { rows, change } of others) {
      const after = rows[place];
      const weight = after === undefined ? 0 : weightOf(before, after, change);
      if (weight <= most) continue;
      most = weight;
      decisive = place;
    }
  }
  return decisive;
}

function weightOf(before: RowFacts, after: RowFacts, change: Change | null): number {
  if (!isFinished(before) || !isFinished(after)) return 0;
  const gain = Number(passes(after)) - Number(passes(before));
  if (change === 'regressed' && gain < 0) return 4;
  if (change === 'fixed' && gain > 0) return 3;
  if (standingOf(before) !== standingOf(after)) return 2;
  return before.outputHash === after.outputHash ? 0 : 1;
}
