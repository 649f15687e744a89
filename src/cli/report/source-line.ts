import { readFileSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { isInside, relativePath } from '../../text/file-path.js';

const largestSource = 1024 * 1024;

/**
 * A line of a source file below a folder, without the spaces around it; `undefined` when there is none to read.
 * Files of packages are not the user's.
 */
export function readSourceLine(
  place: { readonly file: string; readonly line: number },
  folder: string,
): string | undefined {
  if (!isAbsolute(place.file)) return undefined;
  // Stack texts come from outside too: they do not choose what is read elsewhere.
  if (!isInside(folder, place.file)) return undefined;
  if (relativePath(folder, place.file).split('/').includes('node_modules')) return undefined;
  try {
    const found = statSync(place.file);
    // Anything but a file might never end.
    if (!found.isFile() || found.size > largestSource) return undefined;
    const line = readFileSync(place.file, 'utf8').split('\n')[place.line - 1]?.trim();
    return line === '' ? undefined : line;
  } catch {
    return undefined;
  }
}
