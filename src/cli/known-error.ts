import { AssayError } from '../errors.js';
import type { ShownError } from './shown-error.js';
import { readUsageError } from './usage-error.js';

/** Reads an error that a user can mend; `undefined` for a bug. */
export function readKnownError(error: unknown): ShownError | undefined {
  if (error instanceof AssayError) {
    return { code: error.code, message: withoutFrame(error.message), hints: error.hints };
  }
  return readUsageError(error);
}

/** oclif frames what a flag's own parser says, which is a sentence by itself. */
function withoutFrame(message: string): string {
  const framed = /^Parsing --\S+ *\n\s*([\s\S]*?)\n\s*See more help with --help$/.exec(message);
  return framed?.[1] ?? message;
}
