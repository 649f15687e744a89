import { syncBuiltinESMExports } from 'node:module';
import { isOfTerminal, wholeEnvironment } from '../../model/code/volatile-variables.js';
import { ownProxy } from '../own-proxy.js';
import { isByProject } from './by-loader.js';

/** Functions of `Reflect` that read a variable. */
const reads = ['get', 'has', 'getOwnPropertyDescriptor'] as const;
const changes = ['set', 'defineProperty', 'deleteProperty'] as const;

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
    } else if (!isOfTerminal(name) || isByProject()) notice(name);
  };
  const look = (name: (typeof reads)[number]) => (target: NodeJS.ProcessEnv, key: PropertyKey) => {
    see(key, name === 'get');
    return Reflect[name](target, key);
  };
  const change =
    (name: (typeof changes)[number]) =>
    (target: NodeJS.ProcessEnv, key: PropertyKey, value: PropertyDescriptor) => {
      onSet();
      return Reflect[name](target, key, value);
    };
  process.env = ownProxy(real, {
    ...Object.fromEntries(reads.map((name) => [name, look(name)])),
    ...Object.fromEntries(changes.map((name) => [name, change(name)])),
    ownKeys(target) {
      listed = Reflect.ownKeys(target);
      next = 0;
      return listed as string[];
    },
  });
  // `import { env } from 'node:process'`
  syncBuiltinESMExports();
}
