import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type PathConditions, resolveExports } from 'resolve-pkg-maps';
import { hasSystemCode } from '../../errors.js';
import { findSource, missingSources, needsCompiling } from './find-source.js';
import { isAssay } from './is-assay.js';
import { noteMissing } from './module-graph.js';

const ownRequire = createRequire(import.meta.url);

/** Resolves a `require()` with Node's `next`: source files try sources first, JavaScript files try them last. */
export function resolveRequest<Result>(
  request: string,
  importer: string,
  next: (request: string) => Result,
): Result {
  const isSource = needsCompiling(importer);
  const found = isSource ? findSource(request, importer) : undefined;
  try {
    return next(found ?? request);
  } catch (error) {
    const late = isSource ? undefined : findSource(request, importer);
    const target = late ?? findElsewhere(request, importer, error);
    if (target !== undefined) return next(target);
    noteMissing(importer, missingSources(request, importer));
    throw error;
  }
}

function findElsewhere(request: string, importer: string, error: unknown): string | undefined {
  if (isAssay(request) && hasSystemCode(error, 'MODULE_NOT_FOUND'))
    return ownRequire.resolve(request);
  // The author of a compiled file wrote `import`, and such a package has an entry for it.
  const isImport =
    needsCompiling(importer) && hasSystemCode(error, 'ERR_PACKAGE_PATH_NOT_EXPORTED');
  return isImport ? findImportEntry(request, importer) : undefined;
}

function findImportEntry(request: string, importer: string): string | undefined {
  const [, name, rest] = /^((?:@[^/]+\/)?[^/]+)(?:\/(.+))?$/.exec(request) ?? [];
  if (name === undefined) return undefined;
  for (const folder of createRequire(importer).resolve.paths(request) ?? []) {
    const exports = readExports(path.join(folder, name, 'package.json'));
    if (exports === undefined) continue;
    const [entry] = resolveExports(exports, rest ?? '', ['node', 'import']);
    return entry === undefined ? undefined : path.join(folder, name, entry);
  }
  return undefined;
}

function readExports(manifest: string): PathConditions | undefined {
  try {
    return (JSON.parse(readFileSync(manifest, 'utf8')) as { exports?: PathConditions }).exports;
  } catch {
    return undefined;
  }
}
