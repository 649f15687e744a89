import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasSystemCode } from '../errors.js';
import type { EvalFile, ImportFailure } from '../protocol/messages.js';
import { countOf } from '../text/count-text.js';
import { importerOf } from './loader/module-graph.js';
import type { Sanitizer } from './sanitizer.js';
import { errorText } from './thrown.js';

// Nobody reads more in a terminal; the stack contains all of it.
const longestMessage = 2000;

/** Describes why a file could not be imported: what happened, and on which line. */
export function describeImportFailure(
  thrown: unknown,
  file: EvalFile,
  sanitizer: Sanitizer,
): ImportFailure {
  const text = errorText(thrown);
  const missing =
    missingModule(thrown, file) ?? textAsCode(thrown, file) ?? awaitInModule(thrown, file);
  const place = missing ?? placeInStack(thrown, file) ?? placeInStack(causeOf(thrown), file);
  const message = missing?.message ?? `${shortened(headingOf(text))}${placeElsewhere(text, file)}`;
  return {
    file: file.name,
    message: sanitizer.text(message),
    ...(place?.line === undefined ? {} : { line: place.line }),
    ...(place?.column === undefined ? {} : { column: place.column }),
    stack: sanitizer.text(text),
  };
}

/** The text before the stack, without a cause that its error already quotes. */
function headingOf(text: string): string {
  const [heading = text] = text.split(/\n\s+at /);
  const [message = '', cause] = heading.split(
    /\nCaused by: (?:\w+: |threw something that is not an Error: )?/,
  );
  return cause !== undefined && message.includes(cause) ? message : heading;
}

function shortened(heading: string): string {
  return heading.length <= longestMessage ? heading : `${heading.slice(0, longestMessage)}…`;
}

/** The location of the error, if it is in another file than the imported one. */
function placeElsewhere(text: string, { path, name }: EvalFile): string {
  const frames = text.matchAll(/\n\s+at (?:.*\()?(?:file:\/\/)?(\/[^\n()]*:\d+:\d+)\)?/g);
  const [frame] = [...frames].flatMap(([, at = '']) => (at.includes('/node_modules/') ? [] : [at]));
  if (frame === undefined || frame.startsWith(`${path}:`)) return '';
  const folder = path.endsWith(`/${name}`) ? path.slice(0, -name.length) : '';
  return `\nin ${frame.startsWith(folder) ? frame.slice(folder.length) : frame}`;
}

function causeOf(thrown: unknown): unknown {
  return thrown instanceof Error ? thrown.cause : undefined;
}

interface Place {
  readonly line?: number;
  readonly column?: number;
}

/** Node names the resolved path of a missing module; the user knows it by its specifier. */
function missingModule(
  thrown: unknown,
  file: EvalFile,
): (Place & { readonly message: string }) | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown)) return undefined;
  if (thrown.code !== 'ERR_MODULE_NOT_FOUND' && thrown.code !== 'MODULE_NOT_FOUND')
    return undefined;
  const [, named, importer] =
    /^Cannot find (?:module|package) '([^']+)'(?: imported from (.+))?/.exec(thrown.message) ?? [];
  if (named === undefined) return undefined;
  const from = importer?.replace(/^file:\/\/.*$/, (url) => fileURLToPath(url)) ?? file.path;
  const found = findSpecifier(from, named);
  const message = `Cannot find module '${found?.specifier ?? named}'`;
  if (from !== file.path) return { message: `${message}, imported by ${from}` };
  return found === undefined ? { message } : { message, line: found.line };
}

/** A text file that was imported without an import attribute. */
function textAsCode(
  thrown: unknown,
  file: EvalFile,
): (Place & { readonly message: string }) | undefined {
  if (!hasSystemCode(thrown, 'ERR_UNKNOWN_FILE_EXTENSION')) return undefined;
  const [, named = ''] = / for (\/.+)$/s.exec((thrown as Error).message) ?? [];
  return atImport(
    named,
    file,
    (specifier) =>
      `is no code. To import it as text, write: import text from '${specifier}' with { type: 'text' }`,
  );
}

/** A module with top-level await that a file imports which becomes CommonJS. */
function awaitInModule(
  thrown: unknown,
  file: EvalFile,
): (Place & { readonly message: string }) | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const [, required] = hasSystemCode(thrown, 'ERR_REQUIRE_ASYNC_MODULE')
    ? (/Requir(?:ing|ed module:) (\/.+?) *$/m.exec(thrown.message) ?? [])
    : [];
  // A source that was compiled to CommonJS: `await f()` calls a function there, and `await 1` is no expression.
  const [, ran] = /^await is (?:not defined|only valid in)/.test(thrown.message)
    ? (/(?:file:\/\/)?(\/[^\n():]*\.(?:[cm]?tsx?|jsx)):\d+/.exec(thrown.stack ?? '') ?? [])
    : [];
  const named = required ?? ran;
  if (named === undefined) return undefined;
  return atImport(
    named,
    file,
    (specifier) =>
      `awaits at its top level, so only ES modules can import it: set "type": "module" in package.json, or write: await import('${specifier}')`,
  );
}

/** What is wrong with a module, for a sentence that begins with it, at the place that imports it. */
function atImport(
  named: string,
  { path, name }: EvalFile,
  wrong: (specifier: string) => string,
): Place & { readonly message: string } {
  const importer = importerOf(named) ?? path;
  const found = findSpecifier(importer, named);
  const folder = path.endsWith(`/${name}`) ? path.slice(0, -name.length) : '';
  const short = (of: string) => (of.startsWith(folder) ? of.slice(folder.length) : of);
  const message = `${short(named)} ${wrong(found?.specifier ?? `./${basename(named)}`)}`;
  if (found === undefined) return { message };
  if (importer === path) return { message, line: found.line };
  return { message: `${message}\nin ${short(importer)}:${found.line}` };
}

/** The line that imports the module, found by the end of its path. */
function findSpecifier(
  path: string,
  named: string,
): { readonly specifier: string; readonly line: number } | undefined {
  let source: string;
  try {
    source = readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
  for (const [index, line] of source.split('\n').entries()) {
    for (const [, specifier] of line.matchAll(
      /(?:from|import|require)\s*\(?\s*['"]([^'"]+)['"]/g,
    )) {
      if (specifier === undefined) continue;
      const tail = specifier.replace(/^(\.\.?\/)+/, '');
      // Imports of TypeScript name the file that it becomes.
      const isSame = specifier === named || stemOf(named).endsWith(`/${stemOf(tail)}`);
      if (isSame) return { specifier, line: index + 1 };
    }
  }
  return undefined;
}

function stemOf(path: string): string {
  return path.replace(/\.[cm]?[jt]sx?$/, '');
}

function placeInStack(thrown: unknown, file: EvalFile): Place | undefined {
  if (!(thrown instanceof Error) || typeof thrown.stack !== 'string') return undefined;
  const at = thrown.stack.indexOf(file.path);
  if (at === -1) return undefined;
  const [, line, column] =
    /^:(\d+)(?::(\d+))?/.exec(thrown.stack.slice(at + file.path.length)) ?? [];
  if (line === undefined) return undefined;
  return { line: Number(line), ...(column === undefined ? {} : { column: Number(column) }) };
}

/** An imported file without evaluations to run. */
interface EmptyModule {
  readonly exported: readonly (readonly [name: string, value: unknown])[];
  /** Evaluations that were defined while it was imported. */
  readonly defined: number;
  /** Names of its exported evaluations, none of which has cases. */
  readonly withoutCases: readonly string[];
}

/** The reason why a file has no evaluations, for a sentence that begins with the file. */
export function whyEmpty({ exported, defined, withoutCases }: EmptyModule): string {
  const [first, ...others] = withoutCases;
  if (first !== undefined) {
    return `has no cases for ${first}${others.length === 0 ? '' : ` and ${others.length} more`}`;
  }
  if (defined > 0)
    return `defines ${countOf(defined, 'evaluation')} and does not export ${defined === 1 ? 'it' : 'them'}`;
  const byName = new Map(
    exported.filter(([, value]) => value !== undefined && !isEmptyObject(value)),
  );
  // What a CommonJS module exports is also its default.
  if (byName.size > 1 && typeof byName.get('default') === 'object') byName.delete('default');
  const values = [...byName.values()];
  if (values.length === 0) return 'exports nothing';
  const areFunctions = values.every((value) => typeof value === 'function');
  return `exports ${countOf(values.length, areFunctions ? 'function' : 'value')}, no evaluation`;
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
