import { statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { AssayError } from '../errors.js';
import { readTextFile } from './read-text-file.js';

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
