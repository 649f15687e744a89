import { readFileSync } from 'node:fs';
import type { FileCode, StoredPiece } from '../../model/changes/file-code.js';
import { readVersion } from '../../package-root.js';
import { relativePath } from '../../text/file-path.js';
import type { ImportedEvaluations } from '../imported-evaluations.js';
import { isAssay } from '../loader/is-assay.js';
import type { LoadedModule } from '../loader/module-graph.js';
import { packageOf, withDependencies } from './installed-packages.js';

/** The code of every eval file that has been imported. */
export function* fileCodes(catalogue: ImportedEvaluations): Generator<FileCode> {
  const runtime = [`node ${process.versions.node}`, `assay ${readVersion()}`];
  for (const [file, evaluations] of catalogue.evaluationsByFile()) {
    const code = catalogue.codeOfFile(file);
    const modules = catalogue.modules.get(file);
    if (code === undefined || modules === undefined) continue;
    const pieces = [
      ...modules.map(
        (one): StoredPiece => [relativePath(catalogue.folder, one.file), one.hash.slice(0, 16)],
      ),
      ...[...packageIds(modules), ...runtime].map((name): StoredPiece => [name, name]),
    ];
    const all = [...pieces.keys()];
    const hazard = hazardOf(modules);
    const whole = { target: all, grading: [], isClosed: false, ...(hazard && { hazard }) };
    const entries = [...evaluations].map((id) => [id, whole] as const);
    yield { file, code, pieces, evaluations: Object.fromEntries(entries) };
  }
}

/** Modules of Node, globals and packages that run what the modules of an eval file do not show. */
const hazards = [
  /\b(?:child_process|worker_threads|cluster|wasi)\b/,
  /['"](?:node:)?vm['"]/,
  /\beval\s*\(|\bnew\s+Function\b/,
  /\.node['"]/,
  /['"](?:execa|zx|cross-spawn|tinyexec|shelljs|nano-spawn)(?:\/[^'"]*)?['"]/,
];

/** What makes it impossible to tell what code depends on; `undefined` if nothing does. */
function hazardOf(modules: readonly LoadedModule[]): string | undefined {
  for (const { file } of modules) {
    const source = readQuietly(file);
    const [found] = hazards.flatMap((one) => one.exec(source)?.[0] ?? []);
    if (found !== undefined) return `its code uses ${found.replace(/['"(]/g, '').trim()}`;
  }
  return undefined;
}

function readQuietly(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return 'eval(';
  }
}

/** `name@version` of every package that modules import, and of those that they depend on. */
function packageIds(modules: readonly LoadedModule[]): string[] {
  const ids = new Set<string>();
  for (const { imports } of modules) {
    for (const [specifier, file] of imports) {
      const found = isAssay(specifier) ? undefined : packageOf(file);
      if (found === undefined) continue;
      for (const { id } of withDependencies(found)) ids.add(id);
    }
  }
  return [...ids].sort();
}
