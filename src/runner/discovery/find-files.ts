import { type Dirent, readdir as readFolder, statSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, posix, relative, resolve, sep } from 'node:path';
import { AssayError, hasSystemCode, shortageOf } from '../../errors.js';
import { mayBeName } from '../../model/selection/named.js';
import type { EvalFile } from '../../protocol/messages.js';
import { isInside, relativePath, slashed } from '../../text/file-path.js';
import { nameText, quotedName } from '../../text/name-text.js';
import { didYouMean } from '../../text/near-names.js';

/** Eval files, and the selected evaluations in them. */
export interface FoundFiles {
  readonly files: readonly EvalFile[];
  /** Selected names by file name; a file without an entry is selected as a whole. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  /** Names without a file: what is called so is selected in any of them. Each with the error if nothing is. */
  readonly anywhere: ReadonlyMap<string, AssayError>;
}

export interface FindFilesOptions {
  /** Files, folders or globs, each with an optional `::name` or `::name[case]`; or a name alone, as results are called. */
  readonly paths: readonly string[];
  /** Globs and paths to ignore, relative to `cwd`. */
  readonly ignore: readonly string[];
  readonly cwd: string;
  /** Absolute folders that are not searched, unless a path leads into them: results and recordings. Default: none. */
  readonly leftOut?: readonly string[];
}

const extensions = '{ts,mts,cts,tsx,js,mjs,cjs,jsx}';
const evalFileName = /\.eval\.[cm]?[jt]sx?$/;
const evalFiles = `**/*.eval.${extensions}`;
const alwaysIgnored = ['**/node_modules/**'];

/**
 * Finds the eval files for paths, sorted by name. Folders and globs are searched for `*.eval.*`, without
 * `node_modules` and dot folders; a named file may have any name. `ignore` applies to all of them.
 * @throws {AssayError} `no-such-path`, `nothing-selected` when a folder has no evals, `usage`
 */
export async function findFiles(options: FindFilesOptions): Promise<FoundFiles> {
  const found = await findNamed(options);
  if (found.files.length > 0) return found;
  for (const problem of found.anywhere.values()) throw problem;
  const { paths, ignore } = options;
  const { files: ignored } =
    ignore.length === 0 ? found : await findNamed({ ...options, ignore: [] });
  throw ignored.length === 0 ? noEvals(paths) : allIgnored(ignored, ignore);
}

async function findNamed(options: FindFilesOptions): Promise<FoundFiles> {
  const { paths } = options;
  const found = new Map<string, EvalFile>();
  const whole = new Set<string>();
  const names = new Map<string, string[]>();
  const anywhere = new Map<string, AssayError>();
  for (const given of paths.length === 0 ? ['.'] : paths) {
    const { path, name } = readPath(given, options.cwd);
    const files = await filesAt(path, options);
    if (files instanceof AssayError) {
      anywhere.set(given, files);
      continue;
    }
    if (name !== undefined && files.length > 1) {
      throw new AssayError(
        'usage',
        `${nameText(given)}: only a file can be followed by ::, not a folder.`,
      );
    }
    for (const file of files) {
      found.set(file.name, file);
      if (name === undefined) whole.add(file.name);
      else names.set(file.name, [...(names.get(file.name) ?? []), name]);
    }
  }
  for (const name of whole) names.delete(name);
  if (anywhere.size > 0) {
    for (const file of await search(evalFiles, options.cwd, options)) {
      if (found.has(file.name)) continue;
      found.set(file.name, file);
      names.set(file.name, []);
    }
  }
  const files = (await withoutAliases([...found.values()])).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
  return { files, names, anywhere };
}

/** True for a file name of the form `*.eval.*`. */
export function isNamedEvalFile(path: string): boolean {
  return evalFileName.test(path);
}

/** Removes duplicates: of several paths that link to one file, keeps the path without links, else the first. */
async function withoutAliases(files: readonly EvalFile[]): Promise<EvalFile[]> {
  const byPlace = new Map<string, EvalFile>();
  for (const file of files) {
    const place = await realpath(file.path);
    if (!byPlace.has(place) || place === file.path) byPlace.set(place, file);
  }
  return [...byPlace.values()];
}

function readPath(given: string, cwd: string): PathArgument {
  const { path, name } = splitPath(given, cwd);
  if (path.trim() === '') {
    throw new AssayError('usage', `${quotedName(given)} is not a path: a path must not be empty.`);
  }
  if (name === '')
    throw new AssayError('usage', `${nameText(given)}: the name of an evaluation must follow ::.`);
  return name === undefined ? { path } : { path, name };
}

/** The eval files at a path; the error to throw if nothing is there, but it may be the name of an evaluation. */
async function filesAt(path: string, options: FindFilesOptions): Promise<EvalFile[] | AssayError> {
  const { ignore, cwd } = options;
  const given = resolve(cwd, path);
  const kind = await kindOf(given);
  const absolute = kind === undefined ? given : await trueCasePath(given, cwd);
  if (kind === 'file') {
    if (!/\.[cm]?[jt]sx?$/.test(path)) {
      throw new AssayError('usage', `${nameText(path)} is not a TypeScript or JavaScript file.`);
    }
    if (await isIgnored(absolute, ignore, cwd)) return [];
    return [evalFile(absolute, cwd)];
  }
  if (kind === 'folder') return search(evalFiles, absolute, options);
  if (kind === 'other') {
    throw new AssayError('usage', `${nameText(path)} is neither a file nor a folder.`);
  }
  const files = /[*?{[]/.test(path) ? await search(slashed(path), cwd, options) : undefined;
  if (files !== undefined && files.length > 0) return files;
  const isName = mayBeName(path) && (files === undefined || path.includes('['));
  if (files !== undefined && !isName) return files;
  const problem = await noSuchPath(path, absolute, cwd);
  if (isName) return problem;
  throw problem;
}

async function kindOf(path: string): Promise<'file' | 'folder' | 'other' | undefined> {
  try {
    const stats = await stat(path);
    return stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : 'other';
  } catch {
    return undefined;
  }
}

async function search(
  pattern: string,
  folder: string,
  { ignore, cwd, leftOut = [] }: FindFilesOptions,
): Promise<EvalFile[]> {
  const { escapePath, glob } = await import('tinyglobby');
  const ignored = [
    ...(await absoluteGlobs(ignore, cwd)),
    ...leftOut
      .filter((one) => !isInside(one, folder))
      .map((one) => `${escapePath(slashed(one))}/**`),
  ];
  const reading = noticeShortage();
  const options = {
    cwd: folder,
    absolute: true,
    ignore: [
      ...alwaysIgnored,
      ...ignored.map((one) => relativeGlob(one, escapePath(slashed(folder)))),
    ],
    fs: { readdir: reading.readdir },
  };
  const paths = await glob([withoutNegation(pattern)], options);
  reading.check();
  // A folder may be named like an eval file; what is in it is none for that.
  return paths.filter(isNamedEvalFile).map((path) => evalFile(resolve(path), cwd));
}

/** Reads folders for a glob, which treats an unreadable folder as empty; `check` throws if there was one. */
function noticeShortage() {
  let shortage: unknown;
  type Done = (error: NodeJS.ErrnoException | null, entries: Dirent[]) => void;
  const noticing = (path: string, options: { readonly withFileTypes: true }, done: Done) => {
    readFolder(path, options, (error, entries) => {
      if (shortageOf(error) !== undefined) shortage = error;
      done(error, entries);
    });
  };
  return {
    // The overload of `readdir` that globs use.
    readdir: noticing as typeof readFolder,
    check: () => {
      if (shortage !== undefined) throw shortage;
    },
  };
}

/** True when a file named by the user matches `ignore`. */
async function isIgnored(path: string, ignore: readonly string[], cwd: string): Promise<boolean> {
  if (ignore.length === 0) return false;
  const { escapePath, glob } = await import('tinyglobby');
  const base = escapePath(slashed(cwd));
  const found = await glob([escapePath(relativePath(cwd, path))], {
    cwd,
    ignore: (await absoluteGlobs(ignore, cwd)).map((one) => relativeGlob(one, base)),
    dot: true,
  });
  return found.length === 0;
}

/**
 * Converts ignore patterns to globs that do not depend on the searched folder; each also matches itself as a
 * literal path.
 */
async function absoluteGlobs(patterns: readonly string[], cwd: string): Promise<string[]> {
  const { escapePath } = await import('tinyglobby');
  const base = escapePath(slashed(cwd));
  return patterns.flatMap((pattern) => {
    if (pattern.trim() === '') return [];
    const literal = escapePath(slashed(resolve(cwd, pattern)));
    const glob = slashed(pattern);
    if (glob.startsWith('**') || isAbsolute(pattern)) return [glob, literal];
    return [posix.join(base, glob), literal];
  });
}

/** A glob as one below the folder that is searched, which may have any name. `folder`: escaped, with `/`. */
function relativeGlob(glob: string, folder: string): string {
  if (glob.startsWith(`${folder}/`)) return withoutNegation(glob.slice(folder.length + 1));
  return isAbsolute(glob) ? glob : withoutNegation(glob);
}

/** A leading `!` would negate a glob. */
function withoutNegation(glob: string): string {
  return glob.replace(/(^|\/)!(?!\()/g, '$1\\!');
}

function evalFile(path: string, cwd: string): EvalFile {
  return { path, name: relativePath(cwd, path) };
}

function noEvals(paths: readonly string[]): AssayError {
  const where = paths.length === 0 ? 'this folder' : paths.map(nameText).join(', ');
  return new AssayError('nothing-selected', `No eval files in ${where}.`, {
    hints: ['An eval file is named *.eval.ts and exports what evaluation() returns.'],
  });
}

function allIgnored(files: readonly EvalFile[], ignore: readonly string[]): AssayError {
  const [only] = files;
  const what =
    only !== undefined && files.length === 1
      ? `${nameText(only.name)} is`
      : `All ${files.length} eval files are`;
  const globs = ignore.map(nameText).join(', ');
  return new AssayError('nothing-selected', `${what} left out by --ignore ${globs}.`);
}

async function noSuchPath(path: string, absolute: string, cwd: string): Promise<AssayError> {
  const text = `No such path: ${nameText(path)}.`;
  let siblings: string[] = [];
  try {
    siblings = await readdir(dirname(absolute));
  } catch {
    // The folder is missing too, so there is nothing to suggest.
  }
  const reason = siblings.includes(basename(absolute)) ? await whyUnreachable(absolute) : undefined;
  if (reason !== undefined) return new AssayError('no-such-path', `${text} It is ${reason}.`);
  const candidates = siblings.map((name) => relativePath(cwd, join(dirname(absolute), name)));
  const hint = didYouMean(relativePath(cwd, absolute), candidates) ?? '';
  return new AssayError('no-such-path', `${text} ${hint}`.trimEnd());
}

/** The reason why an existing name leads to no file. */
async function whyUnreachable(path: string): Promise<string | undefined> {
  try {
    await stat(path);
    return undefined;
  } catch (error) {
    if (hasSystemCode(error, 'ELOOP')) return 'a link that leads in a circle';
    if (hasSystemCode(error, 'ENOENT')) return 'a link to something that is gone';
    return 'not accessible: permission denied';
  }
}

/** A path as the user gives it, and the evaluation that it selects. */
interface PathArgument {
  readonly path: string;
  /** The text after `::`. */
  readonly name?: string;
}

/**
 * Splits `file::name`. Files, names and ids of cases may contain `::`: what leads to a file is its path, else the path
 * ends at the first `::`. `cwd`: absolute folder to which it is relative.
 */
export function splitPath(given: string, cwd: string): PathArgument {
  const [first, ...others] = seams(given);
  if (first === undefined) return { path: given };
  const at = [given.length, ...others.reverse()].find((end) =>
    isFile(resolve(cwd, given.slice(0, end))),
  );
  if (at === given.length) return { path: given };
  return { path: given.slice(0, at ?? first), name: given.slice((at ?? first) + '::'.length) };
}

/** The positions of `::`. */
function seams(text: string): number[] {
  return [...text.matchAll(/:(?=:)/g)].map(({ index }) => index);
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * A path with names below a folder spelled as on disk. Where file names ignore case, as on macOS and Windows,
 * `Orders.eval.ts` and `orders.eval.ts` are one file, which must have one name in ids. Missing names stay
 * unchanged.
 */
export async function trueCasePath(path: string, folder: string): Promise<string> {
  const way = relative(folder, path);
  // Another Windows drive, or the folder itself.
  if (isAbsolute(way) || way === '') return path;
  let known = folder;
  for (const part of way.split(sep)) {
    known = part === '..' ? dirname(known) : join(known, await spelledIn(known, part));
  }
  return known;
}

async function spelledIn(folder: string, name: string): Promise<string> {
  const names = await readdir(folder).catch((): string[] => []);
  if (names.includes(name)) return name;
  const folded = fold(name);
  return names.find((other) => fold(other) === folded) ?? name;
}

/** Normalises a name: macOS also treats composed and decomposed accents as equal. */
function fold(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
