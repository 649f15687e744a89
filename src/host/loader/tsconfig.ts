import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  type Cache,
  createPathsMatcher,
  getTsconfig,
  type TsConfigJsonResolved,
} from 'get-tsconfig';
import { isInstalled } from './is-installed.js';

/** The settings of the nearest `tsconfig.json` for a file. */
export interface Project {
  readonly options: NonNullable<TsConfigJsonResolved['compilerOptions']>;
  /** Absolute candidates for a bare specifier from `paths` and `baseUrl`; empty if none applies. */
  readonly candidatesFor: (specifier: string) => readonly string[];
}

const noProject: Project = { options: {}, candidatesFor: () => [] };
const tsconfigCache: Cache = new Map();
const projects = new Map<string, Project>();
const packageTypes = new Map<string, string>();

/**
 * The settings that apply to `file`; none for files of installed packages. Throws if a `tsconfig.json` cannot be
 * read.
 */
export function projectOf(file: string): Project {
  if (isInstalled(file)) return noProject;
  const directory = path.dirname(file);
  let project = projects.get(directory);
  if (project === undefined) {
    project = readProject(directory);
    projects.set(directory, project);
  }
  return project;
}

function readProject(directory: string): Project {
  const tsconfig = findTsconfig(directory);
  if (tsconfig === null) return noProject;
  const candidatesFor = createPathsMatcher(tsconfig) ?? noProject.candidatesFor;
  return { options: tsconfig.config.compilerOptions ?? {}, candidatesFor };
}

function findTsconfig(directory: string) {
  try {
    return getTsconfig(directory, 'tsconfig.json', tsconfigCache);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Cannot read the tsconfig.json for ${directory}: ${reason}`, { cause: error });
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
