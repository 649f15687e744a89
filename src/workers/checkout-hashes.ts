import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Descriptor, LoadedModules } from '../protocol/messages.js';
import { shortHash } from '../text/short-hash.js';

/** Hashes of what a run is made of, so that all machines run the same. */
export interface CheckoutHashes {
  /** Hashes by path relative to the working directory, with `/`. */
  readonly files: { readonly [path: string]: string };
  /** The lock file of the packages; absent if there is none. */
  readonly lock?: { readonly path: string; readonly hash: string };
}

const lockFiles = [
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'bun.lockb',
];

const hashDigits = 32;

/**
 * A hash of the evaluations and cases that files have, in order, with their options: the environment may decide which
 * there are. Their values are compared case by case, before it runs.
 */
export function casesHash(descriptors: Iterable<Descriptor>): string {
  const hash = createHash('sha256');
  for (const one of descriptors) hash.update(`${JSON.stringify(one)}\n`);
  return hash.digest('hex').slice(0, hashDigits);
}

/** What a coordinator has loaded, beside the hashes of its files. */
export interface LoadedThere extends Omit<LoadedModules, 'files'> {
  /** Of the machine: packages may have parts for one. */
  readonly platform: string;
  /** False where eval files could not be imported, which may have loaded some of it. */
  readonly isOfAll: boolean;
}

/** The platform of this machine. */
export function platform(): string {
  return `${process.platform} ${process.arch}`;
}

/** The reason why what was loaded here does not give the results of the run; `undefined` if it does. */
export function loadedDifference(
  there: LoadedThere,
  { files }: CheckoutHashes,
  own: LoadedModules,
): string | undefined {
  const other = own.files.find((file) => !Object.hasOwn(files, file));
  if (other !== undefined) return `${other} is loaded in its checkout, and not in the run`;
  if (there.isOfAll && own.settings !== there.settings) {
    return 'compiler options (tsconfig.json), or the type in package.json, differ in its checkout';
  }
  return packageDifference(there, own.packages);
}

function packageDifference(there: LoadedThere, own: readonly string[]): string | undefined {
  const [theirs, ours] = [versionsOf(there.packages), versionsOf(own)];
  const isSame = there.platform === platform();
  for (const name of new Set([...theirs.keys(), ...ours.keys()])) {
    const [wanted, found] = [theirs.get(name), ours.get(name)];
    if (wanted === found) continue;
    const mayLack = !isSame || (found === undefined && !there.isOfAll);
    if ((wanted === undefined || found === undefined) && mayLack) continue;
    return `the package ${name} is ${found ?? 'not loaded'} in its checkout, and ${wanted ?? 'not loaded'} in the run`;
  }
  return undefined;
}

/** The versions of packages by name, with commas. */
function versionsOf(ids: readonly string[]): Map<string, string> {
  const versions = new Map<string, string>();
  for (const id of ids) {
    const at = id.lastIndexOf('@');
    const [name, version] = [id.slice(0, at), id.slice(at + 1)];
    const known = versions.get(name);
    versions.set(name, known === undefined ? version : `${known}, ${version}`);
  }
  return versions;
}

/** Hashes files, with LF as the end of lines, and the nearest lock file. Files that cannot be read have no hash. */
export async function hashCheckout(cwd: string, paths: readonly string[]): Promise<CheckoutHashes> {
  const files: { [path: string]: string } = {};
  for (const path of paths) {
    const hash = await hashFile(join(cwd, path));
    if (hash !== undefined) files[path] = hash;
  }
  const lockPath = findLock(cwd);
  const hash = lockPath && (await hashFile(lockPath));
  const path = lockPath && relative(cwd, lockPath).split(sep).join('/');
  return { files, ...(path && hash && { lock: { path, hash } }) };
}

/** The reason why this checkout cannot run it; `undefined` if it can. */
export async function differenceFrom(
  wanted: CheckoutHashes,
  cwd: string,
): Promise<string | undefined> {
  const own = await hashCheckout(cwd, Object.keys(wanted.files));
  for (const [path, hash] of Object.entries(wanted.files)) {
    if (own.files[path] === undefined) return `${path} is missing`;
    if (own.files[path] !== hash) return `${path} differs`;
  }
  const { lock } = wanted;
  if (lock?.hash === own.lock?.hash) return undefined;
  if (own.lock === undefined) return `${lock?.path} is missing`;
  return `${own.lock.path} differs`;
}

async function hashFile(path: string): Promise<string | undefined> {
  try {
    // A pipe or device would never end, and others may write to Redis.
    const stats = await stat(path);
    if (!stats.isFile()) return undefined;
    // Nor would some files that systems generate, whose size is 0.
    const bytes = stats.size === 0 ? Buffer.alloc(0) : await readFile(path);
    const text = bytes.includes(13)
      ? Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
      : bytes;
    return shortHash(text, hashDigits);
  } catch {
    return undefined;
  }
}

function findLock(cwd: string): string | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    for (const name of lockFiles) if (existsSync(join(folder, name))) return join(folder, name);
    if (folder === dirname(folder)) return undefined;
  }
}
