import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AssayError } from '../../../errors.js';
import { relativePath } from '../../../text/file-path.js';
import { checkImportable } from '../../discovery/importable.js';
import type { LoadedFiles } from '../../executor.js';
import { LocalExecutor, type LocalExecutorOptions } from '../local/local-executor.js';
import { differenceFrom } from './checkout-hashes.js';
import type { ComingRun } from './run-manifest.js';

/** What a worker gives to the executors of all runs. */
export type WorkerOptions = Pick<
  LocalExecutorOptions,
  | 'cwd'
  | 'env'
  | 'addedEnv'
  | 'workers'
  | 'importTimeout'
  | 'tsconfig'
  | 'redact'
  | 'onPrint'
  | 'onWarning'
> & {
  /** Evaluations at a time. */
  readonly slots: number;
  /** Absolute; nothing in it is imported. */
  readonly resultsDir: string;
  /** Absolute: the recordings of this checkout, where those of all its runs are. */
  readonly recordingsDir: string;
};

/** The executor of a run on a worker, which imports the files of the run. */
export interface LoadingExecutor {
  readonly executor: LocalExecutor;
  readonly loading: Promise<LoadedFiles>;
}

/** Milliseconds after which a run does not come any more: its import has failed, or there was nothing to run. */
const mostMs = 60_000;
/** Milliseconds by which the times of files may be behind the clock. */
const clockTickMs = 20;

/** Begins to import the files of a run. */
export function beginImport(run: ComingRun, options: WorkerOptions): LoadingExecutor {
  const executor = makeExecutor(run, options);
  return { executor, loading: load(executor, run, options) };
}

/** The files of a run, imported while the run is being planned elsewhere. */
export class EarlyImport {
  readonly #run: ComingRun;
  readonly #options: WorkerOptions;
  readonly #loading: LoadingExecutor;
  readonly #timer: NodeJS.Timeout;
  readonly #began = Date.now();

  constructor(run: ComingRun, options: WorkerOptions) {
    this.#run = run;
    this.#options = options;
    const executor = makeExecutor(run, options);
    const loading = this.#load(executor);
    // Who takes it says why it failed.
    loading.catch(() => undefined);
    this.#loading = { executor, loading };
    this.#timer = setTimeout(() => this.close(), mostMs).unref();
  }

  /** True if this is the run that was to come; of its code, only the eval files are known before. */
  isOf(run: ComingRun): boolean {
    return settingsOf(run) === settingsOf(this.#run);
  }

  /** Hands over the executor, for a run that has the code of this checkout; nothing, if that was written since the import began. */
  async take({ code }: ComingRun): Promise<LoadingExecutor | undefined> {
    clearTimeout(this.#timer);
    const paths = [...Object.keys(code.files), ...(code.lock ? [code.lock.path] : [])];
    if (await this.#areOlder(paths)) return this.#loading;
    this.close();
    return undefined;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#loading.executor.close();
  }

  async #load(executor: LocalExecutor): Promise<LoadedFiles> {
    const difference = await differenceFrom(this.#run.code, this.#options.cwd);
    if (difference !== undefined) throw new Error(difference);
    return load(executor, this.#run, this.#options);
  }

  async #areOlder(paths: readonly string[]): Promise<boolean> {
    const before = this.#began - clockTickMs;
    const are = paths.map(async (path) => {
      const stats = await stat(join(this.#options.cwd, path)).catch(() => undefined);
      return stats !== undefined && stats.ctimeMs < before;
    });
    return (await Promise.all(are)).every((isOlder) => isOlder);
  }
}

function makeExecutor(
  { isolate, streamLogs, capture, captureMib, notModels, recordings }: ComingRun,
  { slots, resultsDir: _, recordingsDir, ...local }: WorkerOptions,
): LocalExecutor {
  return new LocalExecutor({
    ...local,
    concurrency: slots,
    isolate,
    streamLogs,
    capture,
    captureMib,
    notModels,
    ...(recordings && { recordings: { ...recordings, folder: recordingsDir } }),
  });
}

/** Imports the files of a run if they are what a search in this checkout finds: others may write to Redis, too. */
async function load(
  executor: LocalExecutor,
  run: ComingRun,
  { cwd, resultsDir, recordingsDir }: WorkerOptions,
): Promise<LoadedFiles> {
  checkRecordings(run, cwd, recordingsDir);
  const files = run.files.map((name) => ({ name, path: resolve(cwd, name) }));
  await checkImportable(files, { roots: [cwd], leftOut: [resultsDir, recordingsDir] });
  return executor.load(files);
}

/** Recordings of a run are in the folder that the settings of this checkout name, and in no other. */
function checkRecordings({ recordings }: ComingRun, cwd: string, own: string): void {
  if (recordings === undefined || resolve(cwd, recordings.folder) === own) return;
  const [wanted, here] = [recordings.folder, relativePath(cwd, own)];
  throw new AssayError('usage', `recordings_dir is ${here} here, and ${wanted} in the run`);
}

/** All that an import depends on but the code. */
function settingsOf(run: ComingRun): string {
  const { wire, assay, files, isolate, streamLogs, capture, captureMib } = run;
  const { notModels, recordings } = run;
  return JSON.stringify({
    ...{ wire, assay, files, isolate, streamLogs },
    ...{ capture, captureMib, notModels, recordings },
  });
}
