import { AssayError } from '../errors.js';
import { didYouMean } from '../model/near-names.js';

/** An error as it is shown to people and, with --json, to scripts. */
export interface ShownError {
  readonly code: string;
  readonly message: string;
  readonly hints: readonly string[];
}

/** Reads an error that a user can mend; `undefined` for a bug. */
export function readKnownError(error: unknown): ShownError | undefined {
  if (error instanceof AssayError) {
    return { code: error.code, message: withoutFrame(error.message), hints: error.hints };
  }
  return readUsageError(error);
}

/** Errors of oclif's parser; its text carries the way to the help in a second line. */
function readUsageError(error: unknown): ShownError | undefined {
  if (!(error instanceof Error) || !('oclif' in error)) return undefined;
  const lines = withoutFrame(error.message)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^The following errors? occurred:$/.test(line));
  const [message = '', ...hints] = lines;
  return { code: 'usage', message, hints: [...nearFlags(error), ...nearValues(message), ...hints] };
}

function nearFlags(error: Error): string[] {
  const { flags, parse } = error as { flags?: unknown; parse?: { input?: { flags?: object } } };
  if (!Array.isArray(flags)) return [];
  const known = Object.keys(parse?.input?.flags ?? {}).map((name) => `--${name}`);
  return flags.flatMap((flag) => didYouMean(String(flag), known) ?? []);
}

function nearValues(message: string): string[] {
  const [, given, options] = /^Expected --\S+?=(.*) to be one of: (.*)$/.exec(message) ?? [];
  if (given === undefined || options === undefined) return [];
  return [didYouMean(given, options.split(', ')) ?? []].flat();
}

/** oclif frames what a flag's own parser says, which is a sentence by itself. */
function withoutFrame(message: string): string {
  const framed = /^Parsing --\S+ *\n\s*([\s\S]*?)\n\s*See more help with --help$/.exec(message);
  return framed?.[1] ?? message;
}
