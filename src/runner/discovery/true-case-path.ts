import { readdir } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';

/**
 * A path with names below a folder spelled as on disk. Where file names ignore case, as on macOS and Windows,
 * `Orders.eval.ts` and `orders.eval.ts` are one file, which must have one name in ids. Missing names stay
 * unchanged.
 */
export async function trueCasePath(path: string, folder: string): Promise<string> {
  const way = relative(folder, path);
  // Another Windows drive, or the folder itself.
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

/** Normalises a name: macOS also treats composed and decomposed accents as equal. */
function fold(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
