import type { Stats } from 'node:fs';

/** What tells one state of a file or folder from another, as long as it is settled. */
export interface Stamp {
  readonly inode: number;
  readonly size: number;
  /** Unix milliseconds; when anything about it changed last, which nobody can set back. */
  readonly changedAt: number;
}

// File systems count time in steps: up to two seconds on some, so a second change may leave the same time.
const longestStep = 2000;

export function toStamp({ ino, size, ctimeMs }: Stats): Stamp {
  return { inode: ino, size, changedAt: ctimeMs };
}

/** True when a file is still in the state of a settled stamp. */
export function isSame(stamp: Stamp, { ino, size, ctimeMs }: Stats): boolean {
  return stamp.changedAt === ctimeMs && stamp.size === size && stamp.inode === ino;
}

/**
 * False for what changed so recently that the next change could leave the same stamp, or is part of a change that
 * is not over. A time that lies ahead is as good as one long past: a change now would have another.
 */
export function isSettled({ changedAt }: Stamp): boolean {
  return Math.abs(Date.now() - changedAt) > longestStep;
}
