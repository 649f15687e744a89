import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { relativePath } from '../../text/file-path.js';
import { isInstalled } from './is-installed.js';

/** Something that was seen while modules were loaded: an import of another file, or what a file holds. */
type Note = { readonly importer: string; readonly file: string } | Source;

interface Source {
  readonly file: string;
  readonly source: string;
}

const ownFolder = fileURLToPath(new URL('.', import.meta.url));
const { cache } = createRequire(import.meta.url);
/** The project modules that each project module has resolved. */
const imports = new Map<string, Set<string>>();
/** What was loaded, until its hash is known. */
const sources = new Map<string, string>();
const hashes = new Map<string, string>();
let take = remember;
let fromThread: MessagePort | undefined;

/** In the thread of the hooks: sends what is seen to the main thread. */
export function sendNotes(port: MessagePort): void {
  take = (note) => port.postMessage(note);
}

/** In the main thread: takes what the thread of the hooks sends. */
export function takeNotes(port: MessagePort): void {
  fromThread = port;
}

/** A module has resolved an import or a `require()` to a file. */
export function noteImport(importer: string, file: string): void {
  if (isOfProject(importer) && isOfProject(file)) take({ importer, file });
}

/** A file is loaded, and holds this. */
export function noteSource(file: string, source: string): void {
  if (isOfProject(file)) take({ file, source });
}

/** A file is about to be loaded by Node itself. */
export function noteFile(file: string): void {
  if (!isOfProject(file)) return;
  const source = readQuietly(file);
  if (source !== undefined) take({ file, source });
}

/** A project module that has resolved an import to this file. */
export function importerOf(file: string): string | undefined {
  receiveNotes();
  for (const [importer, files] of imports) if (files.has(file)) return importer;
  return undefined;
}

/** Forgets everything and takes no more notes. */
export function closeModuleGraph(): void {
  fromThread?.close();
  take = () => undefined;
  for (const map of [imports, sources, hashes]) map.clear();
}

/**
 * 16 hex digits of the SHA-256 over all project modules that a file has loaded so far, itself included: their paths
 * relative to a folder, and what they held when they were loaded. `undefined` when the file cannot be read.
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

/** What the thread has seen was sent before the import it was seen for came to its end. */
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
  // A set goes on to what is added while it is walked.
  for (const file of reached) for (const other of imports.get(file) ?? []) reached.add(other);
  return reached;
}

/** `undefined` for a file that was resolved, but not loaded. */
function hashOf(file: string, isEntry: boolean): string | undefined {
  const known = hashes.get(file);
  if (known !== undefined) return known;
  // Some versions show nobody what `require()` reads of plain JavaScript.
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

function sha256(text: string): string {
  // Loading it takes a while, and most of a host's start needs none of it.
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
