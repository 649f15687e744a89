import type { CodeGraph, CodeModule } from '../../fingerprints/code-graph.js';
import { evaluationCodes } from '../../fingerprints/evaluation-code.js';
import type { EvaluationCode, Piece } from '../../model/code/evaluation-code.js';
import type { FileCode, StoredPiece } from '../../model/code/file-code.js';
import { readVersion } from '../../package-root.js';
import { relativePath } from '../../text/file-path.js';
import type { ExportPlace } from '../imported-evaluations.js';
import { isAssay } from '../loader/is-assay.js';
import type { LoadedModule } from '../loader/module-graph.js';
import { CodeCache } from './code-cache.js';
import { packageOf, withDependencies } from './installed-packages.js';
import { factsKey, factsOf } from './module-analysis.js';

/** What the code of eval files is found from. Plain data, for the thread that finds it. */
export interface LoadedCode {
  readonly files: readonly LoadedFile[];
  /** The modules of all eval files. */
  readonly modules: readonly LoadedModule[];
  /** The working directory, to which names of modules are relative. */
  readonly folder: string;
  /** The file that keeps what the analysis of modules found; absent where nothing is kept. */
  readonly cache?: string | undefined;
  /** Names of packages that keep no state between target and grading, beside the known ones. */
  readonly statelessPackages?: readonly string[] | undefined;
}

/** An eval file that has been imported. */
export interface LoadedFile extends Pick<FileCode, 'file' | 'code'> {
  /** Real path. */
  readonly path: string;
  /** By id. */
  readonly evaluations: ReadonlyMap<string, ExportPlace>;
}

/** The code of each eval file. */
export function fileCodes({ files, modules, folder, ...options }: LoadedCode): Iterable<FileCode> {
  const { statelessPackages = [] } = options;
  const cache = new CodeCache(options.cache);
  const packages = new Map<string, readonly string[]>();
  const imports = modules.map((one) => targetsOf(one, packages));
  const runtime = [`node ${process.versions.node}`, `assay ${readVersion()}`];
  const ofModules = modules.map(({ file, hash, isText }, at) => [
    ...[file, factsKey(file, hash), isText],
    imports[at],
  ]);
  const ofFiles = files.map(({ evaluations, ...file }) => [file, [...evaluations]]);
  const parts = [folder, runtime, [...packages], statelessPackages, ofFiles, ofModules];
  return cache.codes(parts, () => {
    const byFile = new Map<string, CodeModule>();
    for (const [at, one] of modules.entries()) {
      const name = relativePath(folder, one.file);
      byFile.set(one.file, { name, facts: factsOf(one, cache), imports: imports[at] ?? [] });
    }
    return codesOf({ modules: byFile, packages, runtime, statelessPackages }, files);
  });
}

function* codesOf(graph: CodeGraph, files: readonly LoadedFile[]): Generator<FileCode> {
  for (const { file, path, code, evaluations } of files) {
    const codeOf = evaluationCodes(graph, path);
    const codes = [...evaluations].map(([id, place]) => [id, codeOf(place)] as const);
    yield { file, code, ...packed(codes) };
  }
}

/** What a module imports, as the graph names it; adds the packages of the closure. */
function targetsOf(
  { imports }: LoadedModule,
  packages: Map<string, readonly string[]>,
): [specifier: string, target: string][] {
  return [...imports].flatMap(([specifier, file]): [string, string][] => {
    if (isAssay(specifier)) return [];
    const found = packageOf(file);
    if (found === undefined) return [[specifier, file]];
    // The closure of a package names all that it needs; each copy of it may find others.
    const ids = [...withDependencies(found)].map(({ id }) => id);
    packages.set(found.id, [...new Set([...(packages.get(found.id) ?? []), ...ids])]);
    return [[specifier, found.id]];
  });
}

/** Each piece once, and the positions of those of each evaluation. */
function packed(
  codes: readonly (readonly [id: string, EvaluationCode])[],
): Omit<FileCode, 'file' | 'code'> {
  const positions = new Map<string, number>();
  const pieces: StoredPiece[] = [];
  const positionOf = ({ name, hash }: Piece): number => {
    const key = `${name}\0${hash}`;
    const known = positions.get(key) ?? pieces.push([name, hash]) - 1;
    positions.set(key, known);
    return known;
  };
  const evaluations = codes.map(([id, { target, grading, isClosed, hazard }]) => {
    const positionsOf = (list: readonly Piece[]) => list.map(positionOf);
    const code = { target: positionsOf(target), grading: positionsOf(grading), isClosed };
    return [id, { ...code, ...(hazard !== undefined && { hazard }) }] as const;
  });
  return { pieces, evaluations: Object.fromEntries(evaluations) };
}
