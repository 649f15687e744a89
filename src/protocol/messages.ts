import type { CallLimits } from '../model/call-rules.js';
import type { Call, Capture } from '../model/model-call.js';
import type { Json, JsonObject } from '../model/result.js';
import type { Score } from '../model/score.js';
import type { ScoreRules } from '../model/score-rule.js';
import type { StoredCalls } from '../model/stored-calls.js';
import type { RecordingOptions } from '../recordings/recording.js';

/** An eval file as the user knows it and as the host imports it. */
export interface EvalFile {
  /** Relative to the working directory, with `/`: the first part of result ids. */
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
}

/** One evaluation, or one case of it, as discovery finds it. Values follow on request. */
export interface Descriptor {
  /** `<file>::<function>`. */
  readonly id: string;
  /** `<file>::<name>`, shared by all cases. */
  readonly evaluation: string;
  readonly function: string;
  readonly dataset: string;
  readonly labels: readonly string[];
  /** What the case or the evaluation asks for; absent: what the run says. */
  readonly trials?: number | undefined;
  /** Seconds. */
  readonly timeout?: number | undefined;
  /** What the calls of an attempt may come to. */
  readonly limits?: CallLimits | undefined;
  /** How values of its scores are judged. */
  readonly scoreRules?: ScoreRules | undefined;
  readonly hasTarget: boolean;
  readonly skip: boolean;
  readonly only: boolean;
  /** Where `evaluation()` was called in the file, from 1. */
  readonly line?: number | undefined;
}

/** Cases of one evaluation that follow each other and differ in nothing else: what they share is said once. */
export interface DescriptorGroup extends Omit<Descriptor, 'id' | 'function'> {
  /** Name of the evaluation, without the file. */
  readonly name: string;
  /** What follows the name: `[case]`, or nothing. */
  readonly cases: readonly string[];
}

/** The values of a described evaluation as they were authored. */
export interface DescribedValues {
  readonly id: string;
  readonly input: Json;
  readonly reference: Json;
  readonly metadata: JsonObject;
}

/** What evaluations may know of the run they are in. */
export interface RunContext {
  readonly runId: string;
  readonly runName: string;
  readonly sessionName: string;
  readonly params: JsonObject;
}

/** What a regrade grades: the values as they were stored. */
export interface StoredValues {
  readonly input: Json;
  readonly output: Json;
  readonly reference: Json;
  readonly metadata: JsonObject;
  readonly traceData: JsonObject;
  /** The calls of the target; absent for none. */
  readonly calls?: readonly Call[];
}

/** One attempt to be made. */
export interface Task {
  /** Names the task in all messages about it: the index of its row. */
  readonly task: number;
  /** Id of the described evaluation. */
  readonly id: string;
  readonly trial?: number | undefined;
  /** Seconds for target, body and evaluators together. */
  readonly timeout: number;
  /** Present when stored output is graded and the target is not called. */
  readonly stored?: StoredValues | undefined;
}

/** How an attempt ended. */
export interface Outcome {
  readonly status: 'completed' | 'error';
  readonly output: Json;
  readonly scores: readonly Score[];
  readonly error: string | null;
  readonly latency: number | null;
  /** Absent when the attempt came to no end of its own. */
  readonly trace_data?: JsonObject;
  /** Only when the evaluation changed it. */
  readonly metadata?: JsonObject;
  /** True when the evaluation has a target and the target has finished. */
  readonly regradable: boolean;
  /** Hash of the modules that its eval file had loaded; absent where it is not known. */
  readonly code?: string | undefined;
  /** The calls that it made; absent for none. */
  readonly calls?: StoredCalls;
}

/** Why a file gave no evaluations. */
export interface ImportFailure {
  /** Name of the file. */
  readonly file: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
  readonly stack?: string;
}

export type LogStream = 'stdout' | 'stderr';

/** What the runner says to a host. */
export type RunnerMessage =
  /** Comes first. Every line of the host has to begin with the secret. */
  | { readonly type: 'greet'; readonly secret: string }
  | {
      readonly type: 'load';
      readonly files: readonly EvalFile[];
      /** False for hosts that only execute: they need not list what they find. */
      readonly list: boolean;
      /** The working directory of the evaluations. */
      readonly cwd: string;
      /** Variables to add to the environment, such as those of a `.env` file. */
      readonly env: { readonly [name: string]: string };
      readonly capture: Capture;
      /** MiB to keep of the calls of one attempt. Default 2. */
      readonly captureMib?: number | undefined;
      /** Absent where calls are just made. */
      readonly recordings?: RecordingOptions | undefined;
    }
  | { readonly type: 'describe'; readonly ids: readonly string[] }
  | {
      readonly type: 'begin';
      readonly run: RunContext;
      readonly slots: number;
      readonly streamLogs: boolean;
      /** Calls have to ask before they are made. */
      readonly asks: boolean;
      /** Every start has to be known before it happens: a process has ended before. */
      readonly careful: boolean;
    }
  | { readonly type: 'execute'; readonly tasks: readonly Task[] }
  /** A call that asked may be made, or not. */
  | {
      readonly type: 'answer';
      readonly call: number;
      /** Why not; absent when it may. */
      readonly refusal?: string;
      /** Seconds for which it was held. */
      readonly waited?: number;
    }
  /** Give back the tasks that have not started. */
  | { readonly type: 'recall' }
  /** Give the signal to everything that runs. */
  | { readonly type: 'abort' }
  /** No more work: end in an orderly way. */
  | { readonly type: 'end' };

/** What a host says to the runner. */
export type HostMessage =
  | { readonly type: 'importing'; readonly file: string }
  | {
      readonly type: 'imported';
      readonly file: string;
      readonly group: DescriptorGroup;
    }
  | ({ readonly type: 'import-failed' } & ImportFailure)
  | { readonly type: 'loaded' }
  | {
      readonly type: 'described';
      readonly values: readonly DescribedValues[];
    }
  | { readonly type: 'started'; readonly tasks: readonly number[] }
  /** Announced as started, but something before them held the process. */
  | { readonly type: 'postponed'; readonly tasks: readonly number[] }
  | {
      readonly type: 'finished';
      readonly task: number;
      readonly outcome: Outcome;
      /** The evaluation was given the signal and still runs. */
      readonly lingering: boolean;
    }
  /** Something is overdue because this evaluation, which may have ended before, keeps the process busy. */
  | { readonly type: 'held'; readonly task: number }
  /** Calls of an attempt have begun or ended: without their texts while it runs, with them after it has ended. */
  | { readonly type: 'called'; readonly task: number; readonly calls: StoredCalls }
  /** A call asks to be made. */
  | {
      readonly type: 'ask';
      readonly task: number;
      /** Names the question in its answer. */
      readonly call: number;
      readonly isOfModel: boolean;
      readonly model?: string | undefined;
      readonly host: string;
      /** Bytes of the request's body. */
      readonly size: number;
      /** It is answered from a recording. */
      readonly isReplayed?: boolean | undefined;
    }
  /** A call that asked is not wanted any more, or has failed. */
  | { readonly type: 'withdraw'; readonly task: number; readonly call: number }
  /** The answer to a call that asked has begun. */
  | {
      readonly type: 'answering';
      readonly task: number;
      readonly call: number;
      /** Seconds for which the provider wants no other calls. */
      readonly retryAfter?: number | undefined;
    }
  /** A lingering evaluation has let go. */
  | { readonly type: 'released'; readonly task: number }
  | { readonly type: 'recalled'; readonly tasks: readonly number[] }
  /** Something went wrong outside of any evaluation. */
  | { readonly type: 'warning'; readonly text: string }
  | {
      readonly type: 'log';
      readonly task: number;
      readonly stream: LogStream;
      readonly text: string;
    };
