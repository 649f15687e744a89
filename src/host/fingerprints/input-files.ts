import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { isInside, relativePath } from '../../text/file-path.js';
import type { ReadWatch } from './read-watch.js';

const require = createRequire(import.meta.url);

const leftOut = ['**/node_modules/**', '**/.git/**', '**/.assay/**'];

/**
 * Looks at the files that globs of an eval file name as inputs, relative to a folder, and at the folders in which others
 * could appear. Call it while the eval file is imported. Returns the absolute paths of the files.
 * @throws {Error} naming a glob that no file matches, or a file whose changes would not be noticed
 */
export function lookAtInputs(watch: ReadWatch, globs: readonly string[], folder: string): string[] {
  if (globs.length === 0) return [];
  const { files, folders } = watch.quietly(() => find(globs, folder));
  for (const path of folders) watch.look('folder', path);
  for (const path of files) {
    if (watch.look('file', path)) continue;
    throw new Error(
      `"inputs": ${relativePath(folder, path)} is outside of the project, where changes are not noticed`,
    );
  }
  return files;
}

function find(globs: readonly string[], folder: string) {
  // Only few eval files have inputs.
  const { globSync } = require('tinyglobby') as typeof import('tinyglobby');
  const files = new Set<string>();
  const folders = new Set<string>();
  // `!(a)` is a group.
  const isNegative = (glob: string) => /^!(?!\()/.test(glob);
  const ignore = [...leftOut, ...globs.filter(isNegative).map((one) => one.slice(1))];
  for (const one of globs) {
    if (isNegative(one)) continue;
    // The part before the first segment with wildcards.
    const base = resolve(folder, one.replace(/(?:^|\/)[^/]*[*?[\]{}()!+@].*$/, ''));
    const reading = ((path: string, options: { readonly withFileTypes: true }) => {
      if (isInside(base, resolve(path))) folders.add(resolve(path));
      return readdirSync(path, options);
    }) as typeof readdirSync; // the overload that globs use
    const options = { cwd: folder, absolute: true, dot: true, ignore };
    const paths = globSync([one], { ...options, fs: { readdirSync: reading } });
    if (paths.length === 0) {
      const outside = 'node_modules, .git and .assay';
      throw new Error(`"inputs": no file outside of ${outside} matches ${JSON.stringify(one)}`);
    }
    for (const path of paths) files.add(resolve(path));
  }
  return { files: [...files].sort(), folders };
}
