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
      for (const [owner, own] of [
        [fs, name],
        [fs, `${name}Sync`],
        [fs.promises, name],
      ] as const) {
        patch(owner as unknown as Functions, own, (args) => {
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

/** True for flags of `open` with which something can be read. */
function reads(flags: unknown): boolean {
  if (typeof flags === 'number') return (flags & 3) !== fs.constants.O_WRONLY;
  return typeof flags !== 'string' || /^r|\+/.test(flags);
}
