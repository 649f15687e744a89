import type { Change, ChangeCounts } from '../../compare/cases/change.js';
import { isFinished, passes, type RowFacts } from '../../model/result.js';
import { standingOf } from '../../model/scores/verdict.js';
import { AnswerCache, LruMap } from '../cache.js';
import type { RowFacets } from '../rows/facets.js';
import { lightRowsOf } from '../rows/light-row.js';
import type { RowTable } from '../rows/row-table.js';
import { toFold } from '../rows/trials.js';
import { type Comparisons, toHead } from './comparisons.js';
import {
  changeFacets,
  judgePairs,
  type PairFilter,
  type PairJudgement,
  rowFacetsOf,
} from './pair-filter.js';
import { type PairOrder, sortPairs } from './pair-order.js';
import { PairTable } from './pair-table.js';

/** A filter and a sort order. */
export interface PairQuery {
  readonly filter: PairFilter;
  readonly order: PairOrder;
}

/** The pairs of some runs that match a filter. */
export interface FoundPairs {
  readonly table: PairTable;
  readonly judgement: PairJudgement;
  /** In the order of the table. */
  readonly matching: Uint32Array;
  /** Counts the values of the filters of rows; cached. */
  readonly rowFacets: () => RowFacets;
}

/** A part of a list. */
export interface PageRange {
  readonly offset: number;
  readonly limit: number;
}

/** What every page of pairs begins with, as JSON. */
export function pageHead(runs: readonly RowTable[], found: FoundPairs, { offset }: PageRange) {
  const { table, matching } = found;
  return { runs: runs.map(toHead), total: table.length, filtered: matching.length, offset };
}

const keptTables = 2;
const keptAnswers = 4;

/** Finds the pairs of runs that match a filter; tables and answers are cached until the runs change. */
export class PairFinder {
  readonly #comparisons: Comparisons;
  readonly #tables = new AnswerCache<{
    readonly table: PairTable;
    readonly answers: LruMap<FoundPairs>;
  }>(keptTables);

  constructor(comparisons: Comparisons) {
    this.#comparisons = comparisons;
  }

  /** The matching pairs; the same object until the runs change. The first run is the base. */
  async find(
    runs: readonly RowTable[],
    filter: PairFilter,
    signal?: AbortSignal,
  ): Promise<FoundPairs> {
    const { table, answers } = await this.#table(runs);
    const name = JSON.stringify(filter);
    const known = answers.get(name);
    if (known !== undefined) return known;
    const judgement = await judgePairs(table, runs, filter, signal);
    const { left, meetsOwn } = judgement;
    const matching = Uint32Array.from(left.keys()).filter(
      (pair) => left[pair] === 1 && meetsOwn[pair] === 1,
    );
    let facets: RowFacets | undefined;
    const rowFacets = () => {
      facets ??= rowFacetsOf(table, runs, judgement);
      return facets;
    };
    const found = { table, judgement, matching, rowFacets };
    answers.set(name, found);
    return found;
  }

  #table(runs: readonly RowTable[]) {
    const name = runs.map(({ run }) => run.runId).join(' ');
    const version = runs.map((run) => run.version).join(' ');
    return this.#tables.get(name, version, async () => {
      const cases = await Promise.all(runs.map((run) => this.#comparisons.cases(run)));
      return { table: new PairTable(cases), answers: new LruMap<FoundPairs>(keptAnswers) };
    });
  }
}

/** What is shown with the matches of one filter, and their last requested order. */
interface PairAnswer {
  /** For each run, over the pairs that match all filters except the one by change; `null` for the base. */
  readonly changes: readonly (ChangeCounts | null)[];
  readonly changeFacets: ReturnType<typeof changeFacets>;
  sorted: { readonly order: string; readonly pairs: Uint32Array } | undefined;
}

/** Pages of the pairs of runs. */
export class PairPages {
  readonly #finder: PairFinder;
  readonly #answers = new WeakMap<FoundPairs, PairAnswer>();

  constructor(finder: PairFinder) {
    this.#finder = finder;
  }

  /** A page of the matching pairs, sorted, as JSON. The first run is the base. */
  async page(
    runs: readonly RowTable[],
    { filter, order }: PairQuery,
    range: PageRange,
    signal?: AbortSignal,
  ) {
    const found = await this.#finder.find(runs, filter, signal);
    const answer = this.#answers.get(found) ?? answerOf(found);
    this.#answers.set(found, answer);
    const pairs = sortedPairs(found, answer, order);
    const { offset, limit } = range;
    return {
      ...pageHead(runs, found, range),
      changes: answer.changes,
      facets: { change: answer.changeFacets, ...found.rowFacets() },
      pairs: await readPairs(found.table, runs, Array.from(pairs.slice(offset, offset + limit))),
    };
  }
}

function answerOf({ table, judgement }: FoundPairs): PairAnswer {
  const unlessByChange = Uint32Array.from(judgement.left.keys()).filter(
    (pair) => judgement.left[pair] === 1,
  );
  return {
    changes: table.countChanges(unlessByChange),
    changeFacets: changeFacets(table, judgement),
    sorted: undefined,
  };
}

function sortedPairs(
  { table, matching }: FoundPairs,
  answer: PairAnswer,
  by: PairOrder,
): Uint32Array {
  const order = JSON.stringify(by);
  if (answer.sorted?.order !== order) {
    answer.sorted = { order, pairs: sortPairs(table, matching, by) };
  }
  return answer.sorted.pairs;
}

/** Pairs, with a row of each run. */
async function readPairs(table: PairTable, runs: readonly RowTable[], pairs: readonly number[]) {
  const places = pairs.map((pair) =>
    decisiveTrial(
      runs.map(({ rows }, run) => ({
        rows: table.rowsOf(pair, run).flatMap((index) => rows[index] ?? []),
        change: table.change(pair, run),
      })),
    ),
  );
  const sides = await Promise.all(
    runs.map(async (current, run) => {
      const shown = pairs.map((pair, at) => {
        const indices = table.rowsOf(pair, run);
        return indices[places[at] ?? 0] ?? indices[0];
      });
      const rows = await rowsAt(current, shown);
      return pairs.map((pair, at) => ({
        change: table.change(pair, run),
        moved_scores: table.movedScores(pair, run),
        same_output: table.hasSameOutput(pair, run),
        indices: table.rowsOf(pair, run),
        row: rows.get(shown[at] ?? -1) ?? null,
      }));
    }),
  );
  return pairs.map((pair, at) => {
    const { id, function: name, dataset } = table.anyCase(pair);
    return { id, function: name, dataset, runs: sides.flatMap((side) => side[at] ?? []) };
  });
}

/** Light rows by index, those of trials with their `fold`. */
async function rowsAt(table: RowTable, indices: readonly (number | undefined)[]) {
  const rows = await lightRowsOf(
    table,
    indices.flatMap((index) => index ?? []),
  );
  return new Map(
    rows.map((row) => {
      const group = row.trial_of === undefined ? undefined : table.groups.get(row.trial_of);
      return [row.index, { ...row, ...(group && { fold: toFold(table, group) }) }] as const;
    }),
  );
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
