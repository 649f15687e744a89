import type { CodeGraph, CodeModule } from '../../fingerprints/code-graph.js';
import { evaluationCodes } from '../../fingerprints/evaluation-code.js';
import type { EvaluationCode, Piece } from '../../model/changes/evaluation-code.js';
import type { FileCode, StoredPiece } from '../../model/changes/file-code.js';
import { readVersion } from '../../package-root.js';
import { relativePath } from '../../text/file-path.js';
import type { ExportPlace } from '../imported-evaluations.js';
import { isAssay } from '../loader/is-assay.js';
import type { LoadedModule } from '../loader/module-graph.js';
import { FactsCache } from './facts-cache.js';
import { packageOf, withDependencies } from './installed-packages.js';
import { factsOf } from './module-analysis.js';

/** What the code of eval files is found from. Plain data, for the thread that finds it. */
export interface LoadedCode {
  readonly files: readonly LoadedFile[];
  /** The modules of all eval files. */
  readonly modules: readonly LoadedModule[];
  /** The working directory, to which names of modules are relative. */
  readonly folder: string;
  /** The file that keeps what the analysis of modules found; absent where nothing is kept. */
  readonly cache?: string | undefined;
}

/** An eval file that has been imported. */
export interface LoadedFile {
  readonly file: string;
  /** Real path. */
  readonly path: string;
  readonly code: string;
  /** By id. */
  readonly evaluations: ReadonlyMap<string, ExportPlace>;
}

/** The code of each eval file. */
export function* fileCodes({
  files,
  modules: loaded,
  folder,
  cache: path,
}: LoadedCode): Generator<FileCode> {
  const cache = new FactsCache(path);
  const modules = new Map<string, CodeModule>();
  const packages = new Map<string, readonly string[]>();
  for (const one of loaded) {
    modules.set(one.file, {
      name: relativePath(folder, one.file),
      facts: factsOf(one, cache),
      imports: targetsOf(one, packages),
    });
  }
  const runtime = [`node ${process.versions.node}`, `assay ${readVersion()}`];
  const graph: CodeGraph = { modules, packages, runtime };
  for (const { file, path: evalFile, code, evaluations } of files) {
    const codeOf = evaluationCodes(graph, evalFile);
    const codes = [...evaluations].map(
      ([id, { exportName, index }]) => [id, codeOf(exportName, index)] as const,
    );
    yield { file, code, ...packed(codes) };
  }
  cache.save();
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
    if (!packages.has(found.id)) {
      // The closure of a package names all that it needs.
      const ids = [...withDependencies(found)].map(({ id }) => id);
      packages.set(found.id, ids);
    }
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
