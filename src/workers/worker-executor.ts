import { resolve } from 'node:path';
import { AssayError } from '../errors.js';
import { checkImportable } from '../runner/discovery/importable.js';
import type { LoadedFiles, LocalExecutorOptions } from '../runner/executor.js';
import { LocalExecutor } from '../runner/local/local-executor.js';
import { relativePath } from '../text/file-path.js';
import type { RunManifest } from './run-manifest.js';

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

/** Begins to import the files of a run. */
export function beginImport(run: RunManifest, options: WorkerOptions): LoadingExecutor {
  const executor = makeExecutor(run, options);
  return { executor, loading: load(executor, run, options) };
}

function makeExecutor(
  { isolate, streamLogs, calls }: RunManifest,
  { slots, resultsDir: _, recordingsDir, ...local }: WorkerOptions,
): LocalExecutor {
  return new LocalExecutor({
    ...local,
    concurrency: slots,
    listsModules: true,
    isolate,
    streamLogs,
    calls: {
      ...calls,
      recordings: calls.recordings && { ...calls.recordings, folder: recordingsDir },
    },
  });
}

/** Imports the files of a run if they are what a search in this checkout finds: others may write to Redis, too. */
async function load(
  executor: LocalExecutor,
  run: RunManifest,
  { cwd, resultsDir, recordingsDir }: WorkerOptions,
): Promise<LoadedFiles> {
  checkRecordings(run, cwd, recordingsDir);
  const files = run.files.map((name) => ({ name, path: resolve(cwd, name) }));
  await checkImportable(files, { roots: [cwd], leftOut: [resultsDir, recordingsDir] });
  return executor.load(files);
}

/** Recordings of a run are in the folder that the settings of this checkout name, and in no other. */
function checkRecordings({ calls }: RunManifest, cwd: string, own: string): void {
  const { recordings } = calls;
  if (recordings === undefined || resolve(cwd, recordings.folder) === own) return;
  const [wanted, here] = [recordings.folder, relativePath(cwd, own)];
  throw new AssayError('usage', `recordings_dir is ${here} here, and ${wanted} in the run`);
}
