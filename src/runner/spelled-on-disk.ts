import { readdir } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';

/**
 * A path with the names below a folder as the disk has them. Where file names ignore case, as on macOS and Windows,
 * `Orders.eval.ts` and `orders.eval.ts` are one file, and one file must have one name in ids. Names that are not there
 * stay as they are.
 */
export async function spelledOnDisk(path: string, folder: string): Promise<string> {
  const way = relative(folder, path);
  // Another drive of Windows, or the folder itself.
  if (isAbsolute(way) || way === '') return path;
  let known = folder;
  for (const part of way.split(sep)) {
    known = part === '..' ? dirname(known) : join(known, await spelledIn(known, part));
  }
  return known;
}

async function spelledIn(folder: string, name: string): Promise<string> {
  const names = await readdir(folder).catch((): string[] => []);
  if (names.includes(name)) return name;
  const folded = fold(name);
  return names.find((other) => fold(other) === folded) ?? name;
}

/** macOS also takes an accent that is part of its letter and one that follows it for the same. */
function fold(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
