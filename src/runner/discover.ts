import { AssayError } from '../errors.js';
import type { Descriptor, ImportFailure } from '../protocol/messages.js';
import type { Executor } from './executor.js';
import { findFiles } from './find-files.js';
import { type Selected, select } from './select.js';

/** What is to be run, as the user says it; kept with the run, so that a rerun finds the same. */
export interface RunRequest {
  /** Files, folders or globs, each with an optional `::name`; none means the working directory. */
  readonly paths: readonly string[];
  /** Globs to leave out. */
  readonly ignore: readonly string[];
  readonly datasets: readonly string[];
  readonly labels: readonly string[];
  readonly limit?: number;
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
  const { files, names } = await findFiles({ ...request, cwd });
  const { descriptors, failures } = await executor.load(files);
  if (failures.length > 0) throw new DiscoveryError(failures, files.length);
  const selected = select(descriptors, { ...request, names });
  return { ...selected, files: files.map((file) => file.name), descriptors };
}
