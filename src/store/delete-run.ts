import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { renameOver } from '../files/file-operations.js';
import { hiddenName, hiddenNamePattern } from './create-run.js';
import { liveHolder, takeLock } from './lock.js';
import { isFolder, lookAt, namesIn } from './regular-file.js';
import { toStorageError } from './storage-error.js';

/**
 * Deletes a run folder: first it gets out of sight in one step, then it is removed; links in it are removed, never
 * followed. Errors: `busy` when a live process holds the run, `storage-unusable`.
 */
export async function deleteRunFolder(folder: string, runId: string): Promise<void> {
  // The lock goes with the folder; while we have it nobody starts to execute the run.
  const lock = takeLock(folder, `Run ${runId}`);
  const hidden = join(dirname(folder), hiddenName('deleted', runId));
  try {
    renameOver(folder, hidden);
  } catch (error) {
    lock.release();
    throw toStorageError(error, folder);
  }
  try {
    await rm(hidden, { recursive: true, force: true });
  } catch (error) {
    throw toStorageError(error, hidden);
  }
}

/** Milliseconds within which a process that makes a run folder puts its lock there. */
const lockWithinMs = 60_000;

/** Removes what a killed process left of folders it was making or deleting. */
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
