import { closeSync, constants, fstatSync, openSync, read } from 'node:fs';
import { AssayError, hasSystemCode } from '../errors.js';
import { unlinkQuietly, writeFully } from '../files/file-operations.js';
import { openRegular, readFully } from './regular-file.js';

const copySlice = 1024 * 1024;

/** The open log of a run. It stays open until everybody who reads from it is done. */
export class LogFile {
  readonly path: string;
  /** False when the system lets us only read it. */
  readonly writable: boolean;
  readonly #fd: number;
  #users = 1;
  #closed = false;

  private constructor(path: string, fd: number, writable: boolean) {
    this.path = path;
    this.#fd = fd;
    this.writable = writable;
  }

  /** Opens a log for reading and appending, or only for reading; `undefined` when there is none. */
  static open(path: string): LogFile | undefined {
    try {
      const fd = openRegular(path, constants.O_RDWR | constants.O_APPEND);
      return fd === undefined ? undefined : new LogFile(path, fd, true);
    } catch (error) {
      if (!hasSystemCode(error, 'EACCES', 'EPERM', 'EROFS')) throw error;
      const fd = openRegular(path, constants.O_RDONLY);
      return fd === undefined ? undefined : new LogFile(path, fd, false);
    }
  }

  /** Error: `unreadable-run` once it is closed, as the system gives the number to the next file that is opened. */
  get fd(): number {
    this.#refuseIfClosed();
    return this.#fd;
  }

  /** Size in bytes, and whether the file still has a name. */
  look(): { readonly size: number; readonly removed: boolean; readonly inode: number } {
    const { size, nlink, ino } = fstatSync(this.fd);
    return { size, removed: nlink === 0, inode: ino };
  }

  /** The bytes of one line. */
  bytesAt(offset: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    return bytes.subarray(0, readFully(this.fd, bytes, offset));
  }

  /** Like `bytesAt`, letting other work go on meanwhile. */
  async readAt(offset: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const got = await readSome(this.fd, bytes, filled, offset + filled);
      if (got === 0) break;
      filled += got;
    }
    return bytes.subarray(0, filled);
  }

  /** Copies bytes into a new file; nothing of it is left when that fails. */
  copyTo(path: string, offset: number, length: number): void {
    const copy = openSync(path, 'wx', 0o600);
    try {
      for (let done = 0; done < length; done += copySlice) {
        writeFully(copy, this.bytesAt(offset + done, Math.min(copySlice, length - done)));
      }
    } catch (error) {
      unlinkQuietly(path);
      throw error;
    } finally {
      closeSync(copy);
    }
  }

  /** Adds bytes at the end; the end is wherever the file ends at that moment. */
  append(bytes: Buffer): void {
    writeFully(this.fd, bytes);
  }

  /** Counts one more user of the open file; each has to call `release`. */
  retain(): this {
    this.#refuseIfClosed();
    this.#users += 1;
    return this;
  }

  /** Closes the file when the last user is done. */
  release(): void {
    this.#users -= 1;
    if (this.#users > 0 || this.#closed) return;
    this.#closed = true;
    closeSync(this.#fd);
  }

  #refuseIfClosed(): void {
    if (this.#closed) throw new AssayError('unreadable-run', `${this.path} is closed.`);
  }
}

function readSome(fd: number, bytes: Buffer, start: number, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(fd, bytes, start, bytes.length - start, position, (error, got) => {
      if (error === null) resolve(got);
      else reject(error);
    });
  });
}
