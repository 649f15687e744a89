import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { relativePath } from '../../text/file-path.js';
import { isInstalled } from './is-installed.js';

/** An observation while modules load: an import of another file, or the content of a file. */
type Note = { readonly importer: string; readonly file: string } | Source;

interface Source {
  readonly file: string;
  readonly source: string;
}

const ownFolder = fileURLToPath(new URL('.', import.meta.url));
const { cache } = createRequire(import.meta.url);
/** The project modules that each project module imports. */
const imports = new Map<string, Set<string>>();
/** The content of loaded files, until they are hashed. */
const sources = new Map<string, string>();
const hashes = new Map<string, string>();
let take = remember;
let fromThread: MessagePort | undefined;

/** In the hook thread: sends notes to the main thread. */
export function sendNotes(port: MessagePort): void {
  take = (note) => port.postMessage(note);
}

/** In the main thread: receives the notes of the hook thread. */
export function takeNotes(port: MessagePort): void {
  fromThread = port;
}

/** Records that a module resolved an import or a `require()` to a file. */
export function noteImport(importer: string, file: string): void {
  if (isOfProject(importer) && isOfProject(file)) take({ importer, file });
}

/** Records the content of a loaded file. */
export function noteSource(file: string, source: string): void {
  if (isOfProject(file)) take({ file, source });
}

/** Records a file that Node itself is about to load. */
export function noteFile(file: string): void {
  if (!isOfProject(file)) return;
  const source = readQuietly(file);
  if (source !== undefined) take({ file, source });
}

/** A project module that imports this file. */
export function importerOf(file: string): string | undefined {
  receiveNotes();
  for (const [importer, files] of imports) if (files.has(file)) return importer;
  return undefined;
}

/** The project modules that were loaded or resolved so far, relative to a folder. */
export function loadedModules(folder: string): string[] {
  receiveNotes();
  const all = new Set([...sources.keys(), ...hashes.keys()]);
  for (const files of imports.values()) for (const file of files) all.add(file);
  return [...all].map((file) => relativePath(folder, file));
}

/** Clears everything and ignores further notes. */
export function closeModuleGraph(): void {
  fromThread?.close();
  take = () => undefined;
  for (const map of [imports, sources, hashes]) map.clear();
}

/**
 * 16 hex digits of the SHA-256 over all project modules that a file has loaded so far, including itself: their
 * paths relative to a folder, and their content when they were loaded. `undefined` if the file cannot be read.
 */
export function hashModules(name: string, path: string, folder: string): string | undefined {
  receiveNotes();
  const entry = realPath(path);
  const lines: string[] = [];
  for (const file of reachedFrom(entry)) {
    const hash = hashOf(file, file === entry);
    if (hash !== undefined) lines.push(`${relativePath(folder, file)}\0${hash}`);
  }
  if (lines.length === 0) return undefined;
  return sha256([name, ...lines.sort()].join('\n')).slice(0, 16);
}

function remember(note: Note): void {
  if ('source' in note) {
    sources.set(note.file, note.source);
    return;
  }
  const { importer, file } = note;
  const known = imports.get(importer);
  if (known === undefined) imports.set(importer, new Set([file]));
  else known.add(file);
}

/** Receives pending notes. The hook thread sends them before the import completes. */
function receiveNotes(): void {
  if (fromThread === undefined) return;
  for (;;) {
    const received = receiveMessageOnPort(fromThread) as { readonly message: Note } | undefined;
    if (received === undefined) return;
    remember(received.message);
  }
}

function reachedFrom(entry: string): ReadonlySet<string> {
  const reached = new Set([entry]);
  // Iterating a set includes items that are added meanwhile.
  for (const file of reached) for (const other of imports.get(file) ?? []) reached.add(other);
  return reached;
}

/** `undefined` for a file that was resolved but not loaded. */
function hashOf(file: string, isEntry: boolean): string | undefined {
  const known = hashes.get(file);
  if (known !== undefined) return known;
  // In some versions, no hook sees what `require()` reads of plain JavaScript.
  const isLoaded = isEntry || cache[file] !== undefined;
  const source = sources.get(file) ?? (isLoaded ? readQuietly(file) : undefined);
  if (source === undefined) return undefined;
  const hash = sha256(source);
  hashes.set(file, hash);
  sources.delete(file);
  return hash;
}

function isOfProject(file: string): boolean {
  return isAbsolute(file) && !isInstalled(file) && !file.startsWith(ownFolder);
}

/** The SHA-256 of a text, in hex. */
export function sha256(text: string): string {
  // Loaded on demand, because it is slow to load and rarely needed during the start.
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex');
}

function readQuietly(file: string): string | undefined {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return undefined;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
