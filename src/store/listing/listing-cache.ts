import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { AssayError } from '../../errors.js';
import { isFolder, lookAt, namesIn, readSmallFile } from '../../files/regular-file.js';
import { sweepLeftovers } from '../../files/temporary-files.js';
import { hiddenNamePattern } from '../create-run.js';
import { sweepHidden } from '../delete-run.js';
import { documentPath, type FoundFolder, isRunFolder, logPath, runFolders } from '../folders.js';
import { liveHolder, lockPath } from '../lock/lock.js';
import { formatVersion } from '../log/records.js';
import { moveAside, moveDocumentAside } from '../move-aside.js';
import { openRunFolder } from '../open-run.js';
import type { StoredRun } from '../stored-run.js';
import {
  covers,
  isAtRest,
  type ListedRun,
  parseDocument,
  type RunDocument,
  toListedRun,
} from './run-json.js';

/** The runs of a results directory, newest first, and warnings about unreadable ones. */
export interface Listing {
  readonly runs: readonly ListedRun[];
  readonly warnings: readonly string[];
}

/** The cached content of a session folder. */
interface KnownSession {
  readonly folder: string;
  readonly folders: readonly FoundFolder[];
  /** Absent if it must be listed again. */
  readonly stamp?: Stamp;
}

/** The cached reading of a run folder. */
interface KnownRun {
  readonly listed: ListedRun;
  /** Absent if it must be read again. */
  readonly proof?: Proof;
}

/** The stamps of the files that a reading depends on. */
interface Proof {
  readonly logPath: string;
  readonly log: Stamp;
  readonly lockPath: string;
  /** Of a process that is gone, which is final. Without a lock, only its log says that a run is executed. */
  readonly deadLock: Stamp | undefined;
}

// Milliseconds of work before yielding to the event loop.
const slice = 10;

/**
 * Lists the runs below a root, with a cache: an unchanged run costs one `stat` of its log. Listings run one at a time;
 * requests during a listing get the next one, never data read before the request.
 */
export class ListingCache {
  /** Changes whenever a listing differs from the previous one; 0 before the first. */
  version = 0;
  readonly #root: string;
  readonly #rules: () => ReadingRules;
  #sessions = new Map<string, KnownSession>();
  #runs = new Map<string, KnownRun>();
  #last: readonly ListedRun[] = [];
  #running: Promise<Listing> | undefined;
  #next: Promise<Listing> | undefined;

  /** `rules` are asked for with every listing. */
  constructor(root: string, rules: () => ReadingRules) {
    this.#root = root;
    this.#rules = rules;
  }

  /** Lists all runs; broken ones are renamed and reported in the warnings. */
  list(): Promise<Listing> {
    if (this.#next !== undefined) return this.#next;
    if (this.#running === undefined) return this.#begin();
    this.#next = this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.#begin();
      });
    return this.#next;
  }

  #begin(): Promise<Listing> {
    const running = this.#list().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }

  async #list(): Promise<Listing> {
    const warnings: string[] = [];
    const rules = this.#rules();
    const sessions = new Map<string, KnownSession>();
    const runs = new Map<string, KnownRun>();
    const byId = new Map<string, ListedRun>();
    let since = performance.now();
    for (const name of namesIn(this.#root)) {
      const session = await this.#session(join(this.#root, name));
      if (session === undefined) continue;
      sessions.set(session.folder, session);
      for (const found of session.folders) {
        const known = await this.#run(found, rules, warnings);
        if (known !== undefined) runs.set(found.folder, known);
        if (known !== undefined) enter(byId, known.listed, warnings);
        if (performance.now() - since < slice) continue;
        await setImmediate();
        since = performance.now();
      }
    }
    this.#sessions = sessions;
    this.#runs = runs;
    this.#compare([...byId.values()]);
    return { runs: this.#last, warnings };
  }

  /** True when both have the same objects; unchanged runs are the same objects. */
  #compare(runs: ListedRun[]): void {
    runs.sort(newestFirst);
    const last = this.#last;
    const isSameList = last.length === runs.length && runs.every((run, at) => run === last[at]);
    if (isSameList && this.version > 0) return;
    this.#last = runs;
    this.version += 1;
  }

  async #session(folder: string): Promise<KnownSession | undefined> {
    const stats = lookAt(folder);
    if (stats?.isDirectory() !== true) return undefined;
    const known = this.#sessions.get(folder);
    if (known?.stamp !== undefined && isSame(known.stamp, stats)) return known;
    const hasHidden = namesIn(folder).some((name) => hiddenNamePattern.test(name));
    if (hasHidden) await sweepHidden(folder);
    const folders = runFolders(folder);
    const stamp = toStamp(stats);
    return hasHidden || !isSettled(stamp) ? { folder, folders } : { folder, folders, stamp };
  }

  async #run(
    found: FoundFolder,
    rules: ReadingRules,
    warnings: string[],
  ): Promise<KnownRun | undefined> {
    const known = this.#runs.get(found.folder);
    if (known?.proof !== undefined && stillHolds(known.proof)) return known;
    // Taken before reading, so that changes during the read are noticed.
    const proof = lookForProof(found.folder);
    const reading = await readListedRun(found, rules);
    warnings.push(...reading.warnings);
    const listed = listedRun(reading, known?.listed);
    if (listed === undefined) return undefined;
    return reading.isFinal && proof !== undefined ? { listed, proof } : { listed };
  }
}

function enter(byId: Map<string, ListedRun>, run: ListedRun, warnings: string[]): void {
  const other = byId.get(run.run_id);
  if (other === undefined) byId.set(run.run_id, run);
  else warnings.push(`${run.folder} is left out: ${other.folder} has the same run id.`);
}

function newestFirst(a: ListedRun, b: ListedRun): number {
  return b.started_at_ms - a.started_at_ms || (a.run_id < b.run_id ? -1 : 1);
}

function listedRun(reading: RunReading, before: ListedRun | undefined): ListedRun | undefined {
  const { listed } = reading;
  if (listed === 'as before' || listed === undefined || before === undefined) {
    return listed === 'as before' ? before : listed;
  }
  return JSON.stringify(listed) === JSON.stringify(before) ? before : listed;
}

/** Stamps of the files that decide, when they are settled. */
function lookForProof(folder: string): Proof | undefined {
  const paths = { logPath: logPath(folder), lockPath: lockPath(folder) };
  const log = settledStamp(paths.logPath);
  if (log === undefined) return undefined;
  if (lookQuietly(paths.lockPath) === undefined) return { ...paths, log, deadLock: undefined };
  const deadLock = settledStamp(paths.lockPath);
  return deadLock === undefined ? undefined : { ...paths, log, deadLock };
}

function stillHolds({ logPath, log, lockPath, deadLock }: Proof): boolean {
  const stats = lookQuietly(logPath);
  if (stats === undefined || !isSame(log, stats)) return false;
  if (deadLock === undefined) return true;
  const lock = lookQuietly(lockPath);
  return lock !== undefined && isSame(deadLock, lock);
}

function settledStamp(path: string): Stamp | undefined {
  const stats = lookQuietly(path);
  const stamp = stats === undefined ? undefined : toStamp(stats);
  return stamp !== undefined && isSettled(stamp) ? stamp : undefined;
}

function lookQuietly(path: string) {
  try {
    return lookAt(path);
  } catch {
    // Reading the run reports the error.
    return undefined;
  }
}

/** The listing data of a run folder at one moment. */
interface RunReading {
  /** The run; `as before` if it cannot be read at this moment, absent if there is none. */
  readonly listed?: ListedRun | 'as before';
  readonly warnings: readonly string[];
  /** True when it agrees with the log, and no process works on the run. */
  readonly isFinal: boolean;
}

interface ReadingRules {
  /**
   * For repeated listings, which may see folders being copied and logs being edited: recently changed files are ignored
   * until they are settled.
   */
  readonly isPatient: boolean;
  /** A run that this process has opened from a folder, if there is one. */
  readonly opened: (folder: string) => StoredRun | undefined;
}

const nothing: RunReading = { warnings: [], isFinal: false };

/** Reads a run folder for a listing; a broken one is renamed and reported in the warnings. */
async function readListedRun(found: FoundFolder, rules: ReadingRules): Promise<RunReading> {
  let isLeftAlone = false;
  try {
    if (!isRunFolder(found.folder)) return nothing;
    isLeftAlone = rules.isPatient && isInWork(found.folder);
    return await read(found, isLeftAlone, rules.opened);
  } catch (error) {
    if (isLeftAlone && isUnreadable(error)) return { ...nothing, listed: 'as before' };
    return { ...nothing, warnings: [moveRunAside(found, error)] };
  }
}

async function read(
  { runId, folder }: FoundFolder,
  isLeftAlone: boolean,
  opened: ReadingRules['opened'],
): Promise<RunReading> {
  const isLive = liveHolder(folder) !== undefined;
  if (!isLive && lookAt(lockPath(folder)) !== undefined) sweepLeftovers(folder);
  const saved = savedDocument(folder);
  const { document } = saved;
  const answer = (from: RunDocument, isFinal: boolean, warnings: readonly string[] = []) => ({
    listed: toListedRun(from, runId, folder),
    warnings,
    isFinal,
  });
  if (document !== undefined) {
    // It is written about once a second, so its state is current.
    if (isLive && !isAtRest(document)) return answer(document, false);
    if (covers(document, saved.logSize)) {
      return isLive ? answer(asHeld(document), false) : answer(document, true);
    }
    const inMemory = isLive ? undefined : await documentInMemory(opened(folder), saved.logSize);
    if (inMemory !== undefined) return answer(inMemory, true);
  }
  if (isLeftAlone && !isLive) {
    // A process that appends to the log updates `run.json` within a second.
    const isUsable = document !== undefined && isAtRest(document);
    return isUsable ? answer(document, false) : { ...nothing, listed: 'as before' };
  }
  const warnings = saved.isDamaged && !isLive ? [moveDocumentAside(folder)] : [];
  return answer(await rebuild({ runId, folder }, isLive), !isLive, warnings);
}

interface SavedDocument {
  readonly document?: RunDocument;
  /** True for a `run.json` that is invalid. */
  readonly isDamaged: boolean;
  readonly logSize: number;
}

function savedDocument(folder: string): SavedDocument {
  const log = lookAt(logPath(folder));
  const none: SavedDocument = { isDamaged: false, logSize: log?.size ?? 0 };
  if (log?.isFile() !== true) return none;
  const text = readSmallFile(documentPath(folder));
  // Anything except a folder is simply replaced.
  if (text === undefined) return { ...none, isDamaged: isFolder(documentPath(folder)) };
  const document = parseDocument(text);
  return document === undefined ? { ...none, isDamaged: true } : { ...none, document };
}

/** A process that holds a not-started run is about to start it. */
function asHeld(document: RunDocument): RunDocument {
  return document.state === 'not_started' ? { ...document, state: 'running' } : document;
}

/** The document of a run edited by this process, from memory, if it agrees with the log; also writes it. */
async function documentInMemory(
  run: StoredRun | undefined,
  logSize: number,
): Promise<RunDocument | undefined> {
  if (run === undefined || run.log.position !== logSize) return undefined;
  const document = parseDocument(run.documentText());
  if (document === undefined || !covers(document, logSize)) return undefined;
  if (!run.readOnly) await run.save().catch(() => undefined);
  return document;
}

/** True when the folder or its log changed recently, unless a process that executed the run has ended. */
function isInWork(folder: string): boolean {
  if (lookAt(lockPath(folder)) !== undefined) return false;
  return [folder, logPath(folder), documentPath(folder)].some((path) => {
    const stats = lookAt(path);
    return stats !== undefined && !isSettled(toStamp(stats));
  });
}

/** Reads the log, and writes a new `run.json`. */
async function rebuild({ runId, folder }: FoundFolder, isLive: boolean): Promise<RunDocument> {
  const run = await openRunFolder(folder, runId);
  try {
    const document = parseDocument(run.documentText());
    if (document === undefined) throw new Error(`the document of ${folder} is none`);
    // A read-only folder can still be listed.
    if (!isLive && !run.readOnly) {
      await run.save().catch(() => undefined);
      sweepLeftovers(folder);
    }
    return document;
  } finally {
    await run.close();
  }
}

/** Renames an unreadable run folder, and returns a sentence that says so. */
function moveRunAside({ folder }: FoundFolder, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  // Other errors may be temporary: permissions, too many open files.
  if (!isUnreadable(error)) return reason;
  if (liveHolder(folder) !== undefined || isNewer(folder)) return reason;
  return `${reason} It was set aside as ${moveAside(folder)}.`;
}

function isUnreadable(error: unknown): boolean {
  return error instanceof AssayError && error.code === 'unreadable-run';
}

function isNewer(folder: string): boolean {
  const format = /"format": ?(\d+)/.exec(readSmallFile(documentPath(folder)) ?? '')?.[1];
  return format !== undefined && Number(format) > formatVersion;
}

/** Identifies the state of a file or folder, provided it is settled. */
interface Stamp {
  readonly inode: number;
  readonly size: number;
  /** The time of its last change (ctime) in Unix milliseconds, which cannot be set back. */
  readonly changedAt: number;
}

// Timestamps have a resolution of up to two seconds on some file systems, so a second change may not be visible.
const longestStep = 2000;

function toStamp({ ino, size, ctimeMs }: Stats): Stamp {
  return { inode: ino, size, changedAt: ctimeMs };
}

/** True when a file still has a settled stamp. */
function isSame(stamp: Stamp, { ino, size, ctimeMs }: Stats): boolean {
  return stamp.changedAt === ctimeMs && stamp.size === size && stamp.inode === ino;
}

/**
 * False for a change so recent that the next one could have the same stamp, or belong to the same change. A time in the
 * future counts as settled, because a change now would have another time.
 */
function isSettled({ changedAt }: Stamp): boolean {
  return Math.abs(Date.now() - changedAt) > longestStep;
}
