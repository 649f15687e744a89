import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Piece } from '../../model/code/evaluation-code.js';
import { readVersion } from '../../package-root.js';
import { shortHash } from '../../text/short-hash.js';
import { packageOf } from './installed-packages.js';

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
  const texts = [
    `node ${process.versions.node}`,
    `assay ${readVersion()}`,
    `${process.platform} ${process.arch}`,
  ];
  // They are those of the process in each of its threads, and slow to find.
  const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions();
  const [zone, ...languages] = of.variables;
  return [
    ...texts.map((name) => ({ name, hash: name })),
    { name: 'the time zone', hash: `${timeZone} ${zone}` },
    { name: 'the language', hash: [locale, ...languages].join(' ') },
    ...(of.nodeOptions === '' ? [] : [{ name: 'NODE_OPTIONS', hash: shortHash(of.nodeOptions) }]),
    ...preloads(of.nodeOptions, folder),
  ];
}

const preloading =
  /(?:^|\s)(?:--import|--require|-r|--loader|--experimental-loader)(?:=|\s+)("[^"]*"|\S+)/g;

/** The modules that options preload, before anybody sees what they import, with all that they name by a path. */
function preloads(options: string, folder: string): Piece[] {
  const given = [...options.matchAll(preloading)].map(([, one = '']) => one.replaceAll('"', ''));
  const files = new Map<string, string>();
  const pending = given.map((one) => [one, join(folder, 'x.js')] as const);
  for (const [specifier, importer] of pending) {
    const file = find(specifier, importer);
    const key = file ?? specifier;
    if (files.has(key)) continue;
    const text = file === undefined ? 'missing' : readFileSync(file, 'utf8');
    files.set(key, `${file && packageOf(file)?.id} ${text}`);
    for (const [, path = ''] of text.matchAll(/['"](\.{1,2}\/[^'"\n]+)['"]/g)) {
      if (file !== undefined) pending.push([path, file]);
    }
  }
  const hash = shortHash([...files.values()].join('\0'));
  return files.size === 0 ? [] : [{ name: 'what NODE_OPTIONS preloads', hash }];
}

function find(specifier: string, importer: string): string | undefined {
  try {
    const path = specifier.startsWith('file:') ? fileURLToPath(specifier) : specifier;
    const candidate = /^\.{0,2}\//.test(path) ? resolve(dirname(importer), path) : undefined;
    if (candidate !== undefined && statSync(candidate, { throwIfNoEntry: false })?.isFile()) {
      return candidate;
    }
    return createRequire(importer).resolve(path);
  } catch {
    return undefined;
  }
}
