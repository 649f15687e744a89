import { closeSync, mkdirSync, openSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hasSystemCode } from '../errors.js';
import { renameOver, unlinkQuietly, writeFully } from '../files/file-operations.js';
import { lookAt, readSmallFile } from '../files/regular-file.js';
import { temporaryPath } from '../files/temporary-files.js';
import { shortHash } from '../text/short-hash.js';
import {
  parseRecording,
  type RecordedExchange,
  type RecordingSource,
  renderRecording,
} from './recording.js';

/** Maximum characters of a name before its hash. */
const longestName = 60;

/** Names of folders beside those of evaluations: calls of imports, of several cases, and names of variables. */
const ownFolders = { import: '_import', shared: '_shared', keys: '_keys' } as const;

/** Path of the folder with the recordings of an eval file, or a folder in it. Like all paths here: relative to the folder of recordings, with `/`. */
export function folderOfFile(file: string, own?: keyof typeof ownFolders): string {
  const folder = file.split('/').map(safeName).join('/');
  return own === undefined ? folder : `${folder}/${ownFolders[own]}`;
}

/** Path of the folder with the exchanges of an attempt, or of the import of an eval file. */
export function folderOfAttempt({
  file,
  evaluation,
  case: caseId,
  trial = 1,
}: RecordingSource): string {
  if (evaluation === undefined) return folderOfFile(file, 'import');
  const name = caseId === undefined ? `${trial}` : `${safeName(caseId)}~${trial}`;
  return `${folderOfFile(file)}/${safeName(evaluation)}/${name}`;
}

/** Path of the file that the first version had for an attempt. */
export function firstVersionPath(source: RecordingSource): string {
  if (source.evaluation === undefined) return `${folderOfFile(source.file)}/import.json`;
  return `${folderOfAttempt(source)}.json`;
}

/**
 * A name that every file system takes, and takes for no other: names that are long, have other characters or could be
 * the same in other case get a hash.
 */
function safeName(name: string): string {
  const isSafe = /^[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_-])?$/.test(name) && !reserved.test(name);
  if (isSafe && name.length <= longestName) return name;
  // A device is one with any extension.
  const other = reserved.test(name) ? /[^\w-]+/g : /[^\w.-]+/g;
  const readable = name.replace(other, '-').replace(/^[.-]+|[.-]+$/g, '');
  return `${readable.slice(0, longestName)}-${shortHash(name, 8)}`;
}

/** Names of devices on Windows, and of {@link ownFolders}. */
const reserved = /^(?:(con|prn|aux|nul|com\d|lpt\d)(\.|$)|_(import|shared|keys)$)/i;

/** An exchange, and where it is. */
export interface StoredExchange {
  /** Of its file. */
  readonly path: string;
  /** Unique in the folder of its attempt. */
  readonly name: string;
  readonly source: RecordingSource;
  readonly exchange: RecordedExchange;
}

/** Name of the exchange in a file. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1, -'.json'.length);
}

/** Path of the folder that the exchanges of a file belong to. */
export function folderOfExchange({ path, name }: Pick<StoredExchange, 'path' | 'name'>): string {
  if (nameOf(path) === name) return dirname(path);
  return path.endsWith('/import.json')
    ? `${dirname(path)}/_import`
    : path.slice(0, -'.json'.length);
}

/**
 * The exchanges in a file; `undefined` when there is none. Throws an error that completes `the recording … `. `isListed`: it
 * is in a folder whose entries have just been read.
 */
export function readExchanges(
  folder: string,
  path: string,
  { isListed = false } = {},
): StoredExchange[] | undefined {
  const text = readPlain(folder, path, isListed);
  if (text === undefined) return undefined;
  const { source, exchanges } = parseRecording(text);
  return exchanges.map(({ name = nameOf(path), ...exchange }) => ({
    ...{ path, name, source, exchange },
  }));
}

function readPlain(folder: string, path: string, isListed: boolean): string | undefined {
  try {
    if (lookAt(join(folder, path)) === undefined) return undefined;
    checkPlain(folder, path, { isInPlain: isListed });
    return readSmallFile(join(folder, path), Number.POSITIVE_INFINITY);
  } catch (error) {
    throw new Error(`cannot be read: ${(error as Error).message}`);
  }
}

/** What is in a folder below that of recordings; nothing if there is none. Error: that of the file system, or for links. */
export function entriesIn(folder: string, path: string) {
  if (path !== '') checkPlain(folder, path, { isFolder: true });
  try {
    return readdirSync(join(folder, path), { withFileTypes: true });
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT')) return [];
    throw error;
  }
}

/** Paths of the files with exchanges in the folder of an attempt, equal requests in order. Error: as {@link entriesIn}. */
export function filesIn(folder: string, path: string): string[] {
  return entriesIn(folder, path)
    .filter(({ name }) => name.endsWith('.json'))
    .map(({ name }) => `${path}/${name}`)
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
}

/**
 * Throws unless a path below the folder is a plain file, or could become one: no link is followed, because what it leads
 * to may belong to somebody else.
 */
function checkPlain(
  folder: string,
  path: string,
  { isFolder = false, isInPlain = false } = {},
): void {
  const parts = path.split('/');
  for (let at = isInPlain ? parts.length - 1 : 0; at < parts.length; at += 1) {
    const name = parts.slice(0, at + 1).join('/');
    const stats = lookAt(join(folder, name));
    if (stats === undefined) return;
    if (stats.isSymbolicLink()) throw new Error(`${name} is a link, which is not followed`);
    const isFile = at === parts.length - 1 && !isFolder;
    if (isFile ? !stats.isFile() : !stats.isDirectory()) {
      throw new Error(`${name} is no ${isFile ? 'plain file' : 'folder'}`);
    }
  }
}

/** True if the file of an exchange does not exist, or holds just that. Throws the error of the file system, or one for links. */
export function isFreeFor(
  folder: string,
  { path, source, exchange }: Omit<StoredExchange, 'name'>,
): boolean {
  const text = readPlain(folder, path, false);
  return text === undefined || text === renderRecording(source, exchange);
}

/** Replaces the file of an exchange, as a whole or not at all. Error: as {@link writePlain}. */
export function writeExchange(
  folder: string,
  { path, source, exchange }: Omit<StoredExchange, 'name'>,
): void {
  writePlain(folder, path, renderRecording(source, exchange));
}

/** Replaces a file, as a whole or not at all. Throws the error of the file system, or one for links. */
export function writePlain(folder: string, path: string, text: string): void {
  checkPlain(folder, path);
  const target = join(folder, path);
  const temporary = temporaryPath(target);
  mkdirSync(dirname(target), { recursive: true });
  const fd = openSync(temporary, 'wx', 0o666);
  try {
    try {
      writeFully(fd, Buffer.from(text));
    } finally {
      closeSync(fd);
    }
    renameOver(temporary, target);
  } catch (error) {
    unlinkQuietly(temporary);
    throw error;
  }
}

/** Removes a file, if it is there, and folders that are empty then. Throws the error of the file system, or one for links. */
export function removePlain(folder: string, path: string): void {
  checkPlain(folder, path);
  try {
    unlinkSync(join(folder, path));
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT')) return;
    throw error;
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
