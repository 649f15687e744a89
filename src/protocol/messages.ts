import type { CallLimits } from '../model/calls/call-rules.js';
import type { Trace } from '../model/calls/model-call.js';
import type { StoredCalls } from '../model/calls/stored-calls.js';
import type { FileReads, FoundCode } from '../model/code/file-code.js';
import type { LookedAt } from '../model/code/looked-at.js';
import type { KeptValues } from '../model/kept-values.js';
import type { Json, JsonObject } from '../model/result.js';
import type { ScoreRules } from '../model/scores/score-rule.js';
import type { CallSettings } from '../recordings/call-settings.js';
import type { Outcome } from './outcome.js';

/** An eval file. */
export interface EvalFile {
  /** Relative to the working directory, with `/`: the first part of result ids. */
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
}

/** An evaluation, or a case of one, as discovery finds it. Its values are requested with `describe`. */
export interface Descriptor {
  /** `<file>::<function>`. */
  readonly id: string;
  /** `<file>::<name>`, shared by all cases. */
  readonly evaluation: string;
  readonly function: string;
  readonly dataset: string;
  readonly labels: readonly string[];
  /** See `RowIdentity`. */
  readonly cluster?: string | undefined;
  /** Number of trials, from the case or the evaluation. Default: that of the run. */
  readonly trials?: number | undefined;
  /** Seconds. */
  readonly timeout?: number | undefined;
  /** Limits for the calls of an attempt. */
  readonly limits?: CallLimits | undefined;
  /** Rules for the values of its scores. */
  readonly scoreRules?: ScoreRules | undefined;
  /** What a worker must offer to run it; absent for nothing. */
  readonly requires?: readonly string[] | undefined;
  readonly hasTarget: boolean;
  readonly skip: boolean;
  readonly only: boolean;
  /** Line of the call of `evaluation()`, from 1. */
  readonly line?: number | undefined;
}

/** Consecutive cases of an evaluation that differ only in their names; shared fields are sent once. */
export interface DescriptorGroup extends Omit<Descriptor, 'id' | 'function'> {
  /** Name of the evaluation, without the file. */
  readonly name: string;
  /** Text after the name: `[case]`, or nothing. */
  readonly cases: readonly string[];
}

/** The values of an evaluation or case, as authored. */
export interface DescribedValues {
  readonly id: string;
  readonly input: Json;
  readonly reference: Json;
  readonly metadata: JsonObject;
  /** Hash of these values before anything was cut or hidden; absent if it cannot tell all values apart. */
  readonly exact?: string | undefined;
  /** What JSON does not keep of them. */
  readonly kept?: KeptValues | undefined;
  /** The key of scores without one, if it is not the usual one. */
  readonly scoreKey?: string | undefined;
}

/** The part of a run that evaluations can read. */
export interface RunContext {
  readonly runId: string;
  readonly runName: string;
  readonly sessionName: string;
  readonly params: JsonObject;
  /** Those of the settings file, under those of evaluations. */
  readonly scoreRules?: ScoreRules | undefined;
}

/** The stored values that a regrade grades. */
export interface StoredValues {
  /** Absent if they are those of the case today. */
  readonly authored?: { readonly input: unknown; readonly reference: unknown };
  readonly output: unknown;
  readonly metadata: { readonly [name: string]: unknown };
  readonly traceData: JsonObject;
  /** The trace data as evaluations saw it, where its JSON is not that; only within hosts. */
  readonly seenTraceData?: { readonly [name: string]: unknown } | undefined;
  /** What JSON does not keep of these. Hosts put it in its place before anything is graded. */
  readonly kept?: KeptValues | undefined;
  /** Grade the JSON of what cannot be restored. */
  readonly acceptsJson?: boolean | undefined;
  /** Seconds. */
  readonly latency?: number | null;
  /** The calls and spans of the target; absent if there are none. */
  readonly trace?: Trace;
  /** Calls of the target are missing, because their line of the log is damaged. */
  readonly lacksCalls?: boolean | undefined;
}

/** What eval files have loaded, to be compared with what they load on another machine. */
export interface LoadedModules {
  /** Modules of the project, relative to the working directory with `/`. */
  readonly files: readonly string[];
  /** Hash of the compiler options of these modules, and of the module types that their `package.json` name. */
  readonly settings: string;
  /** Installed packages, with all that they depend on: `name@version`, sorted. */
  readonly packages: readonly string[];
}

/** An attempt to make. */
export interface Task {
  /** Identifies the task in messages: the index of its row. */
  readonly task: number;
  /** Id of the evaluation or case, without the trial. */
  readonly id: string;
  readonly trial?: number | undefined;
  /** Seconds for target, body and evaluators together. */
  readonly timeout: number;
  /** Present for a regrade: the stored output is graded, and the target is not called. */
  readonly stored?: StoredValues | undefined;
  /** See `keyOfValues`, of the values that were planned: nothing runs where the case has others. Absent where it cannot have. */
  readonly values?: string | undefined;
}

/** The reason why a file could not be imported. */
export interface ImportFailure {
  /** Name of the file. */
  readonly file: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
  readonly stack?: string;
}

/** A file that was imported and has no evaluations. */
export interface EmptyFile {
  /** Name of the file. */
  readonly file: string;
  /** The rest of a sentence that begins with the file. */
  readonly reason: string;
}

export type LogStream = 'stdout' | 'stderr';

/** A message from the runner to a host. */
export type RunnerMessage =
  /** The first message. Every line from the host must begin with the secret. */
  | { readonly type: 'greet'; readonly secret: string }
  /** Before the first: the process has time to load what a run that only wants changes needs. */
  | { readonly type: 'prepare' }
  | {
      readonly type: 'load';
      readonly files: readonly EvalFile[];
      /** False for hosts that only execute: they do not list evaluations. */
      readonly list: boolean;
      /** Answer with the hash of their code. */
      readonly withCode?: boolean;
      /** A message of the type `fingerprint` follows. Default false. */
      readonly findsCode?: boolean | undefined;
      /** The working directory of the evaluations. */
      readonly cwd: string;
      /** Variables to add to the environment, such as those of a `.env` file. */
      readonly env: { readonly [name: string]: string };
      readonly calls: CallSettings;
      /** List the modules that were loaded. Default false. */
      readonly modules?: boolean | undefined;
      /** Report what is looked at and written, as `touched`. Default false. */
      readonly watched?: boolean | undefined;
    }
  | { readonly type: 'describe'; readonly ids: readonly string[] }
  /** Asks for the code of the loaded files. */
  | {
      readonly type: 'fingerprint';
      /** The file that keeps what the analysis of modules found; absent where nothing is kept. */
      readonly cache?: string | undefined;
      /** Names of packages that keep no state between target and grading, beside the known ones. */
      readonly statelessPackages?: readonly string[] | undefined;
    }
  | {
      readonly type: 'begin';
      readonly run: RunContext;
      readonly slots: number;
      readonly streamLogs: boolean;
      /** Calls must ask before they are made. */
      readonly asks: boolean;
      /** Report every start before it happens. Set after a crash. */
      readonly careful: boolean;
    }
  | { readonly type: 'execute'; readonly tasks: readonly Task[] }
  /** The answer to `ask`. */
  | {
      readonly type: 'answer';
      readonly call: number;
      /** The reason for a refusal; absent if the call is allowed. */
      readonly refusal?: string;
      /** Seconds that the call was held back. */
      readonly waited?: number;
    }
  /** Return the tasks that have not started. */
  | { readonly type: 'recall' }
  /** Abort the signals of all running attempts. */
  | { readonly type: 'abort' }
  /** Shut down. */
  | { readonly type: 'end' };

/** A message from a host to the runner. */
export type HostMessage =
  | { readonly type: 'importing'; readonly file: string }
  | {
      readonly type: 'imported';
      readonly file: string;
      readonly group: DescriptorGroup;
    }
  | ({ readonly type: 'import-failed' } & ImportFailure)
  | ({ readonly type: 'empty' } & EmptyFile)
  | {
      readonly type: 'loaded';
      /** Hash of the modules that the files loaded, if requested. */
      readonly code?: string;
      /** If requested. */
      readonly modules?: LoadedModules;
    }
  | {
      readonly type: 'described';
      readonly values: readonly DescribedValues[];
    }
  | ({ readonly type: 'code' } & FoundCode)
  /** The end of the code; `problem`: why it is not all of it. */
  | { readonly type: 'fingerprinted'; readonly problem?: string | undefined }
  /** What evaluations of a file looked at since the last of these messages; before the results that depend on it. */
  | ({ readonly type: 'reads' } & FileReads)
  /** Paths that user code has looked at, or is about to write, for the first time; if the runner watches. */
  | {
      readonly type: 'touched';
      readonly looks: readonly LookedAt[];
      readonly writes: readonly string[];
    }
  | { readonly type: 'started'; readonly tasks: readonly number[] }
  /** These were reported as started, but an earlier attempt blocked the process. */
  | { readonly type: 'postponed'; readonly tasks: readonly number[] }
  | {
      readonly type: 'finished';
      readonly task: number;
      readonly outcome: Outcome;
      /** The attempt still runs after its signal was aborted. */
      readonly lingering: boolean;
    }
  /** Attempts are overdue because this one blocks the process; it may already have finished. */
  | { readonly type: 'held'; readonly task: number }
  /** Calls of an attempt began or ended. Their texts are included only after the attempt has ended. */
  | { readonly type: 'called'; readonly task: number; readonly calls: StoredCalls }
  /** Calls of the import of an eval file began or ended, without their texts. */
  | { readonly type: 'called-at-import'; readonly file: string; readonly calls: StoredCalls }
  /** These calls of the import of an eval file are the first ones of an attempt from now on. */
  | {
      readonly type: 'taken-from-import';
      readonly task: number;
      readonly file: string;
      readonly numbers: readonly number[];
    }
  /** Asks for permission to make a call. */
  | {
      readonly type: 'ask';
      readonly task: number;
      /** Identifies the question in its answer. */
      readonly call: number;
      readonly isOfModel: boolean;
      readonly model?: string | undefined;
      readonly host: string;
      /** Bytes of the request's body. */
      readonly size: number;
      /** It is answered from a recording. */
      readonly isReplayed?: boolean | undefined;
    }
  /** Cancels a question: the call was aborted or has failed. */
  | { readonly type: 'withdraw'; readonly task: number; readonly call: number }
  /** The response to an allowed call has begun. */
  | {
      readonly type: 'answering';
      readonly task: number;
      readonly call: number;
      /** Seconds to wait before other calls, as the provider asks. */
      readonly retryAfter?: number | undefined;
    }
  /** The answer to `end`: all calls have been reported, and no attempt calls a model any more. */
  | { readonly type: 'ending' }
  /** A lingering attempt has ended. */
  | { readonly type: 'released'; readonly task: number }
  | { readonly type: 'recalled'; readonly tasks: readonly number[] }
  /** A problem outside of any evaluation. */
  | { readonly type: 'warning'; readonly text: string }
  | {
      readonly type: 'log';
      readonly task: number;
      readonly stream: LogStream;
      readonly text: string;
    };
