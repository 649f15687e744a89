import type { Estimate } from '../../statistics/bounds.js';
import { averageShare, clusteredRate } from '../../statistics/clustered-share.js';
import { drawnWithoutMiss, independentVariance } from '../../statistics/pass-at-k.js';
import { countedOf, hasVerdict, passes, type RowFacts } from '../result.js';
import type { TrialFields, TrialStatistics } from '../run.js';
import { ClusterNumbers, ClusterTotals } from './cluster-totals.js';

/** Trials of one evaluation, case by case. */
interface TrialCounts {
  trials: number;
  /** Trials with a verdict, or that are errors: what a pass rate is over, too. */
  judged: number;
  passed: number;
  /** See `ClusterNumbers`. */
  readonly unit: number;
}

/** Counts the trials of a run. */
export class TrialCounter {
  readonly #byEvaluation = new Map<string, TrialCounts>();
  readonly #units = new ClusterNumbers();
  #lastId: string | undefined;
  #last: TrialCounts | undefined;

  add(row: RowFacts): void {
    const id = row.trial_of;
    if (id === undefined) return;
    // Trials of one case are mostly next to each other; a comparison is cheaper than a lookup.
    let counts = id === this.#lastId ? this.#last : this.#byEvaluation.get(id);
    if (counts === undefined) {
      counts = { trials: 0, judged: 0, passed: 0, unit: this.#units.of(row) };
      this.#byEvaluation.set(id, counts);
    }
    counts.trials += 1;
    if (passes(row)) counts.passed += 1;
    if (row.status === 'error' || hasVerdict(row)) counts.judged += 1;
    this.#lastId = id;
    this.#last = counts;
  }

  /**
   * Trial fields of a run, `undefined` when no row is a trial. `pass_at_k` and `pass_all_k` are shares of all
   * evaluations that have trials, by what has passed so far: a trial that has not finished has not passed.
   * `trial_statistics` knows trials with a verdict and errors only, and has an entry for every k that some evaluation
   * reaches.
   */
  fields(): TrialFields | undefined {
    const evaluations = [...this.#byEvaluation.values()];
    if (evaluations.length === 0) return undefined;
    let trials = 0;
    let anyPassed = 0;
    let allPassed = 0;
    let flaky = 0;
    for (const counts of evaluations) {
      trials = Math.max(trials, counts.trials);
      if (counts.passed > 0) anyPassed += 1;
      if (counts.passed === counts.trials) allPassed += 1;
      if (counts.passed > 0 && counts.passed < counts.judged) flaky += 1;
    }
    return {
      trials,
      pass_at_k: anyPassed / evaluations.length,
      pass_all_k: allPassed / evaluations.length,
      trial_statistics: {
        flaky,
        by_k: estimateByK(countOutcomes(evaluations, this.#units.hasClusters)),
      },
    };
  }
}

/** The trial fields of rows; statistics are over the attempts that count. See {@link TrialCounter}. */
export function trialFields(rows: readonly RowFacts[]): TrialFields | undefined {
  const newest = new TrialCounter();
  const counted = new TrialCounter();
  for (const row of rows) {
    newest.add(row);
    counted.add(countedOf(row));
  }
  const fields = newest.fields();
  const { trial_statistics } = counted.fields() ?? {};
  return fields && trial_statistics && { ...fields, trial_statistics };
}

/** Number of evaluations with n judged trials, c of them passed. */
interface TrialOutcome {
  readonly n: number;
  readonly c: number;
  readonly evaluations: number;
  readonly unit: number;
}

/** Distinct in (n, c) unless there are clusters; without evaluations of which nothing was judged. */
function countOutcomes(evaluations: readonly TrialCounts[], hasClusters: boolean): TrialOutcome[] {
  if (hasClusters) {
    return evaluations.flatMap(({ judged: n, passed: c, unit }) =>
      n === 0 ? [] : [{ n, c, evaluations: 1, unit }],
    );
  }
  const byPassed = new Map<number, Map<number, number>>();
  for (const { judged, passed } of evaluations) {
    if (judged === 0) continue;
    let counts = byPassed.get(judged);
    if (counts === undefined) {
      counts = new Map();
      byPassed.set(judged, counts);
    }
    counts.set(passed, (counts.get(passed) ?? 0) + 1);
  }
  return [...byPassed].flatMap(([n, counts]) =>
    [...counts].map(([c, count]) => ({ n, c, evaluations: count, unit: -1 })),
  );
}

/** pass@k and pass^k, each the mean over evaluations with at least k judged trials, for every k that one reaches. Those of a
 * cluster are one unit. */
function estimateByK(outcomes: readonly TrialOutcome[]): TrialStatistics['by_k'] {
  const groups = outcomes.map(({ n, c, evaluations, unit }) => ({
    n,
    unit,
    clusters: evaluations,
    nonePasses: drawnWithoutMiss(n, n - c),
    allPass: drawnWithoutMiss(n, c),
  }));
  const largest = groups.reduce((most, { n }) => Math.max(most, n), 0);
  return Array.from({ length: largest }, (_, i) => {
    const reached = groups.filter(({ n }) => n > i);
    const trials = countByTrials(reached);
    const isDecided = trials.size === 1 && trials.has(i + 1);
    const average = (
      of: (group: (typeof groups)[number]) => number,
      all: (rate: number) => number,
    ) => {
      const most = isDecided
        ? undefined
        : (rate: number) => independentSize(trials, i + 1, all(rate));
      const totals = new ClusterTotals();
      for (const group of reached) if (group.unit >= 0) totals.add(group.unit, of(group));
      const isClustered = totals.sums.length > 0 && totals.sums.length < reached.length;
      const rate = isClustered
        ? clusteredRate(totals.sums, totals.counts, most)
        : averageShare(
            reached.map((group) => ({ share: of(group), clusters: group.clusters })),
            most,
          );
      return rate ?? none;
    };
    return {
      k: i + 1,
      n: reached.reduce((total, { clusters }) => total + clusters, 0),
      pass_at: average(
        ({ nonePasses }) => 1 - (nonePasses[i] ?? 0),
        (rate) => 1 - rate,
      ),
      pass_all: average(
        ({ allPass }) => allPass[i] ?? 0,
        (rate) => rate,
      ),
    };
  });
}

const none: Estimate = { estimate: 0, low: null, high: null };

/** Number of evaluations by number of finished trials. */
function countByTrials(
  groups: readonly { readonly n: number; readonly clusters: number }[],
): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { n, clusters } of groups) counts.set(n, (counts.get(n) ?? 0) + clusters);
  return counts;
}

/** Effective number of results for the shares of k trials, if the trials of an evaluation were independent. */
function independentSize(byTrials: ReadonlyMap<number, number>, k: number, all: number): number {
  let evaluations = 0;
  let variance = 0;
  for (const [n, count] of byTrials) {
    evaluations += count;
    variance += count * independentVariance(n, k, all);
  }
  return (evaluations ** 2 * all * (1 - all)) / variance;
}
