import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pathText } from '../../files/given-path.js';
import type { PathLook } from '../../files/path-state.js';
import { isOfTerminal, wholeEnvironment } from '../../model/code/volatile-variables.js';
import { ownProxy, replaceMethod } from '../replace-method.js';

/** What is told of paths that functions of `node:fs` are called with. */
interface Listener {
  /** Returns false if changes of the path do not count. */
  onLook(kind: PathLook, path: string): boolean;
  /** It is about to be written, made or removed. */
  onWrite(path: string): void;
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
    patch(names, (name, [given, options]) => {
      const path = pathText(given);
      if (path === undefined || (name === 'open' && !(accessOf(options) & reading))) return;
      if (kind === 'folder' && Object(options).recursive === true) lookBelow(path, onLook);
      else onLook(kind, path);
    });
  }
  for (const [at, names] of writes.entries()) {
    patch(names, (name, args) => {
      const path = pathText(args[at]);
      if (path === undefined || (name === 'open' && !(accessOf(args[1]) & writing))) return;
      onWrite(path);
    });
  }
  patchFunction(process as unknown as Functions, 'loadEnvFile', ([path]) => {
    onLook('file', pathText(path) ?? '.env');
    onVariables();
  });
  syncBuiltinESMExports();
}

function lookBelow(path: string, onLook: Listener['onLook'], seen = new Set<string>()): void {
  if (!onLook('folder', path)) return;
  try {
    // A link may lead back.
    if (seen.size === seen.add(realpathSync(path)).size) return;
    for (const one of readdirSync(path, { withFileTypes: true })) {
      if (!one.isFile()) lookBelow(join(path, one.name), onLook, seen);
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

/** The folder of the running code. In it, the files of the loader and of the host are CommonJS. */
const bundle = dirname(fileURLToPath(import.meta.url)) + sep;

/**
 * True if a patched function was called by the module loader, that of Node or that of assay: what it reads counts as
 * code.
 */
export function isByLoader(): boolean {
  const caller = callerFile();
  const isOfBundle = caller.startsWith(bundle) && caller.endsWith('.cjs');
  return isOfBundle || caller.startsWith('node:internal/modules/');
}

/** True if a patched function was called by code of the project: not by a package, by Node or by assay. */
function isByProject(): boolean {
  const caller = callerFile();
  const isOfBundle = caller.replace(/^file:\/\//, '').startsWith(bundle);
  return !isOfBundle && !/^node:|[\\/]node_modules[\\/]/.test(caller);
}

/** The file that has called the patched function, as a path or a URL; patches are in the same file as this. */
function callerFile(): string {
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = 16;
    Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFileName() ?? '');
    const [own = '', ...files] = new Error().stack as unknown as readonly string[];
    // Functions of `fs` call each other, patched as they are: without an encoding, `readFileSync` opens the file.
    return files.find((file) => file !== own && file !== 'node:fs') ?? '';
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  }
}
