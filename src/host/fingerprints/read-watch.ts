import fs from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type PathLook, pathStamp, pathState } from '../../files/path-state.js';
import { changing, type FileReads, type Read } from '../../model/code/file-code.js';
import type { LookedAt } from '../../model/code/looked-at.js';
import { relativePath } from '../../text/file-path.js';
import { isByLoader } from './by-loader.js';
import { patchFileSystem, patchWrites } from './patch-file-system.js';
import { watchVariables } from './watch-variables.js';

// Taken before they are patched.
const { existsSync, realpathSync } = fs;

/** Code that hides its own looks from the watch calls this global function, if it is there. */
const unwatched = Symbol.for('assay.unwatched');

export interface ReadWatchOptions {
  /** The eval file that the running code belongs to; `undefined` if that is unknown. */
  readonly fileOf: () => string | undefined;
  /** Called before user code writes a path of the project for the first time, if writes are followed. */
  readonly onWrite: (name: string) => void;
  /** Called when user code looks at any path outside of installed packages, or writes one. */
  readonly onTouch: (path: string) => void;
  /** Called when user code sets or deletes an environment variable. */
  readonly onVariableSet: () => void;
}

/** A look that has not been reported. */
interface Look {
  readonly kind: PathLook;
  readonly path: string;
  /** Eval files that it counts for; `all` if unknown. */
  readonly files: Set<string>;
  /** What was there at the first look. */
  readonly stamp: string | null;
  isChanging: boolean;
  /** Only the module loader has looked. */
  isLoaded: boolean;
}

/** Notices what user code looks at: files and folders of the project, and environment variables. */
export class ReadWatch {
  readonly #options: ReadWatchOptions;
  #folder = '';
  #root = '';
  #isQuiet = false;
  #isUnwatched = false;
  readonly #looks = new Map<string, Look>();
  /** By name, the eval files that it counts for. */
  readonly #variables = new Map<string, Set<string>>();
  /** Modules that were loaded late, and their hashes. */
  readonly #modules = new Map<string, string | null>();
  /** Since the last report. */
  #news = new Set<Look>();
  #newVariables = new Map<string, Set<string>>();
  #newModules = new Map<string, string | null>();
  /** What the runner is to watch, by kind and path; absent if it does not ask. */
  #followed: Map<string, LookedAt> | undefined;
  #newlyFollowed: LookedAt[] = [];
  readonly #written = new Set<string>();

  constructor(options: ReadWatchOptions) {
    this.#options = options;
  }

  /** Call this before any user code, which may keep references to the originals. `follows`: note for the runner, too. */
  start(folder: string, follows = false): void {
    if (this.#folder !== '') return;
    this.#folder = folder;
    this.#root = projectRoot(folder);
    if (follows) this.#followed = new Map();
    patchFileSystem((kind, path) => this.look(kind, path));
    patchWrites((path) => this.#write(path));
    watchVariables((name) => this.#readVariable(name), this.#options.onVariableSet);
    Object.defineProperty(globalThis, unwatched, {
      value: <Result>(work: () => Result) => this.#unwatched(work),
    });
  }

  /** What was looked at since the last call, whatever it counts for; nothing if the runner does not ask. */
  takeFollowed(): readonly LookedAt[] {
    return this.#newlyFollowed.splice(0);
  }

  /** Notes a path for the runner, if it asks. */
  follow(kind: PathLook, path: string): void {
    const key = keyOf(kind, path);
    if (this.#followed === undefined || this.#followed.has(key)) return;
    const look = { kind, name: relativePath(this.#folder, path) };
    this.#followed.set(key, look);
    this.#newlyFollowed.push(look);
  }

  #write(given: unknown): void {
    if (this.#isQuiet) return;
    this.#touch(given);
    const path = this.#followed && this.#pathOf(given);
    if (path === undefined || this.#written.has(path)) return;
    this.#written.add(path);
    this.#options.onWrite(relativePath(this.#folder, path));
  }

  /** Calls a function whose looks count for no fingerprint; a runner that watches sees them. */
  #unwatched<Result>(work: () => Result): Result {
    const before = this.#isUnwatched;
    this.#isUnwatched = true;
    try {
      return work();
    } finally {
      this.#isUnwatched = before;
    }
  }

  /** Calls a function whose looks do not count; what it does later counts again. */
  quietly<Result>(work: () => Result): Result {
    const before = this.#isQuiet;
    this.#isQuiet = true;
    try {
      return work();
    } finally {
      this.#isQuiet = before;
    }
  }

  /**
   * Records a project file, or a manifest of a package, that was loaded late, or `null` if it was missing: it counts for
   * all eval files.
   */
  addModule(file: string, hash: string | null): void {
    this.follow('file', file);
    const known = this.#modules.get(file);
    if (known === hash) return;
    const noted = known === undefined ? hash : changing;
    this.#modules.set(file, noted);
    this.#newModules.set(file, noted);
  }

  /** True if there is something to report. */
  get hasNews(): boolean {
    return this.#news.size + this.#newVariables.size + this.#newModules.size > 0;
  }

  /**
   * What was looked at since the last report, by eval file. `sharing` has, for each eval file, those whose evaluations may
   * know what one of its evaluations has read, with itself. `isModule` is true for files that count as code, unless code reads them by itself.
   */
  report(
    sharing: ReadonlyMap<string, readonly string[]>,
    isModule: (path: string) => boolean,
  ): FileReads[] {
    return this.quietly(() => {
      const found = new Map<string, Read[]>();
      const add = (files: ReadonlySet<string>, read: Read): void => {
        for (const file of this.#affected(files, sharing)) {
          const reads = found.get(file);
          if (reads === undefined) found.set(file, [read]);
          else reads.push(read);
        }
      };
      for (const look of this.#news) {
        if (!look.isLoaded || !isModule(look.path)) add(look.files, this.#toRead(look));
      }
      for (const [name, files] of this.#newVariables) {
        add(files, { kind: 'variable', name, hash: null });
      }
      for (const [file, hash] of this.#newModules) {
        add(anyFile, { kind: 'file', name: relativePath(this.#folder, file), hash });
      }
      this.#news = new Set();
      this.#newVariables = new Map();
      this.#newModules = new Map();
      return [...found].map(([file, reads]) => ({ file, reads }));
    });
  }

  #affected(
    files: ReadonlySet<string>,
    sharing: ReadonlyMap<string, readonly string[]>,
  ): Iterable<string> {
    if (files.has(unknownFile)) return sharing.keys();
    return new Set([...files].flatMap((file) => sharing.get(file) ?? [file]));
  }

  #toRead({ kind, path, stamp, isChanging }: Look): Read {
    const state = pathState(kind, path);
    const isSame = !isChanging && pathStamp(kind, path) === stamp;
    const name = relativePath(this.#folder, path) || '.';
    return { kind, name, hash: isSame ? state : changing };
  }

  /** Notes that user code looks at a path; false if changes of it do not count. */
  look(kind: PathLook, given: unknown): boolean {
    if (this.#isQuiet) return false;
    this.#touch(given);
    const path = this.#pathOf(given);
    if (path === undefined) return false;
    this.#noteLook(kind, path);
    return true;
  }

  #touch(given: unknown): void {
    const path = String(given);
    if (!this.#isUnwatched && !leftOut.test(path)) this.#options.onTouch(path);
  }

  #noteLook(kind: PathLook, path: string): void {
    this.follow(kind, path);
    if (this.#isUnwatched) return;
    const file = this.#options.fileOf() ?? unknownFile;
    const key = keyOf(kind, path);
    const stamp = pathStamp(kind, path);
    const known = this.#looks.get(key);
    if (known === undefined) {
      const isLoaded = isByLoader();
      const look = { kind, path, files: new Set([file]), stamp, isChanging: false, isLoaded };
      this.#looks.set(key, look);
      this.#news.add(look);
      return;
    }
    this.#compare(known, stamp);
    if (known.isLoaded && !isByLoader()) {
      known.isLoaded = false;
      this.#news.add(known);
    }
    if (known.files.has(file)) return;
    known.files.add(file);
    this.#news.add(known);
  }

  /** Notices whether a file has changed that was looked at before. */
  lookAgain(path: string): void {
    const known = this.#looks.get(keyOf('file', path));
    if (known !== undefined) this.#compare(known, pathStamp('file', path));
  }

  /** A look at what has changed since the first one counts as changed for good. */
  #compare(known: Look, stamp: string | null): void {
    if (known.isChanging || known.stamp === stamp) return;
    known.isChanging = true;
    this.#news.add(known);
  }

  #readVariable(name: string): void {
    if (this.#isQuiet || this.#isUnwatched) return;
    const file = this.#options.fileOf() ?? unknownFile;
    const known = this.#variables.get(name);
    if (known?.has(file)) return;
    this.#variables.set(name, (known ?? new Set()).add(file));
    this.#newVariables.set(name, (this.#newVariables.get(name) ?? new Set()).add(file));
  }

  /** A path of the project, also for one elsewhere that a link leads from. */
  #inProject(path: string): string | undefined {
    const isInside = (one: string) => one === this.#root || one.startsWith(this.#root + sep);
    if (isInside(path)) return path;
    const real = realpathSync(path);
    return isInside(real) ? real : undefined;
  }

  /** The absolute path, if it is one of the project. */
  #pathOf(given: unknown): string | undefined {
    try {
      const text =
        typeof given === 'string'
          ? given
          : given instanceof URL
            ? fileURLToPath(given)
            : Buffer.isBuffer(given)
              ? given.toString()
              : undefined;
      if (text === undefined) return undefined;
      const path = this.#inProject(resolve(text));
      return path === undefined || leftOut.test(path.slice(this.#root.length)) ? undefined : path;
    } catch {
      return undefined;
    }
  }
}

function keyOf(kind: PathLook, path: string): string {
  return `${kind}\0${path}`;
}

const unknownFile = '';
const anyFile: ReadonlySet<string> = new Set([unknownFile]);
const leftOut = /[\\/](?:node_modules|\.assay)(?:[\\/]|$)/;

/** The repository that a folder is in, or the folder itself. */
function projectRoot(folder: string): string {
  for (let root = folder; root !== dirname(root); root = dirname(root)) {
    if (existsSync(join(root, '.git'))) return root;
  }
  return folder;
}
