import { AssayError } from '../errors.js';
import type { Descriptor, ImportFailure } from '../protocol/messages.js';
import type { Executor } from './executor.js';
import { type FoundFiles, findFiles } from './find-files.js';
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
}

/** What the eval files hold and what of it is asked for. */
export interface Discovery extends Selected {
  readonly files: readonly string[];
  /** Everything that was found, selected or not. */
  readonly descriptors: readonly Descriptor[];
}

/** Some eval files could not be imported. */
export class DiscoveryError extends AssayError {
  readonly failures: readonly ImportFailure[];

  constructor(failures: readonly ImportFailure[], files: number) {
    super('discovery-failed', failures.map(failureText).join('\n\n'), {
      hints: [
        `${failures.length} of ${files} ${files === 1 ? 'file' : 'files'} failed; nothing was run.`,
        ...(files > failures.length
          ? [`Fix it, or leave it out: ${failures.map((one) => `--ignore ${one.file}`).join(' ')}`]
          : []),
      ],
    });
    this.failures = failures;
  }
}

function failureText({ file, line, message }: ImportFailure): string {
  const at = line === undefined ? '' : ` (line ${line})`;
  return `${file} could not be imported${at}:\n${message}`;
}

/**
 * Finds eval files, imports them in the executor and selects.
 * @throws {DiscoveryError} when a file cannot be imported; nothing may be run then
 */
export async function discover(
  request: RunRequest,
  executor: Executor,
  cwd: string,
): Promise<Discovery> {
  const { files, names, descriptors } = await loadEvals(request, executor, cwd);
  const selected = select(descriptors, { ...request, names });
  return { ...selected, files: files.map((file) => file.name), descriptors };
}

/**
 * Finds eval files and imports them in the executor.
 * @throws {DiscoveryError} when a file cannot be imported
 */
export async function loadEvals(
  request: RunRequest,
  executor: Executor,
  cwd: string,
): Promise<LoadedEvals> {
  const { files, names } = await findFiles({ ...request, cwd });
  const { storedEvaluations } = request;
  if (storedEvaluations !== undefined) await checkStoredFiles(files, storedEvaluations, cwd);
  const { descriptors, failures } = await executor.load(files);
  if (failures.length > 0) throw new DiscoveryError(failures, files.length);
  return { files, names, descriptors };
}
