import { open, stat } from 'node:fs/promises';
import { parseRunDocument, readRunText } from '../store/exported/read-exported-run.js';
import { braintrust } from './braintrust.js';
import { readEvaliteDatabase } from './evalite.js';
import { ezvals } from './ezvals.js';
import type { ForeignFormat, ForeignResults } from './foreign-run.js';
import { inspect, readInspectArchive } from './inspect.js';
import { promptfoo } from './promptfoo.js';
import { openZip } from './zip.js';

const formats: readonly ForeignFormat[] = [promptfoo, inspect, ezvals, braintrust];

/** A file of results: of another tool, or `own`, an exported run that the store checks. */
export type ReadResults =
  | { readonly kind: 'foreign'; readonly foreign: ForeignResults }
  | { readonly kind: 'own'; readonly document: unknown };

/**
 * Reads results, and recognises by their content which tool wrote them. Errors: `unreadable-run`, and `bad-request`
 * with the place of a wrong value.
 */
export async function readResults(path: string): Promise<ReadResults> {
  const mark = await firstBytes(path);
  if (mark === zipMark) return { kind: 'foreign', foreign: await readArchive(path) };
  if (mark === sqliteMark) return { kind: 'foreign', foreign: await readEvaliteDatabase(path) };
  const document = parseResults(await readRunText(path, path), path);
  const format = formats.find(({ recognises }) => recognises(document));
  if (format === undefined) return { kind: 'own', document };
  return { kind: 'foreign', foreign: format.read(document) };
}

const zipMark = 'PK\x03\x04';
const sqliteMark = 'SQLi';

/** The first four bytes as Latin-1; empty for what is no regular file, or cannot be read. */
async function firstBytes(path: string): Promise<string> {
  // Opening a pipe might never end.
  const stats = await stat(path).catch(() => undefined);
  if (stats?.isFile() !== true) return '';
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return '';
  const { buffer, bytesRead } = await file
    .read(Buffer.alloc(4), 0, 4, 0)
    .finally(() => file.close());
  return buffer.toString('latin1', 0, bytesRead);
}

async function readArchive(path: string): Promise<ForeignResults> {
  const archive = await openZip(path);
  try {
    return await readInspectArchive(archive, (text, name) =>
      parseRunDocument(withoutConstants(text), `${path} ${name}`, 'results'),
    );
  } finally {
    await archive.close();
  }
}

function parseResults(text: string, path: string): unknown {
  const json = withoutConstants(text);
  const lines = linesOf(json);
  if (lines === undefined) return parseRunDocument(json, path);
  return lines.flatMap(([line, number]) =>
    line === '' ? [] : [parseRunDocument(line, `${path} line ${number}`, 'results')],
  );
}

/** The lines of JSON Lines with their numbers; `undefined` unless the first line is a whole object and others follow. */
function linesOf(text: string): readonly (readonly [string, number])[] | undefined {
  const end = text.indexOf('\n');
  const first = text.slice(0, end).trim();
  if (end < 0 || !first.startsWith('{') || !first.endsWith('}')) return undefined;
  if (text.slice(end).trim() === '') return undefined;
  return text.split('\n').map((line, at) => [line.trim(), at + 1] as const);
}

const constant = /-?\b(?:NaN|Infinity)\b/g;

/** Python writes numbers that JSON does not have: they are unknown. */
function withoutConstants(text: string): string {
  if (text.search(constant) < 0) return text;
  let clean = '';
  let at = 0;
  while (at < text.length) {
    const quote = text.indexOf('"', at);
    const outside = quote < 0 ? text.length : quote;
    clean += text.slice(at, outside).replace(constant, 'null');
    if (quote < 0) break;
    at = endOfString(text, quote);
    clean += text.slice(quote, at);
  }
  return clean;
}

/** The position after the closing quote of a string. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text[at - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return at + 1;
  }
  return text.length;
}
