import { captures } from '../../../model/calls/model-call.js';
import {
  isCount,
  isNumber,
  isObject,
  isStrings,
  isTimeText,
  parseJson,
} from '../../../model/json.js';
import { isTimeout, isWholeUpTo, maxConcurrency } from '../../../model/option-ranges.js';
import type { Outcome, Task } from '../../../protocol/messages.js';
import { isCalls, isShallow, parseLog, parseOutcome } from '../../../protocol/parse-host-line.js';
import { recordingModes } from '../../../recordings/recording.js';
import type { FinishedResult } from '../../events.js';
import {
  type ComingRun,
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

/** Parses a message to coordinators; `undefined` if it is none: others may write to Redis, too. */
export function parseToCoordinators(text: string): ToCoordinators | undefined {
  const message = parseJson(text);
  if (!isObject(message) || !isText(message.run)) return undefined;
  return isToCoordinators(message) ? message : undefined;
}

function isToCoordinators(message: Fields): message is Fields & ToCoordinators {
  switch (message.type) {
    case 'joined':
      return isText(message.worker) && isWholeUpTo(maxConcurrency, message.slots);
    case 'left':
      return isText(message.worker);
    case 'refused':
      return isText(message.worker) && isText(message.reason);
    case 'done':
      return isText(message.nonce) && isListOf(message.waiting, isCount);
    case 'late':
      return isLate(message);
    default:
      return false;
  }
}

/** Parses a message to workers; `undefined` if it is none. */
export function parseToWorkers(text: string): ToWorkers | undefined {
  const message = parseJson(text);
  return isObject(message) && isToWorkers(message) ? message : undefined;
}

function isToWorkers(message: Fields): message is Fields & ToWorkers {
  switch (message.type) {
    case 'coming':
      return isComing(message);
    case 'opened':
    case 'closed':
      return isText(message.run);
    case 'pause':
    case 'resume':
    case 'stop':
      return isText(message.run) && isText(message.nonce);
    case 'slots':
      return isText(message.run) && isCount(message.slots);
    default:
      return false;
  }
}

/**
 * Parses the manifest of a run; `undefined` if it is none. Of one that speaks another version, only what every version
 * has is checked.
 */
export function parseManifest(text: string, run: string): RunManifest | undefined {
  const value = parseJson(text);
  if (!isObject(value) || !isObject(value.run) || value.run.runId !== run) return undefined;
  const isAny =
    isNumber(value.wire) &&
    isText(value.assay) &&
    isText(value.run.runName) &&
    isText(value.execution) &&
    isListOf(value.requires, isStrings) &&
    isFlag(value.isPaused) &&
    isFlag(value.isEnded) &&
    isTimeText(value.at);
  if (!isAny) return undefined;
  // Each field has been checked, or its version is refused.
  return value.wire !== wireVersion || isManifest(value)
    ? (value as unknown as RunManifest)
    : undefined;
}

function isManifest(value: Fields): boolean {
  return (
    isComing(value) &&
    isRunContext(value.run) &&
    isText(value.cases) &&
    (value.rates === undefined || isRecordOf(value.rates, isAmounts)) &&
    (value.prices === undefined || isRecordOf(value.prices, isPrice)) &&
    isFlag(value.asks) &&
    isCount(value.slots)
  );
}

function isRunContext(value: unknown): boolean {
  return (
    isObject(value) &&
    isText(value.sessionName) &&
    isObject(value.params) &&
    isShallow(value.params)
  );
}

function isComing(value: Fields): value is Fields & ComingRun {
  return (
    isNumber(value.wire) &&
    isText(value.assay) &&
    isStrings(value.files) &&
    isCheckout(value.code) &&
    isFlag(value.isolate) &&
    isFlag(value.streamLogs) &&
    (captures as readonly unknown[]).includes(value.capture) &&
    (value.captureMib === undefined || isAmount(value.captureMib)) &&
    (value.notModels === undefined || isStrings(value.notModels)) &&
    (value.recordings === undefined || isRecordings(value.recordings))
  );
}

function isCheckout(value: unknown): boolean {
  if (!isObject(value) || !isRecordOf(value.files, isText)) return false;
  const { lock } = value;
  return lock === undefined || (isObject(lock) && isText(lock.path) && isText(lock.hash));
}

function isRecordings(value: unknown): boolean {
  return (
    isObject(value) &&
    value.mode !== 'off' &&
    (recordingModes as readonly unknown[]).includes(value.mode) &&
    isText(value.folder) &&
    isStrings(value.normalize)
  );
}

function isAmounts(value: unknown): boolean {
  return isRecordOf(value, isAmount);
}

function isPrice(value: unknown): boolean {
  return (
    isObject(value) &&
    Object.entries(value).every(([name, one]) =>
      name === 'provider' ? isText(one) : isAmount(one),
    )
  );
}

/** The tasks of a job; `undefined` if they are none. */
export function parseJob(value: unknown): JobData | undefined {
  if (!isObject(value) || !isText(value.execution) || !isListOf(value.tasks, isTask))
    return undefined;
  return { execution: value.execution, tasks: value.tasks };
}

function isTask(value: unknown): value is Task {
  return (
    isObject(value) &&
    isCount(value.task) &&
    isText(value.id) &&
    (value.trial === undefined || isCount(value.trial)) &&
    isTimeout(value.timeout) &&
    (value.stored === undefined || isStored(value.stored))
  );
}

function isStored(value: unknown): boolean {
  return (
    isObject(value) && isObject(value.metadata) && isObject(value.traceData) && isShallow(value)
  );
}

/** What a worker has answered to a job: a result for each of its tasks, whatever it has sent. */
export interface JobAnswer extends Omit<JobReturn, 'cwd'> {
  /** Absent if it does not say. */
  readonly cwd: string | undefined;
  /** Nothing but results is malformed; these say so themselves. */
  readonly isWhole: boolean;
}

/**
 * Parses the answer to a job. A task without a valid result gets an error for one: others may write to Redis, and a
 * worker may be broken.
 */
export function parseAnswer(value: unknown, tasks: readonly Task[]): JobAnswer {
  const answer: Fields = isObject(value) ? value : {};
  const sent = new Map<unknown, Fields>();
  for (const one of Array.isArray(answer.results) ? answer.results : []) {
    if (isObject(one) && !sent.has(one.index)) sent.set(one.index, one);
  }
  const results = tasks.map(({ task, id }): FinishedResult => {
    const result = sent.get(task);
    const outcome = result?.id === id ? parseOutcome(result.outcome) : undefined;
    return { index: task, id, outcome: outcome ?? unanswered };
  });
  const { cwd, waited } = answer;
  const isWhole =
    results.some(({ outcome }) => outcome === unanswered) ||
    (isText(cwd) && isRecordOf(waited, isWait) && isListOf(answer.late, isLate));
  return {
    results,
    cwd: isText(cwd) ? cwd : undefined,
    late: Array.isArray(answer.late) ? answer.late.filter(isLate) : [],
    waited: isRecordOf(waited, isWait) ? waited : {},
    isWhole,
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

function isLate(value: unknown): value is LateCalls {
  return isObject(value) && isCount(value.task) && isCalls(value.calls);
}

function isWait(value: unknown): value is number {
  return isAmount(value) && value <= mostWaited;
}

function isAmount(value: unknown): value is number {
  return isNumber(value) && value >= 0;
}

function isRecordOf<T>(
  value: unknown,
  is: (item: unknown) => item is T,
): value is Readonly<Record<string, T>>;
function isRecordOf(value: unknown, is: (item: unknown) => boolean): boolean;
function isRecordOf(value: unknown, is: (item: unknown) => boolean): boolean {
  return isObject(value) && Object.values(value).every((item) => is(item));
}

function isListOf<T>(value: unknown, is: (item: unknown) => item is T): value is T[];
function isListOf(value: unknown, is: (item: unknown) => boolean): boolean;
function isListOf(value: unknown, is: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every((item) => is(item));
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isFlag(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

type Fields = { readonly [key: string]: unknown };
