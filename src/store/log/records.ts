import type { StoredCalls } from '../../model/calls/stored-calls.js';
import type { Usage } from '../../model/calls/usage.js';
import type { CaseFingerprint, FileCode, FileReads } from '../../model/code/file-code.js';
import type { KeptValues } from '../../model/kept-values.js';
import type { Correction, Json, JsonObject, Origin, RowIdentity } from '../../model/result.js';
import type { RunHead } from '../../model/run.js';
import type { Score } from '../../model/scores/score.js';
import type { ScoreRules } from '../../model/scores/score-rule.js';
import type { Merged, Shard } from '../../model/shard.js';
import type { RowSelection } from './row-ranges.js';

/** Version of the file format this code writes. */
export const formatVersion = 1;

/** The first line of a log: identifies the run. */
export interface RunRecord {
  readonly type: 'run';
  readonly format: number;
  /** Version of assay that made the run. */
  readonly assay: string;
  readonly run_id: string;
  readonly session_name: string;
  readonly run_name: string;
  readonly created_at_ms: number;
  /** When the run first started, if different from `created_at_ms`. */
  readonly started_at_ms?: number;
  readonly path: string;
  readonly config_name: string;
  /** The selection for reruns, besides `path`; opaque to the store. */
  readonly selection: JsonObject;
  /** Present in a part of a run. */
  readonly shard?: Shard;
  /** Present in a run that was merged of parts. */
  readonly merged?: Merged;
}

/** The plan of a row. A rerun may write another one for the same index; the last one wins. */
export interface PlannedRecord extends RowIdentity {
  readonly type: 'planned';
  readonly index: number;
  readonly evaluation: string;
  readonly input: Json;
  readonly reference: Json;
  readonly metadata: JsonObject;
  /** Line of the evaluation in its file, from 1. */
  readonly line?: number | undefined;
  /** Thresholds for the values of its scores. */
  readonly score_rules?: ScoreRules | undefined;
  /** Hashes of its values; absent if they cannot tell two plans apart. */
  readonly fingerprint?: CaseFingerprint | undefined;
  /** What JSON does not keep of its values. */
  readonly kept?: KeptValues | undefined;
}

/** The kind of an execution. */
export type ExecutionKind = 'run' | 'rerun' | 'resume' | 'regrade';

/** An execution starts. Its rows become pending, except in a regrade. */
export interface ScheduledRecord {
  readonly type: 'scheduled';
  readonly at: string;
  readonly kind: ExecutionKind;
  readonly rows: RowSelection;
  /** Those of them that keep their results and only get a new grade; absent for none. */
  readonly regraded?: RowSelection;
  /**
   * Those of them that begin a new pass of their evaluations, because no outcome decided which rows run; absent for none, and
   * for reruns and regrades in logs of versions that did not tell. The others repeat: their attempts of the last pass go on
   * counting.
   */
  readonly new_pass?: RowSelection;
  /** The pass rate of the run before a new pass; absent without one. */
  readonly rate_before?: { readonly passed: number; readonly of: number };
  /** Full passes of an imported run, this one included; absent for 1. */
  readonly passes?: number;
  /** Of an imported run: some of its repeats are of a version that did not tell full passes apart. */
  readonly old_repeats?: boolean;
  /** The new start of the run; present for reruns and regrades. */
  readonly created_at_ms?: number;
  /** US dollars that the calls of the run may cost; absent without a budget. */
  readonly max_cost?: number;
  /** Only in logs of older versions; see {@link Ending}. */
  readonly unlisted_cost?: number;
  /** Hash of the params of the run config. */
  readonly params?: string;
}

/** The code of an eval file in this execution. Read only to find out what has changed since. */
export interface CodeRecord extends FileCode {
  readonly type: 'code';
  readonly at: string;
}

/** What evaluations of an eval file looked at in this execution; adds to earlier lines. Read like `code`. */
export interface ReadsRecord extends FileReads {
  readonly type: 'reads';
  readonly at: string;
}

/** The calls of a result, on the line before it. Read only when the calls of this result are requested. */
interface CallsRecord extends StoredCalls {
  readonly type: 'calls';
  readonly index: number;
}

/** Calls that ended after their attempt. They replace calls with the same number. */
interface LateCallsRecord extends StoredCalls {
  readonly type: 'late_calls';
  readonly index: number;
  readonly at: string;
  /** The usage of all calls of the row. */
  readonly usage: Usage;
}

/** The values of a result, on the lines that have all of them. */
interface ResultValues {
  readonly index: number;
  readonly at: string;
  /** See `outputHash`; absent in old logs. */
  readonly output_hash?: string;
  readonly output: Json;
  readonly scores: readonly Score[];
  readonly error: string | null;
  readonly latency: number | null;
  /** When the attempt began; absent if unknown. */
  readonly started_at?: string | undefined;
  readonly trace_data: JsonObject;
  readonly regradable?: boolean | undefined;
  /** What JSON does not keep of its values. */
  readonly kept?: KeptValues | undefined;
  /** Why its values cannot be restored, so that grading them again could say something else. */
  readonly inexact?: string | undefined;
  /** The output is stored exactly as it was. */
  readonly exact?: boolean | undefined;
  /** What it was seen to do that no fingerprint follows, such as `starts a process`. */
  readonly hazard?: string | undefined;
  /** Hash of the code that ran; absent if unknown. */
  readonly code?: string | undefined;
  /** Why it ran, where only what has changed was to run. */
  readonly reason?: string | undefined;
  /** The usage of its calls; absent without calls. */
  readonly usage?: Usage | undefined;
}

/** An attempt finished. */
export interface FinishedRecord extends ResultValues {
  readonly type: 'finished';
  readonly status: 'completed' | 'error';
  readonly metadata?: JsonObject | undefined;
  /** It ended for a reason outside of the evaluation, so that it does not count. */
  readonly no_draw?: boolean | undefined;
  /** It ran to verify the attempt that counts, which was carried over. */
  readonly verifies?: boolean | undefined;
  /** It completes a pass with other code or params than it began with. */
  readonly other_code?: boolean | undefined;
}

/** A stored result was graded again. */
export interface RegradedRecord {
  readonly type: 'regraded';
  readonly index: number;
  readonly at: string;
  /** Of the attempt that counts, where a repeat is newer. */
  readonly attempt?: 'counted' | undefined;
  /** This grade counts, as part of a new pass of grading; otherwise the one before goes on counting. */
  readonly pass?: boolean | undefined;
  readonly status: 'completed' | 'error';
  readonly error: string | null;
  readonly scores: readonly Score[];
  /** Replaces the rules of the plan. */
  readonly score_rules?: ScoreRules | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly trace_data?: JsonObject | undefined;
  /** What JSON does not keep of `metadata`. */
  readonly kept?: KeptValues | undefined;
  /** Why `metadata` cannot be restored. */
  readonly inexact?: string | undefined;
  /** Grading again sees what this grading saw. */
  readonly exact?: boolean | undefined;
  /** What it was seen to do that no fingerprint follows, such as `starts a process`. */
  readonly hazard?: string | undefined;
  /** Hash of the code that graded. */
  readonly code?: string | undefined;
  /** Why it was graded again, where only what has changed was to be. */
  readonly reason?: string | undefined;
  /** The usage of all calls of the row, including those of the stored target; absent without calls. */
  readonly usage?: Usage | undefined;
}

/** Cancels the pending ones of these rows. */
interface CancelledRecord {
  readonly type: 'cancelled';
  readonly at: string;
  readonly rows: RowSelection;
}

/** Excludes rows whose evaluation no longer exists from all figures, until they are scheduled again. */
interface PrunedRecord {
  readonly type: 'pruned';
  readonly at: string;
  readonly rows: RowSelection;
}

/** A regrade left rows with their former grades, since their values are not stored as they were. */
interface LeftRecord {
  readonly type: 'left';
  readonly at: string;
  readonly rows: RowSelection;
}

/** Results that completed a pass with other code are of one system with the others, since these are up to date or run again. */
interface SameCodeRecord {
  readonly type: 'same_code';
  readonly at: string;
  readonly rows: RowSelection;
}

/** A person changed a result. */
export interface EditedRecord {
  readonly type: 'edited';
  readonly index: number;
  readonly at: string;
  /** Of the attempt that counts, where a repeat is newer. */
  readonly attempt?: 'counted' | undefined;
  readonly annotation?: { readonly before: string; readonly after: string };
  readonly scores?: { readonly before: readonly Score[]; readonly after: readonly Score[] };
}

/** All values of a row of an imported run, except its plan. */
export interface ImportedRecord extends ResultValues {
  readonly type: 'imported';
  readonly status: 'not_started' | 'pending' | 'completed' | 'error' | 'cancelled';
  readonly pruned?: boolean | undefined;
  /** It repeats the attempt of the line before, which goes on counting. */
  readonly repeat?: boolean | undefined;
  /** It counts, and its row is to run again as a repeat. */
  readonly runs_again?: boolean | undefined;
  readonly no_draw?: boolean | undefined;
  readonly verifies?: boolean | undefined;
  /** It completed a pass with other code or params than it began with. */
  readonly other_code?: boolean | undefined;
  /** A regrade left it with its former grade. */
  readonly former_grade?: boolean | undefined;
  /** Keys of scores that it had before its stored form was graded again. */
  readonly lost_scores?: readonly string[] | undefined;
  /** Replaces that of the plan. */
  readonly metadata?: JsonObject | undefined;
  /** What earlier attempts of its row, which the file does not have, spent in the run; on the last line of the row. */
  readonly replaced_usage?: Usage | undefined;
  /** The run that it was taken from, for a result that was not run again. */
  readonly origin?: Origin | undefined;
  readonly annotation: string;
  readonly correction_history: readonly Correction[];
}

/** The run was renamed. */
interface RenamedRecord {
  readonly type: 'renamed';
  readonly at: string;
  readonly run_name: string;
}

/** Outcome of an execution. */
export interface Ending {
  readonly outcome: 'finished' | 'stopped';
  /** Name and version of the price list; absent if no call was priced. */
  readonly prices?: string | undefined;
  /** Seconds in which calls were held, by model; absent if none were. */
  readonly waited?: RunHead['waited'] | undefined;
  /** The commit of its working tree; absent without git. */
  readonly commit?: string | undefined;
  /** Only when true: files of that commit were changed. */
  readonly dirty?: true | undefined;
  /** What attempts without a result spent; in imported and merged runs, and in logs of older versions. */
  readonly unlisted?: Usage | undefined;
  /** Its attempts are being stopped: until a line `unlisted` is the last, they may make calls. */
  readonly may_call?: boolean | undefined;
  /** In logs of older versions: US dollars of all calls of the run that no result has. */
  readonly unlisted_cost?: number | undefined;
  /** Present only when the budget ended the execution early. */
  readonly budget?:
    | {
        /** US dollars; absent in an imported run. */
        readonly max_cost?: number;
        /** US dollars; only in runs of older versions. */
        readonly spent?: number;
        /** Rows that are errors because a call was refused; a resume runs them again. */
        readonly refused: RowSelection;
      }
    | undefined;
}

/** An execution ended without a crash. */
interface ClosedRecord extends Ending {
  readonly type: 'closed';
  readonly at: string;
}

/** What attempts without a result, and imports, spent. */
interface UnlistedRecord {
  readonly type: 'unlisted';
  readonly at: string;
  /** Absent for nothing. */
  readonly usage?: Usage | undefined;
  /** The execution, which was closed before, makes no more calls. */
  readonly last?: boolean | undefined;
}

/** Records about one row. */
export type RowRecord =
  | PlannedRecord
  | FinishedRecord
  | RegradedRecord
  | EditedRecord
  | ImportedRecord
  | CallsRecord
  | LateCallsRecord;

/** One line of `results.jsonl`. */
export type LogRecord =
  | RunRecord
  | RowRecord
  | ScheduledRecord
  | CancelledRecord
  | PrunedRecord
  | LeftRecord
  | SameCodeRecord
  | CodeRecord
  | ReadsRecord
  | RenamedRecord
  | ClosedRecord
  | UnlistedRecord;
