import type { Correction, Json, JsonObject, RowIdentity } from '../../model/result.js';
import type { RunHead } from '../../model/run.js';
import type { Score } from '../../model/score.js';
import type { ScoreRules } from '../../model/score-rule.js';
import type { StoredCalls } from '../../model/stored-calls.js';
import type { Usage } from '../../model/usage.js';
import type { RowSelection } from './row-ranges.js';

/** Version of the file format this code writes. */
export const formatVersion = 1;

/** First line of a log: what identifies the run. */
export interface RunRecord {
  readonly type: 'run';
  readonly format: number;
  /** Version of assay that made the run. */
  readonly assay: string;
  readonly run_id: string;
  readonly session_name: string;
  readonly run_name: string;
  readonly created_at_ms: number;
  /** When the run first began, if that is not `created_at_ms`. */
  readonly started_at_ms?: number;
  readonly path: string;
  readonly config_name: string;
  /** What a rerun needs besides `path`; opaque to the store. */
  readonly selection: JsonObject;
}

/** What a row is about. Again for the same index on a rerun: the last one wins. */
export interface PlannedRecord extends RowIdentity {
  readonly type: 'planned';
  readonly index: number;
  readonly evaluation: string;
  readonly input: Json;
  readonly reference: Json;
  readonly metadata: JsonObject;
  /** Line of the evaluation in its file, from 1. */
  readonly line?: number | undefined;
  /** How values of its scores are judged. */
  readonly score_rules?: ScoreRules | undefined;
}

/** Why rows were scheduled. */
export type ExecutionKind = 'run' | 'rerun' | 'resume' | 'regrade';

/** An execution begins: its rows become pending, or stay as they are when they are regraded. */
export interface ScheduledRecord {
  readonly type: 'scheduled';
  readonly at: string;
  readonly kind: ExecutionKind;
  readonly rows: RowSelection;
  /** New start of the run; given for reruns and regrades. */
  readonly created_at_ms?: number;
}

/**
 * The calls of an attempt, on the line before its result: all that its result now has. Only who asks for the calls of one
 * result reads such a line.
 */
export interface CallsRecord extends StoredCalls {
  readonly type: 'calls';
  readonly index: number;
}

/** Calls that ended after their attempt; they replace those with the same number. */
export interface LateCallsRecord extends StoredCalls {
  readonly type: 'late_calls';
  readonly index: number;
  readonly at: string;
  /** Of all calls of the row. */
  readonly usage: Usage;
}

/** An evaluation came to an end. */
export interface FinishedRecord {
  readonly type: 'finished';
  readonly index: number;
  readonly at: string;
  readonly status: 'completed' | 'error';
  /** See `outputHash`; absent in logs of before there was one. */
  readonly output_hash?: string;
  readonly output: Json;
  readonly scores: readonly Score[];
  readonly error: string | null;
  readonly latency: number | null;
  readonly trace_data: JsonObject;
  readonly metadata?: JsonObject | undefined;
  readonly regradable?: boolean | undefined;
  /** Hash of the code that ran; absent where it is not known. */
  readonly code?: string | undefined;
  /** What its calls used; absent without calls. */
  readonly usage?: Usage | undefined;
}

/** A stored result was graded again. */
export interface RegradedRecord {
  readonly type: 'regraded';
  readonly index: number;
  readonly at: string;
  readonly status: 'completed' | 'error';
  readonly error: string | null;
  readonly scores: readonly Score[];
  /** Takes the place of those of the plan. */
  readonly score_rules?: ScoreRules | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly trace_data?: JsonObject | undefined;
  /** Hash of the code that graded. */
  readonly code?: string | undefined;
  /** What all calls of the row used, those of the stored target too; absent without calls. */
  readonly usage?: Usage | undefined;
}

/** Rows that will not run: the pending ones of these become cancelled. */
interface CancelledRecord {
  readonly type: 'cancelled';
  readonly at: string;
  readonly rows: RowSelection;
}

/** Rows whose evaluation is gone count for nothing any more, until they are scheduled again. */
interface PrunedRecord {
  readonly type: 'pruned';
  readonly at: string;
  readonly rows: RowSelection;
}

/** A person changed a result. */
export interface EditedRecord {
  readonly type: 'edited';
  readonly index: number;
  readonly at: string;
  readonly annotation?: { readonly before: string; readonly after: string };
  readonly scores?: { readonly before: readonly Score[]; readonly after: readonly Score[] };
}

/** Everything a row of an imported run holds besides its plan; replaces what the row had. */
export interface ImportedRecord {
  readonly type: 'imported';
  readonly index: number;
  readonly at: string;
  readonly status: 'not_started' | 'pending' | 'completed' | 'error' | 'cancelled';
  readonly output_hash?: string;
  readonly output: Json;
  readonly scores: readonly Score[];
  readonly error: string | null;
  readonly latency: number | null;
  readonly trace_data: JsonObject;
  readonly regradable?: boolean | undefined;
  readonly code?: string | undefined;
  readonly pruned?: boolean | undefined;
  readonly usage?: Usage | undefined;
  readonly annotation: string;
  readonly correction_history: readonly Correction[];
}

/** The run has another name. */
interface RenamedRecord {
  readonly type: 'renamed';
  readonly at: string;
  readonly run_name: string;
}

/** How an execution ended. */
export interface Ending {
  readonly outcome: 'finished' | 'stopped';
  /** Name and version of the list by which calls were priced; absent where none was. */
  readonly prices?: string | undefined;
  /** Seconds in which calls were held, by model; absent where none were. */
  readonly waited?: RunHead['waited'] | undefined;
  /** Absent unless the budget ended it before its end. */
  readonly budget?:
    | {
        /** US dollars; so is the next. Both are absent in an imported run. */
        readonly max_cost?: number;
        readonly spent?: number;
        /** Rows of which a call was refused: errors that a resume runs again. */
        readonly refused: RowSelection;
      }
    | undefined;
}

/** An execution ended in order. */
interface ClosedRecord extends Ending {
  readonly type: 'closed';
  readonly at: string;
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
  | RenamedRecord
  | ClosedRecord;
