import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { relativePath } from '../../text/file-path.js';
import { isInstalled } from '../installed-packages.js';

/** An observation while modules load: an import of another file, a look for one, or the content of a file. */
type Note = Import | PackageImport | Source | Lookup;

/** Is told what happens after the modules have been hashed, and what the code of modules does not say of before. */
export interface LateListener {
  /** A project module was loaded, or a file of a package that a project module imports. */
  onLoaded(file: string): void;
  /** Each is told once. */
  onLookup(lookup: Lookup): void;
}

/** A look of a project module for another one. */
export interface Lookup {
  readonly importer: string;
  /** What it looked for: a path or a name, without a query. */
  readonly target: string;
  /** Where that led; absent if nothing was found. */
  readonly found?: string | undefined;
}

interface Import {
  readonly importer: string;
  /** What the importer wrote. */
  readonly specifier: string;
  readonly file: string;
}

/** An import within installed packages. */
interface PackageImport {
  readonly importer: string;
  readonly installed: string;
}

interface Source {
  readonly file: string;
  readonly source: string;
  /** It was imported as text. */
  readonly isText?: true;
}

// Before they are patched: what assay looks at is not to be noticed, which takes a while.
const [readFile, realPathOf] = [readFileSync, realpathSync];
const ownFolder = fileURLToPath(new URL('.', import.meta.url));
const { cache } = createRequire(import.meta.url);
/** The files that each project module imports, by specifier. */
const imports = new Map<string, Map<string, string>>();
/** The files that each file of an installed package imports. */
const packageImports = new Map<string, Set<string>>();
/** The content of loaded files, until they are hashed. */
const sources = new Map<string, string>();
/** The modules that eval files share are the same objects. */
const hashed = new Map<string, LoadedModule>();
const texts = new Set<string>();
/** Files whose text has a word for the global object. */
const globals = new Set<string>();
/** Files that were loaded before the modules were hashed. */
const loaded = new Set<string>();
/** True once a module has been loaded that can look at files by itself. */
let hasFileSystem = false;
let take: (note: Note) => void = remember;
/** Looks that are no imports, before the modules were hashed. */
let lookups: Lookup[] = [];
/** Looks that were told. */
const told = new Set<string>();
let late: LateListener | undefined;
let onProgress = () => {};
let fromThread: MessagePort | undefined;

/** In the hook thread: sends notes to the main thread. */
export function sendNotes(port: MessagePort): void {
  take = (note) => port.postMessage(note);
}

/** In the main thread: receives the notes of the hook thread. */
export function takeNotes(port: MessagePort): void {
  fromThread = port;
}

/** Calls a function whenever a module has been found or loaded; what the hook thread says is asked for each second. */
export function followProgress(listener: () => void): () => void {
  onProgress = listener;
  const timer = setInterval(receiveNotes, 1000);
  return () => {
    onProgress = () => {};
    clearInterval(timer);
  };
}

/** Records that a module resolved an import or a `require()` to a file. */
export function noteImport(importer: string, specifier: string, file: string): void {
  if (!isAbsolute(file) || isOwn(file)) return;
  if (isOfProject(importer)) take({ importer, specifier, file });
  else if (isInstalled(importer) && !isOwn(importer)) take({ importer, installed: file });
}

/** The files that each file of an installed package had imported when the modules were hashed. */
export function importsOfPackages(): ReadonlyMap<string, ReadonlySet<string>> {
  return packageImports;
}

/** Records a look that is no import: it has found nothing, or something in a folder that is not the importer's. */
export function noteLookup(importer: string, specifier: string, found?: string): void {
  if (isOfProject(importer)) take(lookupOf(importer, specifier, found));
}

function lookupOf(importer: string, specifier: string, found: string | undefined): Lookup {
  if (specifier.startsWith('file:')) return { importer, target: fileURLToPath(specifier), found };
  // A name of `imports` begins with #.
  const [written = ''] = /^#?[^?#]*/.exec(specifier) ?? [];
  return { importer, target: decodePath(written), found };
}

/** Specifiers of imports that are paths are URL-encoded. */
export function decodePath(request: string): string {
  try {
    return decodeURIComponent(request);
  } catch {
    return request;
  }
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
  const all = new Set([...sources.keys(), ...hashed.keys()]);
  for (const files of imports.values()) {
    for (const file of files.values()) if (isOfProject(file)) all.add(file);
  }
  return [...all].map((file) => relativePath(folder, file));
}

/** The files of installed packages that the project has loaded so far; those that assay itself loads are not of it. */
export function loadedPackageFiles(): ReadonlySet<string> {
  receiveNotes();
  const ofProject = [...imports.values()].flatMap((files) => [...files.values()]);
  const loaded = new Set(ofProject.filter(isInstalled));
  // Iterating a set includes items that are added meanwhile.
  for (const file of loaded) {
    for (const other of packageImports.get(file) ?? []) if (isInstalled(other)) loaded.add(other);
  }
  return loaded;
}

const fileSystemName = /["'`](?:node:)?fs(?:\/promises)?["'`]/;

/** True if a project module loaded so far names `node:fs`. */
export function namesFileSystem(): boolean {
  receiveNotes();
  return hasFileSystem;
}

/** The looks so far that are no imports. */
export function lookupsSoFar(): readonly Lookup[] {
  receiveNotes();
  return lookups;
}

/** Clears everything, and tells `listener` from now on. */
export function closeModuleGraph(listener?: LateListener): void {
  for (const file of sources.keys()) loaded.add(file);
  for (const file of hashed.keys()) loaded.add(file);
  for (const map of [imports, sources, hashed, texts, globals]) map.clear();
  take = rememberLate;
  late = listener;
  for (const one of lookups) tellLookup(one);
  lookups = [];
}

/**
 * Adds what `require()` has found without telling anybody: Node looks once for what the modules of a folder ask for. Call it
 * before the modules are hashed.
 */
export function noteRequired(): void {
  receiveNotes();
  const asked = new Map<string, Set<string>>();
  for (const [importer, files] of imports) {
    for (const [specifier, file] of files) {
      const key = `${dirname(importer)}\0${file}`;
      asked.set(key, (asked.get(key) ?? new Set()).add(specifier));
    }
  }
  for (const [importer, module] of Object.entries(cache)) {
    for (const { filename } of module?.children ?? []) {
      if (isOwn(importer) || isOwn(filename) || !isAbsolute(filename)) continue;
      if (!isOfProject(importer)) remember({ importer, installed: filename });
      else {
        const specifiers = asked.get(`${dirname(importer)}\0${filename}`) ?? [`(${filename})`];
        for (const specifier of specifiers) remember({ importer, specifier, file: filename });
      }
    }
  }
}

/** A project module that has been loaded. */
export interface LoadedModule {
  /** Real path. */
  readonly file: string;
  /** The path relative to the folder of the project. */
  readonly name: string;
  /** SHA-256 of its content when it was loaded, with LF. */
  readonly hash: string;
  /** It was imported as text, if not only so. */
  readonly isText: boolean;
  /** It has a word for the global object, through which it may share things with any other. */
  readonly usesGlobals: boolean;
  /** The files that it imports, by specifier; also those of packages. */
  readonly imports: ReadonlyMap<string, string>;
}

const noImports: ReadonlyMap<string, string> = new Map();

/** The project modules that a file has loaded so far, with itself, and a hash of them. */
export interface HashedModules {
  readonly modules: readonly LoadedModule[];
  /**
   * 16 hex digits of the SHA-256 over their paths relative to a folder, and their content when they were loaded. `undefined`
   * if the file cannot be read.
   */
  readonly hash: string | undefined;
}

/** `name` of the file counts, too. */
export function hashModules(name: string, path: string, folder: string): HashedModules {
  receiveNotes();
  const entry = realPath(path);
  const modules = [...reachedFrom(entry)].flatMap(
    (file) => hashed.get(file) ?? loadedModule(file, file === entry, folder) ?? [],
  );
  if (modules.length === 0) return { modules, hash: undefined };
  const lines = modules.map((one) => `${one.name}\0${one.hash}`).sort();
  return { modules, hash: sha256([name, ...lines].join('\n')).slice(0, 16) };
}

/** `undefined` for a file that was resolved but not loaded. */
function loadedModule(file: string, isEntry: boolean, folder: string): LoadedModule | undefined {
  const hash = hashOf(file, isEntry);
  if (hash === undefined) return undefined;
  const module = {
    ...{ file, name: relativePath(folder, file), hash },
    isText: texts.has(file),
    usesGlobals: globals.has(file),
    imports: imports.get(file) ?? noImports,
  };
  hashed.set(file, module);
  return module;
}

function remember(note: Note): void {
  onProgress();
  if ('source' in note) {
    sources.set(note.file, note.source);
    if (note.isText) texts.add(note.file);
    else hasFileSystem ||= fileSystemName.test(note.source);
    return;
  }
  if ('target' in note) {
    lookups.push(note);
    return;
  }
  if ('installed' in note) {
    const files = packageImports.get(note.importer);
    if (files === undefined) packageImports.set(note.importer, new Set([note.installed]));
    else files.add(note.installed);
    return;
  }
  const { importer, specifier, file } = note;
  const known = imports.get(importer);
  if (known === undefined) imports.set(importer, new Map([[specifier, file]]));
  // `import` and `require()` may find two files.
  else if ((known.get(specifier) ?? file) === file) known.set(specifier, file);
  else known.set(`${specifier} (${file})`, file);
}

function rememberLate(note: Note): void {
  if ('source' in note) {
    if (!loaded.has(note.file)) late?.onLoaded(note.file);
  } else if ('target' in note) {
    tellLookup(note);
  } else if ('file' in note) {
    if (!isOfProject(note.file)) late?.onLoaded(note.file);
    tellLookup(lookupOf(note.importer, note.specifier, note.file));
  }
}

/** What leads to the same file again gives the same module. */
function tellLookup(lookup: Lookup): void {
  const key = JSON.stringify(lookup);
  if (told.size < told.add(key).size) late?.onLookup(lookup);
}

/** Receives pending notes of the hook thread, if there is one. It sends them before the import completes. */
export function receiveNotes(): void {
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

/** Checkouts of the same code differ in their line ends, which mean the same there; in a text they are content. */
const isCode = /\.[cm]?[jt]sx?$/;

function hashOf(file: string, isEntry: boolean): string | undefined {
  // In some versions, no hook sees what `require()` reads of plain JavaScript.
  const isLoaded = isEntry || cache[file] !== undefined;
  const source = sources.get(file) ?? (isLoaded ? readQuietly(file) : undefined);
  if (source === undefined) return undefined;
  const hash = sha256(isCode.test(file) ? source.replaceAll('\r\n', '\n') : source);
  if (/\bglobal(?:This)?\b/.test(source)) globals.add(file);
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
  const texts = [bytes.toString(), bytes.toString('latin1')];
  return texts.some((text) =>
    [text, text.replaceAll('\r\n', '\n')].some((one) => sha256(one) === hash),
  );
}

/** The SHA-256 of a text, in hex. */
export function sha256(text: string): string {
  // Loaded on demand, because it is slow to load and rarely needed during the start.
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex');
}

function readQuietly(file: string): string | undefined {
  try {
    return readFile(file, 'latin1');
  } catch {
    return undefined;
  }
}

function realPath(path: string): string {
  try {
    return realPathOf(path);
  } catch {
    return path;
  }
}
