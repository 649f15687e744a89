import { AssayError } from '../errors.js';
import { sweepLeftovers } from '../files/temporary-files.js';
import { nameText, quotedName } from '../text/name-text.js';
import { createRunFolder, type NewRun } from './create-run.js';
import type { ImportedRun } from './exported/import-run.js';
import { findRunFolder, removeIfEmpty, resolveRoot, sessionFolders } from './folders.js';
import type { ListingCache } from './listing/listing-cache.js';
import { runsBefore } from './listing/previous-of.js';
import type { ListedRun } from './listing/run-json.js';
import { busyError, liveHolder, lockPath } from './lock/lock.js';
import { openRunFolder, ownRunFolder } from './open-run.js';
import type { RunOwner } from './run-owner.js';
import type { StoredRun } from './stored-run.js';
import type { OpenedRun } from './streamed-run.js';

// What only some commands need is loaded when it is used: making a run is on the way of every `assay run`.

export interface ListedSession {
  readonly session_name: string;
  readonly runs: number;
  /** The run that started last. */
  readonly last: ListedRun;
  /** That run and those before it, newest first, at most eight: see `runsBefore`. */
  readonly recent: readonly ListedRun[];
}

const recentRuns = 8;

function firstOf<T>(all: Iterable<T>, most: number): T[] {
  const first: T[] = [];
  for (const one of all) {
    first.push(one);
    if (first.length === most) break;
  }
  return first;
}

/** Opens a results directory, given as an absolute path. It need not exist; it is made with the first run. */
export async function openStore(root: string): Promise<Store> {
  const resolved = resolveRoot(root);
  sweepLeftovers(resolved);
  return new Store(resolved);
}

/** Sessions and runs below one results directory. Several processes may use it at the same time. */
export class Store {
  /** Absolute path of the results directory. */
  readonly root: string;
  /** Problems of the last listing, as sentences. */
  warnings: readonly string[] = [];
  /** Receives each sentence of `warnings` that the listing before did not have. */
  onWarning: (text: string) => void = () => undefined;
  /** Run folders elsewhere, by run id. */
  readonly #adopted = new Map<string, string>();
  /** By folder. */
  readonly #opened = new Map<string, WeakRef<StoredRun>>();
  #listing: Promise<ListingCache> | undefined;
  #listingVersion = 0;
  #isWatched = false;

  constructor(root: string) {
    this.root = root;
  }

  /** Makes a run and the right to execute it. Errors: `bad-request`, `storage-full`, `storage-unusable`. */
  async createRun(run: NewRun): Promise<RunOwner> {
    const owner = await createRunFolder(this.root, run);
    this.#remember(owner.run);
    return owner;
  }

  /** Opens a run for reading and editing. Errors: `no-such-run`, `unreadable-run`. */
  async openRun(runId: string): Promise<StoredRun> {
    return this.#remember(await openRunFolder(this.#folder(runId), runId));
  }

  /** Opens a run to be read once. See `openStreamedRun`. Errors as `openRun`. */
  async streamRun(runId: string): Promise<OpenedRun> {
    const { openStreamedRun } = await import('./streamed-run.js');
    return openStreamedRun(this.#folder(runId), runId);
  }

  /** Opens a run folder anywhere on disk. Error: `unreadable-run`. */
  openFolder(folder: string): Promise<StoredRun> {
    return openRunFolder(folder);
  }

  /**
   * Lets a run folder elsewhere on disk be opened by its id, too; it is in no listing and is never deleted. Answers
   * with the id. Error: `unreadable-run`.
   */
  async adoptFolder(folder: string): Promise<string> {
    const run = await this.openFolder(folder);
    await run.close();
    this.#adopted.set(run.runId, folder);
    return run.runId;
  }

  /** Takes over a saved run for executing it. Errors: `no-such-run`, `busy`, `newer-format`, `unreadable-run`. */
  async ownRun(runId: string): Promise<RunOwner> {
    const owner = await ownRunFolder(this.#folder(runId), runId);
    this.#remember(owner.run);
    return owner;
  }

  /** Runs, newest first: those of one session, or all. What could not be read is in `warnings` then. */
  async listRuns(sessionName?: string): Promise<readonly ListedRun[]> {
    const runs = await this.#list();
    return sessionName === undefined
      ? runs
      : runs.filter((run) => run.session_name === sessionName);
  }

  /** Another number for every listing that reads differently than the one before; 0 before the first. */
  get listingVersion(): number {
    return this.#listingVersion;
  }

  /**
   * Updates `listingVersion`; cheap enough for several times a second. From then on, this store does not move unreadable
   * folders aside that have just changed, because they may still be being copied.
   */
  async watchListing(): Promise<number> {
    this.#isWatched = true;
    await this.#list();
    return this.#listingVersion;
  }

  /** Sessions, the one with the newest run first. */
  async listSessions(): Promise<ListedSession[]> {
    const sessions = new Map<string, [ListedRun, ...ListedRun[]]>();
    for (const run of await this.listRuns()) {
      const runs = sessions.get(run.session_name);
      if (runs === undefined) sessions.set(run.session_name, [run]);
      else runs.push(run);
    }
    return [...sessions].map(([session_name, runs]) => ({
      session_name,
      runs: runs.length,
      last: runs[0],
      recent: firstOf(runsBefore(runs, runs[0]), recentRuns),
    }));
  }

  /**
   * The id of the run that a user means by `latest`, `previous`, `latest~N`, a run id, a unique prefix of one, a run name, or
   * that of a group. Errors: `no-such-run`, `ambiguous-run`.
   */
  async findRun(reference: string, options: { readonly session?: string } = {}): Promise<string> {
    // The usual case needs no listing.
    if (findRunFolder(this.root, reference) !== undefined) return reference;
    const { findRun } = await import('./listing/find-run.js');
    return findRun(await this.listRuns(), reference, options.session);
  }

  /** The ids of the runs of a group, that of the base first; `undefined` where the reference is no group's. */
  async findGroup(
    reference: string,
    options: { readonly session?: string | undefined } = {},
  ): Promise<readonly string[] | undefined> {
    if (findRunFolder(this.root, reference) !== undefined) return undefined;
    const { findGroup } = await import('./listing/find-run.js');
    return findGroup(await this.listRuns(), reference, options.session);
  }

  /** What the runs of a group lack, of which these are left, in a sentence; `undefined` where it is whole. */
  async lackOfGroup(ids: readonly string[]): Promise<string | undefined> {
    const { lackOfGroup } = await import('./listing/find-run.js');
    return lackOfGroup(await this.listRuns(), ids);
  }

  /** Renames a run and returns the saved name. Errors: those of `StoredRun.rename`, and `no-such-run`. */
  async renameRun(runId: string, name: string): Promise<string> {
    const run = await this.openRun(runId);
    try {
      await run.rename(name);
      return run.header.run_name;
    } finally {
      // A disk that stays full fails again, and would hide that the name has changed.
      await run.close().catch(() => undefined);
    }
  }

  /** Deletes a run. Errors: `no-such-run`, `busy` when a live process holds it. */
  async deleteRun(runId: string): Promise<void> {
    const adopted = this.#adopted.get(runId);
    if (adopted !== undefined) {
      throw new AssayError(
        'view-only',
        `${adopted} is not in the results directory: delete it there.`,
      );
    }
    const { deleteRunFolder } = await import('./delete-run.js');
    await deleteRunFolder(this.#folder(runId), runId);
    sessionFolders(this.root).forEach(removeIfEmpty);
  }

  /** Deletes all runs of a session, or none when a live process holds one. Errors: `no-such-session`, `busy`. */
  async deleteSession(name: string): Promise<void> {
    const runs = await this.listRuns(name);
    if (runs.length === 0) {
      throw new AssayError('no-such-session', `There is no session ${quotedName(name)}.`);
    }
    for (const run of runs) {
      const holder = liveHolder(run.folder);
      if (holder !== undefined) throw busyError(`Run ${run.run_id}`, lockPath(run.folder), holder);
    }
    const { deleteRunFolder } = await import('./delete-run.js');
    for (const run of runs) await deleteRunFolder(run.folder, run.run_id);
    sessionFolders(this.root).forEach(removeIfEmpty);
  }

  /** Brings an exported run JSON into the store. Errors: `bad-request`, `storage-full`, `storage-unusable`. */
  async importRun(
    document: unknown,
    options: { readonly session?: string } = {},
  ): Promise<ImportedRun> {
    const { importRunDocument } = await import('./exported/import-run.js');
    return importRunDocument(this.root, document, options.session);
  }

  /** Brings several exported runs into the store, or none of them. Errors: those of {@link importRun}. */
  async importRuns(
    documents: readonly unknown[],
    options: { readonly session?: string } = {},
  ): Promise<readonly ImportedRun[]> {
    const { importRunDocuments } = await import('./exported/import-run.js');
    return importRunDocuments(this.root, documents, options.session);
  }

  async #list(): Promise<readonly ListedRun[]> {
    this.#listing ??= this.#makeListing();
    const listing = await this.#listing;
    const { runs, warnings } = await listing.list();
    const known = this.warnings;
    this.warnings = warnings;
    for (const text of warnings) if (!known.includes(text)) this.onWarning(text);
    this.#listingVersion = listing.version;
    return runs;
  }

  async #makeListing(): Promise<ListingCache> {
    const { ListingCache } = await import('./listing/listing-cache.js');
    return new ListingCache(this.root, () => ({
      isPatient: this.#isWatched,
      opened: (folder) => this.#opened.get(folder)?.deref(),
    }));
  }

  #remember(run: StoredRun): StoredRun {
    this.#opened.set(run.folder, new WeakRef(run));
    return run;
  }

  #folder(runId: string): string {
    const folder = this.#adopted.get(runId) ?? findRunFolder(this.root, runId);
    if (folder === undefined) {
      throw new AssayError('no-such-run', `There is no run ${nameText(runId)}.`);
    }
    return folder;
  }
}
