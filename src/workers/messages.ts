import { type FileReads, isFileReads } from '../model/code/file-code.js';
import { isCount, isObject, parseJson } from '../model/json.js';
import { isTimeout } from '../model/option-ranges.js';
import {
  both,
  type Fitting,
  isAmount,
  isText,
  listOf,
  object,
  optional,
  recordOf,
  variants,
} from '../model/shapes.js';
import { type LogStream, parseMessage, type Task } from '../protocol/messages.js';
import {
  errorOutcome,
  isCalls,
  isShallow,
  type Outcome,
  outcomeFault,
} from '../protocol/outcome.js';
import type { FinishedResult } from '../runner/events.js';
import { noTask } from './fed-work.js';
import { isMachine, type Machine } from './machine.js';
import { isSlots } from './presence.js';

/** Content of a job: one task. */
export interface JobData {
  /** The execution of the run that it belongs to: a worker that has imported files for another one must not run it. */
  readonly execution: string;
  readonly task: Task;
}

export interface JobReturn {
  readonly result: FinishedResult;
  /** The working directory of the worker, whose files the stacks of errors name. */
  readonly cwd: string;
  /** All that evaluations have looked at on this worker so far: any earlier answer may be lost. Variables are hashed. */
  readonly reads: readonly FileReads[];
  readonly machine: Machine;
  /** Calls that ended after their attempt, by task. */
  readonly late: readonly LateCalls[];
  /** Seconds in which calls were held, by model. */
  readonly waited: { readonly [model: string]: number };
}

/** What a job says while it runs. */
export interface JobProgress {
  readonly printed: readonly {
    readonly task: number;
    readonly stream: LogStream;
    readonly text: string;
  }[];
}

/** Seconds beyond which no call is held. */
const mostWaited = 1e9;
const areWaits = recordOf(
  (value: unknown): value is number => isAmount(value) && value <= mostWaited,
);

const isLate = object({
  task: (value): value is number => value === noTask || isCount(value),
  calls: isCalls,
});

/** Calls of a task, named by its number, that ended after its result. */
export interface LateCalls extends Fitting<typeof isLate> {}

const ofRun = { run: isText };
const ofWorker = { run: isText, worker: isText };
const isToCoordinators = variants('type', {
  joined: object({ ...ofWorker, slots: isSlots }),
  left: object(ofWorker),
  refused: object({ ...ofWorker, reason: isText }),
  /** A command was obeyed. `waiting`: tasks of its jobs that have not begun. */
  done: object({ ...ofRun, nonce: isText, waiting: listOf(isCount) }),
  late: both(object(ofRun), isLate),
});

/** A message to the coordinators of the project. */
export type ToCoordinators = Fitting<typeof isToCoordinators>;

const isCommand = object({ ...ofRun, nonce: isText });
const isToWorkers = variants('type', {
  opened: object(ofRun),
  closed: object(ofRun),
  pause: isCommand,
  resume: isCommand,
  stop: isCommand,
  slots: object({ ...ofRun, slots: isCount }),
});

/** A message to the workers of the project. */
export type ToWorkers = Fitting<typeof isToWorkers>;

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
