import { closeSync, constants, fstatSync, openSync, read } from 'node:fs';
import { AssayError, hasSystemCode } from '../../errors.js';
import { unlinkQuietly, writeFully } from '../../files/file-operations.js';
import { openRegular, readFully } from '../../files/regular-file.js';
import { RowEventIndex } from './row-event-index.js';

const copySlice = 1024 * 1024;
/** Bytes of the longest lines that are read into memory that all of them share. */
const longestShared = 1024 * 1024;
let shared = Buffer.alloc(0);

/** The open log of a run, and where the events of each row are in it. It stays open until all readers are done. */
export class LogFile {
  readonly path: string;
  /** False if it can only be read. */
  readonly writable: boolean;
  readonly events = new RowEventIndex();
  /** Offsets of lines with calls that turned out to be unreadable. */
  readonly unreadable = new Set<number>();
  readonly #fd: number;
  #users = 1;
  #closed = false;

  private constructor(path: string, fd: number, writable: boolean) {
    this.path = path;
    this.#fd = fd;
    this.writable = writable;
  }

  /** Opens a log for reading and appending, or only for reading; `undefined` if there is none. */
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

  /** The file descriptor. Error: `unreadable-run` if it is closed, because the system reuses the number. */
  get fd(): number {
    this.#refuseIfClosed();
    return this.#fd;
  }

  /** The size in bytes, and whether the file still has a name. */
  look(): { readonly size: number; readonly removed: boolean; readonly inode: number } {
    const { size, nlink, ino } = fstatSync(this.fd);
    return { size, removed: nlink === 0, inode: ino };
  }

  /** The bytes of one line. */
  bytesAt(offset: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    return bytes.subarray(0, readFully(this.fd, bytes, offset));
  }

  /** Like `bytesAt`, several times as fast for many lines: in memory that the next call overwrites. */
  passingBytesAt(offset: number, length: number): Buffer {
    if (length > longestShared) return this.bytesAt(offset, length);
    if (shared.length < length) shared = Buffer.allocUnsafeSlow(2 * length);
    const bytes = shared.subarray(0, length);
    return bytes.subarray(0, readFully(this.fd, bytes, offset));
  }

  /** Like `bytesAt`, asynchronously. */
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

  /** Copies bytes into a new file; removes it on failure. */
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

  /** Appends bytes at the current end of the file. */
  append(bytes: Buffer): void {
    writeFully(this.fd, bytes);
  }

  /** Registers a user of the open file, who must call `release`. */
  retain(): this {
    this.#refuseIfClosed();
    this.#users += 1;
    return this;
  }

  /** Unregisters a user; closes the file after the last one. */
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
