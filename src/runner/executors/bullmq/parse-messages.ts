import { captures } from '../../../model/calls/model-call.js';
import { isFileReads } from '../../../model/code/file-code.js';
import {
  isCount,
  isNumber,
  isObject,
  isStrings,
  isTimeText,
  parseJson,
} from '../../../model/json.js';
import { isTimeout, isWholeUpTo, maxConcurrency } from '../../../model/option-ranges.js';
import {
  both,
  isAmount,
  isFlag,
  isText,
  listOf,
  object,
  oneOf,
  optional,
  recordOf,
  type Shape,
  variants,
} from '../../../model/shapes.js';
import { parseMessage, type Task } from '../../../protocol/messages.js';
import {
  errorOutcome,
  isCalls,
  isShallow,
  type Outcome,
  outcomeFault,
} from '../../../protocol/outcome.js';
import { recordingModes } from '../../../recordings/recording.js';
import { noTask } from './fed-work.js';
import { isMachine } from './machine.js';
import {
  type JobData,
  type JobProgress,
  type JobReturn,
  type RunManifest,
  type ToCoordinators,
  type ToWorkers,
  wireVersion,
} from './run-manifest.js';

/** Seconds beyond which no call is held. */
const mostWaited = 1e9;
const isWait = (value: unknown): value is number => isAmount(value) && value <= mostWaited;
const areWaits = recordOf(isWait);
const isLate = object({
  task: (value): value is number => value === noTask || isCount(value),
  calls: isCalls,
});
const isSlots = (value: unknown): value is number => isWholeUpTo(maxConcurrency, value);

const isToCoordinators: Shape<ToCoordinators> = variants('type', {
  joined: object({ run: isText, worker: isText, slots: isSlots }),
  left: object({ run: isText, worker: isText }),
  refused: object({ run: isText, worker: isText, reason: isText }),
  done: object({ run: isText, nonce: isText, waiting: listOf(isCount) }),
  late: both(object({ run: isText }), isLate),
});

const command = object({ run: isText, nonce: isText });
const isToWorkers: Shape<ToWorkers> = variants('type', {
  opened: object({ run: isText }),
  closed: object({ run: isText }),
  pause: command,
  resume: command,
  stop: command,
  slots: object({ run: isText, slots: isCount }),
});

/** What manifests of every version have. */
const isAnyManifest = object({
  wire: isNumber,
  assay: isText,
  run: object({ runName: isText, runId: isText }),
  execution: isText,
  requires: listOf(isStrings),
  isPaused: isFlag,
  isEnded: isFlag,
  at: isTimeText,
});

const isPrice = (value: unknown): value is object =>
  isObject(value) &&
  Object.entries(value).every(([name, one]) => (name === 'provider' ? isText : isAmount)(one));

const isManifest = object({
  wire: isNumber,
  assay: isText,
  files: isStrings,
  code: object({
    files: recordOf(isText),
    lock: optional(object({ path: isText, hash: isText })),
  }),
  loaded: object({ settings: isText, packages: isStrings, platform: isText, isOfAll: isFlag }),
  isolate: isFlag,
  streamLogs: isFlag,
  calls: object({
    capture: oneOf(...captures),
    captureMib: optional(isAmount),
    notModels: optional(isStrings),
    recordings: optional(
      object({
        mode: oneOf(...recordingModes.filter((mode) => mode !== 'off')),
        folder: isText,
        normalize: isStrings,
        ignore: optional(isStrings),
        hosts: optional(isStrings),
      }),
    ),
  }),
  run: object({ sessionName: isText, params: both(isObject, isShallow) }),
  node: isText,
  anyNode: isFlag,
  cases: isText,
  rates: optional(recordOf(recordOf(isAmount))),
  prices: optional(recordOf(isPrice)),
  asks: isFlag,
  slots: isCount,
});

const isTask = object({
  task: isCount,
  id: isText,
  trial: optional(isCount),
  timeout: isTimeout,
  values: optional(isText),
  stored: optional(both(object({ metadata: isObject, traceData: isObject }), isShallow)),
});

/** Parses a message to coordinators; `undefined` if it is none: others may write to Redis, too. */
export function parseToCoordinators(text: string): ToCoordinators | undefined {
  const message = parseJson(text);
  return isToCoordinators(message) ? message : undefined;
}

/** Parses a message to workers; `undefined` if it is none. */
export function parseToWorkers(text: string): ToWorkers | undefined {
  const message = parseJson(text);
  return isToWorkers(message) ? message : undefined;
}

/**
 * Parses the manifest of a run; `undefined` if it is none. Of one that speaks another version, only what every version
 * has is checked.
 */
export function parseManifest(text: string, run: string): RunManifest | undefined {
  const found = parseJson(text);
  if (!isAnyManifest(found) || found.run.runId !== run) return undefined;
  // Each field has been checked, or its version is refused.
  const manifest = found as unknown as RunManifest;
  return found.wire !== wireVersion || isManifest(found) ? manifest : undefined;
}

/** The task of a job; `undefined` if it is none. */
export function parseJob(value: unknown): JobData | undefined {
  if (!isObject(value) || !isText(value.execution) || !isTask(value.task)) return undefined;
  const { execution, task } = value;
  return { execution, task: task as Task };
}

/** What a worker has answered to a job: a result of its task, whatever it has sent. */
export interface JobAnswer extends Omit<JobReturn, 'cwd' | 'reads' | 'machine'> {
  /** Absent if it does not say; so is the next. */
  readonly reads: JobReturn['reads'] | undefined;
  readonly machine: JobReturn['machine'] | undefined;
  /** Absent if it does not say. */
  readonly cwd: string | undefined;
  /** Nothing but the result is malformed; that says so itself. */
  readonly isWhole: boolean;
  /** Its result is well formed. */
  readonly hasResult: boolean;
}

const areReads = listOf(isFileReads);
const isAnswer = object({
  cwd: isText,
  waited: areWaits,
  late: listOf(isLate),
  reads: areReads,
  machine: isMachine,
});

/**
 * Parses the answer to a job. Without a valid result of its task, the result is an error: others may write to Redis,
 * and a worker may be broken.
 */
export function parseAnswer(value: unknown, { task, id }: Task): JobAnswer {
  const answer = isObject(value) ? value : {};
  const sent = isObject(answer.result) ? answer.result : {};
  const isOfTask = sent.index === task && sent.id === id;
  const fault = isOfTask ? outcomeFault(sent.outcome) : 'it is of no such evaluation';
  const what = isOfTask ? `a malformed result: ${fault}` : 'no result of it';
  const outcome =
    fault === undefined
      ? // It has been checked.
        (sent.outcome as Outcome)
      : errorOutcome(`The worker that ran this evaluation sent ${what}.`);
  const { cwd, late, waited, reads, machine } = answer;
  return {
    result: { index: task, id, outcome },
    cwd: isText(cwd) ? cwd : undefined,
    reads: areReads(reads) ? reads : undefined,
    machine: isMachine(machine) ? machine : undefined,
    late: Array.isArray(late) ? late.filter(isLate) : [],
    waited: areWaits(waited) ? waited : {},
    isWhole: fault !== undefined || isAnswer(answer),
    hasResult: fault === undefined,
  };
}

/** What jobs print; what is malformed is left out. */
export function parseProgress(value: unknown): JobProgress['printed'] {
  if (!isObject(value) || !Array.isArray(value.printed)) return [];
  return value.printed.flatMap((one) => (isObject(one) ? (parseMessage('log', one) ?? []) : []));
}
