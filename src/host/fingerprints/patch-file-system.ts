import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PathLook } from '../../files/path-state.js';
import { type Functions, patchFunction } from './patch-function.js';

/** Returns false if changes of the path do not count. */
type Notice = (kind: PathLook, path: unknown) => boolean;

// Taken before they are patched.
const { readdirSync, realpathSync } = fs;

const looks: { readonly [kind in PathLook]: readonly string[] } = {
  file: [
    ...['readFile', 'open', 'createReadStream', 'copyFile', 'cp', 'openAsBlob', 'stat', 'lstat'],
    // What is read through the link later is the same file.
    'link',
  ],
  folder: ['readdir', 'opendir'],
  exists: ['access', 'exists', 'realpath', 'readlink', 'lstat'],
};

/** Calls `notice` with each path that functions of `node:fs` look at, in whatever way user code gets them. */
export function patchFileSystem(notice: Notice): void {
  for (const [kind, names] of Object.entries(looks)) {
    for (const name of names) {
      for (const [owner, own] of namesOf(name)) {
        patchFunction(owner, own, (args) => {
          if (name === 'open' && !reads(args[1])) return;
          const isRecursive = kind === 'folder' && isObject(args[1]) && args[1].recursive === true;
          if (isRecursive) noticeFolders(args[0], notice);
          else notice(kind as PathLook, args[0]);
        });
      }
    }
  }
  patchFunction(process as unknown as Functions, 'loadEnvFile', ([path]) => {
    notice('file', path ?? '.env');
  });
  syncBuiltinESMExports();
}

/** Notices a folder and all folders below it. */
function noticeFolders(path: unknown, notice: Notice, seen = new Set<string>()): void {
  if (!notice('folder', path)) return;
  try {
    const folder = path instanceof URL ? fileURLToPath(path) : String(path);
    const real = realpathSync(folder);
    // A link may lead back.
    if (seen.has(real)) return;
    seen.add(real);
    for (const one of readdirSync(folder, { withFileTypes: true })) {
      if (!one.isFile()) noticeFolders(join(folder, one.name), notice, seen);
    }
  } catch {
    // It is no folder.
  }
}

/** Functions that change a path, and the position of that path in their arguments. */
const writes: readonly (readonly [name: string, at: number])[] = [
  ['writeFile', 0],
  ['appendFile', 0],
  ['createWriteStream', 0],
  ['truncate', 0],
  ['unlink', 0],
  ['rm', 0],
  ['mkdir', 0],
  ['rename', 0],
  ['rename', 1],
  ['copyFile', 1],
  ['cp', 1],
  ['open', 0],
];

/** Calls `notice` with each path that functions of `node:fs` are about to write, make or remove. */
export function patchWrites(notice: (path: unknown) => void): void {
  for (const [name, at] of writes) {
    for (const [owner, own] of namesOf(name)) {
      patchFunction(owner, own, (args) => {
        if (name !== 'open' || mayWrite(args[1])) notice(args[at]);
      });
    }
  }
  syncBuiltinESMExports();
}

function isObject(value: unknown): value is Functions {
  return typeof value === 'object' && value !== null;
}

/** A function in its three forms: with a callback, synchronous, and with a promise; `realpath.native` before `realpath`. */
function namesOf(name: string): (readonly [owner: Functions, name: string])[] {
  return [
    ...(name === 'realpath' ? natives : []),
    [fs as unknown as Functions, name],
    [fs as unknown as Functions, `${name}Sync`],
    [fs.promises as unknown as Functions, name],
  ];
}

const natives = [fs.realpath, fs.realpathSync].map(
  (owner) => [owner as unknown as Functions, 'native'] as const,
);

/** True for flags of `open` with which something can be written. */
function mayWrite(flags: unknown): boolean {
  if (typeof flags === 'number') return (flags & 3) !== fs.constants.O_RDONLY;
  return typeof flags === 'string' && /[wa+]/.test(flags);
}

/** True for flags of `open` with which something can be read. */
function reads(flags: unknown): boolean {
  if (typeof flags === 'number') return (flags & 3) !== fs.constants.O_WRONLY;
  return typeof flags !== 'string' || /^r|\+/.test(flags);
}
