import { renameSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { unlinkQuietly } from '../../files/file-operations.js';
import { pathStamp, pathState } from '../../files/path-state.js';
import { readSmallFile } from '../../files/regular-file.js';
import { temporaryPath } from '../../files/temporary-files.js';
import {
  type CodeModule,
  type CodePackages,
  evaluationCodes,
} from '../../fingerprints/evaluation-code.js';
import {
  dataFacts,
  factsVersion,
  type ModuleFacts,
  opaqueFacts,
} from '../../fingerprints/module-facts.js';
import type { Piece } from '../../model/code/evaluation-code.js';
import type { FileCode, FoundCode } from '../../model/code/file-code.js';
import { packCode } from '../../model/code/pack-code.js';
import { addTo } from '../../model/lists-by-key.js';
import { readVersion } from '../../package-root.js';
import { relativePath } from '../../text/file-path.js';
import { shortHash } from '../../text/short-hash.js';
import type { ExportPlace } from '../imported-evaluations.js';
import { isAssay, isInstalled, packageOf, withDependencies } from '../installed-packages.js';
import { needsCompiling } from '../loader/find-source.js';
import type { LoadedModule } from '../loader/module-graph.js';
import { packageTypeOf, projectOf } from '../loader/tsconfig.js';
import { hazardIn, piecesOf } from './surroundings.js';

/** What the code of eval files is found from. Plain data, for the thread that finds it. */
export interface LoadedCode {
  readonly files: readonly LoadedFile[];
  /** The modules of all eval files. */
  readonly modules: readonly LoadedModule[];
  /** The files that each file of an installed package has imported. */
  readonly packageImports: ReadonlyMap<string, ReadonlySet<string>>;
  readonly surroundings: readonly string[];
  /** The working directory, to which names of modules are relative. */
  readonly folder: string;
  /** The file that keeps what the analysis of modules found; absent where nothing is kept. */
  readonly cache?: string | undefined;
  /** Names of packages that keep no state between target and grading, beside the known ones. */
  readonly statelessPackages?: readonly string[] | undefined;
}

export interface LoadedFile extends Pick<FileCode, 'file' | 'code'> {
  /** Real path. */
  readonly path: string;
  /** By id. */
  readonly evaluations: ReadonlyMap<string, ExportPlace>;
}

/** What is in a module; `undefined` if it cannot be had any more: it is not to be kept that nothing is known of it. */
type Analyse = (module: LoadedModule) => ModuleFacts | undefined;

/** Without `analyse`, from what is kept alone: `undefined` if that is not all. */
export function findFileCodes(of: LoadedCode, analyse?: Analyse): FoundCode | undefined {
  const { files, modules, folder, packageImports, statelessPackages = [] } = of;
  const cache = new CodeCache(of.cache, { finds: analyse !== undefined });
  const packages = loadedPackages(packageImports, cache, folder);
  const graph = {
    ...{ packages, statelessPackages, runtime: piecesOf(of.surroundings, folder) },
    hazard: hazardIn(of.surroundings, folder),
    modules: new Map(modules.map((one) => [one.file, codeModule(one, cache, analyse)])),
  };
  const code = packCode(
    files.map((one) => {
      const codeOf = evaluationCodes(graph, one.path);
      return [one, [...one.evaluations].map(([id, place]) => [id, codeOf(place)])];
    }),
  );
  if (analyse === undefined && cache.isNew) return undefined;
  cache.save();
  const found = [...graph.modules.values()];
  return { ...code, wholes: found.flatMap(({ name, facts }) => (facts.isInert ? [] : name)) };
}

/** A module with what the analysis found in it, now or earlier. */
function codeModule(module: LoadedModule, cache: CodeCache, analyse?: Analyse): CodeModule {
  const { file, name, hash, isText, imports } = module;
  const options = needsCompiling(file) ? JSON.stringify(projectOf(file).options) : '';
  const settings = `${packageTypeOf(dirname(file))} ${options}`;
  const found = (): ModuleFacts => {
    if (extname(file) === '.node') return { ...dataFacts(hash), hazard: 'loads an addon' };
    if (!/\.(?:[cm]?[jt]s|[jt]sx)$/.test(file)) return dataFacts(hash);
    // Its text counts, too, and as code some of it does not.
    if (isText) return opaqueFacts(hash);
    return cache.facts(`${hash} ${extname(file)} ${settings}`, () => analyse?.(module));
  };
  return {
    ...{ name, facts: found(), settings },
    // Its version counts; "paths" may have others for its name.
    imports: [...imports].filter(([asked, target]) => !isAssay(asked) || !isInstalled(target)),
  };
}

/**
 * The installed packages that modules of the project have loaded. `imports`: the files that each file of a package
 * imports; `folder`: that of the project.
 */
function loadedPackages(
  imports: ReadonlyMap<string, ReadonlySet<string>>,
  cache: CodeCache,
  folder: string,
): CodePackages {
  const known = new Map<string, readonly Piece[]>();
  const pieces = (file: string): readonly Piece[] => {
    const found = known.get(file) ?? loadedWith(file);
    known.set(file, found);
    return found;
  };
  return { idsOf, pieces };

  function loadedWith(begin: string): Piece[] {
    // What it depends on may be loaded later.
    const byPackage = new Map<string, string[]>(idsOf(begin).map((id) => [id, []]));
    const loaded = new Set(byPackage.size === 0 ? [] : [begin]);
    // Iterating a set includes items that are added meanwhile.
    for (const file of loaded) {
      for (const other of imports.get(file) ?? []) loaded.add(other);
      const { root } = packageOf(file) ?? {};
      // It says what kind of modules they are.
      if (root !== undefined) loaded.add(join(root, 'package.json'));
    }
    for (const file of [...loaded].sort()) {
      // A module of the project that a package has loaded has no other name.
      addTo(byPackage, packageOf(file)?.id ?? relativePath(folder, file), file);
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

/** In case nobody waits for the rest. */
const saveEveryMs = 5000;
// Runs of different eval files do not push each other out.
const mostFacts = 8_000;

/**
 * Keeps what the analysis found in a file of two lines: the version and a checksum, and the facts of modules. A file that is
 * damaged, or of another version, counts as empty.
 */
export class CodeCache {
  readonly #path: string | undefined;
  readonly #facts: Map<string, ModuleFacts>;
  readonly #finds: boolean;
  /** Something was asked for that is not kept. */
  isNew = false;
  #savedAt = performance.now();

  /** Without a path, nothing is kept. `finds`: what is not kept is found. */
  constructor(path: string | undefined, { finds = true } = {}) {
    this.#path = path;
    this.#finds = finds;
    this.#facts = path === undefined ? new Map() : readFacts(path);
  }

  /** The facts of a key. `find` finds them, unless the module is unknown. */
  facts(key: string, find: () => ModuleFacts | undefined): ModuleFacts {
    const hashed = shortHash(key);
    const kept = this.#facts.get(hashed);
    this.isNew ||= kept === undefined;
    const found = kept ?? (this.#finds ? find() : undefined);
    if (found === undefined) return opaqueFacts(hashed);
    // Those that were used last are at the end.
    this.#facts.delete(hashed);
    this.#facts.set(hashed, found);
    if (performance.now() - this.#savedAt > saveEveryMs) this.save();
    return found;
  }

  /** Keeps what is new. Without a folder, or room, nothing is kept. */
  save(): void {
    if (this.#path === undefined || !this.isNew) return;
    this.#savedAt = performance.now();
    const line = JSON.stringify([...this.#facts].slice(-mostFacts));
    const temporary = temporaryPath(this.#path);
    try {
      writeFileSync(temporary, `${headerOf(line)}\n${line}\n`, { mode: 0o600 });
      renameSync(temporary, this.#path);
    } catch {
      unlinkQuietly(temporary);
    }
  }
}

function readFacts(path: string): Map<string, ModuleFacts> {
  try {
    const [header, line = ''] = (readSmallFile(path, 2 ** 28) ?? '').trimEnd().split('\n');
    return new Map(header === headerOf(line) ? (JSON.parse(line) as [string, ModuleFacts][]) : []);
  } catch {
    return new Map();
  }
}

const headerOf = (line: string) =>
  `assay ${readVersion()}, facts ${factsVersion}, ${shortHash(line)}`;
