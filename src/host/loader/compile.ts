import { createRequire } from 'node:module';
import path from 'node:path';
import { compileFunction } from 'node:vm';
import type { ReactConfig } from '@swc/core';
import { stopVariable } from '../../protocol/host-variables.js';
import { needsCompiling } from './find-source.js';
import { inlineTexts } from './made-modules.js';
import { mergeNamespaces, mergesNamespaces } from './merge-namespaces.js';
import { noteSource } from './module-graph.js';
import { readUtf8 } from './read-utf8.js';
import { type Project, packageTypeOf, projectOf } from './tsconfig.js';

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
  const stops = isToStop;
  isToStop = false;
  const compileTo = { module: compileModule, commonjs: compileCommonJs };
  const compileAs = (format: Compiled['format']): Compiled => {
    return { format, code: compileTo[format](file, source, project, stops) };
  };
  if (isModule(file)) return compileAs('module');
  const compiled = compileAs('commonjs');
  const isModuleAfterAll = !/\.c[jt]s$/.test(file) && awaitsAtTopLevel(source, compiled.code);
  return isModuleAfterAll ? compileAs('module') : compiled;
}

/** The next file that is compiled to run is to stop for a debugger: the first eval file, before all that it imports. */
let isToStop = process.env[stopVariable] !== undefined;

/** True if the next file that runs has to be compiled, whatever it is. */
export function stopsNext(): boolean {
  return isToStop;
}

/**
 * The source of any file as an ES module, for those who read it: imports and exports stay what they are, also where CommonJS
 * runs. As it is where it need not, or cannot, be compiled.
 */
export function compileToRead(file: string, source: string): string {
  try {
    return needsCompiling(file) ? compileModule(file, source, projectOf(file)) : source;
  } catch {
    return source;
  }
}

/** Compiles any file to CommonJS, for a `require()` that cannot load ES modules. */
export function compileForRequire(file: string): string {
  return compileCommonJs(file, readSource(file), projectOf(file));
}

function readSource(file: string): string {
  return readUtf8(file, (source) => noteSource(file, source));
}

function isModule(file: string): boolean {
  if (/\.m[jt]s$/.test(file)) return true;
  if (/\.c[jt]s$/.test(file)) return false;
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

type Oxc = typeof import('oxc-transform');
type SourceMap = import('oxc-transform').SourceMap;

const require = createRequire(import.meta.url);

/** What the fast compiler says of namespaces that export variables. */
const unsupported = /^Namespaces exporting non-const are not supported/;

/** Decorators and `accessor` fields. */
const decorators = /(?:^|[;{}()\s])@[\w$([]|\baccessor\s+[\w$#["']/m;

/**
 * Compiles a source to an ES module with an inline source map. `stops`: a debugger stops where it begins. Throws a
 * `SyntaxError` with its location.
 */
export function compileModule(
  file: string,
  source: string,
  project: Project,
  stops = false,
): string {
  const fast = transformOrThrow(file, source, project, { sourcemap: true });
  if (fast !== undefined && !needsLowering(source, project)) {
    return withPrelude(fast.code, fast.map as SourceMap, stops);
  }
  const lowered = compileSlowly(file, source, project, 'es6');
  return withPrelude(lowered.code, JSON.parse(lowered.map) as SourceMap, stops);
}

/** The same to CommonJS. */
export function compileCommonJs(
  file: string,
  source: string,
  project: Project,
  stops = false,
): string {
  // The fast compiler finds more errors than SWC, with their locations.
  transformOrThrow(file, source, project, { sourcemap: false });
  const { code, map } = compileSlowly(file, source, project, 'commonjs');
  const parsed = JSON.parse(map) as SourceMap;
  const texts = inlineTexts(code, file, source);
  if (!stops) return texts + inlineMap(parsed);
  // A directive must come first.
  const [directive = ''] = /^"use strict";\n/.exec(texts) ?? [];
  const lines = parsed.mappings.split(';');
  lines.splice(directive === '' ? 0 : 1, 0, sameAsBefore);
  const mappings = lines.join(';');
  return directive + stopLine + texts.slice(directive.length) + inlineMap({ ...parsed, mappings });
}

/** A line that stops for a debugger, and its part of a source map: at its first column the place of what is before it, or the first. */
const stopLine = 'debugger;\n';
const sameAsBefore = 'AAAA';

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

function withPrelude(code: string, map: SourceMap, stops: boolean): string {
  const prelude = preludeFor(code);
  const stop = stops ? stopLine : '';
  // In a source map, a semicolon ends a line: here the prelude, which has no original.
  const before = (prelude === '' ? '' : ';') + (stops ? `${sameAsBefore};` : '');
  return prelude + stop + code + inlineMap({ ...map, mappings: before + map.mappings });
}

function inlineMap(map: SourceMap): string {
  const encoded = Buffer.from(JSON.stringify(map)).toString('base64');
  return `\n//# sourceMappingURL=data:application/json;base64,${encoded}\n`;
}

/**
 * Compiles with the slower compiler, which can also convert ES modules to CommonJS, lower decorators and use the
 * older class field semantics. Returns code and source map as JSON.
 */
export function compileWithSwc(
  file: string,
  source: string,
  project: Project,
  format: 'es6' | 'commonjs',
): { readonly code: string; readonly map: string } {
  // Loaded on first use, because most files never need it.
  const { transformSync } = loadCompiler<typeof import('@swc/core')>('@swc/core', () =>
    require('@swc/core'),
  );
  const { options } = project;
  const { code, map } = transformSync(source, {
    filename: file,
    swcrc: false,
    configFile: false,
    sourceMaps: true,
    inputSourceMap: false,
    module: { type: format, ignoreDynamic: true, exportInteropAnnotation: true } as const,
    jsc: {
      target: 'es2022',
      experimental: { keepImportAttributes: true },
      parser: { syntax: 'typescript', decorators: true, tsx: /x$/.test(file) },
      transform: {
        react: reactOptions(options),
        useDefineForClassFields: definesClassFields(project),
        verbatimModuleSyntax: options.verbatimModuleSyntax === true,
        ...(options.experimentalDecorators === true
          ? { legacyDecorator: true, decoratorMetadata: options.emitDecoratorMetadata === true }
          : { decoratorVersion: '2023-11' }),
      },
    },
  });
  return {
    code: withBoundHelper(code),
    map: map ?? '{"version":3,"sources":[],"names":[],"mappings":""}',
  };
}

/** SWC renames the declaration of this helper of `using`, but not its use. */
function withBoundHelper(code: string): string {
  return code.replace(/^var _SuppressedError\d+ = typeof/m, 'var _SuppressedError = typeof');
}

/** TypeScript's default for `useDefineForClassFields`; without a target, that of its newest target. */
export function definesClassFields({ options }: Project): boolean {
  if (options.useDefineForClassFields !== undefined) return options.useDefineForClassFields;
  return options.target === undefined || /^es(?:202[2-9]|next)$/i.test(options.target);
}

function reactOptions(options: Project['options']): ReactConfig {
  if (options.jsx !== 'react') {
    return { runtime: 'automatic', importSource: options.jsxImportSource ?? 'react' };
  }
  return {
    runtime: 'classic',
    pragma: options.jsxFactory ?? 'React.createElement',
    pragmaFrag: options.jsxFragmentFactory ?? 'React.Fragment',
  };
}

/**
 * Loads a compiler that is a native program. Throws an error with the true reason if that is missing or does not start:
 * the compiler's own error blames npm.
 */
export function loadCompiler<Compiler>(name: string, load: () => unknown): Compiler {
  try {
    return load() as Compiler;
  } catch (error) {
    const platform = `${process.platform}-${process.arch}`;
    const reason = [...causesOf(error)].find((cause) => !isMissing(cause));
    throw new Error(
      reason === undefined
        ? `the program of ${name} for ${platform} is not installed, because it is an optional dependency: install again with npm install --include=optional`
        : `the program of ${name} for ${platform} could not be loaded: ${reason.message}`,
    );
  }
}

/** The causes of an error, without itself: some compilers have a chain of them, others a list. */
function* causesOf(error: unknown): Iterable<Error> {
  for (const cause of [(error as Error).cause].flat()) {
    if (!(cause instanceof Error)) continue;
    yield cause;
    yield* causesOf(cause);
  }
}

function isMissing(error: Error): boolean {
  // The compiler wraps Node's errors, without their codes.
  return /^(?:Cannot find module|Unsupported OS)/.test(error.message);
}

/** ES module replacements for the variables that CommonJS defines. */
const substitutes: Readonly<Record<string, string>> = {
  require: 'const require = __assay_module.createRequire(import.meta.url);',
  __filename: 'const __filename = import.meta.filename;',
  __dirname: 'const __dirname = import.meta.dirname;',
};

/**
 * One line to put before an ES module that uses `require`, `__filename` or `__dirname` without declaring or testing
 * for them; empty if it needs none.
 */
export function preludeFor(code: string): string {
  const missing = Object.keys(substitutes).filter((name) => uses(code, name) && !knows(code, name));
  if (missing.length === 0) return '';
  const lines = missing.map((name) => substitutes[name]).join(' ');
  return `import __assay_module from 'node:module'; ${lines}\n`;
}

function uses(code: string, name: string): boolean {
  return new RegExp(`(?<![.\\w$])${name}(?![\\w$])`).test(code);
}

function knows(code: string, name: string): boolean {
  const patterns = [
    `\\b(?:const|let|var)\\b[^=;]*(?<![.\\w$])${name}\\b[^=;]*=`,
    `\\bfunction\\s+${name}\\b`,
    `\\bimport\\b[^'";]*(?<![\\w$])${name}\\b[^'";]*\\bfrom\\b`,
    `\\btypeof\\s+${name}\\b`,
  ];
  return new RegExp(patterns.join('|')).test(code);
}

/** A syntax error in a source file, at an offset in bytes of UTF-8. */
export interface SyntaxMistake {
  readonly message: string;
  readonly offset: number;
  /** The lines of source around it with a marker, if the compiler provides them. */
  readonly frame?: string | null;
}

/** Lines of a frame that repeat the message and the place, end the frame, or are empty. */
const saidAbove = /^\s*(?:[x×] .*|[,╭][-─]+\[.*\]|[`╰][-─]+)?$/;

/**
 * Creates a `SyntaxError` whose first line is `file:line:column: message` (both from 1) and whose stack names that
 * location.
 */
export function createSyntaxError(
  file: string,
  source: string,
  mistake: SyntaxMistake,
): SyntaxError {
  const before = Buffer.from(source).subarray(0, mistake.offset).toString().split('\n');
  const place = `${file}:${before.length}:${(before.at(-1) ?? '').length + 1}`;
  const lines = (mistake.frame ?? '').split('\n').filter((line) => !saidAbove.test(line));
  const frame = lines.map((line) => `\n${line.trimEnd()}`).join('');
  const error = new SyntaxError(`${place}: ${mistake.message}${frame}`);
  error.stack = `SyntaxError: ${error.message}\n    at ${place}`;
  return error;
}
