import { runUsageOfRows, type SpentTotals } from '../../model/calls/run-usage.js';
import { totalsOf } from '../../model/calls/usage.js';
import { isFinished, passes, type RowFacts } from '../../model/result.js';
import type { ScoreChip } from '../../model/scores/score.js';
import { type Standing, standingOf } from '../../model/scores/verdict.js';
import type { ScoreScales } from '../../model/summary/score-values.js';
import { scoreChips } from '../../model/summary/summary.js';

/** The trials of one case. */
export interface TrialGroup {
  /** Id without the trial. */
  readonly id: string;
  readonly indices: readonly number[];
  readonly finished: number;
  readonly passed: number;
  /** True when some trials passed and some did not. */
  readonly flaky: boolean;
}

/** The trials behind a row that represents a case. */
export interface Fold {
  readonly id: string;
  /** Indices of all its trials, including those that do not match the filter. */
  readonly indices: readonly number[];
  readonly trials: number;
  readonly finished: number;
  readonly passed: number;
  readonly flaky: boolean;
  /** The state of each trial, in the order of `indices`. */
  readonly standings: readonly Standing[];
  /** The number of distinct outputs of the completed trials; 0 if one is unknown. */
  readonly distinct_outputs: number;
  /** The scores over the trials. */
  readonly chips: readonly ScoreChip[];
  /** Seconds, over the trials with a latency. */
  readonly average_latency: number | null;
  /** What the run spent on the calls of all trials, and what they took over; absent without calls. */
  readonly usage?: SpentTotals;
}

/** Summarizes the trials of a case for a folded row. */
export function toFold(
  { rows, scales }: { readonly rows: readonly RowFacts[]; readonly scales: ScoreScales },
  group: TrialGroup,
): Fold {
  const { id, indices, finished, passed, flaky } = group;
  const trials = indices.flatMap((index) => rows[index] ?? []);
  const latencies = trials.flatMap(({ latency }) => latency ?? []);
  const sum = latencies.reduce((total, latency) => total + latency, 0);
  const used = runUsageOfRows(trials);
  return {
    id,
    indices,
    trials: indices.length,
    finished,
    passed,
    flaky,
    standings: trials.map(standingOf),
    distinct_outputs: countOutputs(trials),
    chips: scoreChips(trials, scales),
    average_latency: latencies.length === 0 ? null : sum / latencies.length,
    ...(used && { usage: totalsOf(used) }),
  };
}

function countOutputs(trials: readonly RowFacts[]): number {
  const completed = trials.filter(({ status }) => status === 'completed');
  const hashes = new Set(completed.map(({ outputHash }) => outputHash));
  return hashes.has(undefined) ? 0 : hashes.size;
}

/** Trials by the id of their case; empty if there are no trials. */
export function trialGroups(rows: readonly RowFacts[]): ReadonlyMap<string, TrialGroup> {
  const indices = new Map<string, number[]>();
  for (const [index, { trial_of }] of rows.entries()) {
    if (trial_of === undefined) continue;
    const known = indices.get(trial_of);
    if (known === undefined) indices.set(trial_of, [index]);
    else known.push(index);
  }
  return new Map([...indices].map(([id, members]) => [id, toGroup(rows, id, members)]));
}

function toGroup(rows: readonly RowFacts[], id: string, indices: readonly number[]): TrialGroup {
  const trials = indices.flatMap((index) => rows[index] ?? []).filter((row) => row.pruned !== true);
  const finished = trials.filter(isFinished).length;
  const passed = trials.filter(passes).length;
  return { id, indices, finished, passed, flaky: passed > 0 && passed < finished };
}

/** Keeps only the first trial of each case in the given order; other rows stay. */
export function foldTrials(rows: readonly RowFacts[], indices: Uint32Array): Uint32Array {
  const seen = new Set<string>();
  return indices.filter((index) => {
    const id = rows[index]?.trial_of;
    if (id === undefined) return true;
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}
