import * as ownSystem from 'node:path';

/** The rules of paths: those of this system, `posix` or `win32`. */
export type PathRules = Pick<ownSystem.PlatformPath, 'isAbsolute' | 'relative' | 'sep'>;

/** A path with `/` between its parts, as ids, globs and reports have it on every system. */
export function slashed(path: string, { sep }: PathRules = ownSystem): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

/** The way from a folder to a path, with `/`. */
export function relativePath(folder: string, path: string, rules: PathRules = ownSystem): string {
  return slashed(rules.relative(folder, path), rules);
}

/** True for the folder itself and what is below it. Two drives of Windows have no way between them. */
export function isInside(folder: string, path: string, rules: PathRules = ownSystem): boolean {
  const way = rules.relative(folder, path);
  return way !== '..' && !way.startsWith(`..${rules.sep}`) && !rules.isAbsolute(way);
}

/** How messages show a path: relative to the working directory, with `/`, for what is below it; else as it is. */
export function shownPath(cwd: string, path: string, rules: PathRules = ownSystem): string {
  return isInside(cwd, path, rules) ? relativePath(cwd, path, rules) : path;
}
