import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { lookAt, namesIn } from '../../files/regular-file.js';
import { hiddenNamePattern } from '../create-run.js';
import { sweepHidden } from '../delete-run.js';
import { type FoundFolder, logPath, runFolders } from '../folders.js';
import { lockPath } from '../lock/lock.js';
import { type ReadingRules, type RunReading, readListedRun } from './listing.js';
import { isSame, isSettled, type Stamp, toStamp } from './listing-stamp.js';
import type { ListedRun } from './run-json.js';

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
