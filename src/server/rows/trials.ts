import { runUsageOfRows } from '../../model/calls/run-usage.js';
import { totalsOf } from '../../model/calls/usage.js';
import { isFinished, passes, type RowFacts } from '../../model/result.js';
import { standingOf } from '../../model/scores/verdict.js';
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

/** Summarizes the trials of a case for a folded row: all of them, including those that do not match the filter. */
export function toFold(
  { rows, scales }: { readonly rows: readonly RowFacts[]; readonly scales: ScoreScales },
  group: TrialGroup,
) {
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
