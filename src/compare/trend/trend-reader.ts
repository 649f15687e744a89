import { AssayError } from '../../errors.js';
import { percentileBounds } from '../../statistics/percentile.js';
import { previousOf } from '../../store/listing/previous-of.js';
import { type ListedRun, logVersion } from '../../store/listing/run-json.js';
import type { Store } from '../../store/store.js';
import type { StoredRun } from '../../store/stored-run.js';
import { figuresOf, sortedLatenciesOf } from '../cases/case-figures.js';
import { type EvalCase, latenciesOf } from '../cases/eval-case.js';
import { casesOf } from '../cases/group-by-case.js';
import { scoreMeasures } from '../cases/score-measures.js';
import { type ComparisonSummary, compareCases } from '../compare-cases.js';
import {
  type Measure,
  passMeasure,
  valueMeasure,
  verdictMeasure,
} from '../differences/measure-columns.js';
import {
  type CaseValues,
  measureId,
  type Trend,
  type TrendFacts,
  type TrendPoint,
  trendOf,
} from './trend.js';

/** The newest runs of a session that a trend has: at most so many, with so many results together. */
const mostOfTrend = { runs: 200, results: 400_000 } as const;

/** What is asked of a trend. */
export interface TrendOptions {
  /** The config of the line; default: that of the newest finished run. */
  readonly config?: string | undefined;
  /** The id of the run from which limits count on; default: the oldest of the line. */
  readonly baseline?: string | undefined;
}

interface Kept<T> {
  readonly version: string;
  readonly value: T;
}

/** Reads trends; each run once, and again only when its log has changed. */
export class TrendReader {
  readonly #store: () => Pick<Store, 'openFolder'>;
  readonly #facts = new Map<string, Kept<TrendFacts>>();
  readonly #steps = new Map<string, Kept<ComparisonSummary>>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: () => Pick<Store, 'openFolder'>) {
    this.#store = store;
  }

  /** The trend of a session; `runs` are all of its runs, newest first. */
  read(
    session_name: string,
    runs: readonly ListedRun[],
    options: TrendOptions = {},
  ): Promise<Trend> {
    // One at a time: two would read the same runs.
    const trend = this.#last.then(async () => {
      const { points, unreadable } = await this.#points(runs);
      return trendOf({ session_name, runs, points, unreadable, ...options });
    });
    this.#last = trend.catch(() => undefined);
    return trend;
  }

  async #points(runs: readonly ListedRun[]) {
    const points: TrendPoint[] = [];
    const unreadable: string[] = [];
    const shown = newestOf(runs).reverse();
    const bases = new Map(shown.map((run) => [run, previousOf(runs, run.run_id).run]));
    const cases = new OpenCases(this.#store, [...bases.values()]);
    for (const run of shown) {
      const facts = await this.#factsOf(run, cases);
      if (facts === undefined) unreadable.push(run.run_name);
      else points.push({ run, facts, step: await this.#stepOf(run, bases.get(run), cases) });
      cases.leave(run, bases.get(run));
    }
    return { points, unreadable };
  }

  async #factsOf(run: ListedRun, cases: OpenCases): Promise<TrendFacts | undefined> {
    const version = logVersion(run);
    const kept = this.#facts.get(run.run_id);
    if (kept?.version === version) return kept.value;
    const read = await cases.read(run);
    if (read !== undefined) keep(this.#facts, run.run_id, { version, value: read.facts });
    return read?.facts;
  }

  async #stepOf(run: ListedRun, base: ListedRun | undefined, cases: OpenCases) {
    if (base === undefined) return undefined;
    const version = `${logVersion(base)} ${logVersion(run)}`;
    const kept = this.#steps.get(run.run_id);
    if (kept?.version === version) return kept.value;
    const [before, now] = [await cases.read(base), await cases.read(run)];
    if (before === undefined || now === undefined) return undefined;
    const value = compareCases(before.cases, now.cases, { detectable: false }).summary;
    keep(this.#steps, run.run_id, { version, value });
    return value;
  }
}

/** Of several sessions, the runs of those that were read last are kept. */
function keep<T>(map: Map<string, Kept<T>>, id: string, value: Kept<T>): void {
  map.delete(id);
  map.set(id, value);
  const [oldest] = map.keys();
  if (map.size > 2 * mostOfTrend.runs && oldest !== undefined) map.delete(oldest);
}

function newestOf(runs: readonly ListedRun[]): ListedRun[] {
  const newest: ListedRun[] = [];
  let results = 0;
  for (const run of runs.slice(0, mostOfTrend.runs)) {
    results += run.total_evaluations;
    if (newest.length > 0 && results > mostOfTrend.results) break;
    newest.push(run);
  }
  return newest;
}

interface ReadRun {
  readonly cases: readonly EvalCase[];
  readonly facts: TrendFacts;
}

/** Cases of the runs that a later one is compared with, read when they are needed first. */
class OpenCases {
  readonly #store: () => Pick<Store, 'openFolder'>;
  readonly #read = new Map<string, ReadRun | undefined>();
  /** How many later runs are still to be compared with each. */
  readonly #uses = new Map<string, number>();

  constructor(store: () => Pick<Store, 'openFolder'>, bases: readonly (ListedRun | undefined)[]) {
    this.#store = store;
    for (const base of bases)
      if (base) this.#uses.set(base.run_id, (this.#uses.get(base.run_id) ?? 0) + 1);
  }

  async read(run: ListedRun): Promise<ReadRun | undefined> {
    if (!this.#read.has(run.run_id)) this.#read.set(run.run_id, await this.#open(run));
    return this.#read.get(run.run_id);
  }

  /** Forgets what nothing needs any more. */
  leave(run: ListedRun, base: ListedRun | undefined): void {
    if (base !== undefined) {
      const left = (this.#uses.get(base.run_id) ?? 1) - 1;
      this.#uses.set(base.run_id, left);
      if (left === 0) this.#read.delete(base.run_id);
    }
    if ((this.#uses.get(run.run_id) ?? 0) === 0) this.#read.delete(run.run_id);
  }

  /** `undefined` when the run was just deleted, or is damaged. */
  async #open({ folder }: ListedRun): Promise<ReadRun | undefined> {
    try {
      const run = await this.#store().openFolder(folder);
      try {
        const cases = casesOf(run.rows, run.runId, (row) => run.gradingOf(row));
        return { cases, facts: factsOf(run, cases) };
      } finally {
        await run.close();
      }
    } catch (error) {
      if (error instanceof AssayError) return undefined;
      throw error;
    }
  }
}

function factsOf(run: StoredRun, cases: readonly EvalCase[]): TrendFacts {
  const figures = figuresOf(cases);
  const { usage } = run.summary();
  const { p95 } = figures.latency;
  const units = cases.filter((one) => latenciesOf(one).length > 0).length;
  const values = scoreMeasures([figures.scores]).map(({ key, type }): [string, CaseValues] => [
    measureId({ key, type }),
    caseValues(cases, type === 'ratio' ? verdictMeasure(key) : valueMeasure(key, undefined)),
  ]);
  return {
    figures,
    cost: usage ? { cost: usage.cost, unpriced: usage.unpriced ?? 0 } : null,
    p95:
      p95 === null
        ? null
        : { estimate: p95, ...percentileBounds(sortedLatenciesOf(cases), 0.95, units) },
    corrected: run.corrected(),
    ids: cases.map(({ id }) => id),
    attempts: cases.map(({ draw }) => draw),
    values: new Map([
      [measureId({ key: null, type: 'ratio' }), caseValues(cases, passMeasure)],
      ...values,
    ]),
  };
}

function caseValues(cases: readonly EvalCase[], { mean, count, values }: Measure): CaseValues {
  const lists = {
    count: new Uint32Array(cases.length),
    sum: new Float64Array(cases.length),
    squares: new Float64Array(cases.length),
  };
  for (const [at, evalCase] of cases.entries()) {
    const own = values(evalCase);
    const average = mean(evalCase);
    if (average === null) continue;
    // Without the values of the trials, they count as if they were alike.
    const all = own === undefined ? [average] : Array.from(own);
    lists.count[at] = own === undefined ? 1 : count(evalCase);
    lists.sum[at] = all.reduce((sum, one) => sum + one, 0);
    lists.squares[at] = all.reduce((sum, one) => sum + one ** 2, 0);
  }
  return lists;
}
