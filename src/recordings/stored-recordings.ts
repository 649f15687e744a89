import { readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AssayError, hasSystemCode } from '../errors.js';
import { unlinkQuietly } from '../files/file-operations.js';
import { lookAt } from '../files/regular-file.js';
import { isLeftover } from '../files/temporary-files.js';
import type { RecordedExchange, Recording } from './recording.js';
import { readRecording, whyNotPlain, writeRecording } from './recording-files.js';

/** A file of a folder of recordings. */
export interface StoredRecording {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly recording: Recording;
}

export interface StoredRecordings {
  readonly recordings: readonly StoredRecording[];
  /** Files that cannot be used, as sentences. */
  readonly problems: readonly string[];
}

/** Reads all recordings of a folder, in order of their paths; a missing folder has none. Error: `storage-unusable`. */
export function readRecordings(folder: string): StoredRecordings {
  const recordings: StoredRecording[] = [];
  const problems: string[] = [];
  for (const path of jsonFiles(folder, problems)) {
    try {
      const recording = readRecording(folder, path);
      if (recording === undefined) continue;
      recordings.push({ path, size: lookAt(join(folder, path))?.size ?? 0, recording });
    } catch (error) {
      problems.push(`The recording ${path} ${(error as Error).message}.`);
    }
  }
  return { recordings, problems };
}

/** Removes what processes that were killed have left in a folder of recordings; ignores errors. */
export function sweepRecordings(folder: string): void {
  try {
    jsonFiles(folder, []);
  } catch {
    // Writing a recording says so.
  }
}

/** Paths of files, in order; removes leftovers. Says of links that they are not followed. */
function jsonFiles(folder: string, problems: string[]): string[] {
  const found: string[] = [];
  const open = [''];
  try {
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const entry of readdirSync(join(folder, at), { withFileTypes: true })) {
        const path = `${at}${entry.name}`;
        if (entry.isDirectory()) open.push(`${path}/`);
        else if (isLeftover(entry.name)) unlinkQuietly(join(folder, path));
        else if (entry.isFile() && path.endsWith('.json')) found.push(path);
        else if (!entry.isFile()) problems.push(`${path} is no plain file and was left out.`);
      }
    }
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT') && found.length === 0) return [];
    throw unusable('The recordings cannot be read', error);
  }
  return found.sort();
}

function unusable(what: string, cause: unknown): AssayError {
  const { message } = cause as Error;
  return new AssayError('storage-unusable', `${what}: ${message}`, { cause });
}

/** Keeps the exchanges of a recording for which `isKept` is true; removes the file, and folders that are empty then, when none is left. Error: `storage-unusable`. */
export function keepExchanges(
  folder: string,
  { path, recording }: StoredRecording,
  isKept: (exchange: RecordedExchange) => boolean,
): void {
  const exchanges = recording.exchanges.filter(isKept);
  if (exchanges.length === recording.exchanges.length) return;
  try {
    if (exchanges.length > 0) {
      writeRecording(folder, path, { ...recording, exchanges });
      return;
    }
    const problem = whyNotPlain(folder, path);
    if (problem !== undefined) throw new Error(problem);
    unlinkSync(join(folder, path));
  } catch (error) {
    throw unusable(`The recording ${path} cannot be changed`, error);
  }
  for (let at = dirname(path); at !== '.'; at = dirname(at)) {
    try {
      rmdirSync(join(folder, at));
    } catch {
      // It has other files.
      return;
    }
  }
}
