import { AssayError } from '../../errors.js';
import type { EmptyFile, ImportFailure } from '../../protocol/messages.js';
import { countOf, renderCount } from '../../text/count-text.js';
import { nameText } from '../../text/name-text.js';
import { pathWord } from '../../text/shell-word.js';

/** Files that are named of those with the same error, and those that the hint names. */
const mostNamed = 3;
/** Errors that are printed. */
const mostErrors = 10;

/** The error for eval files that could not be imported. */
export class DiscoveryError extends AssayError {
  readonly failures: readonly ImportFailure[];
  /** Files that were imported and have no evaluations. */
  readonly empty: readonly EmptyFile[];

  constructor(failures: readonly ImportFailure[], files: number, empty: readonly EmptyFile[]) {
    const names = failures.map((one) => one.file);
    const isWorthIgnoring = names.length < files && names.length <= mostNamed;
    super('discovery-failed', failuresText(failures), {
      hints: [
        `${names.length} of ${files} ${files === 1 ? 'file' : 'files'} failed; nothing was run.`,
        ...(isWorthIgnoring ? [ignoreText(names)] : []),
      ],
    });
    this.failures = failures;
    this.empty = empty;
  }
}

function ignoreText(names: readonly string[]): string {
  return `Fix it, or leave it out: ${names.map((name) => `--ignore ${pathWord(name)}`).join(' ')}`;
}

/** The errors, each once: a module that many files import may be broken. */
function failuresText(failures: readonly ImportFailure[]): string {
  const byError = new Map<string, string[]>();
  for (const { file, line, message } of failures) {
    const error = `could not be imported${line === undefined ? '' : ` (line ${line})`}:\n${message}`;
    byError.set(error, [...(byError.get(error) ?? []), file]);
  }
  const all = [...byError];
  const texts = all.slice(0, mostErrors).map(([error, files]) => `${filesText(files)} ${error}`);
  const left = all.slice(mostErrors).flatMap(([, files]) => files).length;
  if (left > 0) texts.push(`${countOf(left, 'more file')} could not be imported.`);
  return texts.join('\n\n');
}

function filesText(files: readonly string[]): string {
  const more = files.length - mostNamed;
  const named = files.slice(0, mostNamed).map(nameText).join(', ');
  return more > 0 ? `${named} and ${renderCount(more)} more` : named;
}

const mostListed = 5;

/** The error for eval files that could be imported, but have no evaluations. */
export class NoEvaluationsError extends AssayError {
  readonly empty: readonly EmptyFile[];

  constructor(empty: readonly EmptyFile[]) {
    super('nothing-selected', textOf(empty), {
      hints: ["Export what evaluation() from 'assay' returns."],
    });
    this.empty = empty;
  }
}

function textOf(empty: readonly EmptyFile[]): string {
  const [only] = empty;
  if (only !== undefined && empty.length === 1) {
    return `${nameText(only.file)} has no evaluations: it ${only.reason}.`;
  }
  const named = empty.slice(0, mostListed).map(({ file, reason }) => `${nameText(file)} ${reason}`);
  const more = empty.length > mostListed ? '; …' : '.';
  return `None of these ${empty.length} files has evaluations: ${named.join('; ')}${more}`;
}
