import { statSync } from 'node:fs';
import { resolve } from 'node:path';

/** A path as the user gives it, and the evaluation that it selects. */
export interface PathArgument {
  readonly path: string;
  /** The text after `::`. */
  readonly name?: string;
}

/**
 * Splits `file::name`. Files, names and ids of cases may contain `::`: what leads to a file is its path, else the path
 * ends at the first `::`. `cwd`: absolute folder to which it is relative.
 */
export function splitPath(given: string, cwd: string): PathArgument {
  const [first, ...others] = seams(given);
  if (first === undefined) return { path: given };
  const at = [given.length, ...others.reverse()].find((end) =>
    isFile(resolve(cwd, given.slice(0, end))),
  );
  if (at === given.length) return { path: given };
  return { path: given.slice(0, at ?? first), name: given.slice((at ?? first) + '::'.length) };
}

/** The positions of `::`. */
function seams(text: string): number[] {
  return [...text.matchAll(/:(?=:)/g)].map(({ index }) => index);
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
