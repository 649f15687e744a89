import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { needsCompiling } from './find-source.js';
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
export function exportNames(names: readonly string[]): string[] {
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
