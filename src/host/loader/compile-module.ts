import { createRequire } from 'node:module';
import { compileWithSwc, definesClassFields } from './compile-swc.js';
import { loadCompiler } from './load-compiler.js';
import { mergeNamespaces, mergesNamespaces } from './merge-namespaces.js';
import { preludeFor } from './prelude.js';
import { createSyntaxError } from './syntax-error.js';
import { inlineTexts } from './text-module.js';
import type { Project } from './tsconfig.js';

type Oxc = typeof import('oxc-transform');
type SourceMap = import('oxc-transform').SourceMap;

const require = createRequire(import.meta.url);

/** What the fast compiler says of namespaces that export variables. */
const unsupported = /^Namespaces exporting non-const are not supported/;

/** Decorators and `accessor` fields. */
const decorators = /(?:^|[;{}()\s])@[\w$([]|\baccessor\s+[\w$#["']/m;

/** Compiles a source to an ES module with an inline source map. Throws a `SyntaxError` with its location. */
export function compileModule(file: string, source: string, project: Project): string {
  const fast = transformOrThrow(file, source, project, { sourcemap: true });
  if (fast !== undefined && !needsLowering(source, project)) {
    return withPrelude(fast.code, fast.map as SourceMap);
  }
  const lowered = compileSlowly(file, source, project, 'es6');
  return withPrelude(lowered.code, JSON.parse(lowered.map) as SourceMap);
}

/** Compiles a source to CommonJS with an inline source map. Throws a `SyntaxError` with its location. */
export function compileCommonJs(file: string, source: string, project: Project): string {
  // The fast compiler finds more errors than SWC, with their locations.
  transformOrThrow(file, source, project, { sourcemap: false });
  const { code, map } = compileSlowly(file, source, project, 'commonjs');
  return inlineTexts(code, file, source) + inlineMap(JSON.parse(map) as SourceMap);
}

function compileSlowly(...given: Parameters<typeof compileWithSwc>) {
  const [, source] = given;
  const compiled = compileWithSwc(...given);
  if (!mergesNamespaces(source)) return compiled;
  return { ...compiled, code: mergeNamespaces(compiled.code) };
}

/** True for syntax that the fast compiler does not lower; a false positive only costs time. */
function needsLowering(source: string, project: Project): boolean {
  return (
    decorators.test(source) ||
    mergesNamespaces(source) ||
    (/\bclass\b/.test(source) && !definesClassFields(project))
  );
}

/** `undefined` for a source that the fast compiler cannot compile, but others can. */
function transformOrThrow(
  file: string,
  source: string,
  project: Project,
  { sourcemap }: { readonly sourcemap: boolean },
) {
  const result = transform(file, source, project.options, sourcemap);
  const first = result.errors.find(({ message }) => !unsupported.test(message));
  if (first !== undefined) {
    const offset = first.labels[0]?.start ?? 0;
    const { message, codeframe: frame } = first;
    throw createSyntaxError(file, source, { message, offset, frame });
  }
  // Helpers would be imported from a package that the user may not have.
  const isComplete = result.errors.length === 0 && Object.keys(result.helpersUsed).length === 0;
  return isComplete ? result : undefined;
}

/** Runs the fast compiler without checking for errors. */
export function transform(
  file: string,
  source: string,
  options: Project['options'],
  sourcemap: boolean,
) {
  const oxc = loadCompiler<Oxc>('oxc-transform', () => require('oxc-transform'));
  const classic = options.jsx === 'react';
  return oxc.transformSync(file, source, {
    lang: oxcLanguage(file),
    sourceType: file.endsWith('.cts') ? 'commonjs' : 'module',
    target: 'node20',
    sourcemap,
    typescript: { onlyRemoveTypeImports: options.verbatimModuleSyntax === true },
    jsx: {
      runtime: classic ? 'classic' : 'automatic',
      ...(!classic && options.jsxImportSource && { importSource: options.jsxImportSource }),
      ...(classic && options.jsxFactory && { pragma: options.jsxFactory }),
      ...(classic && options.jsxFragmentFactory && { pragmaFrag: options.jsxFragmentFactory }),
    },
  });
}

function oxcLanguage(file: string): 'ts' | 'tsx' | 'jsx' {
  if (file.endsWith('.jsx')) return 'jsx';
  return file.endsWith('.tsx') ? 'tsx' : 'ts';
}

function withPrelude(code: string, map: SourceMap): string {
  const prelude = preludeFor(code);
  // In a source map, a semicolon ends a line: here the prelude, which has no original.
  const mappings = prelude === '' ? map.mappings : `;${map.mappings}`;
  return prelude + code + inlineMap({ ...map, mappings });
}

function inlineMap(map: SourceMap): string {
  const encoded = Buffer.from(JSON.stringify(map)).toString('base64');
  return `\n//# sourceMappingURL=data:application/json;base64,${encoded}\n`;
}
