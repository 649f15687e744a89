import type { Bounds, Estimate } from '../statistics/bounds.js';
import type { Percentiles } from '../statistics/percentile.js';
import type { RunUsage } from './calls/run-usage.js';
import { isCount, isJsonObject, isNumber, isStrings } from './json.js';
import type { ResultEntry } from './result.js';
import type { IntervalChip, ScoreChip } from './scores/score.js';
import {
  type Fitting,
  isText,
  isTrue,
  named,
  object,
  oneOf,
  only,
  optional,
  recordOf,
} from './shapes.js';
import { isShard } from './shard.js';
import type { PassRate } from './summary/pass-rate.js';
import type { Verified } from './summary/verified.js';

export const runStates = ['not_started', 'running', 'paused', 'interrupted', 'finished'] as const;
export type RunState = (typeof runStates)[number];

/** Statistics of trials, over the graded cases that have trials. */
export interface TrialStatistics {
  /** The number of cases with trials that passed and trials that did not. */
  readonly flaky: number;
  /** One entry for every k that a case reaches; empty when nothing was graded. */
  readonly by_k: readonly {
    readonly k: number;
    /** The number of cases with at least k judged trials, over which both are averaged. */
    readonly n: number;
    /** The probability that at least one of k trials passes. */
    readonly pass_at: Estimate;
    /** The probability that all of k trials pass. */
    readonly pass_all: Estimate;
  }[];
}

/** The trial fields of a run; only for runs with trials. */
export interface TrialFields {
  /** The largest number of trials of a case. */
  readonly trials: number;
  /** The share of cases that passed in at least one trial. */
  readonly pass_at_k: number;
  /** The share of cases that passed in every trial. */
  readonly pass_all_k: number;
  readonly trial_statistics: TrialStatistics;
}

/** Results that ran, or were graded, again outside of a pass: their attempts of the last pass go on counting. */
export interface Repeats {
  readonly results: number;
  /** Those of them that pass now. */
  readonly passed: number;
  /** Those of them that were only graded again; absent for none. */
  readonly regraded?: number;
  /** Those of them whose code is not known to be that of the attempt that counts; absent for none. */
  readonly other_code?: number;
  /** Some are of a version that did not tell full passes apart: of these, the oldest attempts count. */
  readonly of_older_version?: true;
}

/** Results that are not of the same system as the others of their evaluation: rates that have them are judged by no gate. */
export interface Mixed {
  /** They completed a pass with other code, params or files than it began with; absent for none. */
  readonly other_code?: number;
  /** A regrade left them with their former grades; absent for none. */
  readonly former_grades?: number;
  /** Their evaluations were gone when others of the run were to run again; absent for none. */
  readonly gone?: number;
}

/** Verdicts of a score that differ after a regrade though its grader has not changed: the noise of a judge. */
export interface GradingNoise {
  readonly key: string;
  readonly differ: number;
  /** Verdicts that were graded again by the same code. */
  readonly of: number;
}

/** Results that one code version graded last. */
export interface CodeVersion {
  readonly results: number;
  /** The `code` of these results; several if they are of several eval files. */
  readonly codes: readonly string[];
}

/** The counts over the results of a run. */
export interface RunTotals {
  readonly total_evaluations: number;
  /** Results whose evaluation is gone and that count nowhere else; absent if 0. */
  readonly total_pruned?: number;
  readonly total_functions: number;
  readonly total_passed: number;
  readonly total_errors: number;
  readonly total_with_scores: number;
  /** Seconds, over the results that have a latency; 0 when none has. */
  readonly average_latency: number;
}

/** Fields that say of what a run is a part. */
export const placeFields = {
  /** Present in a part of a run. */
  shard: optional(named('a part of a run', isShard)),
  /** Name that the runs of one command have in common; absent for a run alone. */
  group: optional(isText),
  /** Ids of the runs of its group, that of the base first; some may be deleted. */
  group_runs: optional(isStrings),
  /** In a run of some results of another one: how many that has. All figures are those of its own results. */
  part_of: optional(isCount),
};
const isPlace = object(placeFields);

/** Of what a run is a part. */
export interface RunPlace extends Fitting<typeof isPlace> {}

/** Of what a run is a part, without absent fields. */
export function runPlaceOf(given: RunPlace): RunPlace {
  return only(placeFields, given);
}

interface RunIdentity extends RunPlace {
  readonly run_id: string;
  readonly session_name: string;
  readonly run_name: string;
  /** When the run last started, in whole Unix seconds. */
  readonly created_at: number;
  /** When the run first started, in whole Unix seconds. Runs are ordered by it. */
  readonly started_at: number;
  /** When anything in the run last changed, in whole Unix seconds. */
  readonly updated_at: number;
  /** The paths of the evals as given, joined by spaces. */
  readonly path: string;
  readonly config_name: string;
}

/** Seconds by model. */
export const isWaits = recordOf(isNumber);

/** Fields of {@link ExecutionFacts}. */
export const executionFields = {
  /** Name and version of the price list of its calls; absent if none was priced. */
  prices: optional(isText),
  /** Seconds in which rates held calls of the run, by model, in all executions; absent if they held none. */
  waited: optional(named('seconds by model', isWaits)),
  /** US dollars that the calls of the run may cost; absent without a budget. */
  max_cost: optional(isNumber),
  /** The params in effect, where all evaluations agree on them; absent for none. */
  params: optional(named('params by name', isJsonObject)),
  /** The commit of the working tree in which it ran; absent without git, or if it has not come to its end. */
  commit: optional(isText),
  /** Only when true: files of that commit were changed. */
  dirty: optional(isTrue),
  /** `budget` when it ended because the run had spent its `max_cost`. */
  outcome: optional(oneOf('budget')),
};
const areFacts = object(executionFields);

/** Facts of the last execution of a run. */
export interface ExecutionFacts extends Fitting<typeof areFacts> {}

/** Seconds by model, of both. */
export function sumOfWaits(a: ExecutionFacts['waited'], b: ExecutionFacts['waited']) {
  if (a === undefined || b === undefined) return a ?? b;
  const sums: Record<string, number> = { ...a };
  for (const [model, seconds] of Object.entries(b)) sums[model] = (sums[model] ?? 0) + seconds;
  return sums;
}

/** The facts of the last execution of a run, without absent fields. */
export function executionFacts(given: ExecutionFacts): ExecutionFacts {
  return only(executionFields, given);
}

/** Run JSON without its results: everything that can be written before the first result. */
export interface RunHead extends RunIdentity, RunTotals, ExecutionFacts, Partial<TrialFields> {
  readonly summary: CountedSummary;
  /** Newest first; only if finished results are of several code versions. */
  readonly code_versions?: readonly CodeVersion[];
  /** Absent for none. */
  readonly repeats?: Repeats;
  /** What came of those of them that ran to verify what was carried over; absent for none. */
  readonly verified?: Verified;
  /** Absent for none. */
  readonly mixed?: Mixed;
  /** Absent where no verdict differs. */
  readonly grading_noise?: readonly GradingNoise[];
  /** What the run spent on calls in all its attempts, and what its results took over; absent without calls. */
  readonly usage?: RunUsage;
  /** The cost of `usage.unlisted`; absent for none. */
  readonly unlisted_cost?: number;
  readonly state: RunState;
}

/** The run JSON of `assay run --json`, of `assay export -f json` and of the API. */
export interface RunJson extends RunHead {
  readonly results: readonly ResultEntry[];
}

/** A run in a listing. */
export interface RunSummary
  extends Pick<
    RunHead,
    | 'run_id'
    | 'run_name'
    | 'started_at'
    | 'updated_at'
    | 'total_evaluations'
    | 'total_pruned'
    | 'code_versions'
    | 'repeats'
    | 'total_passed'
    | 'total_errors'
    | 'state'
    | 'config_name'
    | 'params'
    | 'group'
    | 'group_runs'
  > {
  readonly score_chips: readonly ScoreChip[];
  /** Those of the attempts that count, which trends are of; only if some results are repeats. */
  readonly counted_chips?: readonly ScoreChip[];
  /** `null` when nothing has a verdict or is an error. */
  readonly pass_rate: PassRate | null;
  /** When the run last started, in whole Unix seconds: its `created_at`. */
  readonly timestamp: number;
}

/** Results by verdict, over the attempts that count; unfinished and pruned ones are left out. */
export interface VerdictCounts {
  readonly passed: number;
  readonly failed: number;
  readonly errors: number;
  /** Completed, without a score that passed or failed. */
  readonly none: number;
}

/**
 * What a run says of the system it evaluates, over the attempts of the last full pass: the figures that gates judge and
 * that every report shows.
 */
export interface CountedSummary {
  /** Only when true: what came of the results decided which they are, so that rates and intervals are left out. */
  readonly counts_only?: true;
  /** `passed / of` with its 95 % interval, `of` being passed + failed + errors; `null` if that is 0. */
  readonly pass_rate: (Bounds & { readonly passed: number; readonly of: number }) | null;
  /** How many independent units intervals are over: clusters, and cases without one; absent if no case has a cluster. */
  readonly clusters?: number;
  readonly verdicts: VerdictCounts;
  /** Seconds; `null` without latencies. */
  readonly latency: Percentiles;
  /** Number of results that ran again after that pass: for them, an earlier attempt counts. */
  readonly repeats: number;
  /** Number of full passes; 1 where no other is known. */
  readonly passes: number;
  /** One for each score key, in order of first appearance. */
  readonly scores: readonly IntervalChip[];
}
