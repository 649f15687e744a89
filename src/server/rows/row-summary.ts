import { setImmediate } from 'node:timers/promises';
import { type LatencyBucket, latencyHistogram } from '../../model/latency-histogram.js';
import { MeanCounter } from '../../model/mean-interval.js';
import type { RowFacts } from '../../model/result.js';
import type { TrialFields } from '../../model/run.js';
import type { ScoreChip } from '../../model/score.js';
import { scoreChips } from '../../model/summary.js';
import { trialFields } from '../../model/trial-statistics.js';
import { type Standing, standingOf } from '../../model/verdict.js';
import type { Bounds, Estimate } from '../../statistics/bounds.js';
import { percentile } from '../../statistics/percentile.js';
import { wilsonInterval } from '../../statistics/wilson-interval.js';
import type { RowFacets } from './row-facets.js';
import type { TrialGroup } from './trial-groups.js';

/** How the results that match stand; the first five add up to `results`. */
export interface RowCounts {
  readonly results: number;
  readonly passed: number;
  readonly failed: number;
  readonly errors: number;
  /** Completed, with nothing that passed or failed. */
  readonly no_verdict: number;
  /** Not started, pending, running or cancelled. */
  readonly unfinished: number;
  /** Evaluations; cases and trials of one count once. */
  readonly functions: number;
  /** Passed / (passed + failed + errors), with a 95 % Wilson interval; `null` when that is of none. */
  readonly pass_rate: Estimate | null;
}

/** A chip with the 95 % interval of its share or mean. */
export type IntervalChip = ScoreChip & { readonly interval: Bounds };

/** Seconds, over the results that match and have a latency. */
export interface LatencySummary {
  readonly count: number;
  readonly average: number | null;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly histogram: readonly LatencyBucket[];
}

/** Everything counted over the rows that match a filter. */
export interface RowSummary {
  readonly counts: RowCounts;
  readonly chips: readonly IntervalChip[];
  readonly latency: LatencySummary;
  /** Over all trials of the evaluations of which any trial matches; only when there are such. */
  readonly trials?: TrialFields;
  readonly facets: RowFacets;
}

/** What is known of all rows of a run. */
export interface WholeRun {
  readonly rows: readonly RowFacts[];
  /** For each row the number of its evaluation. */
  readonly evaluations: Uint32Array;
  readonly groups: ReadonlyMap<string, TrialGroup>;
}

/** Counts the rows that match, in several turns. */
export async function summariseRows(
  { rows: all, evaluations, groups }: WholeRun,
  indices: Uint32Array,
): Promise<Omit<RowSummary, 'facets'>> {
  const rows = indices.length === all.length ? all : chosen(all, indices);
  const counts = countStandings(rows, countDistinct(evaluations, indices));
  await setImmediate();
  const chips = withIntervals(rows, scoreChips(rows));
  await setImmediate();
  const latency = summariseLatency(rows);
  await setImmediate();
  const trials = groups.size === 0 ? undefined : trialFields(wholeGroups(all, rows, groups));
  return { counts, chips, latency, ...(trials === undefined ? {} : { trials }) };
}

function chosen(all: readonly RowFacts[], indices: Uint32Array): RowFacts[] {
  const rows: RowFacts[] = [];
  for (const index of indices) {
    const row = all[index];
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

function countStandings(rows: readonly RowFacts[], functions: number): RowCounts {
  const counts = new Map<Standing, number>();
  for (const row of rows) {
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
    unfinished: rows.length - judged - none,
    functions,
    pass_rate: judged === 0 ? null : wilsonInterval(passed, judged),
  };
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

function withIntervals(rows: readonly RowFacts[], chips: readonly ScoreChip[]): IntervalChip[] {
  const means = new Map(
    chips.flatMap((chip) => (chip.type === 'avg' ? [[chip.key, new MeanCounter()] as const] : [])),
  );
  if (means.size > 0) {
    for (const { scores } of rows) {
      for (const { key, value } of scores) if (value !== undefined) means.get(key)?.add(value);
    }
  }
  return chips.map((chip) => {
    if (chip.type === 'avg') {
      return { ...chip, interval: means.get(chip.key)?.interval() ?? { low: null, high: null } };
    }
    const { low, high } = wilsonInterval(chip.passed, chip.total);
    return { ...chip, interval: { low, high } };
  });
}

function summariseLatency(rows: readonly RowFacts[]): LatencySummary {
  const latencies = new Float64Array(rows.length);
  let count = 0;
  let sum = 0;
  for (const { latency } of rows) {
    if (latency === null) continue;
    latencies[count] = latency;
    sum += latency;
    count += 1;
  }
  const sorted = latencies.subarray(0, count).sort();
  return {
    count,
    average: count === 0 ? null : sum / count,
    p50: percentile(sorted, 0.5),
    p95: percentile(sorted, 0.95),
    histogram: latencyHistogram(sorted),
  };
}

/** All trials of the evaluations that are among the rows: half of its trials say nothing about an evaluation. */
function wholeGroups(
  all: readonly RowFacts[],
  rows: readonly RowFacts[],
  groups: ReadonlyMap<string, TrialGroup>,
): RowFacts[] {
  const ids = new Set(rows.flatMap(({ trial_of }) => trial_of ?? []));
  return [...ids].flatMap((id) =>
    (groups.get(id)?.indices ?? []).flatMap((index) => all[index] ?? []),
  );
}
