import { realpathSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

// Taken before anybody replaces it.
const { native } = realpathSync;

/** A path as functions of `node:fs` take it: text, bytes, or an address of whatever class; `undefined` for other things. */
export function pathText(given: unknown): string | undefined {
  if (typeof given === 'string') return given;
  try {
    if (given instanceof Uint8Array) return Buffer.from(given).toString();
    const { href } = Object(given) as { readonly href?: unknown };
    return typeof href === 'string' ? fileURLToPath(href) : undefined;
  } catch {
    return undefined;
  }
}

/** Segments that stay where they are. */
const here = /(?<=^|\/)\.\/+/g;
/** A name, then `..`. */
const upward = /^((?:.*?\/)?(?!\.\.?\/)[^/]+)\/+\.\.(?=\/|$)(.*)$/s;

/** The folder of an installed package, and what is below. */
const inPackage = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)(.*)$/s;
/** Where the folders of packages are. */
const folders = new Map<string, string>();

/**
 * The absolute path to which the system goes, if there is one: `..` behind a link leads from where that leads, and linked
 * packages are elsewhere. Adds the folders that may be such links.
 */
export function resolveLinks(given: string, links: string[]): string | undefined {
  // Windows goes by the text.
  const [, before, after = ''] = (sep === '/' && upward.exec(given.replace(here, ''))) || [];
  if (before !== undefined) {
    links.push(resolve(before));
    const real = realPath(before);
    return real === undefined ? undefined : resolveLinks(dirname(real) + after, links);
  }
  const path = resolve(given);
  const [, folder, rest = ''] = inPackage.exec(path) ?? [];
  if (folder === undefined) return path;
  const real = folders.get(folder) ?? realPath(folder) ?? folder;
  folders.set(folder, real);
  if (inPackage.test(real)) return path;
  links.push(folder);
  return real + rest;
}

/** Where links lead; `undefined` if nothing is there. */
export function realPath(path: string): string | undefined {
  try {
    return native(path);
  } catch {
    return undefined;
  }
}
