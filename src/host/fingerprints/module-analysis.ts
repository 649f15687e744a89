import { readFileSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import { dataFacts, type ModuleFacts, opaqueFacts } from '../../fingerprints/module-facts.js';
import { analyseModule } from '../../fingerprints/read-module.js';
import { compile, compileToRead } from '../loader/compile.js';
import { needsCompiling } from '../loader/find-source.js';
import { isContent, type LoadedModule } from '../loader/module-graph.js';
import { packageTypeOf, projectOf } from '../loader/tsconfig.js';
import type { CodeCache } from './code-cache.js';

/** What the analysis of a loaded module found, now or earlier; with what decides, beside its text, what it means. */
export function analysed(module: LoadedModule, cache: CodeCache) {
  const { file, hash, isText } = module;
  const options = needsCompiling(file) ? JSON.stringify(projectOf(file).options) : '';
  const settings = `${packageTypeOf(dirname(file))} ${options}`;
  const find = () => analyse(module);
  const facts = (): ModuleFacts => {
    if (extname(file) === '.node') return { ...dataFacts(hash), hazard: 'loads an addon' };
    if (!/\.(?:[cm]?[jt]s|[jt]sx)$/.test(file)) return dataFacts(hash);
    // Its text counts, too, and as code some of it does not.
    return isText ? opaqueFacts(hash) : cache.facts(`${hash} ${extname(file)} ${settings}`, find);
  };
  return { facts: facts(), settings };
}

/** `undefined` if the loaded module cannot be had any more: it is not to be kept that nothing is known of it. */
function analyse({ file, hash }: LoadedModule): ModuleFacts | undefined {
  try {
    const bytes = readFileSync(file);
    if (!isContent(bytes, hash)) return undefined;
    const code = needsCompiling(file) ? compiled(file) : bytes.toString();
    return analyseModule(code.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

/** What is read is an ES module, also where CommonJS runs. */
function compiled(file: string): string {
  try {
    return compileToRead(file);
  } catch {
    // Some syntax exists only where CommonJS comes out.
    return compile(file).code;
  }
}
