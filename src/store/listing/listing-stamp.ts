import type { Stats } from 'node:fs';

/** Identifies the state of a file or folder, provided it is settled. */
export interface Stamp {
  readonly inode: number;
  readonly size: number;
  /** The time of its last change (ctime) in Unix milliseconds, which cannot be set back. */
  readonly changedAt: number;
}

// Timestamps have a resolution of up to two seconds on some file systems, so a second change may not be visible.
const longestStep = 2000;

export function toStamp({ ino, size, ctimeMs }: Stats): Stamp {
  return { inode: ino, size, changedAt: ctimeMs };
}

/** True when a file still has a settled stamp. */
export function isSame(stamp: Stamp, { ino, size, ctimeMs }: Stats): boolean {
  return stamp.changedAt === ctimeMs && stamp.size === size && stamp.inode === ino;
}

/**
 * False for a change so recent that the next one could have the same stamp, or belong to the same change. A time in the
 * future counts as settled, because a change now would have another time.
 */
export function isSettled({ changedAt }: Stamp): boolean {
  return Math.abs(Date.now() - changedAt) > longestStep;
}
