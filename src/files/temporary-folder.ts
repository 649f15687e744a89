import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AssayError, hasSystemCode, shortageOf } from '../errors.js';

/** Creates a private temporary folder whose name has a prefix. Error: `storage-unusable`, which names the place. */
export function makeTemporaryFolder(prefix: string): string {
  try {
    return mkdtempSync(join(tmpdir(), prefix));
  } catch (cause) {
    if (shortageOf(cause) !== undefined) throw cause;
    const isFull = hasSystemCode(cause, 'ENOSPC', 'EDQUOT');
    const text = `No folder for temporary files can be created in ${tmpdir()}: ${reasonText(cause)}.`;
    throw new AssayError(isFull ? 'storage-full' : 'storage-unusable', text, {
      cause,
      hints: ['Name a folder that you may write to in the variable TMPDIR.'],
    });
  }
}

function reasonText(cause: unknown): string {
  if (hasSystemCode(cause, 'ENOENT')) return 'it does not exist';
  if (hasSystemCode(cause, 'ENOTDIR')) return 'it is no folder';
  if (hasSystemCode(cause, 'EACCES', 'EPERM')) return 'permission denied';
  if (hasSystemCode(cause, 'EROFS')) return 'the file system is read-only';
  return cause instanceof Error ? cause.message : String(cause);
}
