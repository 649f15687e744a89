import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve, sep } from 'node:path';
import { realPath, resolveLinks } from '../../files/given-path.js';
import { type PathLook, pathStamp, pathState } from '../../files/path-state.js';
import { changing, type FileReads, type Read } from '../../model/code/file-code.js';
import { addTo } from '../../model/lists-by-key.js';
import { isInside, relativePath } from '../../text/file-path.js';
import type { FollowedPaths } from '../followed-paths.js';
import { isByLoader, patchFileSystem, watchVariables } from './watch-reads.js';

/** Code that hides its own looks from the watch calls this global function, if it is there. */
const unwatched = Symbol.for('assay.unwatched');

interface ReadWatchOptions {
  /** The eval file that the running code belongs to; `undefined` if that is unknown. */
  readonly fileOf: () => string | undefined;
  /** Gets paths of the project, whatever they count for, and those that user code is about to write. */
  readonly followed: Pick<FollowedPaths, 'isStarted' | 'note' | 'noteWrite'>;
  /** Called when user code looks at any path outside of installed packages, or writes one. */
  readonly onTouch: (path: string) => void;
  /** Called when user code is about to write a path. */
  readonly onWrite: (path: string) => void;
  /** Called when user code sets or deletes an environment variable. */
  readonly onVariableSet: () => void;
}

/** What looks count for: fingerprints and files to watch, only the latter, or neither. */
type Counting = 'everything' | 'files to watch' | 'nothing';

/** A file, a folder or a variable that was looked at. */
interface Look {
  readonly kind: PathLook | 'variable';
  /** Absolute path, or the name of the variable. */
  readonly path: string;
  /** Eval files that it counts for; `unknownFile` for all. */
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
  #counting: Counting = 'everything';
  readonly #looks = new Map<string, Look>();
  /** Those that have changed since the last report. */
  readonly #news = new Set<Look>();

  constructor(options: ReadWatchOptions) {
    this.#options = options;
  }

  /** Call this before any user code, which may keep references to the originals. */
  start(folder: string): void {
    if (this.#folder !== '') return;
    this.#folder = folder;
    this.#root = projectRoot(folder);
    const { onVariableSet } = this.#options;
    patchFileSystem({
      onLook: (kind, path) => this.look(kind, path),
      onWrite: (path) => this.#write(path),
      onVariables: onVariableSet,
    });
    watchVariables((name) => {
      if (this.#counting === 'everything') this.#note('variable', name);
    }, onVariableSet);
    Object.defineProperty(globalThis, unwatched, {
      value: <Result>(work: () => Result) => this.#within('files to watch', work),
    });
  }

  #write(given: string): void {
    if (this.#counting === 'nothing') return;
    const { path } = this.#touch(given);
    if (this.#counting === 'everything') this.#options.onWrite(given);
    if (path !== undefined) this.#options.followed.noteWrite(path);
  }

  /** Calls a function whose looks count only so far; what it does later counts again. */
  #within<Result>(counting: Counting, work: () => Result): Result {
    const before = this.#counting;
    this.#counting = counting;
    try {
      return work();
    } finally {
      this.#counting = before;
    }
  }

  /** Calls a function whose looks do not count. */
  quietly<Result>(work: () => Result): Result {
    return this.#within('nothing', work);
  }

  /** Records what the module loader has looked at while evaluations ran: it counts for all eval files. */
  addLate(kind: PathLook, path: string, mayMiss = true): void {
    const look = this.#note(kind, path, unknownFile, () => false);
    const isThere = look.stamp !== null;
    if (!isThere || this.#placeOf(path).path) this.#options.followed.note(kind, path);
    look.isChanging ||= !isThere && !mayMiss;
  }

  /**
   * What was looked at since the last report, by eval file. `sharingNow` gives, for each eval file, those whose evaluations may
   * know what one of its evaluations has read, with itself. `isModule` is true for files that count as code, unless code reads them by itself.
   */
  report(
    sharingNow: () => ReadonlyMap<string, readonly string[]>,
    isModule: (path: string) => boolean,
  ): FileReads[] {
    if (this.#news.size === 0) return [];
    return this.quietly(() => {
      const sharing = sharingNow();
      const found = new Map<string, Read[]>();
      for (const look of this.#news) {
        if (look.isLoaded && isModule(look.path)) continue;
        const read = this.#toRead(look);
        const all = look.files.has(unknownFile) ? sharing.keys() : look.files;
        const files = new Set([...all].flatMap((one) => sharing.get(one) ?? [one]));
        for (const file of files) addTo(found, file, read);
      }
      this.#news.clear();
      return [...found].map(([file, reads]) => ({ file, reads }));
    });
  }

  #toRead({ kind, path, stamp, isChanging }: Look): Read {
    if (kind === 'variable') return { kind, name: path, hash: null };
    const state = pathState(kind, path);
    const isSame = !isChanging && pathStamp(kind, path) === stamp;
    const name = relativePath(this.#folder, path) || '.';
    return { kind, name, hash: isSame ? state : changing };
  }

  /** Notes that user code looks at a path; false if changes of it do not count. */
  look(kind: PathLook, given: string): boolean {
    const { followed } = this.#options;
    const counts = this.#counting === 'everything' || followed.isStarted;
    if (this.#counting === 'nothing' || !counts) return false;
    const note = (as: PathLook, path: string) => {
      followed.note(as, path);
      if (this.#counting === 'everything') this.#note(as, path);
    };
    const { path, links } = this.#touch(given);
    for (const link of links) note('exists', link);
    if (path !== undefined) note(kind, path);
    return path !== undefined;
  }

  #touch(given: string) {
    const place = this.#placeOf(given);
    const counts = place.path !== undefined || !leftOut.test(given);
    if (counts && this.#counting === 'everything') this.#options.onTouch(given);
    return place;
  }

  #note(
    kind: PathLook | 'variable',
    path: string,
    file = this.#options.fileOf() ?? unknownFile,
    isLoaded = isByLoader,
  ): Look {
    const key = `${kind}\0${path}`;
    const stamp = kind === 'variable' ? null : pathStamp(kind, path);
    let look = this.#looks.get(key);
    if (look === undefined) {
      look = { kind, path, files: new Set(), stamp, isChanging: false, isLoaded: true };
      this.#looks.set(key, look);
    }
    // Of a name that is no UTF-8, nothing is known.
    look.isChanging ||= path.includes('\uFFFD');
    this.#compare(look, stamp);
    if (look.isLoaded && (kind === 'variable' || !isLoaded())) {
      look.isLoaded = false;
      this.#news.add(look);
    }
    if (!look.files.has(file)) {
      look.files.add(file);
      this.#news.add(look);
    }
    return look;
  }

  /** Notices whether a file has changed that was looked at before. */
  lookAgain(path: string): void {
    const known = this.#looks.get(`file\0${path}`);
    if (known !== undefined) this.#compare(known, pathStamp('file', path));
  }

  /** A look at what has changed since the first one counts as changed for good. */
  #compare(known: Look, stamp: string | null): void {
    if (known.isChanging || known.stamp === stamp) return;
    known.isChanging = true;
    this.#news.add(known);
  }

  /** The path, if it is one of the project, and the folders of the project that may be links on the way. */
  #placeOf(given: string) {
    const isOfProject = (one: string) => one === this.#root || one.startsWith(this.#root + sep);
    const links: string[] = [];
    let path = resolveLinks(given, links);
    if (path !== undefined && !isOfProject(path)) path = realPath(path);
    const counts = path && isOfProject(path) && !leftOut.test(path.slice(this.#root.length));
    return { path: counts ? path : undefined, links: links.filter(isOfProject) };
  }
}

const unknownFile = '';
const leftOut = /[\\/](?:node_modules|\.assay)(?:[\\/]|$)/;

/** The repository that a folder is in, or the folder itself. */
function projectRoot(folder: string): string {
  for (let root = folder; root !== dirname(root); root = dirname(root)) {
    if (existsSync(join(root, '.git'))) return root;
  }
  return folder;
}

const require = createRequire(import.meta.url);

const notInputs = ['**/node_modules/**', '**/.git/**', '**/.assay/**'];

/**
 * Looks at the files that globs of an eval file name as inputs, relative to a folder, and at the folders in which others
 * could appear. Call it while the eval file is imported. Returns the absolute paths of the files.
 * @throws {Error} naming a glob that no file matches, or a file whose changes would not be noticed
 */
export function lookAtInputs(watch: ReadWatch, globs: readonly string[], folder: string): string[] {
  if (globs.length === 0) return [];
  const { files, folders } = watch.quietly(() => find(globs, folder));
  for (const path of folders) watch.look('folder', path);
  for (const path of files) {
    if (watch.look('file', path)) continue;
    throw new Error(
      `"inputs": ${relativePath(folder, path)} is outside of the project, where changes are not noticed`,
    );
  }
  return files;
}

function find(globs: readonly string[], folder: string) {
  // Only few eval files have inputs.
  const { globSync } = require('tinyglobby') as typeof import('tinyglobby');
  const files = new Set<string>();
  const folders = new Set<string>();
  // `!(a)` is a group.
  const isNegative = (glob: string) => /^!(?!\()/.test(glob);
  const ignore = [...notInputs, ...globs.filter(isNegative).map((one) => one.slice(1))];
  for (const one of globs) {
    if (isNegative(one)) continue;
    // The part before the first segment with wildcards.
    const base = resolve(folder, one.replace(/(?:^|\/)[^/]*[*?[\]{}()!+@].*$/, ''));
    const reading = ((path: string, options: { readonly withFileTypes: true }) => {
      if (isInside(base, resolve(path))) folders.add(resolve(path));
      return readdirSync(path, options);
    }) as typeof readdirSync; // the overload that globs use
    const options = { cwd: folder, absolute: true, dot: true, ignore };
    const paths = globSync([one], { ...options, fs: { readdirSync: reading } });
    if (paths.length === 0) {
      const outside = 'node_modules, .git and .assay';
      throw new Error(`"inputs": no file outside of ${outside} matches ${JSON.stringify(one)}`);
    }
    for (const path of paths) files.add(resolve(path));
  }
  return { files: [...files].sort(), folders };
}
