import { syncBuiltinESMExports } from 'node:module';
import { isOfTerminal, wholeEnvironment } from '../../model/code/volatile-variables.js';
import { ownProxy } from '../own-proxy.js';
import { type Functions, patchFunction } from './patch-function.js';

/**
 * Calls `notice` with the name of each environment variable that code reads, and `onSet` when it sets or deletes one. Listing
 * the names does not count; copying the values counts as {@link wholeEnvironment}.
 */
export function watchVariables(notice: (name: string) => void, onSet: () => void): void {
  const real = process.env;
  /** The names that a listing is about to read, in order. */
  let listed: readonly PropertyKey[] = [];
  let next = 0;
  /** True if a listing is what looks at a variable: it looks at each property and then reads it, in order. */
  const isListing = (name: string, isRead: boolean): boolean => {
    const position = [next, next + 1, 0].find((at) => listed[at] === name);
    if (position === undefined || (isRead && position === listed.length - 1)) listed = [];
    next = position ?? 0;
    return position !== undefined;
  };
  const see = (name: PropertyKey, isRead = false): void => {
    if (typeof name !== 'string') return;
    if (listed.length > 0 && isListing(name, isRead)) {
      if (isRead) notice(wholeEnvironment);
    } else if (!isOfTerminal(name)) notice(name);
  };
  process.env = ownProxy(real, {
    get(target, name) {
      see(name, true);
      return Reflect.get(target, name);
    },
    has(target, name) {
      see(name);
      return Reflect.has(target, name);
    },
    getOwnPropertyDescriptor(target, name) {
      see(name);
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
    set(target, name, value) {
      onSet();
      return Reflect.set(target, name, value);
    },
    defineProperty(target, name, descriptor) {
      onSet();
      return Reflect.defineProperty(target, name, descriptor);
    },
    deleteProperty(target, name) {
      onSet();
      return Reflect.deleteProperty(target, name);
    },
    ownKeys(target) {
      listed = Reflect.ownKeys(target);
      next = 0;
      return listed as string[];
    },
  });
  patchFunction(process as unknown as Functions, 'loadEnvFile', onSet);
  // `import { env } from 'node:process'`
  syncBuiltinESMExports();
}
