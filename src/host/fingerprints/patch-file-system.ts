import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { PathLook } from '../../files/path-state.js';

type Notice = (kind: PathLook, path: unknown) => void;
type Functions = Record<string, unknown>;

const looks: { readonly [kind in PathLook]: readonly string[] } = {
  file: ['readFile', 'open', 'createReadStream', 'copyFile', 'cp', 'openAsBlob', 'stat', 'lstat'],
  folder: ['readdir', 'opendir'],
  exists: ['access', 'exists', 'realpath', 'readlink'],
};

/** Calls `notice` with each path that functions of `node:fs` look at, in whatever way user code gets them. */
export function patchFileSystem(notice: Notice): void {
  for (const [kind, names] of Object.entries(looks)) {
    for (const name of names) {
      for (const [owner, own] of namesOf(name)) {
        patch(owner, own, (args) => {
          if (name !== 'open' || reads(args[1])) notice(kind as PathLook, args[0]);
        });
      }
    }
  }
  syncBuiltinESMExports();
}

function patch(owner: Functions, name: string, notice: (args: readonly unknown[]) => void): void {
  const original = owner[name];
  if (typeof original !== 'function') return;
  function patched(this: unknown, ...args: unknown[]): unknown {
    notice(args);
    return Reflect.apply(original as (...args: unknown[]) => unknown, this, args);
  }
  // Its name, its length, and what `promisify` and others look for.
  Object.defineProperties(patched, Object.getOwnPropertyDescriptors(original));
  owner[name] = patched;
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
      patch(owner, own, (args) => {
        if (name !== 'open' || mayWrite(args[1])) notice(args[at]);
      });
    }
  }
  syncBuiltinESMExports();
}

/** A function in its three forms: with a callback, synchronous, and with a promise. */
function namesOf(name: string): (readonly [owner: Functions, name: string])[] {
  return [
    [fs as unknown as Functions, name],
    [fs as unknown as Functions, `${name}Sync`],
    [fs.promises as unknown as Functions, name],
  ];
}

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
