import { latencyFigure, passFigure, scoreFigureOf } from '../../compare/cases/case-figures.js';
import {
  caseCost,
  type EvalCase,
  meanValueOf,
  scoreOf,
  verdictsOf,
} from '../../compare/cases/eval-case.js';
import { fullPairs } from '../../compare/cases/pair-cases.js';
import { type GroupDifference, groupDifferencesOf } from '../../compare/group-differences.js';
import { type CaseTest, testCasesOf } from '../../compare/significance/case-tests.js';
import { AssayError } from '../../errors.js';
import { standingOf } from '../../model/scores/verdict.js';
import { LruMap } from '../cache.js';
import { type LightRow, lightRowsOf } from '../rows/light-row.js';
import type { RowTable } from '../rows/row-table.js';
import { type Comparisons, toHead } from './comparisons.js';
import { differFacets, type PairFilter } from './pair-filter.js';
import type { PairTable } from './pair-table.js';
import { type FoundPairs, type PageRange, type PairFinder, pageHead } from './pairs.js';

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
  /** For each run but the base; made when first asked for. */
  differences: readonly DatasetDifferences[] | undefined;
  readonly differFacets: ReturnType<typeof differFacets>;
}

type DatasetDifferences = ReturnType<typeof groupDifferencesOf>[number];

/** Cases of a run whose trials differ from those of the base beyond chance, by id. */
type MovedCases = ReadonlyMap<string, Moved>;

/** How the trials of a case differ from those of the base beyond chance, as JSON. */
type Moved = Pick<CaseTest, 'p' | 'p_adjusted' | 'among'> & {
  readonly direction: 'better' | 'worse';
};

/** Scores whose figures are kept for one filter. */
const keptScores = 4;

/** Pages of the cases of runs in groups by dataset, each with a cell for every run. */
export class MatrixPages {
  readonly #comparisons: Comparisons;
  readonly #finder: PairFinder;
  readonly #answers = new WeakMap<FoundPairs, MatrixAnswer>();
  readonly #moved = new WeakMap<PairTable, readonly MovedCases[]>();

  constructor(comparisons: Comparisons, finder: PairFinder) {
    this.#comparisons = comparisons;
    this.#finder = finder;
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
    range: PageRange,
    signal?: AbortSignal,
  ) {
    const found = await this.#finder.find(runs, filter, signal);
    const { table } = found;
    const answer = this.#answer(found);
    const datasets = datasetsOf(found, answer, score);
    const countsOnly = await isByOutcome(runs, filter);
    if (!countsOnly) answer.differences ??= differencesOf(table, datasets);
    const { offset, limit } = range;
    const pairs = datasets.flatMap((group) => group.pairs).slice(offset, offset + limit);
    const { runs: heads, ...head } = pageHead(runs, found, range);
    const moved = this.#movedCases(table);
    return {
      ...head,
      runs: heads.map((one, run) => ({ ...one, ...countCases(table, run) })),
      ...(countsOnly && { counts_only: true as const }),
      datasets: datasets.map(({ dataset, pairs: { length: cases }, runs: figures }) => ({
        dataset,
        cases,
        runs: figures.map((of, run) =>
          countsOnly ? withoutRates(of) : compared(of, answer.differences?.[run - 1]?.get(dataset)),
        ),
      })),
      facets: { differ: answer.differFacets, ...found.rowFacets() },
      cases: pairs.map((pair) => {
        const { id, function: name, dataset } = table.anyCase(pair);
        const cells = runs.map((run, at) =>
          cellOf(table, pair, { run, at, score, moved: moved[at - 1] }),
        );
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

  #answer(found: FoundPairs): MatrixAnswer {
    const known = this.#answers.get(found);
    if (known !== undefined) return known;
    const answer = {
      groups: new LruMap<readonly DatasetGroup[]>(keptScores),
      differences: undefined,
      differFacets: differFacets(found.table, found.judgement),
    };
    this.#answers.set(found, answer);
    return answer;
  }

  #movedCases(table: PairTable): readonly MovedCases[] {
    const moved = this.#moved.get(table) ?? movedCases(table);
    this.#moved.set(table, moved);
    return moved;
  }
}

/** For each run but the base: all its cases with trials and those of the other runs are one family of tests. */
function movedCases({ runs: [base, ...others] }: PairTable): MovedCases[] {
  if (base === undefined || !base.cases.some(({ judged }) => judged > 1)) return [];
  const tests = testCasesOf(others.map(({ cases }) => fullPairs(base.cases, cases)));
  return tests.map(
    (ofRun) =>
      new Map(
        ofRun.flatMap(({ id, direction, beyond_chance, p, p_adjusted, among }) =>
          beyond_chance && direction !== 'same'
            ? [[id, { direction, p, p_adjusted, among }] as const]
            : [],
        ),
      ),
  );
}

/** For each run but the base: all groups of all runs are one family of tests. */
function differencesOf(table: PairTable, datasets: readonly DatasetGroup[]): DatasetDifferences[] {
  const [base = [], ...others] = table.runs.map(({ cases }) => cases);
  const groups = new Map(
    datasets.map(({ dataset, pairs }) => [
      dataset,
      new Set(pairs.map((pair) => table.anyCase(pair).id)),
    ]),
  );
  return groupDifferencesOf(base, others, groups);
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

/** The groups by dataset, with the figures of a score; cached. */
function datasetsOf(
  { table, matching }: FoundPairs,
  { groups }: MatrixAnswer,
  score: string | undefined,
): readonly DatasetGroup[] {
  const name = score ?? '';
  const datasets = groups.get(name) ?? groupByDataset(table, matching, score);
  groups.set(name, datasets);
  return datasets;
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

function compared(
  figures: ReturnType<typeof groupFigures>,
  difference: GroupDifference | undefined,
): ReturnType<typeof groupFigures> & { readonly difference?: GroupDifference } {
  return { ...figures, ...(difference && difference.pairs > 0 && { difference }) };
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
  of: {
    readonly run: RowTable;
    readonly at: number;
    readonly score: string | undefined;
    /** Absent for the base. */
    readonly moved: MovedCases | undefined;
  },
) {
  const { at: run, score: key } = of;
  const { rows } = of.run;
  const evalCase = table.evalCase(pair, run);
  if (evalCase === undefined) return null;
  const indices = table.rowsOf(pair, run);
  const standings = indices.flatMap((index) => rows[index] ?? []).map(standingOf);
  const cost = caseCost([evalCase]);
  const score = key === undefined ? undefined : scoreOf(evalCase, key);
  const moved = of.moved?.get(evalCase.id);
  const { trials, passes, judged, latency } = evalCase;
  return {
    index: indices[0] ?? 0,
    results: indices.length,
    ...{ finished: trials, passed: passes, judged },
    standings: [...new Set(standings)],
    latency,
    ...(cost && { cost }),
    ...(score && { score: { verdicts: verdictsOf(score) ?? null, mean: meanValueOf(score) } }),
    ...(moved && { moved }),
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
