import { readFileSync, statSync } from 'node:fs';
import { hasSystemCode } from '../errors.js';
import { SettingsError } from './settings-error.js';

// What people write by hand is far smaller.
const mostBytes = 16 * 1024 * 1024;

/**
 * Reads a small text file without its byte order mark; `undefined` when there is none.
 * `name` is how messages call it. Throws a `SettingsError` for folders, devices and unreadable files.
 */
export function readTextFile(path: string, name: string): string | undefined {
  try {
    // Reading a pipe would wait for ever.
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
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (cause) {
    if (cause instanceof SettingsError) throw cause;
    if (hasSystemCode(cause, 'ENOENT', 'ENOTDIR')) return undefined;
    throw new SettingsError(`${name} cannot be read: ${reasonText(cause)}.`, {
      place: { file: path },
      cause,
    });
  }
}

function reasonText(cause: unknown): string {
  if (hasSystemCode(cause, 'EACCES', 'EPERM')) return 'permission denied';
  if (hasSystemCode(cause, 'ELOOP')) return 'it is a link that leads in a circle';
  if (hasSystemCode(cause, 'ERR_ENCODING_INVALID_ENCODED_DATA')) return 'it is not UTF-8 text';
  return cause instanceof Error ? cause.message : String(cause);
}
