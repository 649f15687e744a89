import type { Trace } from '../model/calls/model-call.js';
import { areReads, foundCode, isFoundCode } from '../model/code/file-code.js';
import { isLookedAt } from '../model/code/looked-at.js';
import { isJson, isJsonObject, isNumber, isObject, isStrings, parseJson } from '../model/json.js';
import { isKeptValues, type KeptValues } from '../model/kept-values.js';
import { isCallLimits } from '../model/option-ranges.js';
import type { JsonObject } from '../model/result.js';
import { isScoreRules, type ScoreRules } from '../model/scores/score-rule.js';
import {
  type Fitting,
  isAmount,
  isFlag,
  isText,
  isTrue,
  listOf,
  type ObjectOf,
  object,
  oneOf,
  only,
  optional,
  recordOf,
  type Shape,
} from '../model/shapes.js';
import type { CallSettings } from '../recordings/recording.js';
import { errorOutcome, isCalls, type Outcome, outcomeFault } from './outcome.js';

export interface EvalFile {
  /** Relative to the working directory, with `/`: the first part of result ids. */
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
}

/** What consecutive cases of an evaluation that differ only in their names have in common. */
const sharedByCases = {
  /** `<file>::<name>`. */
  evaluation: isText,
  dataset: isText,
  labels: isStrings,
  /** See `RowIdentity`. */
  cluster: optional(isText),
  /** Number of trials, from the case or the evaluation. Default: that of the run. */
  trials: optional(isNumber),
  /** Seconds. */
  timeout: optional(isNumber),
  /** Limits for the calls of an attempt. */
  limits: optional(isCallLimits),
  /** Rules for the values of its scores. */
  scoreRules: optional(isScoreRules),
  /** What a worker must offer to run it; absent for nothing. */
  requires: optional(isStrings),
  /** Defaults of its params; absent if it gives none, so that it may read any. */
  params: optional(isJsonObject),
  /** Texts by which people label its scores, by key: its own, and those of its judges; absent for none. */
  rubrics: optional(object({ own: recordOf(isText), judges: recordOf(isText) })),
  hasTarget: isFlag,
  skip: isFlag,
  only: isFlag,
  /** Where it stands: the line of the call of `evaluation()`, or of its row in a case file, from 1. */
  line: optional(isNumber),
  /** The case file; absent for the file of the evaluation. */
  lineFile: optional(isText),
};

/** An evaluation, or a case of one, as discovery finds it. Its values are requested with `describe`. */
export interface Descriptor extends ObjectOf<typeof sharedByCases> {
  /** `<file>::<function>`. */
  readonly id: string;
  readonly function: string;
}

const isGroup = object({
  ...sharedByCases,
  /** Name of the evaluation, without the file. */
  name: isText,
  /** Text after the name: `[case]`, or nothing. */
  cases: isStrings,
  /** Lines of the cases in their case file. */
  lines: optional(listOf(isNumber)),
});

/** Consecutive cases of an evaluation that differ only in their names; shared fields are sent once. */
export interface DescriptorGroup extends Fitting<typeof isGroup> {}

const isDescribed = object({
  id: isText,
  input: isJson,
  reference: isJson,
  metadata: isJsonObject,
  /** Hash of these values before anything was cut or hidden; absent if it cannot tell all values apart. */
  exact: optional(isText),
  /** What JSON does not keep of them. */
  kept: optional(isKeptValues),
  /** The key of scores without one, if it is not the usual one. */
  scoreKey: optional(isText),
});

/** The values of an evaluation or case, as authored. */
export interface DescribedValues extends Fitting<typeof isDescribed> {}

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

const isLoadedModules = object({
  /** Modules of the project, relative to the working directory with `/`. */
  files: isStrings,
  /** Hash of the compiler options of these modules, and of the module types that their `package.json` name. */
  settings: isText,
  /** Installed packages, with all that they depend on: `name@version`, sorted. */
  packages: isStrings,
});

/** What eval files have loaded, to be compared with what they load on another machine. */
export interface LoadedModules extends Fitting<typeof isLoadedModules> {}

/** An attempt to make. */
export interface Task {
  /** Identifies the task in messages: the index of its row, or in a group of runs that of `GroupWork`. */
  readonly task: number;
  /** Its run, among those of the execution. Default: the first. */
  readonly run?: number;
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

const importFailure = {
  /** Name of the file. */
  file: isText,
  message: isText,
  line: optional(isNumber),
  column: optional(isNumber),
  stack: optional(isText),
};

/** The reason why a file could not be imported. */
export interface ImportFailure extends ObjectOf<typeof importFailure> {}

const emptyFile = {
  /** Name of the file. */
  file: isText,
  /** The rest of a sentence that begins with the file. */
  reason: isText,
};

/** A file that was imported and has no evaluations. */
export interface EmptyFile extends ObjectOf<typeof emptyFile> {}

const isStream = oneOf('stdout', 'stderr');
export type LogStream = Fitting<typeof isStream>;

/** Where a host listens for a debugger. */
export interface Inspecting {
  /** Name or address. */
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** Wait for a debugger, and stop where the first eval file begins. */
  readonly stops: boolean;
}

/** A message from the runner to a host. */
export type RunnerMessage =
  /** The first message. Every line from the host must begin with the secret. */
  | { readonly type: 'greet'; readonly secret: string }
  /** May come before the first: the process loads what a run of changes needs. */
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
      /** Listen for a debugger first. Default: do not. */
      readonly inspect?: Inspecting | undefined;
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
      /** Those that tasks are of; most executions have one. */
      readonly runs: readonly RunContext[];
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

const areTasks = listOf(isNumber);

/** What messages from a host to the runner have beside their `type`. */
const messages = {
  importing: { file: isText },
  imported: { file: isText, group: isGroup as Shape<DescriptorGroup> },
  'import-failed': importFailure,
  empty: emptyFile,
  loaded: {
    /** Hash of the modules that the files loaded, if requested. */
    code: optional(isText),
    /** If requested. */
    modules: optional(isLoadedModules as Shape<LoadedModules>),
    /** A project module names `node:fs`: what evaluations read may differ between variants. */
    readsFiles: optional(isTrue),
  },
  described: { values: listOf(isDescribed as Shape<DescribedValues>) },
  code: foundCode,
  /** The end of the code; `problem`: why it is not all of it. */
  fingerprinted: { problem: optional(isText) },
  /** What evaluations of a file looked at since the last of these messages; before the results that depend on it. */
  reads: { file: isText, reads: areReads },
  /** User code has written a file: through it, other processes may know what evaluations of this one have read. */
  wrote: {},
  /** Paths that user code has looked at, or is about to write, for the first time; if the runner watches. */
  touched: { looks: listOf(isLookedAt), writes: isStrings },
  started: { tasks: areTasks },
  /** These were reported as started, but an earlier attempt blocked the process. */
  postponed: { tasks: areTasks },
  finished: {
    task: isNumber,
    /** One that is malformed has been replaced by an error. */
    outcome: (_: unknown): _ is Outcome => true,
    /** The attempt still runs after its signal was aborted. */
    lingering: isFlag,
  },
  /** A debugger can connect to this address. */
  inspected: { url: isText },
  /** A debugger has stopped the process; `isLate`: it may have done so long ago. */
  paused: { isLate: isFlag },
  /** The process runs again. */
  resumed: {},
  /** Attempts are overdue because this one blocks the process; it may already have finished. */
  held: { task: isNumber },
  /** Calls of an attempt began or ended. Their texts are included only after the attempt has ended. */
  called: { task: isNumber, calls: isCalls },
  /** Calls of the import of an eval file began or ended, without their texts. */
  'called-at-import': { file: isText, calls: isCalls },
  /** These calls of the import of an eval file are the first ones of an attempt from now on. */
  'taken-from-import': { task: isNumber, file: isText, numbers: listOf(isNumber) },
  /** Asks for permission to make a call. */
  ask: {
    task: isNumber,
    /** Identifies the question in its answer. */
    call: isNumber,
    isOfModel: isFlag,
    model: optional(isText),
    host: isText,
    /** Bytes of the request's body. */
    size: isAmount,
    /** It is answered from a recording. */
    isReplayed: optional(isTrue),
  },
  /** Cancels a question: the call was aborted or has failed. */
  withdraw: { task: isNumber, call: isNumber },
  /** The response to an allowed call has begun. */
  answering: {
    task: isNumber,
    call: isNumber,
    /** Seconds to wait before other calls, as the provider asks. */
    retryAfter: optional(isAmount),
  },
  /** The answer to `end`: all calls have been reported, and no attempt calls a model any more. */
  ending: {},
  /** A lingering attempt has ended. */
  released: { task: isNumber },
  recalled: { tasks: areTasks },
  /** A problem outside of any evaluation. */
  warning: { text: isText },
  log: { task: isNumber, stream: isStream, text: isText },
};

type Type = keyof typeof messages;

/** A message of a type from a host to the runner. */
export type MessageOf<T extends Type> = { readonly type: T } & ObjectOf<(typeof messages)[T]>;

/** A message from a host to the runner. */
export type HostMessage = { [T in Type]: MessageOf<T> }[Type];

const shapes = {
  ...Object.fromEntries(Object.entries(messages).map(([type, fields]) => [type, object(fields)])),
  code: isFoundCode,
} as { readonly [T in Type]: Shape<unknown> };

/** A message of a type without what it has beside that; `undefined` for one that lacks some of it. */
export function parseMessage<T extends Type>(type: T, message: Fields): MessageOf<T> | undefined {
  if (!shapes[type](message)) return undefined;
  const fields: { readonly [name: string]: Shape<unknown> } = messages[type];
  // It has the shape of its type.
  return { type, ...only(fields, message) } as unknown as MessageOf<T>;
}

type Fields = { readonly [name: string]: unknown };

/**
 * Parses a line from a host: a list of messages. Hosts run untrusted code, which may write anything into the channel:
 * invalid messages are ignored, and a malformed result becomes an outcome with an error.
 */
export function parseHostLine(line: string): HostMessage[] {
  const parsed = parseJson(line);
  if (!Array.isArray(parsed)) return [];
  return parsed.flatMap((message: unknown) => {
    if (!isObject(message) || !isText(message.type) || !Object.hasOwn(messages, message.type)) {
      return [];
    }
    const given = message.type === 'finished' ? withResult(message) : message;
    // One of the union for any type.
    return (parseMessage(message.type as Type, given) as HostMessage | undefined) ?? [];
  });
}

function withResult(message: Fields): Fields {
  const fault = outcomeFault(message.outcome);
  if (fault === undefined) return message;
  const text = `The process that ran this evaluation sent a malformed result: ${fault}.`;
  return { ...message, outcome: errorOutcome(text) };
}
