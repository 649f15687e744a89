import { createRequire } from 'node:module';
import { noteFile, noteImport } from './module-graph.js';
import { readUtf8 } from './read-utf8.js';
import { resolveRequest } from './resolve-request.js';

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
