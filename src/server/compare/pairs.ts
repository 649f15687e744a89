import type { Change, ChangeCounts } from '../../compare/cases/change.js';
import { isFinished, type Json, passes, type RowFacts } from '../../model/result.js';
import { standingOf } from '../../model/scores/verdict.js';
import { AnswerCache, LruMap } from '../cache.js';
import type { RowFacets } from '../rows/facets.js';
import { lightRowsOf, sourceEntries } from '../rows/light-row.js';
import type { RowTable } from '../rows/row-table.js';
import { toFold } from '../rows/trials.js';
import { type Comparisons, toHead } from './comparisons.js';
import { type OutputDifference, outputDifference } from './output-difference.js';
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
  const differences = await readDifferences(
    runs,
    pairs.map((_, at) => sides.map((side) => side[at]?.row?.index)),
  );
  return pairs.map((pair, at) => {
    const { id, function: name, dataset } = table.anyCase(pair);
    const difference = differences[at];
    return {
      id,
      function: name,
      dataset,
      runs: sides.flatMap((side) => side[at] ?? []),
      ...(difference && { output_difference: difference }),
    };
  });
}

/** Bytes of log lines that are read for the differences of a page: what is beyond is compared when a pair is opened. */
const mostBytes = 16 * 1024 * 1024;

/** Where the outputs of rows differ from that of the first run, for each list of their indices. */
async function readDifferences(
  runs: readonly RowTable[],
  pairs: readonly (readonly (number | undefined)[])[],
): Promise<(OutputDifference | undefined)[]> {
  const found: (OutputDifference | undefined)[] = [];
  let left = mostBytes;
  for (const indices of pairs) {
    const compared = comparableRows(runs, indices);
    const bytes = compared.map((row, run) =>
      row === undefined ? 0 : (runs[run]?.file.events.bytesOf(row.events) ?? 0),
    );
    const size = bytes.reduce((sum, one) => sum + one, 0);
    if (size === 0 || size > left) found.push(undefined);
    else {
      left -= size;
      // One pair after the other, because outputs may be long.
      const outputs = runs.map((table, run) =>
        compared[run] === undefined ? undefined : readOutput(table, indices[run]),
      );
      found.push(outputDifference(await Promise.all(outputs)));
    }
  }
  return found;
}

/** The rows whose outputs can be compared with that of the first: of the same trial; none if all are equal. */
function comparableRows(runs: readonly RowTable[], indices: readonly (number | undefined)[]) {
  const rows = indices.map((index, run) => runs[run]?.rows[index ?? -1]);
  const [base] = rows;
  const compared = rows.map((row) =>
    row?.outputHash === undefined || row.status !== 'completed' || row.trial !== base?.trial
      ? undefined
      : row,
  );
  const hashes = new Set(compared.flatMap((row) => row?.outputHash ?? []));
  return compared[0] === undefined || hashes.size < 2 ? [] : compared;
}

async function readOutput(table: RowTable, index = -1): Promise<Json | undefined> {
  for await (const { entry } of sourceEntries(table, [index])) return entry.result.output;
  return undefined;
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
