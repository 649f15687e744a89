import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { shortHash } from '../../../text/short-hash.js';

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

/** A hash of the evaluations and cases that files have, in order: the environment may decide which there are. */
export function casesHash(ids: Iterable<string>): string {
  const hash = createHash('sha256');
  for (const id of ids) hash.update(`${id}\n`);
  return hash.digest('hex').slice(0, hashDigits);
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
