import { AssayError, hasSystemCode, shortageOf } from '../errors.js';
import type { ShownError } from './shown-error.js';
import { readUsageError } from './usage-error.js';

/** Converts an error that a user can fix; `undefined` for a bug. */
export function readKnownError(error: unknown): ShownError | undefined {
  if (error instanceof AssayError) {
    return { code: error.code, message: withoutFrame(error.message), hints: error.hints };
  }
  if (isFolderGone(error)) {
    return {
      code: 'no-such-path',
      message: 'The working directory no longer exists.',
      hints: ['Change to an existing folder and try again.'],
    };
  }
  const shortage = shortageOf(error);
  if (shortage !== undefined) {
    return { code: 'host-failed', message: `It cannot continue: ${shortage}.`, hints: [] };
  }
  return readUsageError(error);
}

/** True for the error of any file operation after the working directory was deleted. */
function isFolderGone(error: unknown): boolean {
  return hasSystemCode(error, 'ENOENT') && (error as NodeJS.ErrnoException).syscall === 'uv_cwd';
}

/** Removes oclif's frame around the message of a flag's own parser. */
function withoutFrame(message: string): string {
  const framed = /^Parsing --\S+ *\n\s*([\s\S]*?)\n\s*See more help with --help$/.exec(message);
  return framed?.[1] ?? message;
}
