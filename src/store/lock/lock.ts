import { randomBytes } from 'node:crypto';
import { linkSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { AssayError, hasSystemCode } from '../../errors.js';
import { unlinkQuietly } from '../../files/file-operations.js';
import { lookAt, readSmallFile } from '../../files/regular-file.js';
import { processExists, temporaryPath } from '../../files/temporary-files.js';
import { isCount, isObject, parseStoredJson } from '../../model/json.js';
import { shortHash } from '../../text/short-hash.js';
import { toStorageError } from '../storage-error.js';
import { isSameStart, ownStart, startOf } from './process-start.js';

let own: ProcessIdentity | undefined;

/** A process that has locked a run. */
export interface RunHolder {
  readonly pid: number;
  readonly host: string;
}

/** A lock held by this process. */
export interface Lock {
  /** Releases the lock, unless another process has taken it. */
  release(): void;
}

const attempts = 50;
const longestLock = 64 * 1024;

/** The text of a lock file of this process; unique. */
export function lockText(): string {
  return `${JSON.stringify({ ...ownIdentity(), nonce: randomBytes(8).toString('hex') })}\n`;
}

/**
 * Takes the lock of a run folder, and takes over a lock whose process has certainly ended.
 * Errors: `busy` naming the process, `storage-full`, `storage-unusable`.
 */
export function takeLock(folder: string, what: string): Lock {
  const path = lockPath(folder);
  const text = lockText();
  try {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      if (create(path, text)) return heldLock(folder);
      const found = read(path);
      if (found === undefined) continue;
      if (found.holder !== undefined && mayBeAlive(found.holder)) {
        throw busyError(what, path, found.holder);
      }
      removeDead(path, found);
    }
  } catch (error) {
    throw toStorageError(error, folder);
  }
  throw new AssayError('busy', `${what} is being locked by another process. Try again.`);
}

/** The lock of a folder whose lock file this process has just created. */
export function heldLock(folder: string): Lock {
  const path = lockPath(folder);
  const own = stampOf(path);
  return {
    release: () => {
      if (own !== undefined && stampOf(path) === own) unlinkQuietly(path);
    },
  };
}

/** Identifies a file without opening it, because no file descriptor may be left when a lock is released. */
function stampOf(path: string): string | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && [stats.ino, stats.mtimeNs, stats.size].join(' ');
}

/** The process that has locked a run folder, unless it has certainly ended. */
export function liveHolder(folder: string): RunHolder | undefined {
  const text = readSmallFile(lockPath(folder), longestLock);
  const holder = text === undefined ? undefined : parseHolder(text);
  if (holder === undefined || !mayBeAlive(holder)) return undefined;
  return { pid: holder.pid, host: holder.host };
}

export function lockPath(folder: string): string {
  return join(folder, 'lock');
}

/** The error for a run that another process has locked. */
export function busyError(what: string, path: string, holder: RunHolder): AssayError {
  const where = isLocal(holder) ? '' : ` on ${holder.host}`;
  return new AssayError('busy', `${what} is in use by process ${holder.pid}${where}.`, {
    hints: isLocal(holder)
      ? ['Wait until it is done, or stop that process.']
      : [`Whether it still runs cannot be seen from here. If it does not, delete ${path}`],
  });
}

interface FoundLock {
  readonly text: string;
  /** `undefined` if the file is invalid. */
  readonly holder: ProcessIdentity | undefined;
}

/** Creates a file with its content in one step; false if it exists. */
function create(path: string, text: string): boolean {
  const temporary = temporaryPath(path);
  try {
    return createWith(temporary, path, text);
  } finally {
    unlinkQuietly(temporary);
  }
}

function createWith(temporary: string, path: string, text: string): boolean {
  writeFileSync(temporary, text, { flag: 'wx', mode: 0o600 });
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (hasSystemCode(error, 'EEXIST', 'ENOENT')) return false;
    if (!hasSystemCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK')) throw error;
    // A file system without hard links.
    return createPlainly(path, text);
  }
}

function createPlainly(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (hasSystemCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function read(path: string): FoundLock | undefined {
  const text = readSmallFile(path, longestLock);
  if (text !== undefined) return { text, holder: parseHolder(text) };
  // The file may have been replaced since; only something other than a file is an error.
  if (lookAt(path)?.isFile() !== false) return undefined;
  throw new AssayError('busy', `${path} is not a regular file, so the run cannot be locked.`, {
    hints: ['Remove it if no process uses the run.'],
  });
}

function parseHolder(text: string): ProcessIdentity | undefined {
  const value = parseStoredJson(text);
  if (!isObject(value)) return undefined;
  const { host, boot_id, pid, start_time } = value;
  if (typeof host !== 'string' || !isCount(pid) || pid === 0) return undefined;
  return {
    host,
    pid,
    boot_id: typeof boot_id === 'string' ? boot_id : null,
    start_time: typeof start_time === 'string' ? start_time : null,
  };
}

/**
 * Removes a lock whose process is gone. Several processes may try that at once, and one that looked earlier must
 * not remove the new lock of one that was quicker. So a process that removes a lock first creates a guard named after that
 * very lock, and looks again: only the one that holds the guard may remove this lock, and a lock never comes back.
 * A guard whose own process died is removed in the same way.
 */
function removeDead(path: string, dead: FoundLock): void {
  const name = shortHash(dead.text);
  const guard = `${lockBase(path)}.takeover.${name}`;
  if (!create(guard, lockText())) {
    const found = read(guard);
    if (found === undefined) return;
    if (found.holder !== undefined && mayBeAlive(found.holder)) pause();
    else removeDead(guard, found);
    return;
  }
  try {
    if (readSmallFile(path) === dead.text) rmSync(path, { force: true });
  } finally {
    unlinkQuietly(guard);
  }
}

function lockBase(path: string): string {
  return path.replace(/\.takeover\.[0-9a-f]{16}$/, '');
}

/** Waits for a process that is taking over, which needs less than a millisecond. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
}

/** Identifies a process, even after its id is reused. */
interface ProcessIdentity {
  readonly host: string;
  /** Changes with every start of the machine; `null` where the system does not say. */
  readonly boot_id: string | null;
  readonly pid: number;
  /** Start time of the process, as `ownStart` writes it; `null` if the system did not report it. */
  readonly start_time: string | null;
}

export function ownIdentity(): ProcessIdentity {
  own ??= {
    host: hostname(),
    boot_id: readBootId(),
    pid: process.pid,
    start_time: ownStart(),
  };
  return own;
}

/** False only when it is certain that the process is gone; processes of other machines count as alive. */
export function mayBeAlive(other: ProcessIdentity): boolean {
  const self = ownIdentity();
  if (other.host !== self.host) return true;
  if (other.boot_id !== null && self.boot_id !== null && other.boot_id !== self.boot_id) {
    return false;
  }
  if (!processExists(other.pid)) return false;
  if (other.start_time === null) return true;
  const start = startOf(other.pid, other.start_time);
  return start === null || isSameStart(start, other.start_time);
}

/** True when a process belongs to this machine. */
function isLocal(other: Pick<ProcessIdentity, 'host'>): boolean {
  return other.host === ownIdentity().host;
}

function readBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}
