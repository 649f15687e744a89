import { fstatSync } from 'node:fs';
import { AssayError, hasSystemCode } from '../errors.js';
import { writeFully } from '../files/file-operations.js';
import { isClosedReader } from './terminal/closed-readers.js';
import { forStdout } from './terminal/screen-text.js';

let hasWritten = false;

/** Resets the state that an earlier command of this process left. */
export function beginOutput(): void {
  hasWritten = false;
}

/** True when a document has been written to stdout, at least in part, so that nothing else may follow. */
export function hasWrittenToStdout(): boolean {
  return hasWritten;
}

/**
 * Writes a document to stdout as fast as its reader reads it, and returns the number of bytes. Ends quietly if the
 * reader goes away early (`| head`). Errors: `storage-full`, `storage-unusable`.
 */
export async function writeToStdout(pieces: AsyncIterable<string>): Promise<number> {
  const write = writesDirectly() ? writePlainly : writeToReader;
  // Without a listener, a missing reader would crash the process.
  process.stdout.on('error', ignore);
  let written = 0;
  try {
    for await (const piece of pieces) {
      const bytes = Buffer.from(piece);
      hasWritten = true;
      if (!(await write(bytes))) break;
      written += bytes.length;
    }
  } finally {
    process.stdout.off('error', ignore);
  }
  return written;
}

/** Writes a document that people asked for to stdout, as `writeToStdout`, and makes it harmless: see `forStdout`. */
export function writeDocument(pieces: AsyncIterable<string>, isJson: boolean): Promise<number> {
  return writeToStdout(harmless(pieces, isJson));
}

async function* harmless(pieces: AsyncIterable<string>, isJson: boolean): AsyncGenerator<string> {
  for await (const piece of pieces) yield forStdout(piece, isJson);
}

function ignore(): void {}

/** True if stdout is a file or device, for which Node's stream loses data when the system accepts only a part of a write. */
function writesDirectly(): boolean {
  if (process.stdout.isTTY) return false;
  const stat = fstatSync(process.stdout.fd);
  return stat.isFile() || stat.isCharacterDevice();
}

async function writePlainly(bytes: Buffer): Promise<boolean> {
  try {
    writeFully(process.stdout.fd, bytes);
    return true;
  } catch (error) {
    throw toOutputError(error, 'stdout');
  }
}

/** Resolves with true when the bytes are written, and with false when there is no reader any more. */
function writeToReader(bytes: Buffer): Promise<boolean> {
  return new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => {
      if (!error) resolve(true);
      else if (isClosedReader(error)) resolve(false);
      else reject(toOutputError(error, 'stdout'));
    });
  });
}

/** Converts an error of writing an output to a known error that names it; other errors are unchanged. */
export function toOutputError(error: unknown, name: string): unknown {
  if (error instanceof AssayError || !(error instanceof Error) || !('syscall' in error)) {
    return error;
  }
  if (hasSystemCode(error, 'ENOSPC', 'EDQUOT', 'EFBIG')) {
    return new AssayError('storage-full', `There is no room left to write ${name}.`, {
      cause: error,
    });
  }
  return new AssayError('storage-unusable', `Cannot write ${name}: ${reason(error)}.`, {
    cause: error,
  });
}

function reason(error: Error): string {
  if (hasSystemCode(error, 'ENOENT')) return 'its folder does not exist';
  if (hasSystemCode(error, 'ENOTDIR')) return 'a part of its path is not a folder';
  if (hasSystemCode(error, 'EISDIR')) return 'it is a folder';
  if (hasSystemCode(error, 'EACCES', 'EPERM')) return 'permission denied';
  if (hasSystemCode(error, 'EROFS')) return 'the file system is read-only';
  if (hasSystemCode(error, 'ENAMETOOLONG')) return 'its name is too long';
  return error.message;
}
