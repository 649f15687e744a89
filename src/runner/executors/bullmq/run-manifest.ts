import type { OwnPrices, Rates } from '../../../model/calls/call-rules.js';
import type { StoredCalls } from '../../../model/calls/stored-calls.js';
import type { FileReads } from '../../../model/code/file-code.js';
import type { LogStream, RunContext, Task } from '../../../protocol/messages.js';
import type { CallSettings } from '../../../recordings/recording.js';
import type { FinishedResult } from '../../events.js';
import type { CheckoutHashes, LoadedThere } from './checkout-hashes.js';
import type { Machine } from './machine.js';
import type { RedisServer } from './redis-server.js';

/** Version of what coordinator and workers say to each other. */
export const wireVersion = 7;

/** Milliseconds after which a coordinator is silent that has not published its run again. */
export const silentMs = 60_000;

/** Seconds that Redis keeps what nobody takes: results of jobs, and runs whose coordinator has died. */
export const keptSeconds = 7 * 24 * 3600;

/** All that a worker has to know of a run. It has no secrets: environments stay on their machines. */
export interface RunManifest {
  readonly wire: number;
  /** Version of assay. */
  readonly assay: string;
  readonly run: RunContext;
  /** Version of Node of the coordinator. */
  readonly node: string;
  /** Workers may have another major version of it. */
  readonly anyNode: boolean;
  /** Id of this execution of the run; one that takes over the jobs of an earlier one has its id. */
  readonly execution: string;
  /** Names of the eval files. */
  readonly files: readonly string[];
  /** Of the eval files and the modules that they load. */
  readonly code: CheckoutHashes;
  /** How these modules were read, and the packages that they load. */
  readonly loaded: LoadedThere;
  /** Hash of all cases, without their values. */
  readonly cases: string;
  readonly isolate: boolean;
  readonly streamLogs: boolean;
  /** The folder of recordings is relative to the working directory. */
  readonly calls: CallSettings;
  readonly rates?: Rates | undefined;
  readonly prices?: OwnPrices | undefined;
  /** Calls must be allowed before they are made: some evaluations have limits, or models have rates. */
  readonly asks: boolean;
  /** What the evaluations of each queue require of a worker. */
  readonly requires: readonly (readonly string[])[];
  readonly isPaused: boolean;
  /** Nobody takes part any more; its coordinator removes its queues, and then this. */
  readonly isEnded: boolean;
  /** All slots that work on the run, over which its rates are shared. */
  readonly slots: number;
  /** ISO time at which the coordinator published it last; it does every few seconds. */
  readonly at: string;
}

/** Content of a job: one task. */
export interface JobData {
  /** The execution of the run that it belongs to: a worker that has imported files for another one must not run it. */
  readonly execution: string;
  readonly task: Task;
}

/** The result of a job. */
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

export interface LateCalls {
  readonly task: number;
  readonly calls: StoredCalls;
}

/** What a job says while it runs. */
export interface JobProgress {
  readonly printed: readonly {
    readonly task: number;
    readonly stream: LogStream;
    readonly text: string;
  }[];
}

/** A message to the workers of the project. */
export type ToWorkers =
  | { readonly type: 'opened' | 'closed'; readonly run: string }
  | { readonly type: 'pause' | 'resume' | 'stop'; readonly run: string; readonly nonce: string }
  | { readonly type: 'slots'; readonly run: string; readonly slots: number };

/** A message to the coordinators of the project. */
export type ToCoordinators =
  | {
      readonly type: 'joined';
      readonly run: string;
      readonly worker: string;
      readonly slots: number;
    }
  | { readonly type: 'left'; readonly run: string; readonly worker: string }
  | {
      readonly type: 'refused';
      readonly run: string;
      readonly worker: string;
      readonly reason: string;
    }
  | {
      readonly type: 'done';
      readonly run: string;
      readonly nonce: string;
      /** Tasks of its jobs that have not begun. */
      readonly waiting: readonly number[];
    }
  | ({ readonly type: 'late'; readonly run: string } & LateCalls);

/** Names of keys, channels and queues of a project. */
export function namesOf({ prefix }: RedisServer) {
  return {
    /** Hash: manifests by run. */
    runs: `${prefix}:runs`,
    /** Hash: details by worker. */
    workers: `${prefix}:workers`,
    toWorkers: `${prefix}:to-workers`,
    toCoordinators: `${prefix}:to-coordinators`,
    /** Prefix of values that are too large for a job. */
    values: `${prefix}:values`,
    /** A queue without jobs that workers listen to, so that Redis knows who is there. */
    presence: 'workers',
  };
}

/** The name of the queue for the evaluations of a run that require this of a worker. */
export function queueName(run: string, requires: readonly string[]): string {
  return ['run', run, ...requires].join('-');
}
