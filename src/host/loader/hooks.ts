import { fileURLToPath, pathToFileURL } from 'node:url';
import { isAssay, isInstalled } from '../installed-packages.js';
import { compile, stopsNext, transform } from './compile.js';
import {
  findBeside,
  findSource,
  findUnbuilt,
  isPath,
  missingTargets,
  needsCompiling,
} from './find-source.js';
import { createFacade, createJsonModule, createTextModule } from './made-modules.js';
import { decodePath, noteFile, noteImport, noteLookup } from './module-graph.js';
import { readUtf8, refuseText } from './read-utf8.js';
import { takeHandedOver } from './require.js';
import { resolveRequest } from './resolve-request.js';
import { projectOf } from './tsconfig.js';

/** The context that Node passes to a resolve hook, in a separate thread or in the main thread. */
interface ResolveContext {
  readonly conditions: Iterable<string>;
  readonly parentURL?: string | undefined;
  readonly importAttributes?: Readonly<Record<string, string>> | undefined;
}

/** The fields of a resolve hook's result that are used here. */
interface Resolved {
  readonly url: string;
}

interface LoadContext {
  /** Missing if hooks run in a separate thread; then it is always an import. */
  readonly conditions?: Iterable<string> | undefined;
  readonly importAttributes?: Readonly<Record<string, string>> | undefined;
}

type Next<Context, Result> = (target: string, context: Context) => Result;

interface Loaded {
  readonly format: 'module' | 'commonjs';
  readonly source: string;
  readonly shortCircuit: true;
}

/** Resolve hook: finds sources that Node does not find, and `assay` for files outside any project. */
export function resolve<Result>(
  specifier: string,
  context: ResolveContext,
  next: Next<ResolveContext, Result>,
): Result {
  if (!context.parentURL?.startsWith('file:')) return next(specifier, context);
  const importer = fileURLToPath(context.parentURL);
  const isOfPackage = isInstalled(importer) && !needsCompiling(importer);
  const result = orElse(
    () =>
      isOfPackage ? next(specifier, context) : resolveFrom(importer, specifier, context, next),
    (error) => {
      for (const one of [specifier, ...missingTargets(error)]) noteLookup(importer, one);
      throw error;
    },
  );
  const isText = !isOfPackage && context.importAttributes?.type === 'text';
  const take = (one: unknown) => noteResolved(importer, specifier, one as Resolved, isText);
  // Hooks in a separate thread get a promise.
  return (result instanceof Promise ? result.then(take) : take(result)) as Result;
}

function noteResolved(
  importer: string,
  specifier: string,
  result: Resolved,
  isText: boolean,
): Resolved {
  const { url } = result;
  if (!url.startsWith('file:')) return result;
  noteImport(importer, specifier, fileURLToPath(url));
  // Node 20 keeps one module per URL, so a file that is also imported as code needs another one.
  return isText ? { ...result, url: `${url}${url.includes('?') ? '&' : '?'}text` } : result;
}

function resolveFrom<Result>(
  importer: string,
  specifier: string,
  context: ResolveContext,
  next: Next<ResolveContext, Result>,
): Result {
  if (isRequire(context)) {
    return resolveRequest(specifier, importer, (target) => next(target, context));
  }
  if (isAssay(specifier)) return resolveAssay(specifier, context, next);
  // A name of `imports` begins with #.
  const [, request = '', query = ''] = /^(#?[^?#]*)(.*)$/s.exec(specifier) ?? [];
  const found = findSource(decodePath(request), importer);
  const goTo = (file: string) => next(pathToFileURL(file).href + query, context);
  if (found !== undefined) return goTo(found);
  if (isPath(request)) return next(specifier, context);
  const { customConditions = [] } = projectOf(importer).options;
  const conditions = [...context.conditions, ...customConditions];
  const result = orElse(
    () => next(specifier, { ...context, conditions }),
    (error) => {
      const unbuilt = findUnbuilt(specifier, importer, error);
      if (unbuilt === undefined) throw error;
      return goTo(unbuilt);
    },
  );
  const beside = (one: Result) => {
    const { url } = one as Resolved;
    const source = url.startsWith('file:') ? findBeside(fileURLToPath(url), importer) : undefined;
    return source === undefined ? one : goTo(source);
  };
  return result instanceof Promise ? (result.then(beside) as Result) : beside(result);
}

/**
 * Resolves to the project's own copy of assay; without one, to the running copy. Errors are those of the first
 * attempt.
 */
function resolveAssay<Result>(
  specifier: string,
  context: ResolveContext,
  next: Next<ResolveContext, Result>,
): Result {
  const nextOwn = () => next(specifier, { ...context, parentURL: import.meta.url });
  return orElse(
    () => next(specifier, context),
    (error) =>
      orElse(nextOwn, () => {
        throw error;
      }),
  );
}

/** Hooks in a separate thread get a promise. */
function orElse<Result>(attempt: () => Result, fallback: (error: unknown) => Result): Result {
  try {
    const result = attempt();
    return result instanceof Promise ? (result.catch(fallback) as Result) : result;
  } catch (error) {
    return fallback(error);
  }
}

/** Load hook: compiles TypeScript and JSX, and creates modules for text, and for JSON imported without attributes. */
export function load<Result>(
  url: string,
  context: LoadContext,
  next: Next<LoadContext, Result>,
): Result | Loaded {
  if (!url.startsWith('file:')) return next(url, context);
  const file = fileURLToPath(url);
  const isText = context.importAttributes?.type === 'text';
  if (isText || !needsCompiling(file)) noteFile(file, isText);
  if (isText) return loaded('module', createTextModule(file));
  if (isJson(file)) readUtf8(file);
  if (isRequire(context)) {
    if (needsCompiling(file)) return loadForRequire(file);
    refuseText(file);
    return next(url, context);
  }
  if (needsCompiling(file) || (stopsNext() && !isInstalled(file))) return loadForImport(file, url);
  if (file.endsWith('.json') && context.importAttributes?.type === undefined) {
    return loaded('module', createJsonModule(file));
  }
  return withOrdinaryRequire(next(url, context), file);
}

/** JSON that Node would read with U+FFFD for what is not UTF-8. */
function isJson(file: string): boolean {
  return file.endsWith('.json') && !isInstalled(file);
}

/** Node 22.15 passes a set for `require()`; later versions pass an array. */
function isRequire({ conditions = [] }: { readonly conditions?: Iterable<string> | undefined }) {
  return [...conditions].includes('require');
}

function loadForRequire(file: string): Loaded {
  const code = takeHandedOver(file);
  if (code !== undefined) return loaded('commonjs', code);
  const compiled = compile(file);
  return loaded(compiled.format, compiled.code);
}

function loadForImport(file: string, url: string): Loaded {
  const { format, code } = compile(file);
  if (format === 'module') return loaded(format, code);
  return loaded('module', createFacade(file, code, { fresh: url.includes('?') }));
}

/** Some versions run an imported CommonJS file with their own `require()`, which does not know TypeScript. */
function withOrdinaryRequire<Result>(result: Result, file: string): Result | Loaded {
  const { format, source } = result as { format?: unknown; source?: unknown };
  if (format !== 'commonjs' || source == null || isInstalled(file)) return result;
  return loaded('module', createFacade(file, String(source), { fresh: false }));
}

function loaded(format: Loaded['format'], source: string): Loaded {
  return { format, source, shortCircuit: true };
}

/** Loads the compiler that nearly every file needs, before the first file. */
export function warmUp(): void {
  try {
    transform('warm-up.ts', '', {}, false);
  } catch {
    // The file that needs it says why it cannot be loaded.
  }
}
