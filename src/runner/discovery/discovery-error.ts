import { AssayError } from '../../errors.js';
import type { EmptyFile, ImportFailure } from '../../protocol/messages.js';
import { nameText } from '../../text/name-text.js';
import { shellWord } from '../../text/shell-word.js';

/** The error for eval files that could not be imported. */
export class DiscoveryError extends AssayError {
  readonly failures: readonly ImportFailure[];
  /** Files that were imported and have no evaluations. */
  readonly empty: readonly EmptyFile[];

  constructor(failures: readonly ImportFailure[], files: number, empty: readonly EmptyFile[]) {
    super('discovery-failed', failures.map(failureText).join('\n\n'), {
      hints: [
        `${failures.length} of ${files} ${files === 1 ? 'file' : 'files'} failed; nothing was run.`,
        ...(files > failures.length
          ? [
              `Fix it, or leave it out: ${failures.map((one) => `--ignore ${shellWord(one.file)}`).join(' ')}`,
            ]
          : []),
      ],
    });
    this.failures = failures;
    this.empty = empty;
  }
}

function failureText({ file, line, message }: ImportFailure): string {
  const at = line === undefined ? '' : ` (line ${line})`;
  return `${nameText(file)} could not be imported${at}:\n${message}`;
}
