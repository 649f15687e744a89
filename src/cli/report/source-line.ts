import { readFileSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { isInside, relativePath } from '../../text/file-path.js';

const largestSource = 1024 * 1024;

/**
 * Reads a line of a source file below a folder, trimmed; `undefined` if there is none. Files of packages are
 * excluded.
 */
export function readSourceLine(
  place: { readonly file: string; readonly line: number },
  folder: string,
): string | undefined {
  if (!isAbsolute(place.file)) return undefined;
  // Stacks are untrusted text, and must not select files outside the folder.
  if (!isInside(folder, place.file)) return undefined;
  if (relativePath(folder, place.file).split('/').includes('node_modules')) return undefined;
  try {
    const found = statSync(place.file);
    // Devices and pipes might never end.
    if (!found.isFile() || found.size > largestSource) return undefined;
    const line = readFileSync(place.file, 'utf8').split('\n')[place.line - 1]?.trim();
    return line === '' ? undefined : line;
  } catch {
    return undefined;
  }
}
