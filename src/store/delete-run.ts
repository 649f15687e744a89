import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AssayError } from '../errors.js';
import { renameOver } from '../files/file-operations.js';
import { isFolder, lookAt, namesIn } from '../files/regular-file.js';
import { hiddenName, hiddenNamePattern } from './create-run.js';
import { busyError, type Lock, liveHolder, lockPath } from './lock/lock.js';
import { lockAtEnd } from './open-run.js';
import { toStorageError } from './storage-error.js';

/**
 * Deletes a run folder: renames it to a hidden name, then removes it. Links in it are removed, not followed. Errors:
 * `busy` when a live process holds the run, `storage-unusable`.
 */
export async function deleteRunFolder(folder: string, runId: string): Promise<void> {
  // While this process has the lock, no other can execute the run. The lock is deleted with the folder.
  const lock = await lockWherePossible(folder, runId);
  const hidden = join(dirname(folder), hiddenName('deleted', runId));
  try {
    renameOver(folder, hidden);
  } catch (error) {
    lock?.release();
    throw toStorageError(error, folder);
  }
  try {
    await rm(hidden, { recursive: true, force: true });
  } catch (error) {
    throw toStorageError(error, hidden);
  }
}

/** The lock of a run; none where the disk has no room for it, so that deleting runs makes room. */
async function lockWherePossible(folder: string, runId: string): Promise<Lock | undefined> {
  try {
    return await lockAtEnd(folder, runId);
  } catch (error) {
    const isFull = error instanceof AssayError && error.code === 'storage-full';
    if (!isFull) throw error;
    const holder = liveHolder(folder);
    if (holder !== undefined) throw busyError(`Run ${runId}`, lockPath(folder), holder);
    return undefined;
  }
}

/** Milliseconds within which a process that creates a run folder takes its lock. */
const lockWithinMs = 60_000;

/** Removes folders that a killed process was creating or deleting. */
export async function sweepHidden(sessionFolder: string): Promise<void> {
  for (const name of namesIn(sessionFolder)) {
    const hidden = join(sessionFolder, name);
    if (!hiddenNamePattern.test(name) || !isFolder(hidden)) continue;
    const isBeingMade = name.startsWith('.new-') && !isAbandoned(hidden);
    if (!isBeingMade) await rm(hidden, { recursive: true, force: true }).catch(() => undefined);
  }
}

function isAbandoned(folder: string): boolean {
  if (namesIn(folder).includes('lock')) return liveHolder(folder) === undefined;
  const made = lookAt(folder)?.mtimeMs;
  return made !== undefined && Date.now() - made > lockWithinMs;
}
