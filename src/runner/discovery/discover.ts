import type { ShardRequest } from '../../model/shard.js';
import type { Descriptor, EmptyFile } from '../../protocol/messages.js';
import type { Executor } from '../executor.js';
import type { RunnerDependencies } from '../runner-dependencies.js';
import { DiscoveryError } from './discovery-error.js';
import { type FoundFiles, findFiles } from './find-files.js';
import { checkAskedPaths, checkImportable } from './importable.js';
import { type Selected, select } from './select-evaluations.js';

/** The user's selection of what to run; saved with the run, so that a rerun finds the same. */
export interface RunRequest {
  /** Files, folders or globs, each with an optional `::name`; empty means the working directory. */
  readonly paths: readonly string[];
  /** Globs to ignore. */
  readonly ignore: readonly string[];
  readonly datasets: readonly string[];
  readonly labels: readonly string[];
  readonly limit?: number;
  /** The part of the selection to run. Default: all of it. */
  readonly shard?: ShardRequest;
  /** The request comes from a saved run, which is not trusted. Default false. */
  readonly isStored?: boolean;
}

/** The content of the requested eval files. */
export interface LoadedEvals extends FoundFiles {
  /** Everything that was found, selected or not. */
  readonly descriptors: readonly Descriptor[];
  /** Files that were imported and have no evaluations. */
  readonly empty: readonly EmptyFile[];
  /** Names the files that could not be imported, if import failures are tolerated. */
  readonly importProblem: DiscoveryError | undefined;
  /** Hash of the code of the files, if a part of the run is requested. */
  readonly code: string | undefined;
}

/** The content of the eval files, and the selected evaluations. */
export interface Discovery extends Selected, Omit<LoadedEvals, 'files' | 'names'> {
  readonly files: readonly string[];
}

/**
 * Finds eval files, imports them in the executor and selects evaluations. `findsCode`: their code is asked for next.
 * @throws {DiscoveryError} when a file cannot be imported; nothing may be run then
 */
export async function discover(
  runner: RunnerDependencies,
  request: RunRequest,
  executor: Executor,
  findsCode = false,
): Promise<Discovery> {
  const { files, names, ...loaded } = await loadEvals(runner, request, executor, findsCode);
  const { descriptors, empty } = loaded;
  const selected = select(descriptors, { ...request, names, empty });
  return { ...selected, files: files.map((file) => file.name), ...loaded };
}

/**
 * Finds the eval files of a request. Imports nothing.
 * @throws {AssayError} those of `findFiles`; `view-only` when a saved run asks for what nothing else would find
 */
export async function findRequested(
  { cwd, imports }: Pick<RunnerDependencies, 'cwd' | 'imports'>,
  request: RunRequest,
): Promise<FoundFiles> {
  if (request.isStored === true) checkAskedPaths(request.paths, cwd, imports);
  const found = await findFiles({ ...request, cwd, leftOut: imports.leftOut });
  if (request.isStored === true) await checkImportable(found.files, imports);
  return found;
}

/**
 * Finds eval files and imports them in the executor. `findsCode`: their code is asked for next.
 * @throws {DiscoveryError} when a file cannot be imported, or, if failures are tolerated, when no file can
 */
export async function loadEvals(
  runner: RunnerDependencies,
  request: RunRequest,
  executor: Executor,
  findsCode = false,
): Promise<LoadedEvals> {
  const { files, names } = await findRequested(runner, request);
  const loading = executor.load(files, { withCode: request.shard !== undefined, findsCode });
  runner.onEvent({ type: 'importing', files: files.length });
  const { descriptors, failures, empty, code } = await loading;
  const problem =
    failures.length > 0 ? new DiscoveryError(failures, files.length, empty) : undefined;
  if (problem !== undefined && !(runner.toleratesImportFailures && descriptors.length > 0)) {
    throw problem;
  }
  return { files, names, descriptors, empty, importProblem: problem, code };
}
