import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { basename, dirname, join, sep } from 'node:path';

/** An installed package. */
interface InstalledPackage {
  /** Absolute folder. */
  readonly root: string;
  /** `name@version`. */
  readonly id: string;
  readonly dependencies: readonly string[];
}

const read = readFileSync;
const realPath = realpathSync;
const exists = existsSync;
const inFolder = `${sep}node_modules${sep}`;
const known = new Map<string, InstalledPackage | undefined>();

/** The package that a file in a `node_modules` folder belongs to; `undefined` if its manifest cannot be read. */
export function packageOf(file: string): InstalledPackage | undefined {
  const at = file.lastIndexOf(inFolder);
  if (at === -1) return undefined;
  const [first = '', second = ''] = file.slice(at + inFolder.length).split(sep);
  const name = first.startsWith('@') ? join(first, second) : first;
  return packageAt(join(file.slice(0, at + inFolder.length), name));
}

const closures = new WeakMap<InstalledPackage, readonly InstalledPackage[]>();

/** A package and every package that it depends on, each once. */
export function withDependencies(of: InstalledPackage): readonly InstalledPackage[] {
  const known = closures.get(of);
  if (known !== undefined) return known;
  const found = new Set([of]);
  // Iterating a set includes items that are added meanwhile.
  for (const one of found) {
    for (const name of one.dependencies) {
      const other = dependencyOf(one.root, name);
      if (other !== undefined) found.add(other);
    }
  }
  closures.set(of, [...found]);
  return [...found];
}

/** The folders at which Node looks for the package of a specifier, in order; none for paths. */
export function placesOfPackage(specifier: string, importer: string): string[] {
  const [, name] = /^((?:@[^/]+\/)?[\w][^/:]*)(?:\/|$)/.exec(specifier) ?? [];
  if (name === undefined || isBuiltin(specifier)) return [];
  const folders = createRequire(importer).resolve.paths(name) ?? [];
  return folders.map((folder) => join(folder, name));
}

/** The paths that decide which packages a package depends on: where they are, and where others would go before them. */
export function placesOfDependencies(of: InstalledPackage): ReadonlySet<string> {
  const places = new Set<string>();
  for (const { root, dependencies } of withDependencies(of)) {
    for (const name of dependencies) {
      for (const place of placesFrom(root, name)) {
        const folder = place.slice(0, -name.length - 1);
        places.add(exists(folder) ? place : folder);
        if (packageAt(place) !== undefined) break;
      }
    }
  }
  return places;
}

function dependencyOf(root: string, name: string): InstalledPackage | undefined {
  for (const place of placesFrom(root, name)) {
    const found = packageAt(place);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The folders at which a package looks for another one. */
function* placesFrom(root: string, name: string): Generator<string> {
  for (let folder = root; ; folder = dirname(folder)) {
    if (basename(folder) !== 'node_modules') yield join(folder, 'node_modules', name);
    if (folder === dirname(folder)) return;
  }
}

function packageAt(root: string): InstalledPackage | undefined {
  if (!known.has(root)) known.set(root, readPackage(root));
  return known.get(root);
}

function readPackage(folder: string): InstalledPackage | undefined {
  try {
    // Where links lead, the dependencies of the package are beside it.
    const root = realPath(folder);
    const manifest = JSON.parse(read(join(root, 'package.json'), 'utf8')) as Manifest;
    const { name, version, dependencies, optionalDependencies, peerDependencies } = manifest;
    const names = [dependencies, optionalDependencies, peerDependencies].flatMap((one) =>
      Object.keys(one ?? {}),
    );
    return { root, id: `${name}@${version}`, dependencies: [...new Set(names)] };
  } catch {
    return undefined;
  }
}

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly dependencies?: object;
  readonly optionalDependencies?: object;
  readonly peerDependencies?: object;
}

/** True for files of an installed package; a linked workspace package is not installed. */
export function isInstalled(file: string): boolean {
  return file.includes(`${sep}node_modules${sep}`);
}

/** True for `assay` and its subpath exports. */
export function isAssay(specifier: string): boolean {
  return /^assay(?:\/|$)/.test(specifier);
}
