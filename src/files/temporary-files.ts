import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { hasSystemCode } from '../errors.js';
import { shortHash } from '../text/short-hash.js';
import { unlinkQuietly } from './file-operations.js';
import { namesIn } from './regular-file.js';

let host: string | undefined;

/** Marks names of temporary files and folders with the process that makes them: `assay-3f2a-4711`. */
export function ownMark(): string {
  host ??= shortHash(hostname(), 4);
  return `assay-${host}-${process.pid}`;
}

/** The path of a temporary file beside `path`, which it replaces when it is complete. */
export function temporaryPath(path: string): string {
  return join(dirname(path), `.${ownMark()}-${randomBytes(4).toString('hex')}.tmp`);
}

/** True for the name of a temporary file whose process was killed. Those of other machines do not count. */
export function isLeftover(name: string): boolean {
  const mark = /^\.(assay-[0-9a-f]{4}-\d+)-[0-9a-f]{8}\.tmp$/.exec(name)?.[1];
  return mark !== undefined && isAbandoned(mark);
}

/** Removes the temporary files in a folder whose process was killed; ignores errors. */
export function sweepLeftovers(folder: string): void {
  try {
    for (const name of namesIn(folder).filter(isLeftover)) unlinkQuietly(join(folder, name));
  } catch {
    // The folder cannot be read.
  }
}

/** True for the mark of a process of this machine that has ended. */
export function isAbandoned(mark: string): boolean {
  const pid = mark.slice(mark.lastIndexOf('-') + 1);
  const isOfThisMachine = ownMark() === mark.slice(0, -pid.length) + process.pid;
  return isOfThisMachine && !processExists(Number(pid));
}

/** True if this machine has a process with an id. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !hasSystemCode(error, 'ESRCH');
  }
}
