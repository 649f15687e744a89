import {
  closeSync,
  type Dirent,
  mkdirSync,
  openSync,
  readdirSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { hasSystemCode } from '../errors.js';
import { renameOver, unlinkQuietly, writeFully } from '../files/file-operations.js';
import { lookAt, readSmallFile } from '../files/regular-file.js';
import { isLeftover, temporaryPath } from '../files/temporary-files.js';
import { shortHash } from '../text/short-hash.js';
import {
  parseRecording,
  type RecordedExchange,
  type RecordingSource,
  renderRecording,
} from './recording.js';

/** Maximum characters of a name before its hash. */
const longestName = 60;

/** Names of folders beside those of evaluations: calls of imports, of several cases, and names of variables. */
const ownFolders = { import: '_import', shared: '_shared', keys: '_keys' } as const;

/** Path of the folder with the recordings of an eval file, or a folder in it. Like all paths here: relative to the folder of recordings, with `/`. */
export function folderOfFile(file: string, own?: keyof typeof ownFolders): string {
  const folder = file.split('/').map(safeName).join('/');
  return own === undefined ? folder : `${folder}/${ownFolders[own]}`;
}

/** Path of the folder with the exchanges of an attempt, or of the import of an eval file. */
export function folderOfAttempt({
  file,
  evaluation,
  case: caseId,
  trial = 1,
}: RecordingSource): string {
  if (evaluation === undefined) return folderOfFile(file, 'import');
  const name = caseId === undefined ? `${trial}` : `${safeName(caseId)}~${trial}`;
  return `${folderOfFile(file)}/${safeName(evaluation)}/${name}`;
}

/** Path of the file that the first version had for an attempt. */
export function firstVersionPath(source: RecordingSource): string {
  if (source.evaluation === undefined) return `${folderOfFile(source.file)}/import.json`;
  return `${folderOfAttempt(source)}.json`;
}

/**
 * A name that every file system takes, and takes for no other: names that are long, have other characters or could be
 * the same in other case get a hash.
 */
function safeName(name: string): string {
  const isSafe = /^[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_-])?$/.test(name) && !reserved.test(name);
  if (isSafe && name.length <= longestName) return name;
  // A device is one with any extension.
  const other = reserved.test(name) ? /[^\w-]+/g : /[^\w.-]+/g;
  const readable = name.replace(other, '-').replace(/^[.-]+|[.-]+$/g, '');
  return `${readable.slice(0, longestName)}-${shortHash(name, 8)}`;
}

/** Names of devices on Windows, and of {@link ownFolders}. */
const reserved = /^(?:(con|prn|aux|nul|com\d|lpt\d)(\.|$)|_(import|shared|keys)$)/i;

/** An exchange, and where it is. */
export interface StoredExchange {
  /** Path of its file. */
  readonly path: string;
  /** The path without `.json`; of one in a file of the first version, which has several: what it would be alone. */
  readonly id: string;
  readonly source: RecordingSource;
  readonly exchange: RecordedExchange;
}

/** The folder of an attempt, and the name there, in the id or path of an exchange. */
export function placeOf(id: string): { readonly folder: string; readonly name: string } {
  const end = id.lastIndexOf('/');
  return { folder: id.slice(0, end), name: id.slice(end + 1).replace(/\.json$/, '') };
}

/**
 * The exchanges in a file; `undefined` when there is none. Throws an error that completes `the recording … `. `isListed`:
 * it has just been found in its folder.
 */
export function readExchanges(
  folder: string,
  path: string,
  isListed = false,
): StoredExchange[] | undefined {
  let text: string | undefined;
  try {
    if (!isListed) checkPlain(folder, path);
    text = readSmallFile(join(folder, path), Number.POSITIVE_INFINITY);
  } catch (error) {
    throw new Error(`cannot be read: ${(error as Error).message}`);
  }
  return text === undefined ? undefined : exchangesIn(path, text);
}

function exchangesIn(path: string, text: string): StoredExchange[] {
  const { source, exchanges } = parseRecording(text);
  const whole = path.slice(0, -'.json'.length);
  const attempt = whole.replace(/\/import$/, '/_import');
  return exchanges.map(({ name, ...exchange }) => ({
    ...{ path, id: name === undefined ? whole : `${attempt}/${name}`, source, exchange },
  }));
}

/** A file that cannot be used. */
export interface DamagedRecording {
  readonly path: string;
  /** Why, as a sentence without its full stop. */
  readonly problem: string;
}

/** What is in a folder below that of recordings; nothing if there is none. Error: that of the file system, or for links. */
function entriesIn(folder: string, path: string): Dirent[] {
  if (path !== '') checkPlain(folder, path, true);
  try {
    return readdirSync(join(folder, path), { withFileTypes: true });
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT')) return [];
    throw error;
  }
}

/**
 * Paths of the files in a folder, equal requests in order; `isDeep`: also of the folders in it, without what killed
 * processes have left, which is removed. Error: as {@link entriesIn}.
 */
export function filesIn(
  folder: string,
  path: string,
  { isDeep = false, damaged = [] as DamagedRecording[] } = {},
): string[] {
  const found: string[] = [];
  const inOrder = (a: Dirent, b: Dirent) =>
    a.name.length - b.name.length || (a.name < b.name ? -1 : 1);
  for (const entry of entriesIn(folder, path).sort(inOrder)) {
    const at = path === '' ? entry.name : `${path}/${entry.name}`;
    if (isDeep && entry.isDirectory()) found.push(...filesIn(folder, at, { isDeep, damaged }));
    else if (isDeep && isLeftover(entry.name)) unlinkQuietly(join(folder, at));
    else if (entry.isFile() && at.endsWith('.json')) found.push(at);
    else if (!entry.isFile() && !entry.isDirectory()) {
      damaged.push({ path: at, problem: `${at} is no plain file and was left out` });
    }
  }
  return found;
}

/** Reads the exchanges of files that {@link filesIn} has found, one by one; adds to `damaged` what cannot be used. */
export function readAll(
  folder: string,
  paths: readonly string[],
  damaged: DamagedRecording[],
): StoredExchange[] {
  return paths.flatMap((path) => {
    try {
      return readExchanges(folder, path, true) ?? [];
    } catch (error) {
      damaged.push({ path, problem: `${path} ${(error as Error).message}` });
      return [];
    }
  });
}

/**
 * Throws unless a path below the folder is a plain file, or could become one: no link is followed, because what it leads
 * to may belong to somebody else.
 */
function checkPlain(folder: string, path: string, isFolder = false): void {
  for (let end = 0; end !== -1; ) {
    end = path.indexOf('/', end + 1);
    const name = end === -1 ? path : path.slice(0, end);
    const stats = lookAt(join(folder, name));
    if (stats === undefined) return;
    if (stats.isSymbolicLink()) throw new Error(`${name} is a link, which is not followed`);
    const isFile = end === -1 && !isFolder;
    if (isFile ? !stats.isFile() : !stats.isDirectory()) {
      throw new Error(`${name} is no ${isFile ? 'plain file' : 'folder'}`);
    }
  }
}

/** False for a folder to which a link leads. */
export function isPlainFolder(folder: string, path: string): boolean {
  try {
    checkPlain(folder, path, true);
    return true;
  } catch {
    return false;
  }
}

/** Replaces the file of an exchange, as a whole or not at all. Error: as {@link writePlain}. */
export function writeExchange(
  folder: string,
  { path, source, exchange }: Omit<StoredExchange, 'id'>,
): void {
  writePlain(folder, path, renderRecording(source, exchange));
}

/** Replaces a file, as a whole or not at all. Throws the error of the file system, or one for links. */
export function writePlain(folder: string, path: string, text: string): void {
  checkPlain(folder, path);
  const target = join(folder, path);
  const temporary = temporaryPath(target);
  mkdirSync(dirname(target), { recursive: true });
  const fd = openSync(temporary, 'wx', 0o666);
  try {
    try {
      writeFully(fd, Buffer.from(text));
    } finally {
      closeSync(fd);
    }
    renameOver(temporary, target);
  } catch (error) {
    unlinkQuietly(temporary);
    throw error;
  }
}

/** Removes a file, if it is there, and folders that are empty then. Throws the error of the file system, or one for links. */
export function removePlain(folder: string, path: string): void {
  checkPlain(folder, path);
  try {
    unlinkSync(join(folder, path));
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT')) return;
    throw error;
  }
  for (let at = dirname(path); at !== '.'; at = dirname(at)) {
    try {
      rmdirSync(join(folder, at));
    } catch {
      // It has other files.
      return;
    }
  }
}

/** Variables in which clients of models look for their keys. Sources: the documentation of each client, November 2026. */
const keyVariables: ReadonlySet<string> = new Set([
  ...['AI_GATEWAY_API_KEY', 'ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'AWS_ACCESS_KEY_ID'],
  ...['AWS_BEARER_TOKEN_BEDROCK', 'AWS_SECRET_ACCESS_KEY', 'AZURE_API_KEY'],
  ...['AZURE_OPENAI_API_KEY', 'CEREBRAS_API_KEY', 'COHERE_API_KEY', 'CO_API_KEY'],
  ...['DEEPINFRA_API_KEY', 'DEEPSEEK_API_KEY', 'FIREWORKS_API_KEY', 'GEMINI_API_KEY'],
  ...['GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GROQ_API_KEY', 'HF_TOKEN'],
  ...['HUGGINGFACE_API_KEY', 'JINA_API_KEY', 'MISTRAL_API_KEY', 'OPENAI_API_KEY'],
  ...['OPENROUTER_API_KEY', 'PERPLEXITY_API_KEY', 'REPLICATE_API_TOKEN', 'TOGETHER_API_KEY'],
  ...['TOGETHER_AI_API_KEY', 'VOYAGE_API_KEY', 'XAI_API_KEY'],
]);

/** The value of a key that nobody needs. */
export const noKey = 'offline';

const note = `This variable was set when calls were recorded. --offline sets it to "${noKey}" where it is missing.\n`;

type Environment = Record<string, string | undefined>;

/** Notes which keys are set, beside the recordings of an eval file. Throws the error of the file system, or one for links. */
export function noteKeys(folder: string, file: string, env: Environment): void {
  const noted = new Set(notedKeys(folder, file));
  for (const name of keyVariables) {
    if (!env[name] || env[name] === noKey || noted.has(name)) continue;
    writePlain(folder, `${folderOfFile(file, 'keys')}/${name}`, note);
  }
}

/** The keys that were set when the calls of an eval file were recorded; none if that cannot be read. */
export function notedKeys(folder: string, file: string): string[] {
  try {
    const entries = entriesIn(folder, folderOfFile(file, 'keys'));
    return entries.map(({ name }) => name).filter((name) => keyVariables.has(name));
  } catch {
    return [];
  }
}

/** Sets the noted keys of eval files where they are missing, for clients that do not start without. */
export function setNotedKeys(folder: string, files: readonly string[], env: Environment): void {
  for (const name of files.flatMap((file) => notedKeys(folder, file))) env[name] ||= noKey;
}
