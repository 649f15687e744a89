import { relative, sep } from 'node:path';
import { readVersion } from '../../../package-root.js';
import type {
  Descriptor,
  EvalFile,
  LoadedModules,
  RunContext,
} from '../../../protocol/messages.js';
import type { ExecutorOptions } from '../../runner-dependencies.js';
import { casesHash, hashCheckout, platform } from './checkout-hashes.js';
import { queueName, type RunManifest, wireVersion } from './run-manifest.js';

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
  const { cwd, isolate = false, streamLogs, calls, rates, prices } = options;
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
    prices,
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
