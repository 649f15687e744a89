import { pathStamp, pathState } from '../../files/path-state.js';
import type { CodePackages } from '../../fingerprints/code-graph.js';
import { dataFacts } from '../../fingerprints/module-facts.js';
import type { Piece } from '../../model/code/evaluation-code.js';
import { relativePath } from '../../text/file-path.js';
import { shortHash } from '../../text/short-hash.js';
import { packageOf, withDependencies } from '../installed-packages.js';
import type { CodeCache } from './code-cache.js';

/**
 * The installed packages that modules of the project have loaded. `imports`: the files that each file of a package
 * imports; `folder`: that of the project.
 */
export function loadedPackages(
  imports: ReadonlyMap<string, ReadonlySet<string>>,
  cache: CodeCache,
  folder: string,
): CodePackages {
  return { idsOf, pieces };

  function pieces(files: ReadonlySet<string>): Piece[] {
    const byPackage = new Map<string, string[]>();
    const loaded = new Set([...files].filter(packageOf));
    // What it depends on may be loaded later.
    for (const id of [...loaded].flatMap(idsOf)) byPackage.set(id, []);
    // Iterating a set includes items that are added meanwhile.
    for (const file of loaded) for (const other of imports.get(file) ?? []) loaded.add(other);
    for (const file of [...loaded].sort()) {
      // A module of the project that a package has loaded has no other name.
      const id = packageOf(file)?.id ?? relativePath(folder, file);
      byPackage.set(id, [...(byPackage.get(id) ?? []), file]);
    }
    return [...byPackage].map(([name, own]) => [name, hashOf(own)]);
  }

  /** Of the content of files, which may have been edited in place; reading it again is only needed after that. */
  function hashOf(files: readonly string[]): string {
    if (files.length === 0) return '';
    const stamps = files.map((file) => `${file} ${pathStamp('file', file)}`);
    const find = () => dataFacts(shortHash(files.map((file) => pathState('file', file)).join()));
    return cache.facts(stamps.join('\n'), find).rest.hash;
  }
}

function idsOf(file: string): readonly string[] {
  const found = packageOf(file);
  return found === undefined ? [] : withDependencies(found).map(({ id }) => id);
}
