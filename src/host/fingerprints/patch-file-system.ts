import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PathLook } from '../../files/path-state.js';
import { type Functions, patchFunction } from './patch-function.js';

/** What is told of paths that functions of `node:fs` are called with. */
interface Listener {
  /** Returns false if changes of the path do not count. */
  onLook(kind: PathLook, path: unknown): boolean;
  /** It is about to be written, made or removed. */
  onWrite(path: unknown): void;
}

// Taken before they are patched.
const { readdirSync, realpathSync } = fs;

/** Functions by what they look at: the path that comes first. */
const looks: { readonly [kind in PathLook]: readonly string[] } = {
  file: [
    ...['readFile', 'open', 'createReadStream', 'copyFile', 'cp', 'openAsBlob', 'stat', 'lstat'],
    // What is read through the link later is the same file.
    'link',
  ],
  folder: ['readdir', 'opendir'],
  exists: ['access', 'exists', 'realpath', 'readlink', 'lstat'],
};

/** Functions by the positions of the paths that they change. */
const writes = [
  [
    ...['writeFile', 'appendFile', 'createWriteStream', 'truncate', 'unlink', 'rm', 'mkdir'],
    ...['rename', 'open'],
  ],
  ['rename', 'copyFile', 'cp'],
];

/** Tells of each path that functions of `node:fs` look at or change, in whatever way user code gets them. */
export function patchFileSystem({ onLook, onWrite }: Listener): void {
  for (const kind of ['file', 'folder', 'exists'] as const) {
    for (const name of looks[kind]) {
      patch(name, ([path, options]) => {
        if (name === 'open' && !(accessOf(options) & reading)) return;
        const isRecursive = kind === 'folder' && isObject(options) && options.recursive === true;
        if (isRecursive) lookBelow(path, onLook);
        else onLook(kind, path);
      });
    }
  }
  for (const [at, names] of writes.entries()) {
    for (const name of names) {
      patch(name, (args) => {
        if (name !== 'open' || accessOf(args[1]) & writing) onWrite(args[at]);
      });
    }
  }
  patchFunction(process as unknown as Functions, 'loadEnvFile', ([path]) => {
    onLook('file', path ?? '.env');
  });
  syncBuiltinESMExports();
}

/** Looks at a folder and all folders below it. */
function lookBelow(path: unknown, onLook: Listener['onLook'], seen = new Set<string>()): void {
  if (!onLook('folder', path)) return;
  try {
    const folder = path instanceof URL ? fileURLToPath(path) : String(path);
    const real = realpathSync(folder);
    // A link may lead back.
    if (seen.has(real)) return;
    seen.add(real);
    for (const one of readdirSync(folder, { withFileTypes: true })) {
      if (!one.isFile()) lookBelow(join(folder, one.name), onLook, seen);
    }
  } catch {
    // It is no folder.
  }
}

function isObject(value: unknown): value is Functions {
  return typeof value === 'object' && value !== null;
}

// `realpath.native`, before `realpath` is patched.
const natives = [fs.realpath, fs.realpathSync];

/** Patches a function in its forms: with a callback, synchronous, with a promise, native. */
function patch(name: string, notice: (args: readonly unknown[]) => void): void {
  for (const one of name === 'realpath' ? natives : []) {
    patchFunction(one as unknown as Functions, 'native', notice);
  }
  patchFunction(fs as unknown as Functions, name, notice);
  patchFunction(fs as unknown as Functions, `${name}Sync`, notice);
  patchFunction(fs.promises as unknown as Functions, name, notice);
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
