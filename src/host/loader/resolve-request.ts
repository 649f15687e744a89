import { readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type PathConditions, resolveExports } from 'resolve-pkg-maps';
import { hasSystemCode } from '../../errors.js';
import { isAssay } from '../installed-packages.js';
import { findBeside, findSource, findUnbuilt, isPath, needsCompiling } from './find-source.js';
import { projectOf } from './tsconfig.js';

const ownRequire = createRequire(import.meta.url);

/** Resolves a `require()` with Node's `next`: source files try sources first, JavaScript files try them last. */
export function resolveRequest<Result>(
  request: string,
  importer: string,
  next: (request: string) => Result,
): Result {
  const isSource = needsCompiling(importer);
  const found = isSource
    ? (findSource(request, importer) ?? findCustomEntry(request, importer))
    : undefined;
  try {
    const result = next(found ?? request);
    if (found !== undefined || isPath(request) || isBuiltin(request)) return result;
    const file = fileOf(result);
    const beside = file === undefined ? undefined : findBeside(file, importer);
    return beside === undefined ? result : next(beside);
  } catch (error) {
    const late = isSource ? undefined : findSource(request, importer);
    const target = late ?? findElsewhere(request, importer, error);
    if (target === undefined) throw error;
    return next(target);
  }
}

/** A hook's result has a URL, that of `require.resolve()` is a path. */
function fileOf(result: unknown): string | undefined {
  if (typeof result === 'string') return result;
  const { url } = result as { readonly url?: unknown };
  return typeof url === 'string' && url.startsWith('file:') ? fileURLToPath(url) : undefined;
}

function findElsewhere(request: string, importer: string, error: unknown): string | undefined {
  if (isAssay(request) && hasSystemCode(error, 'MODULE_NOT_FOUND'))
    return ownRequire.resolve(request);
  // The author of a compiled file wrote `import`, and such a package has an entry for it.
  const isImport =
    needsCompiling(importer) && hasSystemCode(error, 'ERR_PACKAGE_PATH_NOT_EXPORTED');
  return isImport
    ? findEntry(request, importer, ['node', 'import'])
    : findUnbuilt(request, importer, error);
}

/** The entry of a package for the `customConditions` of the project, if it has another for them. */
function findCustomEntry(request: string, importer: string): string | undefined {
  if (isPath(request) || isBuiltin(request) || request.startsWith('#')) return undefined;
  const { customConditions = [] } = projectOf(importer).options;
  if (customConditions.length === 0) return undefined;
  const usual = ['node', 'require', 'module-sync'];
  const entry = findEntry(request, importer, [...usual, ...customConditions]);
  return entry === findEntry(request, importer, usual) ? undefined : entry;
}

function findEntry(
  request: string,
  importer: string,
  conditions: readonly string[],
): string | undefined {
  const [, name, rest] = /^((?:@[^/]+\/)?[^/]+)(?:\/(.+))?$/.exec(request) ?? [];
  if (name === undefined) return undefined;
  for (const folder of createRequire(importer).resolve.paths(request) ?? []) {
    const exports = readExports(path.join(folder, name, 'package.json'));
    if (exports === undefined) continue;
    const entry = entryFor(exports, rest ?? '', conditions);
    return entry === undefined ? undefined : path.join(folder, name, entry);
  }
  return undefined;
}

function entryFor(
  exports: PathConditions,
  rest: string,
  conditions: readonly string[],
): string | undefined {
  try {
    return resolveExports(exports, rest, conditions)[0];
  } catch {
    return undefined;
  }
}

function readExports(manifest: string): PathConditions | undefined {
  try {
    return (JSON.parse(readFileSync(manifest, 'utf8')) as { exports?: PathConditions }).exports;
  } catch {
    return undefined;
  }
}
