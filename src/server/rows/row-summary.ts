import { besideParts, runUsageOfRows } from '../../model/calls/run-usage.js';
import { hasReplayedLatency, type Usage } from '../../model/calls/usage.js';
import type { RowFacts } from '../../model/result.js';
import { type Standing, standingOf } from '../../model/scores/verdict.js';
import { ClusterNumbers } from '../../model/summary/cluster-totals.js';
import { newestOnly, withUnknownIntervals } from '../../model/summary/counts-only.js';
import { passRate } from '../../model/summary/pass-rate.js';
import { intervalChips, latencyFigures, sortedLatencies } from '../../model/summary/run-figures.js';
import type { ScoreScales } from '../../model/summary/score-values.js';
import { trialFields } from '../../model/summary/trial-statistics.js';
import { latencyHistogram } from '../../statistics/latency-histogram.js';
import { meanOf } from '../../statistics/sums.js';
import type { TrialGroup } from './trials.js';

/** Facts about all rows of a run. */
export interface WholeRun {
  readonly rows: readonly RowFacts[];
  /** The number of the evaluation of each row. */
  readonly evaluations: Uint32Array;
  readonly groups: ReadonlyMap<string, TrialGroup>;
  readonly scales: ScoreScales;
  /** What attempts without a result spent; absent for nothing. */
  readonly unlisted: Usage | undefined;
}

/** Computes the figures of matching rows. `countsOnly`: of the newest attempts, not those that count, without rates. */
export function summariseRows(
  { rows: all, evaluations, groups, scales, unlisted }: WholeRun,
  indices: Uint32Array,
  countsOnly = false,
) {
  const isWhole = indices.length === all.length;
  const asCounted = isWhole ? all : chosen(all, indices);
  const matching = countsOnly ? newestOnly(asCounted) : asCounted;
  const counts = countStandings(matching, countDistinct(evaluations, indices));
  const rows = counts.pruned === 0 ? matching : matching.filter((row) => row.pruned !== true);
  const chips = intervalChips(rows, scales);
  const latency = summariseLatency(rows);
  const trials = groups.size === 0 ? undefined : trialFields(wholeGroups(all, rows, groups));
  const usage = runUsageOfRows(matching, besideParts(all, unlisted)(asCounted));
  const flaky = trials?.trial_statistics.flaky;
  return {
    ...(countsOnly && { counts_only: true as const }),
    counts: countsOnly ? { ...counts, pass_rate: null } : counts,
    chips: countsOnly ? chips.map(withUnknownIntervals) : chips,
    latency,
    ...(usage && { usage }),
    ...(!countsOnly && trials && { trials }),
    ...(countsOnly && flaky !== undefined && { flaky }),
  };
}

function chosen(all: readonly RowFacts[], indices: Uint32Array): RowFacts[] {
  const rows: RowFacts[] = [];
  for (const index of indices) {
    const row = all[index];
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

/** How the rows stand; the six numbers after `results` add up to it. `functions`: the number of their evaluations. */
function countStandings(rows: readonly RowFacts[], functions: number) {
  const counts = new Map<Standing, number>();
  const units = new ClusterNumbers();
  for (const row of rows) {
    if (row.pruned !== true) units.of(row);
    const standing = standingOf(row);
    counts.set(standing, (counts.get(standing) ?? 0) + 1);
  }
  const of = (standing: Standing) => counts.get(standing) ?? 0;
  const [passed, failed, errors, none] = [
    of('passed'),
    of('failed'),
    of('error'),
    of('no_verdict'),
  ];
  const judged = passed + failed + errors;
  return {
    results: rows.length,
    passed,
    failed,
    errors,
    no_verdict: none,
    unfinished: rows.length - judged - none - of('pruned'),
    pruned: of('pruned'),
    cases: countCases(rows),
    functions,
    ...(units.hasClusters && { clusters: units.count }),
    pass_rate: passRate(rows),
  };
}

function countCases(rows: readonly RowFacts[]): number {
  const withTrials = new Set<string>();
  let others = 0;
  for (const { trial_of: id } of rows) {
    if (id === undefined) others += 1;
    else withTrials.add(id);
  }
  return others + withTrials.size;
}

function countDistinct(numbers: Uint32Array, indices: Uint32Array): number {
  const seen = new Uint8Array(numbers.length);
  let count = 0;
  for (const index of indices) {
    const number = numbers[index] ?? 0;
    if (seen[number] === 1) continue;
    seen[number] = 1;
    count += 1;
  }
  return count;
}

function summariseLatency(rows: readonly RowFacts[]) {
  const sorted = sortedLatencies(rows);
  const replayed = rows.reduce((sum, row) => sum + Number(hasReplayedLatency(row)), 0);
  return {
    ...latencyFigures(sorted),
    ...(replayed > 0 && { replayed }),
    average: sorted.length === 0 ? null : meanOf(sorted),
    histogram: latencyHistogram(sorted),
  };
}

/** All trials of the cases among the rows, because a part of its trials says nothing about a case. */
function wholeGroups(
  all: readonly RowFacts[],
  rows: readonly RowFacts[],
  groups: ReadonlyMap<string, TrialGroup>,
): RowFacts[] {
  const ids = new Set(rows.flatMap(({ trial_of }) => trial_of ?? []));
  return [...ids].flatMap((id) =>
    (groups.get(id)?.indices ?? []).flatMap((index) => {
      const row = all[index];
      return row === undefined || row.pruned === true ? [] : [row];
    }),
  );
}

/** Buckets of a histogram. */
const buckets = 10;

/** The histograms of scores with values. */
export function scoreHistograms(
  rows: readonly RowFacts[],
  indices: Uint32Array,
  keys: readonly string[],
) {
  const histograms: ReturnType<typeof histogramOf>[] = [];
  for (const key of keys) {
    const values: number[] = [];
    for (const index of indices) {
      for (const score of rows[index]?.scores ?? []) {
        if (score.key === key && score.value !== undefined) values.push(score.value);
      }
    }
    if (values.length > 0) histograms.push(histogramOf(key, values));
  }
  return histograms;
}

/** The number of values in each of equally wide buckets, from 0 to 1 if all values are between them. */
function histogramOf(key: string, values: readonly number[]) {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  const [from, to] = least >= 0 && most <= 1 ? [0, 1] : [least, most];
  const counts = Array.from({ length: buckets }, () => 0);
  for (const value of values) {
    const share = to > from ? (value - from) / (to - from) : 0;
    const at = Math.min(buckets - 1, Math.floor(share * buckets));
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return { key, from, to, counts };
}
