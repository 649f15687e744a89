import { readFileSync, statSync } from 'node:fs';
import { hasSystemCode } from '../errors.js';
import { whyNoText } from '../text/bad-utf8.js';
import { SettingsError } from './settings-error.js';

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
