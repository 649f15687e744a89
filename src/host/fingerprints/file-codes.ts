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
    const whole = { target: all, grading: [], isClosed: false };
    const entries = [...evaluations].map((id) => [id, whole] as const);
    yield { file, code, pieces, evaluations: Object.fromEntries(entries) };
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
