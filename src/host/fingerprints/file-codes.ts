import { readFileSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import type { CodeModule } from '../../fingerprints/code-graph.js';
import { evaluationCodes } from '../../fingerprints/evaluation-code.js';
import { dataFacts, type ModuleFacts, opaqueFacts } from '../../fingerprints/module-facts.js';
import { analyseModule } from '../../fingerprints/read-module.js';
import type { EvaluationCode, Piece } from '../../model/code/evaluation-code.js';
import { codeRule, type FileCode } from '../../model/code/file-code.js';
import { relativePath } from '../../text/file-path.js';
import type { ExportPlace } from '../imported-evaluations.js';
import { compileToRead } from '../loader/compile.js';
import { needsCompiling } from '../loader/find-source.js';
import { isAssay } from '../loader/is-assay.js';
import { isContent, type LoadedModule } from '../loader/module-graph.js';
import { packageTypeOf, projectOf } from '../loader/tsconfig.js';
import { CodeCache } from './code-cache.js';
import { loadedPackages } from './loaded-packages.js';
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

/** An eval file that has been imported. */
export interface LoadedFile extends Pick<FileCode, 'file' | 'code'> {
  /** Real path. */
  readonly path: string;
  /** By id. */
  readonly evaluations: ReadonlyMap<string, ExportPlace>;
}

/** The code of each eval file. */
export function* fileCodes(of: LoadedCode): Generator<FileCode> {
  const { files, modules, folder, packageImports, statelessPackages = [] } = of;
  const cache = new CodeCache(of.cache);
  const packages = loadedPackages(packageImports, cache, folder);
  const graph = {
    ...{ packages, statelessPackages, runtime: piecesOf(of.surroundings, folder) },
    hazard: hazardIn(of.surroundings, folder),
    modules: new Map(modules.map((one) => [one.file, codeModule(one, folder, cache)])),
  };
  const isWhole = new Map([...graph.modules.values()].map((one) => [one.name, !one.facts.isInert]));
  for (const { file, path, code, evaluations } of files) {
    const codeOf = evaluationCodes(graph, path);
    const codes = [...evaluations].map(([id, place]) => [id, codeOf(place)] as const);
    const found = packed(codes);
    const wholes = found.pieces.flatMap(([name], at) => (isWhole.get(name) === true ? [at] : []));
    yield { rule: codeRule, file, code, ...found, wholes };
  }
  cache.save();
}

/** A module with what the analysis found in it, now or earlier. */
function codeModule(module: LoadedModule, folder: string, cache: CodeCache): CodeModule {
  const { file, hash, isText, imports } = module;
  const options = needsCompiling(file) ? JSON.stringify(projectOf(file).options) : '';
  const settings = `${packageTypeOf(dirname(file))} ${options}`;
  const found = (): ModuleFacts => {
    if (extname(file) === '.node') return { ...dataFacts(hash), hazard: 'loads an addon' };
    if (!/\.(?:[cm]?[jt]s|[jt]sx)$/.test(file)) return dataFacts(hash);
    // Its text counts, too, and as code some of it does not.
    if (isText) return opaqueFacts(hash);
    return cache.facts(`${hash} ${extname(file)} ${settings}`, () => analyse(module));
  };
  return {
    ...{ name: relativePath(folder, file), facts: found(), settings },
    imports: [...imports].filter(([specifier]) => !isAssay(specifier)),
  };
}

/** `undefined` if the loaded module cannot be had any more: it is not to be kept that nothing is known of it. */
function analyse({ file, hash }: LoadedModule): ModuleFacts | undefined {
  try {
    const bytes = readFileSync(file);
    if (!isContent(bytes, hash)) return undefined;
    return analyseModule(toRead(file, bytes.toString().replace(/^\uFEFF/, '')));
  } catch {
    return undefined;
  }
}

/** An ES module, also where CommonJS runs; syntax that exists only there stays as it is. */
function toRead(file: string, source: string): string {
  try {
    return needsCompiling(file) ? compileToRead(file) : source;
  } catch {
    return source;
  }
}

/** Each piece once, and the positions of those of each evaluation. */
function packed(
  codes: readonly (readonly [id: string, EvaluationCode])[],
): Pick<FileCode, 'pieces' | 'evaluations'> {
  const positions = new Map<string, number>();
  const pieces: Piece[] = [];
  const positionOf = (piece: Piece): number => {
    const key = piece.join('\0');
    const at = positions.get(key) ?? pieces.push(piece) - 1;
    positions.set(key, at);
    return at;
  };
  const evaluations = codes.map(([id, { target, grading, ...code }]) => [
    id,
    { target: target.map(positionOf), grading: grading.map(positionOf), ...code },
  ]);
  return { pieces, evaluations: Object.fromEntries(evaluations) };
}
