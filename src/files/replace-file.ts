import { closeSync, fchmodSync, fstatSync, fsync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { renameOver, syncFolder, unlinkQuietly, writeFully } from './file-operations.js';
import { temporaryPath } from './temporary-files.js';

const fsyncAsync = promisify(fsync);

/**
 * Replaces a file atomically and durably; on failure, the old file stays and no temporary file is left. Without a
 * `mode`, the umask decides. `check` is called before the old file goes, and may throw. Errors are those of the system.
 */
export async function replaceFile(
  path: string,
  text: string,
  { mode, check }: { readonly mode?: number | undefined; readonly check?: () => void } = {},
): Promise<void> {
  const temporary = temporaryPath(path);
  const fd = openSync(temporary, 'wx', mode ?? 0o666);
  try {
    if (mode !== undefined) setMode(fd, mode);
    await fill(fd, Buffer.from(text));
    check?.();
    renameOver(temporary, path);
  } catch (error) {
    unlinkQuietly(temporary);
    throw error;
  } finally {
    closeSync(fd);
  }
  await syncFolder(dirname(path));
}

// The umask masks the mode given to open.
function setMode(fd: number, mode: number): void {
  try {
    fchmodSync(fd, mode);
  } catch {
    // This file system has no modes.
  }
}

async function fill(fd: number, bytes: Buffer): Promise<void> {
  writeFully(fd, bytes);
  await fsyncAsync(fd);
  if (fstatSync(fd).size !== bytes.length) {
    throw Object.assign(new Error('the file is shorter than what was written'), { code: 'ENOSPC' });
  }
}
