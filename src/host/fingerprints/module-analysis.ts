import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { analyseModule } from '../../fingerprints/analyse-module.js';
import { dataFacts, type ModuleFacts, opaqueFacts } from '../../fingerprints/module-facts.js';
import { compile } from '../loader/compile.js';
import { needsCompiling } from '../loader/find-source.js';
import { isContent, type LoadedModule } from '../loader/module-graph.js';
import { packageTypeOf, projectOf } from '../loader/tsconfig.js';
import type { CodeCache } from './code-cache.js';

const isCode = /\.(?:[cm]?[jt]s|[jt]sx)$/;

/** What the analysis of a loaded module found, now or earlier. */
export function factsOf(module: LoadedModule, cache: CodeCache): ModuleFacts {
  const { file, hash, isText } = module;
  if (!isCode.test(file)) return dataFacts(hash);
  // Its text counts, too, and as code some of it does not.
  if (isText) return opaqueFacts(hash);
  return cache.facts(factsKey(file, hash), () => analyse(module));
}

/** Facts are those of a content, compiled with some settings. */
export function factsKey(file: string, hash: string): string {
  const settings = needsCompiling(file)
    ? [projectOf(file).options, packageTypeOf(dirname(file)), /\.\w+$/.exec(file)?.[0]]
    : [];
  return `${hash} ${JSON.stringify(settings)}`;
}

/** `undefined` if the loaded module cannot be had any more: it is not to be kept that nothing is known of it. */
function analyse({ file, hash }: LoadedModule): ModuleFacts | undefined {
  try {
    const bytes = readFileSync(file);
    if (!isContent(bytes, hash)) return undefined;
    const code = needsCompiling(file) ? compile(file).code : bytes.toString();
    return analyseModule(code.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
