import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Piece } from '../../model/code/evaluation-code.js';
import { readVersion } from '../../package-root.js';
import { shortHash } from '../../text/short-hash.js';
import { packageOf } from '../installed-packages.js';

// The options of this process, before somebody sets those of others. Reading it later would count as the user's.
const { env } = process;
const nodeOptions = [env.NODE_OPTIONS ?? '', ...process.execArgv].join(' ').trim();

const names = ['TZ', 'LC_ALL', 'LC_MESSAGES', 'LC_TIME', 'LC_NUMERIC', 'LC_COLLATE', 'LANG'];

/** The options of this process, then the variables that decide its time zone and its language. */
export function surroundings(): readonly string[] {
  return [nodeOptions, ...names.map((name) => env[name] ?? '')];
}

/** What every evaluation depends on. `folder`: where relative paths of `NODE_OPTIONS` begin. */
export function piecesOf(of: readonly string[], folder: string): Piece[] {
  const [options = '', zone, ...languages] = of;
  // They are those of the process in each of its threads, and slow to find.
  const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions();
  const platform = `${process.platform} ${process.arch}`;
  const named = [`node ${process.versions.node}`, `assay ${readVersion()}`, platform];
  return [
    ...named.map((name): Piece => [name, name]),
    ['the time zone', `${timeZone} ${zone}`],
    ['the language', [locale, ...languages].join(' ')],
    ...(options === '' ? [] : [['NODE_OPTIONS', shortHash(options)] as const]),
    ...preloads(options, folder),
  ];
}

const preloading =
  /(?:^|\s)(?:--import|--require|-r|--loader|--experimental-loader)(?:=|\s+)("[^"]*"|\S+)/g;

/** The modules that options preload, before anybody sees what they import, with all that they name by a path. */
function preloads(options: string, folder: string): Piece[] {
  const given = [...options.matchAll(preloading)].map(([, one = '']) => one.replaceAll('"', ''));
  const texts = new Map<string, string>();
  const pending = given.map((one) => [one, join(folder, 'x.js')] as const);
  // Iterating an array includes items that are added meanwhile.
  for (const [specifier, importer] of pending) {
    const { file = specifier, text = 'missing' } = load(specifier, importer) ?? {};
    if (texts.has(file)) continue;
    texts.set(file, `${packageOf(file)?.id} ${text}`);
    for (const [, path = ''] of text.matchAll(/['"](\.{1,2}\/[^'"\n]+)['"]/g)) {
      pending.push([path, file]);
    }
  }
  const hash = shortHash([...texts.values()].join('\0'));
  return texts.size === 0 ? [] : [['what NODE_OPTIONS preloads', hash]];
}

function load(specifier: string, importer: string) {
  try {
    const path = specifier.startsWith('file:') ? fileURLToPath(specifier) : specifier;
    const file = createRequire(importer).resolve(path);
    return { file, text: readFileSync(file, 'utf8') };
  } catch {
    return undefined;
  }
}
