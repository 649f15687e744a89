import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { dataFacts, type ModuleFacts, opaqueFacts } from '../../fingerprints/module-facts.js';
import { analyseModule } from '../../fingerprints/read-module.js';
import { shortHash } from '../../text/short-hash.js';
import { compile, compileToRead } from '../loader/compile.js';
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
function factsKey(file: string, hash: string): string {
  const settings = needsCompiling(file)
    ? [projectOf(file).options, packageTypeOf(dirname(file)), /\.\w+$/.exec(file)?.[0]]
    : [];
  return `${hash} ${JSON.stringify(settings)}`;
}

/** What decides what the text of a module means, beside its text. */
export function settingsOf(file: string): string {
  const type = packageTypeOf(dirname(file));
  if (type === 'module' || !needsCompiling(file)) return type;
  // What is read is an ES module, and what runs may be CommonJS.
  return `${type} ${shortHash(JSON.stringify(projectOf(file).options))}`;
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

function compiled(file: string): string {
  try {
    return compileToRead(file);
  } catch {
    // Some syntax exists only where CommonJS comes out.
    return compile(file).code;
  }
}
