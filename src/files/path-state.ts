import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { shortHash } from '../text/short-hash.js';

/** Kinds of looks at a path: at its content, at the names in it, or at whether it exists. */
export type PathLook = 'file' | 'folder' | 'exists';

// Larger files are told apart by size and time.
const mostHashedBytes = 8 * 1024 * 1024;

// Taken before anybody replaces them.
const functions = { readdirSync, readFileSync, statSync };

/**
 * A short text that changes when that which a look at a path sees changes; `null` if there is nothing to see. A folder
 * that is read as a file, or the other way round, counts as existing.
 */
export function pathState(look: PathLook, path: string): string | null {
  try {
    const stats = functions.statSync(path);
    if (look === 'file' && stats.isFile()) return contentState(path, stats);
    if (look === 'folder' && stats.isDirectory()) {
      return shortHash(functions.readdirSync(path).sort().join('\0'));
    }
    return stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : 'other';
  } catch {
    return null;
  }
}

/** A text that changes whenever `pathState` does, and when the path is written without a change. Cheap. */
export function pathStamp(look: PathLook, path: string): string | null {
  try {
    const stats = functions.statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return null;
    const isMeant = look === 'folder' ? stats.isDirectory() : look === 'file' && stats.isFile();
    return isMeant ? stampOf(stats) : stats.isDirectory() ? 'folder' : 'other';
  } catch {
    return null;
  }
}

function contentState(path: string, stats: Stats): string {
  if (stats.size > mostHashedBytes) return `large:${stats.size}:${stats.mtimeMs}`;
  return shortHash(functions.readFileSync(path));
}

function stampOf({ size, mtimeMs, ctimeMs, ino }: Stats): string {
  return `${size}:${mtimeMs}:${ctimeMs}:${ino}`;
}
