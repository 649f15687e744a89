import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

// Larger files are told apart by size and time; they are holes, made in no time and read in seconds.
const readLimit = 4 * 1024 * 1024;

/** What is in a folder, by path; a link is where it leads, a file its bytes. Nothing is followed. */
export function folderState(folder: string, below = ''): Map<string, string> {
  const state = new Map<string, string>();
  for (const name of readdirSync(join(folder, below)).sort()) {
    const path = join(below, name);
    if (path === 'node_modules') continue;
    const stats = lstatSync(join(folder, path));
    if (stats.isDirectory()) {
      state.set(path, 'folder');
      for (const [inner, what] of folderState(folder, path)) state.set(inner, what);
    } else if (stats.isSymbolicLink()) {
      state.set(path, `link to ${readlinkSync(join(folder, path))}`);
    } else if (!stats.isFile()) {
      state.set(path, 'no regular file');
    } else if (stats.size > readLimit) {
      state.set(path, `${stats.size} bytes of ${stats.mtimeMs}`);
    } else {
      state.set(path, `file ${readFileSync(join(folder, path), 'base64')}`);
    }
  }
  return state;
}

/** What differs between two states of a folder: `+ made`, `- gone`, `* changed`. */
export function changesBetween(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].sort().flatMap((path) => {
    if (before.get(path) === after.get(path)) return [];
    const how = before.has(path) ? (after.has(path) ? '*' : '-') : '+';
    return [`${how} ${path}`];
  });
}
