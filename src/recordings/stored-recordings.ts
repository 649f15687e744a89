import { join } from 'node:path';
import { AssayError } from '../errors.js';
import { unlinkQuietly } from '../files/file-operations.js';
import { lookAt } from '../files/regular-file.js';
import { isLeftover } from '../files/temporary-files.js';
import { entriesIn, readExchanges, removePlain, type StoredExchange } from './recording-files.js';

/** A file of a folder of recordings. */
export interface StoredRecording {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970 at which the file was written, here: a checkout of git writes it, too. */
  readonly writtenAt: number;
  readonly exchanges: readonly StoredExchange[];
}

/** A file that cannot be used. */
export interface DamagedRecording {
  readonly path: string;
  /** Why, as a sentence without its full stop. */
  readonly problem: string;
}

export interface StoredRecordings {
  readonly recordings: readonly StoredRecording[];
  readonly damaged: readonly DamagedRecording[];
}

/**
 * Reads all recordings below a path of a folder, in order of their paths; a missing folder has none. `isMeant`: leaves out
 * others before they are read. Error: `storage-unusable`.
 */
export function readRecordings(
  folder: string,
  below = '',
  isMeant: (file: Pick<StoredRecording, 'path' | 'writtenAt'>) => boolean = () => true,
): StoredRecordings {
  const recordings: StoredRecording[] = [];
  const damaged: DamagedRecording[] = [];
  for (const path of jsonFiles(folder, below, damaged)) {
    try {
      const { size = 0, mtimeMs = 0 } = lookAt(join(folder, path)) ?? {};
      if (!isMeant({ path, writtenAt: mtimeMs })) continue;
      const exchanges = readExchanges(folder, path, { isListed: true });
      if (exchanges !== undefined) recordings.push({ path, size, writtenAt: mtimeMs, exchanges });
    } catch (error) {
      damaged.push({ path, problem: `${path} ${(error as Error).message}` });
    }
  }
  return { recordings, damaged };
}

/** Paths of the files of a folder, in order; a missing folder has none. Error: `storage-unusable`. */
export function pathsOfRecordings(folder: string): string[] {
  return jsonFiles(folder, '', []);
}

/** Removes what processes that were killed have left in a folder of recordings; ignores errors. */
export function sweepRecordings(folder: string): void {
  try {
    jsonFiles(folder, '', []);
  } catch {
    // Writing a recording says so.
  }
}

/** Paths of files, in order; removes leftovers. Says of links that they are not followed. */
function jsonFiles(folder: string, below: string, damaged: DamagedRecording[]): string[] {
  const found: string[] = [];
  const open = [below];
  try {
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const entry of entriesIn(folder, at)) {
        const path = at === '' ? entry.name : `${at}/${entry.name}`;
        if (entry.isDirectory()) open.push(path);
        else if (isLeftover(entry.name)) unlinkQuietly(join(folder, path));
        else if (entry.isFile() && path.endsWith('.json')) found.push(path);
        else if (!entry.isFile()) {
          damaged.push({ path, problem: `${path} is no plain file and was left out` });
        }
      }
    }
  } catch (error) {
    throw unusable('The recordings cannot be read', error);
  }
  return found.sort();
}

/** Removes a recording, and folders that are empty then. Error: `storage-unusable`. */
export function removeRecording(folder: string, path: string): void {
  try {
    removePlain(folder, path);
  } catch (error) {
    throw unusable(`The recording ${path} cannot be changed`, error);
  }
}

function unusable(what: string, error: unknown): AssayError {
  return new AssayError('storage-unusable', `${what}: ${(error as Error).message}.`);
}
