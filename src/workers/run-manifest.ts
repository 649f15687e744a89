import { relative, sep } from 'node:path';
import type { Rates } from '../model/calls/call-rules.js';
import { captures } from '../model/calls/model-call.js';
import { isCount, isNumber, isObject, isStrings, isTimeText, parseJson } from '../model/json.js';
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
} from '../model/shapes.js';
import { readVersion } from '../package-root.js';
import type { Descriptor, EvalFile, LoadedModules, RunContext } from '../protocol/messages.js';
import { isShallow } from '../protocol/outcome.js';
import type { CallSettings } from '../recordings/recording.js';
import { recordingModes } from '../recordings/recording.js';
import type { ExecutorOptions } from '../runner/executor.js';
import {
  type CheckoutHashes,
  casesHash,
  hashCheckout,
  type LoadedThere,
  platform,
} from './checkout-hashes.js';
import { queueName } from './redis-server.js';

/** Version of what coordinator and workers say to each other. */
export const wireVersion = 8;

/** Milliseconds after which a coordinator is silent that has not published its run again. */
export const silentMs = 60_000;

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

/** What a coordinator has loaded. */
export interface LoadedRun {
  readonly run: RunContext;
  readonly files: readonly EvalFile[];
  /** What the files load; `isOfAll`: nothing but them was imported. */
  readonly modules: LoadedModules;
  readonly isOfAll: boolean;
  /** By id. */
  readonly descriptors: ReadonlyMap<string, Descriptor>;
  /** Calls must be allowed before they are made. */
  readonly asks: boolean;
}

/** Describes a run for workers. */
export async function makeManifest(
  options: ExecutorOptions & { readonly anyNode?: boolean | undefined },
  { run, files: evalFiles, modules, isOfAll, descriptors, asks }: LoadedRun,
): Promise<RunManifest> {
  const { cwd, isolate = false, streamLogs, calls, rates } = options;
  const { recordings } = calls;
  const toRelative = (path: string) => relative(cwd, path).split(sep).join('/');
  const files = evalFiles.map(({ name }) => name);
  const requires = new Map([[queueName(run.runId, []), [] as readonly string[]]]);
  for (const one of descriptors.values()) {
    if (one.requires !== undefined) requires.set(queueName(run.runId, one.requires), one.requires);
  }
  return {
    wire: wireVersion,
    assay: readVersion(),
    run,
    node: process.versions.node,
    anyNode: options.anyNode === true,
    files,
    code: await hashCheckout(cwd, [...new Set([...files, ...modules.files])].sort()),
    loaded: {
      settings: modules.settings,
      packages: modules.packages,
      platform: platform(),
      isOfAll,
    },
    isolate,
    streamLogs,
    calls: {
      ...calls,
      recordings: recordings && { ...recordings, folder: toRelative(recordings.folder) },
    },
    execution: crypto.randomUUID(),
    cases: casesHash(descriptors.values()),
    rates,
    asks,
    requires: [...requires.values()],
    isPaused: false,
    isEnded: false,
    slots: 0,
    at: new Date().toISOString(),
  };
}

/** What the results of two executions of a run depend on. */
export function whatRuns({ wire, code, loaded, cases, assay, run }: RunManifest): string {
  return JSON.stringify([wire, code, loaded, cases, assay, run.params, run.scoreRules]);
}

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
    prices: optional(recordOf(isPrice)),
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
  asks: isFlag,
  slots: isCount,
});

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
