import * as ownSystem from 'node:path';

/** Path rules of a platform: those of this system, `posix` or `win32`. */
export type PathRules = Pick<ownSystem.PlatformPath, 'isAbsolute' | 'relative' | 'sep'>;

/** A path with `/` as separator, as in ids, globs and reports on every system. */
export function slashed(path: string, { sep }: PathRules = ownSystem): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

/** The relative path from a folder to a path, with `/`. */
export function relativePath(folder: string, path: string, rules: PathRules = ownSystem): string {
  return slashed(rules.relative(folder, path), rules);
}

/** True for the folder itself and for everything below it. There is no relative path between two Windows drives. */
export function isInside(folder: string, path: string, rules: PathRules = ownSystem): boolean {
  const way = rules.relative(folder, path);
  return way !== '..' && !way.startsWith(`..${rules.sep}`) && !rules.isAbsolute(way);
}

/** A path for messages: relative to the working directory, with `/`, if it is below it; else unchanged. */
export function shownPath(cwd: string, path: string, rules: PathRules = ownSystem): string {
  return isInside(cwd, path, rules) ? relativePath(cwd, path, rules) : path;
}
