import type { Usage } from '../model/calls/usage.js';
import type { LookedAt } from '../model/code/looked-at.js';
import type { JsonObject } from '../model/json.js';
import type { Shard } from '../model/shard.js';
import type { LogStream } from '../protocol/messages.js';
import type { Outcome } from '../protocol/outcome.js';

/** An event of a run. Rows are identified by index. */
export type RunEvent =
  /** Eval files are being imported, and nothing else is done. */
  | { readonly type: 'importing'; readonly files: number }
  | {
      readonly type: 'discovered';
      readonly files: readonly string[];
      readonly evaluations: number;
      /** Number of skipped evaluations. */
      readonly skipped: number;
      /** Only evaluations marked `only` are run. */
      readonly onlyMarked: boolean;
    }
  | {
      readonly type: 'opened';
      readonly run_id: string;
      readonly run_name: string;
      readonly session_name: string;
      readonly config_name: string;
      /** Rows that this execution runs. */
      readonly selected: number;
      /** Those of them whose stored output only gets a new grade; absent for none. */
      readonly regraded?: readonly number[];
      /** Number of rows of the run. */
      readonly rows: number;
      readonly shard?: Shard | undefined;
      /** Params in effect; absent for none. */
      readonly params?: JsonObject;
      /** Name of the group of the run; absent for a run alone. */
      readonly group?: string | undefined;
    }
  | { readonly type: 'started'; readonly indices: readonly number[] }
  /** They had started, but will start again. */
  | { readonly type: 'returned'; readonly indices: readonly number[] }
  /** They are in the log. */
  | { readonly type: 'finished'; readonly results: readonly FinishedResult[] }
  | {
      readonly type: 'printed';
      /** Absent when it was printed outside of any evaluation. */
      readonly index?: number;
      readonly stream: LogStream;
      readonly text: string;
    }
  | { readonly type: 'warned'; readonly text: string }
  /** Paths that user code has looked at, or is about to write; only if the runner watches. */
  | {
      readonly type: 'touched';
      readonly looks: readonly LookedAt[];
      readonly writes: readonly string[];
      /** They were not looked at before this time, in milliseconds since 1970. */
      readonly since: number;
    }
  | { readonly type: 'paused' }
  | { readonly type: 'resumed' }
  | { readonly type: 'stopped'; readonly cancelled: number };

/** A finished attempt of a row. */
export interface FinishedResult {
  readonly index: number;
  /** Without the trial. */
  readonly id: string;
  readonly outcome: Outcome;
  /** Usage of its calls, once they are priced; absent without calls. */
  readonly usage?: Usage | undefined;
}

export type RunListener = (event: RunEvent) => void;
