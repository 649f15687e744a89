import { readFileSync, statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { AssayError, hasSystemCode } from '../errors.js';
import { whyNoText } from '../text/bad-utf8.js';
import { SettingsError } from './settings-error.js';

/** A settings file as nobody is writing it. */
export interface SettledText {
  /** `undefined` if the file does not exist. */
  readonly text: string | undefined;
  /** True while the file is the one that was read. */
  isSame(): boolean;
}

/** Milliseconds without a change after which an empty file is meant to be empty: editors truncate files before they write. */
const emptyMs = 1_000;
/** The same for a file with a part of what is being written. */
const partMs = 100;
const lookEveryMs = 20;
const mostMs = 5_000;

// The file that this process wrote last is whole.
let own: string | undefined;

/**
 * Reads a settings file, and waits while an editor may be writing it: while it is empty or has just changed. `isWhole`:
 * only an empty one is waited for. Errors: `busy` if that does not end; those of `readTextFile`.
 */
export async function readSettled(file: string, isWhole = false): Promise<SettledText> {
  const end = performance.now() + mostMs;
  let seen = '';
  let since = 0;
  for (;;) {
    const stamp = stampOf(file);
    const text = readTextFile(file, 'The settings file');
    const now = performance.now();
    if (stamp !== seen) since = now;
    seen = stamp;
    const isSame = () => stampOf(file) === stamp;
    if (isSame()) {
      const quietMs = text?.trim() === '' ? emptyMs : isWhole || stamp === own ? 0 : partMs;
      if (text === undefined || quietFor(file, now - since) >= quietMs) return { text, isSame };
    }
    if (now > end) {
      throw new AssayError('busy', `${file} keeps changing, so nothing was saved.`, {
        hints: ['Try again when the editor has saved it.'],
      });
    }
    await setTimeout(lookEveryMs);
  }
}

/** Notes that this process has just written a file. */
export function noteWritten(file: string): void {
  own = stampOf(file);
}

/** Milliseconds since the last change, by the clock or by what was seen: clocks of file systems may be ahead. */
function quietFor(file: string, seenMs: number): number {
  const changed = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return Math.max(seenMs, Date.now() - changed);
}

/** Differs after each change of the file. */
function stampOf(file: string): string {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join();
  } catch {
    // Reading it says why.
    return 'none';
  }
}

// Files written by hand are far smaller.
const mostBytes = 16 * 1024 * 1024;

/**
 * Reads a small text file without its byte order mark; `undefined` if it does not exist. `name` is used in
 * messages. Throws a `SettingsError` for folders, devices and unreadable files.
 */
export function readTextFile(path: string, name: string): string | undefined {
  try {
    // Reading a pipe would block forever.
    const stats = statSync(path);
    if (!stats.isFile()) {
      throw new SettingsError(
        `${name} is ${stats.isDirectory() ? 'a folder' : 'no regular file'}.`,
        {
          place: { file: path },
          hints: ['Give a text file, or move it away.'],
        },
      );
    }
    if (stats.size > mostBytes) {
      throw new SettingsError(`${name} is larger than 16 MiB.`, { place: { file: path } });
    }
    return decode(readFileSync(path), path, name);
  } catch (cause) {
    if (cause instanceof SettingsError) throw cause;
    if (hasSystemCode(cause, 'ENOENT', 'ENOTDIR')) return undefined;
    throw new SettingsError(`${name} cannot be read: ${reasonText(cause)}.`, {
      place: { file: path },
      cause,
    });
  }
}

function decode(bytes: Uint8Array, path: string, name: string): string {
  const bad = whyNoText(bytes);
  if (bad === undefined) return new TextDecoder().decode(bytes);
  const { reason, line, column } = bad;
  throw new SettingsError(`${name} cannot be read: ${reason}.`, {
    place: { file: path, line, column },
    hints: ['Save it as UTF-8.'],
  });
}

function reasonText(cause: unknown): string {
  if (hasSystemCode(cause, 'EACCES', 'EPERM')) return 'permission denied';
  if (hasSystemCode(cause, 'ELOOP')) return 'it is a link that leads in a circle';
  return cause instanceof Error ? cause.message : String(cause);
}
