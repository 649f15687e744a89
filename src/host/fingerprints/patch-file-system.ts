import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PathLook } from '../../files/path-state.js';
import { replaceMethod } from '../calls/replace-method.js';

/** What is told of paths that functions of `node:fs` are called with. */
interface Listener {
  /** Returns false if changes of the path do not count. */
  onLook(kind: PathLook, path: unknown): boolean;
  /** It is about to be written, made or removed. */
  onWrite(path: unknown): void;
  /** Environment variables are about to be set from a file. */
  onVariables(): void;
}

type Functions = Record<string, (...args: unknown[]) => unknown>;

// Taken before they are patched.
const { readdirSync, realpathSync } = fs;

/** Functions by what they look at: the path that comes first. What is read through a `link` later is the same file. */
const looks: { readonly [kind in PathLook]: string } = {
  file: 'readFile open createReadStream copyFile cp openAsBlob stat lstat link',
  folder: 'readdir opendir',
  exists: 'access exists realpath readlink lstat',
};

/** Functions by the positions of the paths that they change. */
const writes = [
  'writeFile appendFile createWriteStream truncate unlink rm mkdir rename open',
  'rename copyFile cp',
];

/** Tells of each path that functions of `node:fs` look at or change, in whatever way user code gets them. */
export function patchFileSystem({ onLook, onWrite, onVariables }: Listener): void {
  for (const [kind, names] of Object.entries(looks) as [PathLook, string][]) {
    patch(names, (name, [path, options]) => {
      if (name === 'open' && !(accessOf(options) & reading)) return;
      if (kind === 'folder' && Object(options).recursive === true) lookBelow(path, onLook);
      else onLook(kind, path);
    });
  }
  for (const [at, names] of writes.entries()) {
    patch(names, (name, args) => {
      if (name !== 'open' || accessOf(args[1]) & writing) onWrite(args[at]);
    });
  }
  patchFunction(process as unknown as Functions, 'loadEnvFile', ([path]) => {
    onLook('file', path ?? '.env');
    onVariables();
  });
  syncBuiltinESMExports();
}

/** Looks at a folder and all folders below it. */
function lookBelow(path: unknown, onLook: Listener['onLook'], seen = new Set<string>()): void {
  if (!onLook('folder', path)) return;
  try {
    const folder = path instanceof URL ? fileURLToPath(path) : String(path);
    // A link may lead back.
    if (seen.size === seen.add(realpathSync(folder)).size) return;
    for (const one of readdirSync(folder, { withFileTypes: true })) {
      if (!one.isFile()) lookBelow(join(folder, one.name), onLook, seen);
    }
  } catch {
    // It is no folder.
  }
}

// `realpath.native`, before `realpath` is patched.
const natives = [fs.realpath, fs.realpathSync] as unknown as readonly Functions[];

/** Patches functions in their forms: with a callback, synchronous, with a promise, native. */
function patch(names: string, notice: (name: string, args: readonly unknown[]) => void): void {
  for (const name of names.split(' ')) {
    const told = (args: readonly unknown[]) => notice(name, args);
    for (const one of name === 'realpath' ? natives : []) patchFunction(one, 'native', told);
    for (const one of [fs, fs.promises] as unknown as readonly Functions[]) {
      patchFunction(one, name, told);
      patchFunction(one, `${name}Sync`, told);
    }
  }
}

/** Replaces a function, if there is one, by one that calls `notice` with its arguments first. */
function patchFunction(owner: Functions, name: string, notice: (args: unknown[]) => void): void {
  if (typeof owner[name] !== 'function') return;
  replaceMethod(
    owner,
    name,
    (original) =>
      function (this: unknown, ...args: unknown[]): unknown {
        notice(args);
        return Reflect.apply(original, this, args);
      },
  );
}

const reading = 1;
const writing = 2;

/** What flags of `open` allow. */
function accessOf(flags: unknown): number {
  const given = typeof flags === 'string' ? flags : 'r';
  // O_RDONLY, O_WRONLY and O_RDWR are 0, 1 and 2.
  if (typeof flags === 'number') return [reading, writing][flags & 3] ?? reading | writing;
  return (/^r|\+/.test(given) ? reading : 0) | (/[wa+]/.test(given) ? writing : 0);
}
