import { readFile, stat } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CaseFileError } from './case-file-error.js';

/** The text of a case file without its byte order mark, and the file's name as messages show it. */
export async function readCaseFile(source: string | URL): Promise<{ text: string; file: string }> {
  const file = displayName(source);
  const bytes = await readBytes(source, file);
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), file };
  } catch (error) {
    throw new CaseFileError(file, undefined, 'it is not UTF-8 text; save it as UTF-8', error);
  }
}

async function readBytes(source: string | URL, file: string): Promise<Uint8Array> {
  try {
    // Reading a pipe or a device might never end.
    if ((await stat(source)).isFile()) return await readFile(source);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException; // all that these two functions throw
    throw new CaseFileError(file, undefined, code === 'ENOENT' ? missing(source) : message, error);
  }
  throw new CaseFileError(file, undefined, 'it is not a file');
}

function missing(source: string | URL): string {
  const hint =
    source instanceof URL
      ? ''
      : "; a plain path is relative to the working directory, new URL('./…', import.meta.url) to the eval file";
  return `no such file${hint}`;
}

function displayName(source: string | URL): string {
  if (typeof source === 'string') return source;
  const path = fileURLToPath(source);
  const fromHere = relative('', path);
  return fromHere.startsWith('..') ? path : fromHere.replaceAll('\\', '/');
}
