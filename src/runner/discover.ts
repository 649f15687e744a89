import type { Descriptor } from '../protocol/messages.js';
import { DiscoveryError } from './discovery-error.js';
import type { Executor } from './executor.js';
import { type FoundFiles, findFiles } from './find-files.js';
import type { Runner } from './runner.js';
import { type Selected, select } from './select.js';
import { checkStoredFiles } from './stored-files.js';

/** What is to be run, as the user says it; kept with the run, so that a rerun finds the same. */
export interface RunRequest {
  /** Files, folders or globs, each with an optional `::name`; none means the working directory. */
  readonly paths: readonly string[];
  /** Globs to leave out. */
  readonly ignore: readonly string[];
  readonly datasets: readonly string[];
  readonly labels: readonly string[];
  readonly limit?: number;
  /**
   * Evaluations (`<file>::<name>`) of the saved run that the request comes from, if it does. Nobody knows who has
   * written it, so it may only mean eval files of the working directory.
   */
  readonly storedEvaluations?: ReadonlySet<string>;
}

/** What the eval files of a request hold. */
export interface LoadedEvals extends FoundFiles {
  readonly descriptors: readonly Descriptor[];
  /** Names the files that could not be imported, where that is tolerated. */
  readonly importProblem: DiscoveryError | undefined;
}

/** What the eval files hold and what of it is asked for. */
export interface Discovery extends Selected {
  readonly files: readonly string[];
  /** Everything that was found, selected or not. */
  readonly descriptors: readonly Descriptor[];
  /** Names the files that could not be imported, where that is tolerated. */
  readonly importProblem: DiscoveryError | undefined;
}

/**
 * Finds eval files, imports them in the executor and selects.
 * @throws {DiscoveryError} when a file cannot be imported; nothing may be run then
 */
export async function discover(
  runner: Runner,
  request: RunRequest,
  executor: Executor,
): Promise<Discovery> {
  const { files, names, descriptors, importProblem } = await loadEvals(runner, request, executor);
  const fileNames = files.map((file) => file.name);
  const selected = select(descriptors, { ...request, names, files: fileNames });
  return { ...selected, files: fileNames, descriptors, importProblem };
}

/**
 * Finds eval files and imports them in the executor.
 * @throws {DiscoveryError} when a file cannot be imported, or nothing can where failures are tolerated
 */
export async function loadEvals(
  runner: Runner,
  request: RunRequest,
  executor: Executor,
): Promise<LoadedEvals> {
  const { files, names } = await findFiles({ ...request, cwd: runner.cwd });
  const { storedEvaluations } = request;
  if (storedEvaluations !== undefined) {
    await checkStoredFiles(files, storedEvaluations, runner.roots);
  }
  const loading = executor.load(files);
  runner.onEvent({ type: 'importing', files: files.length });
  const { descriptors, failures } = await loading;
  const problem = failures.length > 0 ? new DiscoveryError(failures, files.length) : undefined;
  if (problem !== undefined && !(runner.toleratesImportFailures && descriptors.length > 0)) {
    throw problem;
  }
  return { files, names, descriptors, importProblem: problem };
}
