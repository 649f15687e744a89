import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathStamp } from '../../files/path-state.js';
import type { CodePackages } from '../../fingerprints/code-graph.js';
import { dataFacts } from '../../fingerprints/module-facts.js';
import type { Piece } from '../../model/code/evaluation-code.js';
import { relativePath } from '../../text/file-path.js';
import { shortHash } from '../../text/short-hash.js';
import type { CodeCache } from './code-cache.js';
import { packageOf, withDependencies } from './installed-packages.js';

/** The installed packages that modules of the project have loaded. */
export class LoadedPackages implements CodePackages {
  readonly #imports: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #cache: CodeCache;
  readonly #folder: string;
  readonly #ids = new Map<string, readonly string[]>();
  readonly #patches: readonly string[];

  /** `imports`: the files that each file of a package imports; `folder`: that of the project. */
  constructor(imports: ReadonlyMap<string, ReadonlySet<string>>, cache: CodeCache, folder: string) {
    this.#imports = imports;
    this.#cache = cache;
    this.#folder = folder;
    this.#patches = ['patches', '.yarn/patches'].flatMap((one) => filesIn(join(folder, one)));
  }

  idsOf(file: string): readonly string[] {
    const found = packageOf(file);
    if (found === undefined) return [];
    const known = this.#ids.get(found.root);
    if (known !== undefined) return known;
    const ids = [...new Set([...withDependencies(found)].map(({ id }) => id))];
    this.#ids.set(found.root, ids);
    return ids;
  }

  pieces(files: ReadonlySet<string>): Piece[] {
    const byPackage = new Map<string, string[]>();
    for (const file of files) {
      // What it depends on may be loaded later.
      for (const id of this.idsOf(file)) byPackage.set(id, byPackage.get(id) ?? []);
    }
    for (const file of this.#loadedWith(files)) {
      // A module of the project that a package has loaded has no other name.
      const id = packageOf(file)?.id ?? relativePath(this.#folder, file);
      byPackage.set(id, [...(byPackage.get(id) ?? []), file]);
    }
    return [...byPackage].map(([name, loaded]) => ({ name, hash: this.#hashOf(name, loaded) }));
  }

  #loadedWith(files: Iterable<string>): string[] {
    const loaded = new Set([...files].filter((file) => packageOf(file) !== undefined));
    // Iterating a set includes items that are added meanwhile.
    for (const file of loaded) {
      for (const other of this.#imports.get(file) ?? []) loaded.add(other);
    }
    return [...loaded].sort();
  }

  /** Of the content of files, which may have been edited in place; reading it again is only needed after that. */
  #hashOf(id: string, loaded: readonly string[]): string {
    const [name = '', version = ''] = id.split(/(?<=.)@/);
    const ofPatch = `${name.replaceAll('/', '+')}`;
    const patches = this.#patches.filter(
      (file) => file.includes(ofPatch) && file.includes(version),
    );
    const all = [...loaded, ...patches];
    if (all.length === 0) return '';
    const stamps = all.map((file) => `${file} ${pathStamp('file', file)}`);
    const find = () => dataFacts(shortHash(all.map(contentOf).join('\n')));
    return this.#cache.facts(stamps.join('\n'), find).rest.hash;
  }
}

function contentOf(file: string): string {
  try {
    return shortHash(readFileSync(file));
  } catch {
    return '';
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}
