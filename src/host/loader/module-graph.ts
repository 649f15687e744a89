import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { relativePath } from '../../text/file-path.js';
import { isInstalled } from './is-installed.js';

/** An observation while modules load: an import of another file or of a missing one, or the content of a file. */
type Note = Import | Missing | Source;

interface Import {
  readonly importer: string;
  /** What the importer wrote. */
  readonly specifier: string;
  readonly file: string;
}

interface Missing {
  /** Where the module can appear. */
  readonly missing: readonly string[];
}

interface Source {
  readonly file: string;
  readonly source: string;
  /** It was imported as text. */
  readonly isText?: true;
}

const ownFolder = fileURLToPath(new URL('.', import.meta.url));
const { cache } = createRequire(import.meta.url);
/** The files that each project module imports, by specifier. */
const imports = new Map<string, Map<string, string>>();
/** The content of loaded files, until they are hashed. */
const sources = new Map<string, string>();
const hashes = new Map<string, string>();
const texts = new Set<string>();
const missing = new Set<string>();
/** Files that were loaded before the modules were hashed. */
const loaded = new Set<string>();
let take: (note: Note) => void = remember;
/** Receives what is loaded after the modules have been hashed. */
let onLate: ((file: string, source: string | undefined) => void) | undefined;
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
export function noteImport(importer: string, specifier: string, file: string): void {
  if (isOfProject(importer) && isAbsolute(file) && !isOwn(file)) {
    take({ importer, specifier, file });
  }
}

/** Records that a module imports another one that was not found, and the paths at which that can appear. */
export function noteMissing(importer: string, paths: readonly string[]): void {
  if (isOfProject(importer) && paths.length > 0) take({ missing: paths });
}

/** Records the content of a loaded file. */
export function noteSource(file: string, source: string): void {
  if (isOfProject(file)) take({ file, source });
}

/** Records a file that Node itself is about to load, or that is imported as text. */
export function noteFile(file: string, isText = false): void {
  if (!isOfProject(file)) return;
  const source = readQuietly(file);
  if (source !== undefined) take({ file, source, ...(isText && { isText }) });
}

/** A project module that imports this file. */
export function importerOf(file: string): string | undefined {
  receiveNotes();
  for (const [importer, files] of imports) {
    for (const other of files.values()) if (other === file) return importer;
  }
  return undefined;
}

/** The project modules that were loaded or resolved so far, relative to a folder. */
export function loadedModules(folder: string): string[] {
  receiveNotes();
  const all = new Set([...sources.keys(), ...hashes.keys()]);
  for (const files of imports.values()) {
    for (const file of files.values()) if (isOfProject(file)) all.add(file);
  }
  return [...all].map((file) => relativePath(folder, file));
}

/** The paths at which modules can appear that were not found so far. */
export function missingModules(): Iterable<string> {
  receiveNotes();
  return missing;
}

/**
 * Clears everything, and calls `listener` for everything that is loaded from now on: project modules with their source, and files of packages that
 * project modules import.
 */
export function closeModuleGraph(listener: typeof onLate = () => undefined): void {
  for (const file of sources.keys()) loaded.add(file);
  for (const file of hashes.keys()) loaded.add(file);
  for (const map of [imports, sources, hashes, texts, missing]) map.clear();
  take = rememberLate;
  onLate = listener;
}

/** Passes on what the hook thread has noted, if there is one. */
export function receiveLateNotes(): void {
  receiveNotes();
}

/** A project module that has been loaded. */
export interface LoadedModule {
  /** Real path. */
  readonly file: string;
  /** SHA-256 of its content when it was loaded, with LF. */
  readonly hash: string;
  /** It was imported as text, if not only so. */
  readonly isText: boolean;
  /** The files that it imports, by specifier; also those of packages. */
  readonly imports: ReadonlyMap<string, string>;
}

/** The project modules that a file has loaded and {@link hashModules} has hashed, with itself. */
export function modulesOf(path: string): LoadedModule[] {
  return [...reachedFrom(realPath(path))].flatMap((file) => {
    const hash = hashes.get(file);
    if (hash === undefined) return [];
    return [{ file, hash, isText: texts.has(file), imports: imports.get(file) ?? noImports }];
  });
}

const noImports: ReadonlyMap<string, string> = new Map();

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
    if (note.isText) texts.add(note.file);
    return;
  }
  if ('missing' in note) {
    for (const path of note.missing) missing.add(path);
    return;
  }
  const { importer, specifier, file } = note;
  const known = imports.get(importer);
  if (known === undefined) imports.set(importer, new Map([[specifier, file]]));
  else known.set(specifier, file);
}

function rememberLate(note: Note): void {
  if ('source' in note) {
    if (!loaded.has(note.file)) onLate?.(note.file, note.source);
  } else if ('file' in note && !isOfProject(note.file)) {
    onLate?.(note.file, undefined);
  }
}

/** Receives pending notes. The hook thread sends them before the import completes. */
function receiveNotes(): void {
  if (fromThread === undefined) return;
  for (;;) {
    const received = receiveMessageOnPort(fromThread) as { readonly message: Note } | undefined;
    if (received === undefined) return;
    take(received.message);
  }
}

function reachedFrom(entry: string): ReadonlySet<string> {
  const reached = new Set([entry]);
  // Iterating a set includes items that are added meanwhile.
  for (const file of reached) {
    for (const other of imports.get(file)?.values() ?? [])
      if (isOfProject(other)) reached.add(other);
  }
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
  // Checkouts of the same code differ in their line ends.
  const hash = sha256(source.replaceAll('\r\n', '\n'));
  hashes.set(file, hash);
  sources.delete(file);
  return hash;
}

function isOfProject(file: string): boolean {
  return isAbsolute(file) && !isInstalled(file) && !isOwn(file);
}

function isOwn(file: string): boolean {
  return file.startsWith(ownFolder);
}

/** True if a file has the content that was hashed when it was loaded. */
export function isContent(bytes: Buffer, hash: string): boolean {
  return sha256(bytes.toString()) === hash || sha256(bytes.toString('latin1')) === hash;
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
