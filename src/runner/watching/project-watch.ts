import { existsSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { FSWatcher } from 'chokidar';
import { type PathLook, pathState } from '../../files/path-state.js';
import type { LookedAt } from '../../model/code/looked-at.js';
import type { Settings } from '../../settings/settings.js';
import { isInside, relativePath } from '../../text/file-path.js';
import { findFiles, isNamedEvalFile, splitPath } from '../discovery/find-files.js';

export interface ProjectWatchOptions {
  /** Absolute working directory, to which names are relative. */
  readonly cwd: string;
  /** Absolute folders in which eval files may appear. */
  readonly searched: readonly string[];
  /** Absolute folders in which nothing counts: results and recordings. */
  readonly leftOut: readonly string[];
  /** Receives the names of what has changed, sorted; events that belong together come as one batch. */
  readonly onBatch: (names: readonly string[]) => void;
  /** Evaluations write something that they look at; its changes do not count from now on. */
  readonly onWritten: (name: string) => void;
  /** Something cannot be watched. */
  readonly onProblem: (text: string) => void;
}

/** Clocks of file systems are this much late. */
const clockMs = 20;
/** Quiet milliseconds after which a batch is complete: what is in it is then older than the round that it begins. */
const quietMs = clockMs + 5;
/** Milliseconds of the longest batch. */
const longestMs = 500;
/** Git removes its lock when a checkout is complete; one that a crash has left behind must not stop everything. */
const longestLockMs = 3000;
/** Files that are hashed without a pause. */
const hashedAtOnce = 64;
/** The watching of a folder begins within this time. */
const startMs = 1000;

const unhashed = Symbol('unhashed');
type State = string | null | typeof unhashed;

/**
 * Notices when files, folders and missing paths change that code has looked at, and when eval files appear. Content
 * counts, not time: saving the same bytes is no change.
 */
export class ProjectWatch {
  readonly #options: ProjectWatchOptions;
  readonly #looks = new Map<string, Map<PathLook, State>>();
  /** Folders on the way to what was looked at. */
  readonly #folders = new Set<string>();
  /** Paths that evaluations write; true if that has been said. */
  readonly #written = new Map<string, boolean>();
  #watcher: Promise<FSWatcher> | undefined;
  #added = new Set<string>();
  #pending = new Set<string>();
  #pendingSince = 0;
  #timer: NodeJS.Timeout | undefined;
  #hasProblem = false;
  #isClosed = false;

  constructor(options: ProjectWatchOptions) {
    this.#options = options;
  }

  /** The number of watched files and folders. */
  get size(): number {
    return this.#looks.size;
  }

  /**
   * Watches these, too. What was written after `since` counts as changed, because nobody knows which of both was looked
   * at; in milliseconds since 1970.
   */
  async follow(looks: readonly LookedAt[], since: number): Promise<void> {
    const fresh: string[] = [];
    for (const { kind, name } of looks) {
      const path = resolve(this.#options.cwd, name);
      if (this.#isLeftOut(path)) continue;
      const known = this.#looks.get(path);
      if (this.#written.get(path) === false) this.#sayWritten(path);
      if (known?.has(kind)) continue;
      this.#looks.set(path, (known ?? new Map<PathLook, State>()).set(kind, unhashed));
      fresh.push(path);
    }
    if (fresh.length === 0) return;
    await this.#watchAround(fresh);
    for (const [at, path] of fresh.entries()) {
      if (at % hashedAtOnce === hashedAtOnce - 1) await setImmediate();
      if (this.#isClosed) return;
      const kinds = this.#looks.get(path);
      for (const [kind, state] of kinds ?? []) {
        if (state === unhashed) kinds?.set(kind, pathState(kind, path));
      }
      if (isYoungerThan(since, path)) this.#report([path], true);
    }
    this.#checkAgain(fresh, Date.now());
  }

  /** Looks again when the watching of these has surely begun. */
  #checkAgain(paths: readonly string[], since: number): void {
    setTimeout(() => {
      for (const path of paths) if (isYoungerThan(since, path)) this.#hint(path);
    }, startMs).unref();
  }

  /** Ignores a path from now on, because evaluations write it. */
  leaveOut(name: string): void {
    const path = resolve(this.#options.cwd, name);
    if (this.#written.has(path)) return;
    this.#written.set(path, false);
    if (this.#looks.has(path)) this.#sayWritten(path);
  }

  #sayWritten(path: string): void {
    this.#written.set(path, true);
    this.#options.onWritten(relativePath(this.#options.cwd, path));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await (await this.#watcher)?.close();
  }

  /** Watches the folders of these paths, or the nearest ones that exist. */
  async #watchAround(paths: readonly string[]): Promise<void> {
    const roots = new Set<string>();
    for (const path of paths) {
      let folder = dirname(path);
      this.#folders.add(folder);
      while (!existsSync(folder) && folder !== dirname(folder)) {
        folder = dirname(folder);
        this.#folders.add(folder);
      }
      if (this.#looks.get(path)?.has('folder') && existsSync(path)) roots.add(path);
      // Once chokidar watches the root, it reports nothing any more.
      if (folder !== dirname(folder)) roots.add(folder);
      // Its folder may be watched since before it counted.
      if (this.#added.has(folder)) roots.add(path);
    }
    const watcher = await this.#open();
    const fresh = [...roots].filter((root) => !this.#added.has(root) && existsSync(root));
    for (const root of fresh) this.#added.add(root);
    if (!this.#isClosed && fresh.length > 0) watcher.add(fresh);
  }

  #open(): Promise<FSWatcher> {
    this.#watcher ??= this.#start();
    return this.#watcher;
  }

  async #start(): Promise<FSWatcher> {
    // Only what waits for changes needs it.
    const { watch } = await import('chokidar');
    const watcher = watch([], {
      ignoreInitial: true,
      atomic: false,
      ignorePermissionErrors: true,
      ignored: (path, stats) => this.#isIgnored(resolve(path), stats),
    });
    watcher.on('all', (event, path) => {
      if (event === 'addDir') void this.#comeBack(resolve(path));
      else this.#hint(resolve(path));
    });
    // Sooner than the others, and none is left out.
    watcher.on('raw', (_event, name: unknown, details: unknown) => {
      const { watchedPath } = details as { readonly watchedPath?: string };
      if (watchedPath === undefined) return;
      this.#hint(resolve(watchedPath));
      if (typeof name === 'string') this.#hint(resolve(watchedPath, name));
    });
    watcher.on('error', (error) => this.#fail(error));
    const searched = this.#options.searched.filter((folder) => existsSync(folder));
    for (const folder of searched) this.#added.add(folder);
    watcher.add(searched);
    const since = Date.now();
    setTimeout(() => void this.#findNew(searched, since), startMs).unref();
    return watcher;
  }

  /** Finds eval files that have appeared while the watching of their folders began. */
  async #findNew(searched: readonly string[], since: number): Promise<void> {
    const { cwd } = this.#options;
    const search =
      searched.length === 0 ? undefined : findFiles({ paths: searched, ignore: [], cwd });
    // There may be none.
    const { files } = (await search?.catch(() => undefined)) ?? { files: [] };
    for (const { path } of files) if (isYoungerThan(since, path)) this.#hint(path);
  }

  #isIgnored(path: string, stats: Stats | undefined): boolean {
    if (this.#looks.has(path) || this.#folders.has(path)) return false;
    if (this.#isSearched(path)) {
      return stats !== undefined && !stats.isDirectory() && !isNamedEvalFile(path);
    }
    return this.#looks.get(dirname(path))?.has('folder') !== true;
  }

  #isLeftOut(path: string): boolean {
    return this.#options.leftOut.some((folder) => isInside(folder, path));
  }

  /** True for what eval files may be in, and for what may be one. */
  #isSearched(path: string): boolean {
    if (this.#isLeftOut(path)) return false;
    return this.#options.searched.some((folder) => {
      if (!isInside(folder, path)) return false;
      const way = path.slice(folder.length).split(sep).filter(Boolean);
      return !way.some((part) => part === 'node_modules' || part.startsWith('.'));
    });
  }

  /** Something has happened at a path. */
  #hint(path: string): void {
    if (this.#isClosed || this.#written.has(path)) return;
    const isMeant =
      this.#looks.has(path) ||
      this.#looks.get(dirname(path))?.has('folder') === true ||
      (isNamedEvalFile(path) && this.#isSearched(path));
    if (!isMeant) return;
    const now = performance.now();
    if (this.#pending.size === 0) this.#pendingSince = now;
    this.#pending.add(path);
    this.#schedule(Math.max(0, Math.min(quietMs, this.#pendingSince + longestMs - now)));
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#flush(), ms);
  }

  #flush(): void {
    const waited = performance.now() - this.#pendingSince;
    if (waited < longestLockMs && existsSync(join(this.#options.cwd, '.git', 'index.lock'))) {
      this.#schedule(quietMs * 2);
      return;
    }
    const paths = [...this.#pending];
    this.#pending.clear();
    this.#report(paths, false);
  }

  /** Reports what is different at these paths; `isCertain`: also what looks the same. */
  #report(paths: readonly string[], isCertain: boolean): void {
    const changed = new Set<string>();
    for (const path of paths) {
      if (this.#written.has(path)) continue;
      if (this.#hasChanged(path, isCertain)) changed.add(path);
      const folder = dirname(path);
      if (this.#looks.get(folder)?.has('folder') && this.#hasChanged(folder, false)) {
        changed.add(folder);
      }
    }
    if (changed.size === 0) return;
    const names = [...changed].map((path) => relativePath(this.#options.cwd, path) || '.');
    this.#options.onBatch(names.sort());
  }

  #hasChanged(path: string, isCertain: boolean): boolean {
    let kinds = this.#looks.get(path);
    if (kinds === undefined) {
      // An eval file that nothing has imported yet.
      if (!isNamedEvalFile(path) || !existsSync(path)) return false;
      kinds = new Map([['file', unhashed]]);
      this.#looks.set(path, kinds);
    }
    let hasChanged = isCertain;
    for (const [kind, before] of kinds) {
      const state = pathState(kind, path);
      if (state === before) continue;
      kinds.set(kind, state);
      hasChanged = true;
    }
    return hasChanged;
  }

  /** A folder has appeared: what was looked at in it may be there now. */
  async #comeBack(folder: string): Promise<void> {
    if (!this.#folders.has(folder)) return;
    const below = [...this.#looks.keys()].filter((path) => isInside(folder, path));
    for (const path of below) {
      this.#added.delete(path);
      this.#added.delete(dirname(path));
    }
    await this.#watchAround(below);
    for (const path of below) this.#hint(path);
  }

  #fail(error: unknown): void {
    if (this.#hasProblem) return;
    this.#hasProblem = true;
    const { message } = error instanceof Error ? error : { message: String(error) };
    this.#options.onProblem(`Some files cannot be watched: ${message}`);
  }
}

/** The paths that matter for every evaluation, whoever reads them, relative to `cwd`. */
export function watchedAlways(settings: Settings, cwd: string): LookedAt[] {
  const tsconfig = settings.effective('tsconfig').value;
  const names = [
    settings.fileName,
    '.env',
    'package.json',
    tsconfig === null ? 'tsconfig.json' : relativePath(cwd, tsconfig),
    // Package managers write these when they are done.
    'node_modules/.package-lock.json',
    'node_modules/.modules.yaml',
    'node_modules/.yarn-state.yml',
  ];
  return names.map((name) => ({ kind: 'file', name }));
}

/** The folders in which eval files may appear that paths of the user name. */
export function searchedFolders(paths: readonly string[], cwd: string): string[] {
  if (paths.length === 0) return [cwd];
  const folders = paths.map((given) => {
    const absolute = resolve(cwd, splitPath(given, cwd).path);
    const stats = statSync(absolute, { throwIfNoEntry: false });
    if (stats === undefined) return cwd;
    return stats.isDirectory() ? absolute : undefined;
  });
  return [...new Set(folders.filter((folder) => folder !== undefined))];
}

function isYoungerThan(since: number, path: string): boolean {
  try {
    const stats = statSync(path);
    return stats.isFile() && Math.max(stats.mtimeMs, stats.ctimeMs) > since - clockMs;
  } catch {
    return false;
  }
}
