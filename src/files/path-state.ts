import {
  closeSync,
  constants,
  type Dirent,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, relative } from 'node:path';
import { shortHash } from '../text/short-hash.js';

/** Kinds of looks at a path: at its content, at the names in it, or at whether it exists and where it leads. */
export type PathLook = 'file' | 'folder' | 'exists';

// Larger files are told apart by size and time.
const mostHashedBytes = 8 * 1024 * 1024;
/** Of a file that does not say its size. */
const firstBytes = 64 * 1024;

// Taken before anybody replaces them.
const functions = {
  closeSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync: realpathSync.native,
  statSync,
};

/**
 * A short text that changes when that which a look at a path sees changes; `null` if there is nothing to see. A folder
 * that is read as a file, or the other way round, counts as existing.
 */
export function pathState(look: PathLook, path: string): string | null {
  if (look === 'exists') return placeState(path);
  try {
    const stats = functions.statSync(path);
    if (look === 'file' && stats.isFile()) return contentState(path, stats);
    if (look === 'folder' && stats.isDirectory()) return listState(path);
    return kindOf(stats);
  } catch {
    return null;
  }
}

/** A text that changes whenever `pathState` does, and when the path is written without a change. Cheap. */
export function pathStamp(look: PathLook, path: string): string | null {
  if (look === 'exists') return placeState(path);
  try {
    const stats = functions.statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return null;
    const isMeant = look === 'folder' ? stats.isDirectory() : stats.isFile();
    return isMeant ? stampOf(stats) : kindOf(stats);
  } catch {
    return null;
  }
}

/** What is there, and where it is if a link leads to it. */
function placeState(path: string): string | null {
  try {
    const kind = kindOf(functions.statSync(path));
    const place = relative(dirname(path), functions.realpathSync(path));
    return place === basename(path) ? kind : `${kind} ${place} ${linkState(path)}`;
  } catch {
    return linkState(path);
  }
}

function linkState(path: string): string | null {
  try {
    return `link ${functions.readlinkSync(path)}`;
  } catch {
    return null;
  }
}

/** The names in a folder, and the kind of each. */
function listState(path: string): string {
  const entries = functions.readdirSync(path, { withFileTypes: true });
  return shortHash(
    entries
      .map((entry) => `${entry.name}/${kindOf(entry)}`)
      .sort()
      .join('\0'),
  );
}

function kindOf(one: Stats | Dirent): string {
  if (one.isDirectory()) return 'folder';
  return one.isFile() ? 'file' : one.isSymbolicLink() ? 'link' : 'other';
}

function contentState(path: string, stats: Stats): string {
  const large = `large:${stats.size}:${stats.mtimeMs}`;
  return stats.size > mostHashedBytes ? large : shortHash(readAtMost(path, stats.size) ?? large);
}

/**
 * The bytes of a file; `undefined` if there are more than are hashed. What systems generate is a file of size 0 that may
 * never end, or wait for more: stored runs may name such a file.
 */
function readAtMost(path: string, size: number): Buffer | undefined {
  const fd = functions.openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    let bytes = Buffer.allocUnsafe(size === 0 ? firstBytes : size + 1);
    for (let filled = 0; ; ) {
      const got = functions.readSync(fd, bytes, filled, bytes.length - filled, null);
      filled += got;
      if (got === 0) return bytes.subarray(0, filled);
      if (filled > mostHashedBytes) return undefined;
      if (filled === bytes.length) bytes = Buffer.concat([bytes, Buffer.alloc(filled)]);
    }
  } finally {
    functions.closeSync(fd);
  }
}

function stampOf({ size, mtimeMs, ctimeMs, ino }: Stats): string {
  return `${size}:${mtimeMs}:${ctimeMs}:${ino}`;
}
