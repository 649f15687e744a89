import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  type Cache,
  createFilesMatcher,
  createPathsMatcher,
  getTsconfig,
  parseTsconfig,
  type TsConfigJsonResolved,
  type TsConfigResult,
} from 'get-tsconfig';
import { tsconfigVariable } from '../../protocol/host-variables.js';
import { isInstalled } from '../installed-packages.js';

/** The settings of the `tsconfig.json` for a file. */
export interface Project {
  readonly options: NonNullable<TsConfigJsonResolved['compilerOptions']>;
  /** Absolute candidates for a bare specifier from `paths` and `baseUrl`; empty if none applies. */
  readonly candidatesFor: (specifier: string) => readonly string[];
  /** The path of the source that a build would write to this path; `undefined` outside of its output folder. */
  readonly sourceOf: (output: string) => string | undefined;
}

/** A `tsconfig.json` and those that it references. */
interface Solution extends Project {
  /** It has no files of its own. */
  readonly isEmpty: boolean;
  readonly includes: (file: string) => boolean;
  readonly references: readonly Solution[];
}

/** Of processes and threads, from their start on. */
const named = process.env[tsconfigVariable] || undefined;

const noProject: Project = {
  options: {},
  candidatesFor: () => [],
  sourceOf: () => undefined,
};
const tsconfigCache: Cache = new Map();
const solutions = new Map<string, Solution | undefined>();
const projects = new Map<string, Project>();
const packageTypes = new Map<string, string>();

/**
 * The settings that apply to `file`; none for files of installed packages. They are those of the `tsconfig.json` that
 * is named, else of the nearest, or of the first that it references and that includes the file; if none includes it, and the nearest
 * has no files of its own, those of the first reference. Throws if a `tsconfig.json` cannot be read.
 */
export function projectOf(file: string): Project {
  if (isInstalled(file)) return noProject;
  const directory = named ?? path.dirname(file);
  if (!solutions.has(directory)) solutions.set(directory, readSolution(directory));
  const solution = solutions.get(directory);
  if (solution === undefined || solution.references.length === 0) return solution ?? noProject;
  let project = projects.get(file);
  if (project === undefined) {
    const fallback = solution.isEmpty ? solution.references[0] : undefined;
    project = findIncluding(solution, file, new Set()) ?? fallback ?? solution;
    projects.set(file, project);
  }
  return project;
}

function findIncluding(
  solution: Solution,
  file: string,
  seen: Set<Solution>,
): Solution | undefined {
  if (seen.has(solution)) return undefined;
  seen.add(solution);
  if (solution.includes(file)) return solution;
  for (const reference of solution.references) {
    const found = findIncluding(reference, file, seen);
    if (found !== undefined) return found;
  }
  return undefined;
}

function readSolution(directory: string, cache = tsconfigCache): Solution | undefined {
  if (named !== undefined) {
    const file = configFile(named);
    const config = readOrThrow(file, () => parseTsconfig(file, cache));
    return solutionOf({ path: file, config }, new Set(), cache);
  }
  const tsconfig = readOrThrow(directory, () => getTsconfig(directory, 'tsconfig.json', cache));
  return tsconfig === null ? undefined : solutionOf(tsconfig, new Set(), cache);
}

const lookedAt = new Map<string, readonly string[]>();

/** The paths that were looked at for the settings of `file`: of each `tsconfig.json`, and where others could be. */
export function pathsOfSettings(file: string): readonly string[] {
  if (isInstalled(file)) return [];
  const directory = named ?? path.dirname(file);
  const known = lookedAt.get(directory);
  if (known !== undefined) return known;
  const cache: Cache = new Map();
  try {
    readSolution(directory, cache);
  } catch {
    // What was looked at until then is the reason.
  }
  // A cache has the calls of functions of `node:fs`, such as `readFileSync:/a/tsconfig.json:utf8`.
  const paths = [...cache.keys()].flatMap(
    (key) => /^\w+Sync:(.+?)(?::utf8)?$/.exec(key)?.[1] ?? [],
  );
  lookedAt.set(directory, [...new Set(paths)]);
  return lookedAt.get(directory) ?? [];
}

/** `above`: the files that reference this one. */
function solutionOf(tsconfig: TsConfigResult, above: ReadonlySet<string>, cache: Cache): Solution {
  const { config, path: file } = tsconfig;
  const folder = path.dirname(file);
  const options = config.compilerOptions ?? {};
  const within = new Set([...above, file]);
  const references = (config.references ?? [])
    .map((reference) => configFile(path.resolve(folder, reference.path)))
    .filter((other) => !within.has(other))
    .map((other) => {
      const parsed = readOrThrow(other, () => parseTsconfig(other, cache));
      return solutionOf({ path: other, config: parsed }, within, cache);
    });
  let includes: ((name: string) => unknown) | undefined;
  return {
    options,
    candidatesFor: createPathsMatcher(tsconfig) ?? noProject.candidatesFor,
    sourceOf: (output) => {
      if (options.outDir === undefined) return undefined;
      const within = path.relative(path.resolve(folder, options.outDir), output);
      const isInside = !within.startsWith('..') && !path.isAbsolute(within);
      return isInside ? path.resolve(folder, options.rootDir ?? '.', within) : undefined;
    },
    isEmpty: config.files?.length === 0 && config.include === undefined,
    includes: (name) => {
      includes ??= createFilesMatcher(tsconfig);
      return includes(name) !== undefined;
    },
    references,
  };
}

/** The file for a path of `references`, which may be that of a folder. */
function configFile(reference: string): string {
  return reference.endsWith('.json') ? reference : path.join(reference, 'tsconfig.json');
}

function readOrThrow<Result>(place: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Cannot read the tsconfig.json for ${place}: ${reason}`, { cause: error });
  }
}

/** The `type` of the package that contains `directory`, resolved like Node; `none` without one. */
export function packageTypeOf(directory: string): string {
  let type = packageTypes.get(directory);
  if (type === undefined) {
    const parent = path.dirname(directory);
    const isRoot = parent === directory || path.basename(directory) === 'node_modules';
    type = readPackageType(directory) ?? (isRoot ? 'none' : packageTypeOf(parent));
    packageTypes.set(directory, type);
  }
  return type;
}

/** `undefined` without a readable package.json, `none` if it has no type. */
function readPackageType(directory: string): string | undefined {
  try {
    const text = readFileSync(path.join(directory, 'package.json'), 'utf8');
    const { type } = JSON.parse(text) as { type?: unknown };
    return typeof type === 'string' ? type : 'none';
  } catch {
    return undefined;
  }
}
