import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { needsCompiling } from './find-source.js';
import { noteFile, noteImport } from './module-graph.js';
import { readUtf8 } from './read-utf8.js';
import { resolveRequest } from './resolve-request.js';

const ownRequire = createRequire(import.meta.url);

/**
 * Code with which a facade gets the function that runs its module. Not an import, which would call the hooks that
 * create facades.
 */
const getRequireCompiled = `process.getBuiltinModule('node:module').createRequire(${JSON.stringify(import.meta.url)})('./require.cjs')`;

/**
 * An ES module that re-exports a CommonJS file after the ordinary `require()` has run it. If that file was compiled
 * from an ES module, `default` is what the author exported by that name; otherwise, and in `.cts`, it is
 * `module.exports`, as in Node.
 */
export function createFacade(
  file: string,
  code: string,
  options: { readonly fresh: boolean },
): string {
  // Through `require`, because its ES module initialises asynchronously.
  const { parse } = ownRequire('cjs-module-lexer') as typeof import('cjs-module-lexer');
  const { exports, reexports } = parse(code, file);
  const isEsModule =
    exports.includes('__esModule') && needsCompiling(file) && !file.endsWith('.cts');
  const names = exports.filter(
    (name) => name !== '__esModule' && (isEsModule || name !== 'default'),
  );
  return [
    `const { requireCompiled } = ${getRequireCompiled};`,
    `const it = requireCompiled(${JSON.stringify(file)}, ${JSON.stringify(code)}, ${options.fresh});`,
    ...exportNames(names),
    ...(isEsModule ? [] : ['export default it;']),
    ...reexports.map((request) => `export * from ${JSON.stringify(locate(request, file))};`),
  ].join('\n');
}

/** Statements that export properties of `it` under their own names. */
function exportNames(names: readonly string[]): string[] {
  return names.flatMap((name, i) => [
    `const _${i} = it[${JSON.stringify(name)}];`,
    `export { _${i} as ${JSON.stringify(name)} };`,
  ]);
}

/** Resolves like `require()`, because an import could find another file of the same package. */
function locate(request: string, importer: string): string {
  const target = resolveRequest(request, importer, createRequire(importer).resolve);
  return target === request ? request : pathToFileURL(target).href;
}

/** A module with the value of a JSON file as default export and its keys as named exports, like those of bundlers. */
export function createJsonModule(file: string): string {
  const value = parseFile(file);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const names = isObject ? Object.keys(value).filter((key) => key !== 'default') : [];
  const lines = [`const it = JSON.parse(${JSON.stringify(JSON.stringify(value))});`];
  return [...lines, 'export default it;', ...exportNames(names)].join('\n');
}

function parseFile(file: string): unknown {
  const text = readUtf8(file);
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SyntaxError(`${file}: ${reason}`, { cause: error });
  }
}

/** `from 'specifier' with { type: 'text' }`. */
const textImport =
  /\bfrom\s*(['"])([^'"\n]+)\1\s*with\s*\{\s*(['"]?)type\3\s*:\s*(['"])text\4\s*,?\s*\}/g;

/** A module with the text of a file as default export, without a byte order mark. */
export function createTextModule(file: string): string {
  return `export default ${textLiteral(file)};`;
}

/**
 * Inlines the texts that an ES module imports into its compiled CommonJS code, where `require()` calls have lost
 * the attributes. Throws Node's error for a missing file, and a `SyntaxError` for one that is not UTF-8.
 */
export function inlineTexts(code: string, importer: string, source: string): string {
  let inlined = code;
  for (const [, , specifier = ''] of source.matchAll(textImport)) {
    const call = `require(${JSON.stringify(specifier)})`;
    if (!inlined.includes(call)) continue;
    const file = resolveRequest(specifier, importer, createRequire(importer).resolve);
    noteImport(importer, specifier, file);
    noteFile(file, true);
    inlined = inlined.split(call).join(`({ __esModule: true, default: ${textLiteral(file)} })`);
  }
  return inlined;
}

function textLiteral(file: string): string {
  return JSON.stringify(readUtf8(file));
}
