import path from 'node:path';
import { compileFunction } from 'node:vm';
import { compileCommonJs, compileModule } from './compile-module.js';
import { noteSource } from './module-graph.js';
import { readUtf8 } from './read-utf8.js';
import { packageTypeOf, projectOf } from './tsconfig.js';

/** JavaScript that Node can run, with an inline source map. */
export interface Compiled {
  readonly format: 'module' | 'commonjs';
  readonly code: string;
}

/**
 * Reads and compiles a source file. The format follows TypeScript: `.mts`, and `.ts` in packages of type module,
 * are ES modules; everything else is CommonJS, except files with top-level await. Throws a `SyntaxError` that names
 * file, line and column.
 */
export function compile(file: string): Compiled {
  const source = readSource(file);
  const project = projectOf(file);
  if (isModule(file)) return { format: 'module', code: compileModule(file, source, project) };
  const code = compileCommonJs(file, source, project);
  if (!file.endsWith('.cts') && awaitsAtTopLevel(source, code)) {
    return { format: 'module', code: compileModule(file, source, project) };
  }
  return { format: 'commonjs', code };
}

/** Compiles any file to an ES module, for those who read it: imports and exports stay what they are in the source. */
export function compileToRead(file: string): string {
  return compileModule(file, readSource(file), projectOf(file));
}

/** Compiles any file to CommonJS, for a `require()` that cannot load ES modules. */
export function compileForRequire(file: string): string {
  return compileCommonJs(file, readSource(file), projectOf(file));
}

function readSource(file: string): string {
  return readUtf8(file, (source) => noteSource(file, source));
}

function isModule(file: string): boolean {
  if (file.endsWith('.mts')) return true;
  if (file.endsWith('.cts')) return false;
  return packageTypeOf(path.dirname(file)) === 'module';
}

function awaitsAtTopLevel(source: string, code: string): boolean {
  if (!/\bawait\b/.test(source)) return false;
  try {
    compileFunction(code, ['exports', 'require', 'module', '__filename', '__dirname']);
    return false;
  } catch (error) {
    return error instanceof SyntaxError;
  }
}
