import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { renameOver, unlinkQuietly, writeFully } from '../files/file-operations.js';
import { lookAt, readSmallFile } from '../files/regular-file.js';
import { temporaryPath } from '../files/temporary-files.js';
import { shortHash } from '../text/short-hash.js';
import {
  parseRecording,
  type Recording,
  type RecordingSource,
  renderRecording,
} from './recording.js';

/** Maximum characters of a name before its hash. */
const longestName = 60;

/** Path of a recording, relative to the folder of recordings, with `/`. */
export function recordingPath({
  file,
  evaluation,
  case: caseId,
  trial = 1,
}: RecordingSource): string {
  const folder = file.split('/').map(safeName).join('/');
  if (evaluation === undefined) return `${folder}/import.json`;
  const name = caseId === undefined ? `${trial}` : `${safeName(caseId)}~${trial}`;
  return `${folder}/${safeName(evaluation)}/${name}.json`;
}

/**
 * A name that every file system takes, and takes for no other: names that are long, have other characters or could be
 * the same in other case get a hash.
 */
function safeName(name: string): string {
  const isSafe = /^[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_-])?$/.test(name) && !reserved.test(name);
  if (isSafe && name.length <= longestName) return name;
  const readable = name.replace(/[^\w.-]+/g, '-').replace(/^[.-]+|[.-]+$/g, '');
  return `${readable.slice(0, longestName)}-${shortHash(name, 8)}`;
}

/** Names of devices on Windows. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/;

/** The recording in a file; `undefined` when there is none. Throws an error that completes `the recording … `. */
export function readRecording(folder: string, path: string): Recording | undefined {
  const text = readPlain(folder, path);
  return text === undefined ? undefined : parseRecording(text);
}

function readPlain(folder: string, path: string): string | undefined {
  try {
    const problem = whyNotPlain(folder, path);
    if (problem !== undefined) throw new Error(problem);
    return readSmallFile(join(folder, path), Number.POSITIVE_INFINITY);
  } catch (error) {
    throw new Error(`cannot be read: ${(error as Error).message}`);
  }
}

/**
 * Why a path below a folder is no plain file, and could not become one: no link is followed, because what it leads to
 * may belong to somebody else. `undefined` if it is one, or does not exist yet.
 */
export function whyNotPlain(folder: string, path: string): string | undefined {
  const parts = path.split('/');
  for (const [at] of parts.entries()) {
    const name = parts.slice(0, at + 1).join('/');
    const stats = lookAt(join(folder, name));
    if (stats === undefined) return undefined;
    if (stats.isSymbolicLink()) return `${name} is a link, which is not followed`;
    const isLast = at === parts.length - 1;
    if (isLast ? !stats.isFile() : !stats.isDirectory()) {
      return `${name} is no ${isLast ? 'plain file' : 'folder'}`;
    }
  }
  return undefined;
}

/** Replaces a recording, as a whole or not at all. Throws the error of the file system, or one for links. */
export function writeRecording(folder: string, path: string, recording: Recording): void {
  const problem = whyNotPlain(folder, path);
  if (problem !== undefined) throw new Error(problem);
  const target = join(folder, path);
  const temporary = temporaryPath(target);
  mkdirSync(dirname(target), { recursive: true });
  const fd = openSync(temporary, 'wx', 0o666);
  try {
    try {
      writeFully(fd, Buffer.from(renderRecording(recording)));
    } finally {
      closeSync(fd);
    }
    renameOver(temporary, target);
  } catch (error) {
    unlinkQuietly(temporary);
    throw error;
  }
}
