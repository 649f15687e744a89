import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { openStore } from '../store/store.js';
import { redactCredentials } from '../text/credentials.js';
import { createRedactor } from '../text/redact.js';
import { splitPath } from './discovery/find-files.js';
import type { RunListener } from './events.js';
import type { MakeExecutor } from './executor.js';
import { LocalExecutor } from './local/local-executor.js';
import type { RunnerDependencies } from './runner-dependencies.js';

export interface OpenRunnerOptions {
  /** Absolute; the working directory of evaluations. */
  readonly cwd: string;
  /** The environment without the variables of the `.env` file. */
  readonly env: NodeJS.ProcessEnv;
  /** The variables that the `.env` file adds. */
  readonly addedEnv: { readonly [name: string]: string };
  /** Absolute. */
  readonly resultsDir: string;
  /** Absolute. */
  readonly recordingsDir: string;
  /** Paths that the user has named, each with an optional `::name`: saved runs may have evals from there imported, too. Default: none. */
  readonly named?: readonly string[];
  /** Default false. */
  readonly toleratesImportFailures?: boolean;
  /** Default false. */
  readonly waitsForRoom?: boolean;
  /** Default false. */
  readonly watches?: boolean;
  /** Default: a pool of processes on this machine. */
  readonly makeExecutor?: MakeExecutor;
  readonly onEvent: RunListener;
}

/** Opens a runner over a results directory, which is created with the first run. */
export async function openRunner(options: OpenRunnerOptions): Promise<RunnerDependencies> {
  const { cwd, addedEnv, resultsDir, recordingsDir, onEvent, named = [] } = options;
  const { toleratesImportFailures = false, waitsForRoom = false, watches = false } = options;
  const { makeExecutor = (settings) => new LocalExecutor(settings) } = options;
  const env = { ...options.env, ...addedEnv };
  const secrets = createRedactor(env, existsSync);
  const redact = (text: string) => redactCredentials(secrets.redact(text));
  const store = await openStore(resultsDir);
  return {
    store,
    cwd,
    env,
    addedEnv,
    redact,
    secrets,
    imports: {
      roots: [cwd, ...named.map((given) => resolve(cwd, splitPath(given, cwd).path))],
      leftOut: [store.root, recordingsDir],
    },
    toleratesImportFailures,
    waitsForRoom,
    watches,
    makeExecutor,
    onEvent,
  };
}
