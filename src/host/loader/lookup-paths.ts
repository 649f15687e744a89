import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path, { dirname, resolve } from 'node:path';
import type { PathLook } from '../../files/path-state.js';
import type { LoadedModules } from '../../protocol/messages.js';
import {
  isInstalled,
  packageOf,
  placesOfDependencies,
  placesOfPackage,
  withDependencies,
} from '../installed-packages.js';
import { candidatesFor, isPath, needsCompiling, possibleSources } from './find-source.js';
import {
  type Lookup,
  loadedModules,
  loadedPackageFiles,
  noteRequired,
  sha256,
} from './module-graph.js';
import { packageTypeOf, pathsOfSettings, projectOf } from './tsconfig.js';

// Before they are patched: what assay looks at is not to be noticed.
const [exists, read, realPathOf] = [existsSync, readFileSync, realpathSync];

/** A path, and what counts of it. */
type Deciding = readonly [kind: PathLook, path: string];
/** Requests to files of packages that were followed. */
type Seen = Set<string>;

/**
 * The paths that decide where a look for a module leads: the files that say where names lead, links on the way, and places
 * at which another module would go before the one that was found. Of an installed package, also those of its dependencies.
 */
export function* pathsOfLookup(lookup: Lookup, seen: Seen = new Set()): Generator<Deciding> {
  const { importer, target, found } = lookup;
  yield* pathsOfScope(importer, lookup, seen);
  const sources = possibleSources(target, importer);
  const at = found === undefined ? -1 : sources.findIndex((one) => realPath(one) === found);
  for (const one of at === -1 ? sources : sources.slice(0, at + 1)) yield ['exists', one];
  if (at !== -1) return;
  for (const folder of candidatesFor(target, importer)) {
    if (found === undefined) yield ['folder', folder];
    yield* pathsOfManifest(path.join(folder, 'package.json'), '.', lookup, seen);
  }
  for (const place of placesOfPackage(target, importer)) {
    yield ['exists', place];
    yield* pathsOfManifest(path.join(place, 'package.json'), subpathOf(target), lookup, seen);
    if (found !== undefined && exists(place)) break;
  }
  if (found !== undefined) yield* pathsOfInstalled(found);
}

/** The paths that decide how a module of the project is compiled, and where names in it lead, such as that of a lookup. */
export function* pathsOfScope(
  file: string,
  lookup?: Lookup,
  seen: Seen = new Set(),
): Generator<Deciding> {
  for (const one of pathsOfSettings(file)) yield ['file', one];
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const manifest = path.join(folder, 'package.json');
    const isEnd = exists(manifest) || folder === path.dirname(folder);
    const isNamed = isEnd && lookup !== undefined && !isPath(lookup.target);
    if (isNamed) yield* pathsOfManifest(manifest, lookup.target, lookup, seen);
    else yield ['file', manifest];
    if (isEnd) return;
  }
}

/**
 * A package.json, and the paths of the project to which it leads: for a name of its `imports`, or for a subpath of its
 * `exports`; none for another one.
 */
function* pathsOfManifest(
  file: string,
  request: string,
  lookup: Lookup,
  seen: Seen,
): Generator<Deciding> {
  yield ['file', file];
  // It may lead to itself, as `main` of its own folder does.
  if (seen.size === seen.add(`${file}\0${request}`).size) return;
  if (isInstalled(realPath(file) ?? file)) return;
  for (const target of targetsIn(file, request)) {
    yield* pathsOfLookup({ ...lookup, importer: file, target }, seen);
  }
}

function targetsIn(file: string, request: string): string[] {
  const { name, imports, exports, main } = readManifest(file);
  if (request.startsWith('#')) {
    return matching(imports, request).filter((one) => !one.startsWith('#'));
  }
  const isOwn = name !== undefined && `${request}/`.startsWith(`${name}/`);
  const subpath = isOwn ? subpathOf(request) : request;
  if (!/^\.(?:$|\/)/.test(subpath)) return [];
  const isOfSubpaths = Object.keys(Object(exports)).some((key) => key.startsWith('.'));
  const ofMain = typeof main === 'string' ? `./${path.normalize(main)}` : undefined;
  const found = matching(isOfSubpaths ? exports : { '.': exports ?? ofMain }, subpath);
  return found.filter((one) => one.startsWith('./'));
}

/** The texts in what a map has for a request, for whatever conditions. */
function matching(map: unknown, request: string): string[] {
  return Object.entries(Object(map)).flatMap(([key, value]) => {
    const [begin = '', end] = key.split('*');
    if (end === undefined) return key === request ? textsIn(value) : [];
    const fits = request.startsWith(begin) && request.endsWith(end);
    if (!fits) return [];
    const star = request.slice(begin.length, request.length - end.length);
    return textsIn(value).map((one) => one.replaceAll('*', star));
  });
}

function textsIn(value: unknown): string[] {
  return typeof value === 'string' ? [value] : Object.values(Object(value)).flatMap(textsIn);
}

/** What is looked for in a package: `./sub` of `name/sub`. */
function subpathOf(target: string): string {
  return target.replace(/^(?:@[^/]+\/)?[^/]+/, '.');
}

interface Manifest {
  readonly name?: string;
  readonly imports?: unknown;
  readonly exports?: unknown;
  readonly main?: unknown;
}

function readManifest(file: string): Manifest {
  try {
    return Object(JSON.parse(read(file, 'utf8')));
  } catch {
    return {};
  }
}

/** Which packages a file of a package comes with. */
function* pathsOfInstalled(file: string): Generator<Deciding> {
  const found = packageOf(file);
  if (found === undefined) return;
  for (const { root } of withDependencies(found)) yield ['file', path.join(root, 'package.json')];
  for (const place of placesOfDependencies(found)) yield ['exists', place];
}

function realPath(file: string): string | undefined {
  try {
    return realPathOf(file);
  } catch {
    return undefined;
  }
}

/** What has been loaded so far. Call it before the modules are hashed. `folder`: that of the project. */
export function describeLoaded(folder: string): LoadedModules {
  noteRequired();
  const files = loadedModules(folder);
  const settings = files.map((name) => `${name}\0${settingsOf(resolve(folder, name), folder)}`);
  return {
    files,
    settings: sha256(settings.sort().join('\n')).slice(0, 32),
    packages: [...packageIds()].sort(),
  };
}

function settingsOf(file: string, folder: string): string {
  const options = needsCompiling(file) ? JSON.stringify(projectOf(file).options) : '';
  // Another checkout is in another folder.
  return `${packageTypeOf(dirname(file))} ${options.replaceAll(folder, '.')}`;
}

function packageIds(): Set<string> {
  const loaded = new Set([...loadedPackageFiles()].flatMap((file) => packageOf(file) ?? []));
  // Both sides have the same version of it.
  const others = [...loaded].filter(({ id }) => !id.startsWith('assay@'));
  return new Set(others.flatMap(withDependencies).map(({ id }) => id));
}
