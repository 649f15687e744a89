import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
} from 'node:fs';
import { hasSystemCode } from '../errors.js';

// Not all systems have these flags; the checks before and after opening remain.
const noFollow = constants.O_NOFOLLOW ?? 0;
const noWait = constants.O_NONBLOCK ?? 0;

/** The stats of a path, without following links; `undefined` if nothing exists there. */
export function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (hasSystemCode(error, 'ENOTDIR', 'ENAMETOOLONG')) return undefined;
    throw error;
  }
}

/** True for a real folder, not a link to one. */
export function isFolder(path: string): boolean {
  return lookAt(path)?.isDirectory() === true;
}

/** Opens a regular file, never a link, pipe or device; `undefined` when there is none. */
export function openRegular(path: string, flags: number): number | undefined {
  // Checks first, because opening a pipe or device may block.
  if (lookAt(path)?.isFile() !== true) return undefined;
  let fd: number;
  try {
    fd = openSync(path, flags | noFollow | noWait);
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT', 'ELOOP')) return undefined;
    throw error;
  }
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  return undefined;
}

/** The text of a small regular file; `undefined` when there is none or it is larger than `limit` bytes. */
export function readSmallFile(path: string, limit = 16 * 1024 * 1024): string | undefined {
  const fd = openRegular(path, constants.O_RDONLY);
  if (fd === undefined) return undefined;
  try {
    const { size } = fstatSync(fd);
    if (size > limit) return undefined;
    const bytes = Buffer.allocUnsafe(size);
    return bytes.toString('utf8', 0, readFully(fd, bytes, 0));
  } finally {
    closeSync(fd);
  }
}

/** Fills a buffer from a position of a file; returns the bytes read. */
export function readFully(fd: number, bytes: Buffer, position: number): number {
  let filled = 0;
  while (filled < bytes.length) {
    const got = readSync(fd, bytes, filled, bytes.length - filled, position + filled);
    if (got === 0) break;
    filled += got;
  }
  return filled;
}

/** The sorted names in a folder; empty if it is no folder or does not exist. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}
