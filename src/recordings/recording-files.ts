import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hasSystemCode } from '../errors.js';
import { renameOver, unlinkQuietly, writeFully } from '../files/file-operations.js';
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
  let text: string;
  try {
    text = readFileSync(join(folder, path), 'utf8');
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw new Error(`cannot be read: ${(error as Error).message}`);
  }
  return parseRecording(text);
}

/** Replaces a recording, as a whole or not at all. Throws the error of the file system. */
export function writeRecording(folder: string, path: string, recording: Recording): void {
  const target = join(folder, path);
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`;
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
