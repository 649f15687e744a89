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
  all,
  fits,
  isAmount,
  isFlag,
  isText,
  listOf,
  oneOf,
  optional,
  recordOf,
  type Shape,
} from '../../../model/shapes.js';
import type { Outcome, Task } from '../../../protocol/messages.js';
import { isCalls, isShallow, parseLog, parseOutcome } from '../../../protocol/parse-host-line.js';
import { recordingModes } from '../../../recordings/recording.js';
import { noTask } from './fed-work.js';
import { isMachine } from './machine.js';
import {
  type JobData,
  type JobProgress,
  type JobReturn,
  type LateCalls,
  type RunManifest,
  type ToCoordinators,
  type ToWorkers,
  wireVersion,
} from './run-manifest.js';

/** Seconds beyond which no call is held. */
const mostWaited = 1e9;
const waits = recordOf((value) => isAmount(value) && value <= mostWaited);
const lateShape = { task: (value: unknown) => value === noTask || isCount(value), calls: isCalls };

const toCoordinators: Readonly<Record<ToCoordinators['type'], Shape>> = {
  joined: { run: isText, worker: isText, slots: (value) => isWholeUpTo(maxConcurrency, value) },
  left: { run: isText, worker: isText },
  refused: { run: isText, worker: isText, reason: isText },
  done: { run: isText, nonce: isText, waiting: listOf(isCount) },
  late: { run: isText, ...lateShape },
};

const command = { run: isText, nonce: isText };
const toWorkers: Readonly<Record<ToWorkers['type'], Shape>> = {
  opened: { run: isText },
  closed: { run: isText },
  pause: command,
  resume: command,
  stop: command,
  slots: { run: isText, slots: isCount },
};

/** What manifests of every version have. */
const anyManifest = {
  wire: isNumber,
  assay: isText,
  run: { runName: isText },
  execution: isText,
  requires: listOf(isStrings),
  isPaused: isFlag,
  isEnded: isFlag,
  at: isTimeText,
};

const price = (value: unknown) =>
  isObject(value) &&
  Object.entries(value).every(([name, one]) => (name === 'provider' ? isText : isAmount)(one));

const manifest = {
  wire: isNumber,
  assay: isText,
  files: isStrings,
  code: { files: recordOf(isText), lock: optional({ path: isText, hash: isText }) },
  isolate: isFlag,
  streamLogs: isFlag,
  calls: {
    capture: oneOf(captures),
    captureMib: optional(isAmount),
    notModels: optional(isStrings),
    recordings: optional({
      mode: oneOf(recordingModes.filter((mode) => mode !== 'off')),
      folder: isText,
      normalize: isStrings,
      ignore: optional(isStrings),
      hosts: optional(isStrings),
    }),
  },
  run: { sessionName: isText, params: all({}, isShallow) },
  node: isText,
  anyNode: isFlag,
  cases: isText,
  rates: optional(recordOf(recordOf(isAmount))),
  prices: optional(recordOf(price)),
  asks: isFlag,
  slots: isCount,
};

const task = {
  task: isCount,
  id: isText,
  trial: optional(isCount),
  timeout: isTimeout,
  stored: optional(all({ metadata: {}, traceData: {} }, isShallow)),
};

/** Parses a message to coordinators; `undefined` if it is none: others may write to Redis, too. */
export function parseToCoordinators(text: string): ToCoordinators | undefined {
  return parseMessage(text, toCoordinators);
}

/** Parses a message to workers; `undefined` if it is none. */
export function parseToWorkers(text: string): ToWorkers | undefined {
  return parseMessage(text, toWorkers);
}

function parseMessage<Message extends { readonly type: string }>(
  text: string,
  shapes: Readonly<Record<Message['type'], Shape>>,
): Message | undefined {
  const message: unknown = parseJson(text);
  if (!isObject(message) || typeof message.type !== 'string') return undefined;
  if (!Object.hasOwn(shapes, message.type)) return undefined;
  // Each field has been checked.
  const one = message as unknown as Message;
  return fits(message, shapes[one.type as Message['type']]) ? one : undefined;
}

/**
 * Parses the manifest of a run; `undefined` if it is none. Of one that speaks another version, only what every version
 * has is checked.
 */
export function parseManifest(text: string, run: string): RunManifest | undefined {
  const value = parseJson(text);
  if (!fits(value, { ...anyManifest, run: { ...anyManifest.run, runId: oneOf([run]) } }))
    return undefined;
  // Each field has been checked, or its version is refused.
  const found = value as unknown as RunManifest;
  return found.wire !== wireVersion || fits(value, manifest) ? found : undefined;
}

/** The task of a job; `undefined` if it is none. */
export function parseJob(value: unknown): JobData | undefined {
  if (!fits(value, { execution: isText, task })) return undefined;
  const { execution, task: given } = value as JobData;
  return { execution, task: given };
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
}

const areReads = listOf(isFileReads);
const answerShape = {
  ...{ cwd: isText, waited: waits, late: listOf(lateShape) },
  ...{ reads: areReads, machine: isMachine },
};

/**
 * Parses the answer to a job. Without a valid result of its task, the result is an error: others may write to Redis,
 * and a worker may be broken.
 */
export function parseAnswer(value: unknown, { task, id }: Task): JobAnswer {
  const answer = isObject(value) ? value : {};
  const sent = isObject(answer.result) ? answer.result : {};
  const isOfTask = sent.index === task && sent.id === id;
  const outcome = (isOfTask ? parseOutcome(sent.outcome) : undefined) ?? unanswered;
  const { cwd, late, waited, reads, machine } = answer;
  return {
    result: { index: task, id, outcome },
    cwd: isText(cwd) ? cwd : undefined,
    reads: fits(reads, areReads) ? (reads as JobReturn['reads']) : undefined,
    machine: fits(machine, isMachine) ? (machine as JobReturn['machine']) : undefined,
    // Both have been checked.
    late: (Array.isArray(late) ? late.filter((one) => fits(one, lateShape)) : []) as LateCalls[],
    waited: (fits(waited, waits) ? waited : {}) as JobReturn['waited'],
    isWhole: outcome === unanswered || fits(answer, answerShape),
  };
}

/** The outcome of a task that the answer to its job lacks. */
export const unanswered: Outcome = {
  status: 'error',
  output: null,
  scores: [],
  error: 'The worker that ran this evaluation sent no result of it, or a malformed one.',
  latency: null,
  regradable: false,
};

/** What jobs print; what is malformed is left out. */
export function parseProgress(value: unknown): JobProgress['printed'] {
  if (!isObject(value) || !Array.isArray(value.printed)) return [];
  return value.printed.flatMap((one) => (isObject(one) ? (parseLog(one) ?? []) : []));
}
