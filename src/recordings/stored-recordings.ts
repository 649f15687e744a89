import { join } from 'node:path';
import { AssayError } from '../errors.js';
import { lookAt } from '../files/regular-file.js';
import { keyOf, type RecordingOptions } from './recording.js';
import {
  type DamagedRecording,
  filesIn,
  placeOf,
  readAll,
  readExchanges,
  removePlain,
  type StoredExchange,
  writeExchange,
} from './recording-files.js';

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

export interface StoredRecordings {
  readonly recordings: readonly StoredRecording[];
  readonly damaged: readonly DamagedRecording[];
}

/** Reads all recordings of a folder, in order of their paths; a missing folder has none. Error: `storage-unusable`. */
export function readRecordings(folder: string): StoredRecordings {
  const damaged: DamagedRecording[] = [];
  try {
    const paths = filesIn(folder, '', { isDeep: true, damaged }).sort();
    const recordings = paths.flatMap((path) => {
      const exchanges = readAll(folder, [path], damaged);
      const { size = 0, mtimeMs: writtenAt = 0 } = lookAt(join(folder, path)) ?? {};
      return exchanges.length === 0 ? [] : [{ path, size, writtenAt, exchanges }];
    });
    return { recordings, damaged };
  } catch (error) {
    throw unusable('The recordings cannot be read', error);
  }
}

/**
 * Removes what processes that were killed have left in a folder of recordings and, where recordings are put in order,
 * gives each exchange of the first version a file of its own. Ignores errors: reading and writing say them.
 */
export function tidyRecordings({ folder, mode }: RecordingOptions): void {
  if (mode === 'offline') return;
  try {
    for (const path of filesIn(folder, '', { isDeep: true })) {
      const isOfToday = /^[0-9a-f]{12}-\d+$/.test(placeOf(path).name);
      if (mode !== 'replay' && !isOfToday) rewriteFirstVersion(folder, path);
    }
  } catch {
    // As it was.
  }
}

function rewriteFirstVersion(folder: string, path: string): void {
  const stored = readAll(folder, [path], []);
  if (stored.every(({ id }) => path === `${id}.json`)) return;
  const counts = new Map<string, number>();
  for (const { id, source, exchange } of stored) {
    const { own } = keyOf(exchange.role, exchange.request);
    const number = (counts.get(own) ?? 0) + 1;
    counts.set(own, number);
    const to = `${placeOf(id).folder}/${own}-${number}.json`;
    // What a newer version has recorded is newer.
    if (readExchanges(folder, to) === undefined) {
      writeExchange(folder, { path: to, source, exchange });
    }
  }
  removePlain(folder, path);
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
