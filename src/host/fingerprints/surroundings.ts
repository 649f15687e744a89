import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Piece } from '../../model/code/evaluation-code.js';
import { readVersion } from '../../package-root.js';
import { shortHash } from '../../text/short-hash.js';
import { packageOf } from '../installed-packages.js';

/** What every evaluation depends on. Plain data, for the thread that finds code. */
export interface Surroundings {
  readonly nodeOptions: string;
  /** Variables that decide the time zone and the language. */
  readonly variables: readonly string[];
}

// The options of this process, before somebody sets those of others. Reading it later would count as the user's.
const { env } = process;
const nodeOptions = [env.NODE_OPTIONS ?? '', ...process.execArgv].join(' ').trim();

const names = ['TZ', 'LC_ALL', 'LC_MESSAGES', 'LC_TIME', 'LC_NUMERIC', 'LC_COLLATE', 'LANG'];

/** Those of this process now. */
export function surroundings(): Surroundings {
  return { nodeOptions, variables: names.map((name) => env[name] ?? '') };
}

/** As pieces of code. `folder`: where relative paths of `NODE_OPTIONS` begin. */
export function piecesOf(of: Surroundings, folder: string): Piece[] {
  // They are those of the process in each of its threads, and slow to find.
  const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions();
  const [zone, ...languages] = of.variables;
  const platform = `${process.platform} ${process.arch}`;
  const named = [`node ${process.versions.node}`, `assay ${readVersion()}`, platform];
  return [
    ...named.map((name): Piece => [name, name]),
    ['the time zone', `${timeZone} ${zone}`],
    ['the language', [locale, ...languages].join(' ')],
    ...(of.nodeOptions === '' ? [] : [['NODE_OPTIONS', shortHash(of.nodeOptions)] as const]),
    ...preloads(of.nodeOptions, folder),
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
