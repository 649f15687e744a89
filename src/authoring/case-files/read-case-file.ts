import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { whyNoText } from '../../text/bad-utf8.js';
import { shownPath } from '../../text/file-path.js';
import { CaseFileError } from './case-file-error.js';
import { unwatchedly } from './read-as-cases.js';

/**
 * The text of a case file without its byte order mark, and the file's name as messages show it. `isAllInCases`: all that
 * code sees of it are the cases, so that reading it does not count for evaluations.
 */
export async function readCaseFile(
  source: string | URL,
  isAllInCases: boolean,
): Promise<{ text: string; file: string }> {
  const file = displayName(source);
  const look = isAllInCases ? unwatchedly : <Result>(work: () => Result) => work();
  const bytes = await readBytes(source, file, look);
  const bad = whyNoText(bytes);
  if (bad !== undefined) throw new CaseFileError(file, bad, `${bad.reason}; save it as UTF-8`);
  return { text: new TextDecoder().decode(bytes), file };
}

async function readBytes(
  source: string | URL,
  file: string,
  look: <Result>(work: () => Result) => Result,
): Promise<Uint8Array> {
  try {
    // Reading a pipe or a device might never end.
    if ((await look(() => stat(source))).isFile()) return await look(() => readFile(source));
  } catch (error) {
    throw new CaseFileError(file, undefined, reasonText(error, source), error);
  }
  throw new CaseFileError(file, undefined, 'it is not a file');
}

function reasonText(error: unknown, source: string | URL): string {
  const { code, message } = error as NodeJS.ErrnoException; // all that these two functions throw
  if (code === 'ENOENT') return missing(source);
  if (code === 'ELOOP') return 'it is a link that leads in a circle';
  return code === 'EACCES' || code === 'EPERM' ? 'permission denied' : message;
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
  return shownPath('', path);
}
