import { latencyFigure, passFigure, scoreFigureOf } from '../../compare/cases/case-figures.js';
import {
  caseCost,
  type EvalCase,
  meanValueOf,
  scoreOf,
  verdictsOf,
} from '../../compare/cases/eval-case.js';
import { AssayError } from '../../errors.js';
import { standingOf } from '../../model/scores/verdict.js';
import { LruMap } from '../cache.js';
import { type LightRow, lightRowsOf } from '../rows/light-row.js';
import type { RowTable } from '../rows/row-table.js';
import { type Comparisons, toHead } from './comparisons.js';
import { differFacets, type PairFilter, rowFacetsOf } from './pair-filter.js';
import type { PairTable } from './pair-table.js';
import { type FoundPairs, PairFinder } from './pairs.js';

/** What is asked of a matrix: a filter, and the score whose verdicts and values cells have. */
export interface MatrixQuery {
  readonly filter: PairFilter;
  readonly score?: string | undefined;
}

/** The matching cases of one dataset, and their figures in each run. */
interface DatasetGroup {
  readonly dataset: string;
  readonly pairs: readonly number[];
  readonly runs: readonly ReturnType<typeof groupFigures>[];
}

/** What a filter matches, by dataset. */
interface MatrixAnswer {
  /** In order of first appearance, for a score. */
  readonly groups: LruMap<readonly DatasetGroup[]>;
  readonly facets: ReturnType<typeof rowFacetsOf> & {
    readonly differ: ReturnType<typeof differFacets>;
  };
}

/** Scores whose figures are kept for one filter. */
const keptScores = 4;

/** Pages of the cases of runs in groups by dataset, each with a cell for every run. */
export class MatrixPages {
  readonly #comparisons: Comparisons;
  readonly #finder: PairFinder;
  readonly #answers = new WeakMap<FoundPairs, MatrixAnswer>();

  constructor(comparisons: Comparisons) {
    this.#comparisons = comparisons;
    this.#finder = new PairFinder(comparisons);
  }

  /** The figures of runs, each compared with the first one, as JSON. */
  async figures(runs: readonly RowTable[]) {
    const heads = runs.map(toHead);
    const { runs: variants, base: _, ...rest } = await this.#comparisons.variants(runs);
    return {
      runs: variants.flatMap((figures, at) => {
        const head = heads[at];
        return head === undefined ? [] : [{ ...head, ...figures }];
      }),
      ...rest,
    };
  }

  /** A page of the matching cases, as JSON. The first run is the base. */
  async page(
    runs: readonly RowTable[],
    { filter, score }: MatrixQuery,
    { offset, limit }: { readonly offset: number; readonly limit: number },
    signal?: AbortSignal,
  ) {
    const found = await this.#finder.find(runs, filter, signal);
    const { table, matching } = found;
    const { groups, facets } = this.#answer(found, runs);
    const name = score ?? '';
    const datasets = groups.get(name) ?? groupByDataset(table, matching, score);
    groups.set(name, datasets);
    const countsOnly = await isByOutcome(runs, filter);
    const pairs = datasets.flatMap((group) => group.pairs).slice(offset, offset + limit);
    return {
      runs: runs.map((run, at) => ({ ...toHead(run), ...countCases(table, at) })),
      total: table.length,
      filtered: matching.length,
      offset,
      ...(countsOnly && { counts_only: true as const }),
      datasets: datasets.map(({ dataset, pairs, runs: figures }) => ({
        dataset,
        cases: pairs.length,
        runs: countsOnly ? figures.map(withoutRates) : figures,
      })),
      facets,
      cases: pairs.map((pair) => {
        const { id, function: name, dataset } = table.anyCase(pair);
        const cells = runs.map((run, at) => cellOf(table, pair, run, at, score));
        return { id, function: name, dataset, cells };
      }),
    };
  }

  /** One case in all runs, with equal outputs together, as JSON. Error: `no-such-result` if no run has it. */
  async outputs(runs: readonly RowTable[], id: string, signal?: AbortSignal) {
    const { table } = await this.#finder.find(runs, { rows: {} }, signal);
    const pair = table.find(id);
    if (pair === undefined) throw new AssayError('no-such-result', `No run has a case ${id}.`);
    const { function: name, dataset } = table.anyCase(pair);
    const groups = await groupOutputs(table, pair, runs);
    return {
      ...{ id, function: name, dataset },
      outputs: groups.slice(0, mostOutputs),
      outputs_total: groups.length,
    };
  }

  #answer(found: FoundPairs, runs: readonly RowTable[]): MatrixAnswer {
    const known = this.#answers.get(found);
    if (known !== undefined) return known;
    const { table, judgement } = found;
    const answer = {
      groups: new LruMap<readonly DatasetGroup[]>(keptScores),
      facets: {
        differ: differFacets(table, judgement),
        ...rowFacetsOf(table, runs, judgement),
      },
    };
    this.#answers.set(found, answer);
    return answer;
  }
}

/** True if what came of results decides which cases match: no rate of them says anything. */
async function isByOutcome(
  runs: readonly RowTable[],
  { rows, differ }: PairFilter,
): Promise<boolean> {
  if (differ !== undefined) return true;
  const answers = await Promise.all(runs.map((run) => run.isByOutcome(rows)));
  return answers.includes(true);
}

/** Cases of all runs that this one does not have, and its own without a finished result. */
function countCases(table: PairTable, run: number) {
  const { cases } = table.runs[run] ?? { cases: [] };
  return {
    absent_cases: table.length - cases.length,
    unfinished_cases: cases.filter(({ trials }) => trials === 0).length,
  };
}

function groupByDataset(
  table: PairTable,
  matching: Uint32Array,
  score: string | undefined,
): DatasetGroup[] {
  const groups = new Map<string, number[]>();
  for (const pair of matching) {
    const { dataset } = table.anyCase(pair);
    const known = groups.get(dataset);
    if (known === undefined) groups.set(dataset, [pair]);
    else known.push(pair);
  }
  return [...groups].map(([dataset, pairs]) => ({
    dataset,
    pairs,
    runs: table.runs.map((_, run) =>
      groupFigures(
        pairs.flatMap((pair) => table.evalCase(pair, run) ?? []),
        score,
      ),
    ),
  }));
}

function groupFigures(cases: readonly EvalCase[], score: string | undefined) {
  const cost = caseCost(cases);
  const figure = score === undefined ? undefined : scoreFigureOf(cases, score);
  return {
    cases: cases.length,
    pass_rate: passFigure(cases),
    p50: latencyFigure(cases).p50,
    ...(cost && { cost }),
    ...(figure && { score: figure }),
  };
}

/** Counts without the rates, which would say nothing. */
function withoutRates(figures: ReturnType<typeof groupFigures>): ReturnType<typeof groupFigures> {
  const { pass_rate, score, ...rest } = figures;
  return {
    ...rest,
    pass_rate: { ...pass_rate, rate: null },
    ...(score && {
      score: score.type === 'ratio' ? { ...score, rate: null } : { ...score, mean: null },
    }),
  };
}

/** A case in one run; `null` if the run does not have it. */
function cellOf(
  table: PairTable,
  pair: number,
  { rows }: RowTable,
  run: number,
  key: string | undefined,
) {
  const evalCase = table.evalCase(pair, run);
  if (evalCase === undefined) return null;
  const indices = table.rowsOf(pair, run);
  const standings = indices.flatMap((index) => rows[index] ?? []).map(standingOf);
  const cost = caseCost([evalCase]);
  const score = key === undefined ? undefined : scoreOf(evalCase, key);
  const { trials, passes, judged, latency } = evalCase;
  return {
    index: indices[0] ?? 0,
    results: indices.length,
    ...{ finished: trials, passed: passes, judged },
    standings: [...new Set(standings)],
    latency,
    ...(cost && { cost }),
    ...(score && { score: { verdicts: verdictsOf(score) ?? null, mean: meanValueOf(score) } }),
  };
}

/** Outputs of a case that are shown, of many trials with different ones. */
const mostOutputs = 100;

/** Results of a case with the same output, or the same error, of any runs. */
interface OutputGroup {
  readonly results: {
    readonly run: number;
    readonly index: number;
    readonly passed: boolean | null;
  }[];
  /** The first of them. */
  readonly row: LightRow;
}

/** Groups the results of a case in all runs: the same output, the same error, or no output yet for the same reason. */
async function groupOutputs(
  table: PairTable,
  pair: number,
  runs: readonly RowTable[],
): Promise<OutputGroup[]> {
  const rows = await Promise.all(runs.map((run, at) => lightRowsOf(run, table.rowsOf(pair, at))));
  const groups = new Map<string, OutputGroup>();
  for (const [run, lights] of rows.entries()) {
    for (const row of lights) {
      const name = outputName(row, runs[run]?.rows[row.index]?.outputHash);
      const group = groups.get(name) ?? { results: [], row };
      groups.set(name, group);
      group.results.push({ run, index: row.index, passed: row.passed });
    }
  }
  return [...groups.values()];
}

/** Tells outputs apart: by hash, since what is shown of long ones may be equal. */
function outputName({ status, error, output }: LightRow, hash: string | undefined): string {
  return JSON.stringify([status, error, hash ?? output]);
}
