import Module, { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInstalled } from '../installed-packages.js';
import { noteImport, noteLookup } from './module-graph.js';
import { readUtf8, refuseText } from './read-utf8.js';

/** The parts of Node's CommonJS loader that are stable in practice but missing from its types. */
interface CommonJsLoader {
  _resolveFilename: (
    request: string,
    parent: ParentModule | undefined,
    isMain?: boolean,
    options?: { readonly paths?: readonly string[] },
  ) => string;
  readonly _extensions: Record<string, (module: RunnableModule, file: string) => void>;
}

interface ParentModule {
  readonly filename?: string | null;
}

interface RunnableModule {
  _compile: (code: string, file: string, format: 'commonjs') => unknown;
}

type Compile = typeof import('./compile.js');
type ResolveRequest = typeof import('./resolve-request.js');

const ownRequire = createRequire(import.meta.url);
const ownFolder = fileURLToPath(new URL('.', import.meta.url));
// Missing from Node's types, but every TypeScript loader uses them.
const loader = Module as unknown as CommonJsLoader;
const handedOver = new Map<string, string>();

/** Runs compiled code as CommonJS. Called by facades. `fresh` discards an earlier run. */
export function requireCompiled(file: string, code: string, fresh: boolean): unknown {
  if (fresh) delete ownRequire.cache[file];
  handedOver.set(file, code);
  try {
    // Not the `require` of the file, which would count as importing itself.
    return ownRequire(file);
  } finally {
    handedOver.delete(file);
  }
}

/** Takes the compiled code for the current `require()`, once. */
export function takeHandedOver(file: string): string | undefined {
  const code = handedOver.get(file);
  handedOver.delete(file);
  return code;
}

/** Makes `require()` and `require.resolve()` find sources; not all of these calls reach the hooks. */
export function resolveInRequire(): void {
  const original = loader._resolveFilename;
  loader._resolveFilename = (request, parent, ...rest) => {
    const next = (target: string) => original.call(loader, target, parent, ...rest);
    const importer = parent?.filename ?? undefined;
    const { paths } = rest[1] ?? {};
    const note = (found?: string) => {
      // As if files of these folders had looked.
      for (const folder of paths ?? []) noteLookup(path.resolve(folder, '_'), request, found);
      if (importer === undefined) return;
      if (found === undefined) noteLookup(importer, request);
      else noteImport(importer, request, found);
    };
    try {
      const file = resolveLate(request, importer, next);
      note(file);
      return file;
    } catch (error) {
      note();
      throw error;
    }
  };
}

/** Makes `require()` compile sources, for a Node whose hooks do not cover it. */
export function compileInRequire(): void {
  for (const extension of ['.ts', '.tsx', '.mts', '.cts', '.jsx']) {
    loader._extensions[extension] = (module, file) => {
      module._compile(takeHandedOver(file) ?? compileForRequire(file), file, 'commonjs');
    };
  }
  const loadJson = loader._extensions['.json'];
  loader._extensions['.json'] = (module, file) => {
    if (!isInstalled(file)) readUtf8(file);
    loadJson?.(module, file);
  };
  // The loader for files with an unknown extension.
  const loadJavaScript = loader._extensions['.js'];
  loader._extensions['.js'] = (module, file) => {
    if (!/\.c?js$/.test(file)) refuseText(file);
    loadJavaScript?.(module, file);
  };
}

// Both are loaded when a source is really required: most processes never do that.

function resolveLate(
  request: string,
  importer: string | undefined,
  next: (request: string) => string,
): string {
  if (importer === undefined || isPlain(importer)) return next(request);
  const { resolveRequest } = ownRequire('./resolve-request.cjs') as ResolveRequest;
  return resolveRequest(request, importer, next);
}

/** True for files that Node can load itself: those of assay, and the JavaScript of installed packages. */
function isPlain(file: string): boolean {
  return file.startsWith(ownFolder) || /[\\/]node_modules[\\/].*\.c?js$/.test(file);
}

function compileForRequire(file: string): string {
  return (ownRequire('./compile.cjs') as Compile).compileForRequire(file);
}
