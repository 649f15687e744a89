import { fdatasync, ftruncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { AssayError } from '../../errors.js';
import { lookAt } from '../../files/regular-file.js';
import type { RunIndex } from '../replay/run-index.js';
import type { RunReplay } from '../replay/run-replay.js';
import { removedError, toStorageError } from '../storage-error.js';
import { LineScan, longestLine } from './line-scan.js';
import { LogFile } from './log-file.js';
import { formatVersion, type LogRecord, parseRecord } from './records.js';
import type { RowEventIndex } from './row-event-index.js';

/** An incomplete last line. */
export interface TornTail {
  readonly offset: number;
  readonly length: number;
}

/** The log of a run and its index. Every line is applied to the index exactly once. */
export class RunLog<Index extends RunReplay = RunIndex> {
  readonly folder: string;
  readonly path: string;
  index: Index;
  /** The number of unreadable lines, and the offset of the first one. */
  skipped = { count: 0, first: 0 };
  onSyncError: (error: unknown) => void = () => undefined;
  readonly sync: LogSync;
  #file: LogFile;
  #scan = new LineScan();
  #torn: TornTail | undefined;
  /** The last line applied has no line end. */
  #unended = false;

  readonly #newIndex: (events: RowEventIndex) => Index;

  private constructor(path: string, file: LogFile, newIndex: (events: RowEventIndex) => Index) {
    this.path = path;
    this.folder = dirname(path);
    this.#file = file;
    this.#newIndex = newIndex;
    this.index = newIndex(file.events);
    this.sync = new LogSync(
      () => this.#file.fd,
      this.folder,
      (error) => this.onSyncError(error),
    );
  }

  /** Opens and reads a log; `undefined` if the file does not exist. */
  static async open<Index extends RunReplay>(
    path: string,
    newIndex: (events: RowEventIndex) => Index,
  ): Promise<RunLog<Index> | undefined> {
    const file = LogFile.open(path);
    if (file === undefined) return undefined;
    const log = new RunLog(path, file, newIndex);
    try {
      log.index.isUnseen = true;
      await log.#readOn();
      log.index.isUnseen = false;
      return log;
    } catch (error) {
      file.release();
      throw error;
    }
  }

  get file(): LogFile {
    return this.#file;
  }

  /** Bytes of the log that the index covers. */
  get position(): number {
    return this.#scan.position;
  }

  get torn(): TornTail | undefined {
    return this.#torn;
  }

  /** Size of the log when it was last read to its end. */
  get #seen(): number {
    return this.position + (this.#torn?.length ?? 0);
  }

  /** Problems of the log, as sentences for the user. `isHeld`: a process may be writing the last line. */
  problems(isHeld: boolean): string[] {
    const { torn, path } = this;
    const { unreadable } = this.#file;
    const skipped = {
      count: this.skipped.count + unreadable.size,
      first: Math.min(...unreadable, ...(this.skipped.count > 0 ? [this.skipped.first] : [])),
    };
    const problems = this.index.format > formatVersion ? [newerMessage(this)] : [];
    if (skipped.count > 0) {
      problems.push(
        skipped.count === 1
          ? `1 line of ${path} cannot be read and was left out, at byte ${skipped.first}.`
          : `${skipped.count} lines of ${path} cannot be read and were left out, the first at byte ${skipped.first}.`,
      );
    }
    if (torn !== undefined && !isHeld) {
      problems.push(
        `The last line of ${path} is incomplete (${torn.length} bytes) and was left out.`,
      );
    }
    return problems;
  }

  /** Applies lines that other processes appended. Reads everything again if the file shrank or was replaced. */
  async refresh(): Promise<void> {
    const named = lookAt(this.path);
    if (named === undefined) throw removedError(this.folder);
    if (named.ino === this.#file.look().inode && named.size >= this.position) {
      if (named.size !== this.#seen) await this.#readOn();
      return;
    }
    const file = LogFile.open(this.path);
    if (file === undefined) throw removedError(this.folder);
    await this.sync.now();
    this.#file.release();
    this.#file = file;
    await this.#replay();
  }

  /**
   * Appends records in one write and applies them, after what other processes appended before them.
   * Errors: `storage-full`, `storage-unusable`; a partly written line is ended by the next append.
   */
  append(records: readonly LogRecord[]): void {
    if (records.length === 0) return;
    if (!this.#file.writable) {
      throw new AssayError('storage-unusable', `The run folder ${this.folder} is read-only.`);
    }
    try {
      this.#append(records);
    } catch (error) {
      this.#catchUp();
      throw toStorageError(error, this.folder);
    }
    this.sync.soon();
  }

  /**
   * Moves a torn last line into a file beside the log and returns its path; `undefined` if the log has changed.
   * Only the owner of the run may call this.
   */
  cutTail(): string | undefined {
    const torn = this.#torn;
    if (torn === undefined || this.#file.look().size !== torn.offset + torn.length)
      return undefined;
    for (let count = 1; ; count += 1) {
      const aside = `${this.path}.broken-${count}`;
      if (lookAt(aside) !== undefined) continue;
      try {
        this.#file.copyTo(aside, torn.offset, torn.length);
        ftruncateSync(this.#file.fd, torn.offset);
      } catch (error) {
        throw toStorageError(error, this.folder);
      }
      this.#torn = undefined;
      return aside;
    }
  }

  /** Syncs and closes the log. Readers in progress keep the file open. */
  async close(): Promise<void> {
    await this.sync.now().finally(() => this.#file.release());
  }

  #append(records: readonly LogRecord[]): void {
    const before = this.#file.look();
    if (before.removed) throw removedError(this.folder);
    if (before.size !== this.position) this.#catchUp();
    const needsLineEnd = this.#unended || this.#torn !== undefined;
    const text = records.map((record) => `${JSON.stringify(record)}\n`).join('');
    const bytes = Buffer.from(needsLineEnd ? `\n${text}` : text);
    const start = this.position;
    this.#file.append(bytes);
    if (needsLineEnd || this.#file.look().size !== start + bytes.length) {
      this.#catchUp();
      return;
    }
    let from = 0;
    for (const record of records) {
      const end = bytes.indexOf(10, from);
      this.index.apply(record, start + from, end - from);
      from = end + 1;
    }
    this.#scan.continueAt(start + bytes.length);
  }

  async #replay(): Promise<void> {
    this.index = this.#newIndex(this.#file.events);
    this.#scan = new LineScan();
    this.#torn = undefined;
    this.#unended = false;
    this.skipped = { count: 0, first: 0 };
    await this.#readOn();
  }

  /** Reads to the end in slices, so that a long log does not block the event loop. */
  async #readOn(): Promise<void> {
    let end = this.#file.look().size;
    while (this.#scan.step(this.#file.fd, end, this.#take)) {
      await setImmediate();
      end = this.#file.look().size;
    }
    this.#readTail(end);
  }

  #catchUp(): void {
    const end = this.#file.look().size;
    while (this.#scan.step(this.#file.fd, end, this.#take));
    this.#readTail(end);
  }

  /** Applies a last line without a line end if it is complete JSON: then only the line end is missing. */
  #readTail(end: number): void {
    this.#scan.release();
    const offset = this.position;
    this.#torn = offset < end ? { offset, length: end - offset } : undefined;
    if (this.#torn === undefined || this.#torn.length > longestLine) return;
    const bytes = this.#file.bytesAt(offset, end - offset);
    const record = bytes.at(-1) === closingBrace ? parseRecord(bytes.toString('utf8')) : undefined;
    if (record === undefined || !this.index.apply(record, offset, bytes.length)) return;
    this.#scan.continueAt(end);
    this.#torn = undefined;
    this.#unended = true;
  }

  readonly #take = (bytes: Buffer, start: number, end: number, offset: number): void => {
    this.#unended = false;
    const calls = indexOfCalls(bytes, start, end);
    if (calls !== undefined && this.index.noteCalls(calls, offset, end - start)) return;
    const record = parseRecord(bytes.toString('utf8', start, end));
    if (record !== undefined && this.index.apply(record, offset, end - start)) return;
    this.#skip(offset);
  };

  #skip(offset: number): void {
    if (this.skipped.count === 0) this.skipped.first = offset;
    this.skipped.count += 1;
  }
}

const callsPrefix = Buffer.from('{"type":"calls","index":');

/** The row index of a `calls` line, read without parsing the calls, which are long. */
export function indexOfCalls(bytes: Buffer, start: number, end: number): number | undefined {
  const from = start + callsPrefix.length;
  if (bytes[end - 1] !== closingBrace || from > end) return undefined;
  // Most lines differ in the letters of their type; to compare all of it takes much longer.
  if (bytes[start + 10] !== callsPrefix[10]) return undefined;
  if (callsPrefix.compare(bytes, start, from) !== 0) return undefined;
  const comma = bytes.indexOf(44, from);
  if (comma === -1 || comma - from > 12) return undefined;
  const digits = bytes.toString('latin1', from, comma);
  return /^\d+$/.test(digits) ? Number(digits) : undefined;
}

/** The message for a log that a newer version wrote. */
export function newerMessage({
  folder,
  index,
}: Pick<RunLog<RunReplay>, 'folder' | 'index'>): string {
  return `${folder} was written by a newer assay (format ${index.format}, this one knows ${formatVersion}): it can be read, not changed.`;
}

const closingBrace = '}'.charCodeAt(0);

/**
 * Syncs appended lines to disk: soon and together, or at once for waiting callers. One sync at a time.
 * Errors: `storage-full`, `storage-unusable`.
 */
class LogSync {
  readonly #fd: () => number | undefined;
  readonly #folder: string;
  readonly #onError: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #dirty = false;

  /** `folder`: named in errors; `onError`: called with errors for which no caller waits. */
  constructor(fd: () => number | undefined, folder: string, onError: (error: unknown) => void) {
    this.#fd = fd;
    this.#folder = folder;
    this.#onError = onError;
  }

  /** Schedules a sync within about 100 ms. */
  soon(): void {
    this.#dirty = true;
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.now().catch(this.#onError);
    }, 100);
    // The system already has the lines, so a pending sync does not keep the process alive.
    this.#timer.unref();
  }

  /** Resolves when everything appended until this call is on disk. */
  async now(): Promise<void> {
    while (this.#running !== undefined) await this.#running.catch(() => undefined);
    if (!this.#dirty) return;
    this.#dirty = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running = this.#sync().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  }

  #sync(): Promise<void> {
    const fd = this.#fd();
    if (fd === undefined) return Promise.resolve();
    return new Promise((resolve, reject) => {
      fdatasync(fd, (error) => {
        if (error === null) return resolve();
        this.#dirty = true;
        reject(toStorageError(error, this.#folder));
      });
    });
  }
}
