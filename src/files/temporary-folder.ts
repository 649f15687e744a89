import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AssayError, hasSystemCode, shortageOf } from '../errors.js';
import { namesIn } from './regular-file.js';
import { isAbandoned, ownMark } from './temporary-files.js';

/**
 * Creates a private temporary folder, and removes those of processes that were killed. Error: `storage-unusable`, which
 * names the place.
 */
export function makeTemporaryFolder(): string {
  try {
    sweepFolders();
    return mkdtempSync(join(tmpdir(), `${ownMark()}-`));
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

function sweepFolders(): void {
  for (const name of namesIn(tmpdir())) {
    const mark = /^(assay-[0-9a-f]{4}-\d+)-\w{6}$/.exec(name)?.[1];
    if (mark === undefined || !isAbandoned(mark)) continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // It belongs to another user.
    }
  }
}
