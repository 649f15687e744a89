import type { Estimate } from '../statistics/bounds.js';
import type { PassRate } from './pass-rate.js';
import type { ResultEntry } from './result.js';
import type { ScoreChip } from './score.js';

export const runStates = ['not_started', 'running', 'paused', 'interrupted', 'finished'] as const;
export type RunState = (typeof runStates)[number];

/** Statistics of repeated trials, over the evaluations (case by case) that have trials and were graded. */
export interface TrialStatistics {
  /** Evaluations of which some trials passed and some did not. */
  readonly flaky: number;
  /** An entry for every k that an evaluation reaches; empty when nothing was graded. */
  readonly by_k: readonly {
    readonly k: number;
    /** Evaluations with at least k finished trials: what both are averaged over. */
    readonly n: number;
    /** Probability that at least one of k trials passes. */
    readonly pass_at: Estimate;
    /** Probability that all of k trials pass. */
    readonly pass_all: Estimate;
  }[];
}

/** Trial fields of a run; there only for runs that have trials. */
export interface TrialFields {
  /** The largest number of trials of an evaluation. */
  readonly trials: number;
  /** Share of evaluations that passed in at least one trial. */
  readonly pass_at_k: number;
  /** Share of evaluations that passed in every trial. */
  readonly pass_all_k: number;
  readonly trial_statistics: TrialStatistics;
}

/** Results that one version of the code has graded last. */
export interface CodeVersion {
  readonly results: number;
  /** The `code` of these results; more than one when they are of several eval files. */
  readonly codes: readonly string[];
}

/** Everything counted over the results of a run. */
export interface RunTotals {
  readonly total_evaluations: number;
  /** Results whose evaluation is gone and that count nowhere else; absent for none. */
  readonly total_pruned?: number;
  readonly total_functions: number;
  readonly total_passed: number;
  readonly total_errors: number;
  readonly total_with_scores: number;
  /** Seconds, over the results that have a latency; 0 when none has. */
  readonly average_latency: number;
}

/** What identifies a run. */
export interface RunIdentity {
  readonly run_id: string;
  readonly session_name: string;
  readonly run_name: string;
  /** Whole Unix seconds; when the run last started. */
  readonly created_at: number;
  /** Whole Unix seconds; when the run first began. Runs are ordered by it. */
  readonly started_at: number;
  /** Whole Unix seconds; when anything in the run last changed. */
  readonly updated_at: number;
  /** The paths of the evals as they were given, joined by a space. */
  readonly path: string;
  readonly config_name: string;
}

/** Run JSON without its results: all that can be written before the first of them. */
export interface RunHead extends RunIdentity, RunTotals, Partial<TrialFields> {
  /** Newest first; only when finished results are of several versions of the code. */
  readonly code_versions?: readonly CodeVersion[];
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
    | 'total_passed'
    | 'total_errors'
    | 'state'
    | 'config_name'
  > {
  readonly score_chips: readonly ScoreChip[];
  /** `null` when nothing has a verdict or is an error. */
  readonly pass_rate: PassRate | null;
  /** Whole Unix seconds; when the run last started: its `created_at`. */
  readonly timestamp: number;
}
