import { pathStamp, pathState } from '../../files/path-state.js';
import type { CodePackages } from '../../fingerprints/code-graph.js';
import { dataFacts } from '../../fingerprints/module-facts.js';
import type { Piece } from '../../model/code/evaluation-code.js';
import { relativePath } from '../../text/file-path.js';
import { shortHash } from '../../text/short-hash.js';
import { packageOf, withDependencies } from '../installed-packages.js';
import type { CodeCache } from './code-cache.js';

/** The installed packages that modules of the project have loaded. */
export class LoadedPackages implements CodePackages {
  readonly #imports: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #cache: CodeCache;
  readonly #folder: string;

  /** `imports`: the files that each file of a package imports; `folder`: that of the project. */
  constructor(imports: ReadonlyMap<string, ReadonlySet<string>>, cache: CodeCache, folder: string) {
    this.#imports = imports;
    this.#cache = cache;
    this.#folder = folder;
  }

  idsOf(file: string): readonly string[] {
    const found = packageOf(file);
    return found === undefined ? [] : withDependencies(found).map(({ id }) => id);
  }

  pieces(files: ReadonlySet<string>): Piece[] {
    const byPackage = new Map<string, string[]>();
    const loaded = new Set<string>();
    for (const file of files) {
      const ids = this.idsOf(file);
      if (ids.length > 0) loaded.add(file);
      // What it depends on may be loaded later.
      for (const id of ids) byPackage.set(id, []);
    }
    // Iterating a set includes items that are added meanwhile.
    for (const file of loaded) for (const other of this.#imports.get(file) ?? []) loaded.add(other);
    for (const file of [...loaded].sort()) {
      // A module of the project that a package has loaded has no other name.
      const id = packageOf(file)?.id ?? relativePath(this.#folder, file);
      byPackage.set(id, [...(byPackage.get(id) ?? []), file]);
    }
    return [...byPackage].map(([name, own]) => [name, this.#hashOf(own)]);
  }

  /** Of the content of files, which may have been edited in place; reading it again is only needed after that. */
  #hashOf(files: readonly string[]): string {
    if (files.length === 0) return '';
    const stamps = files.map((file) => `${file} ${pathStamp('file', file)}`);
    const find = () => dataFacts(shortHash(files.map((file) => pathState('file', file)).join()));
    return this.#cache.facts(stamps.join('\n'), find).rest.hash;
  }
}
