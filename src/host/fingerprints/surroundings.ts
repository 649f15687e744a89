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
  const all = preloaded(options, folder).map(({ owner, text }) => `${owner} ${text}`);
  return all.length === 0 ? [] : [['what NODE_OPTIONS preloads', shortHash(all.join('\0'))]];
}

interface Preloaded {
  /** As it was given, or as the module that names it does. */
  readonly specifier: string;
  /** Name and version of its package; absent for a module of the project, and where it was not found. */
  readonly owner: string | undefined;
  readonly text: string;
}

function preloaded(options: string, folder: string): Preloaded[] {
  const given = [...options.matchAll(preloading)].map(([, one = '']) => one.replaceAll('"', ''));
  const files = new Map<string, Preloaded>();
  const pending = given.map((one) => [one, join(folder, 'x.js')] as const);
  // Iterating an array includes items that are added meanwhile.
  for (const [specifier, importer] of pending) {
    const { file = specifier, text = 'missing' } = load(specifier, importer) ?? {};
    if (files.has(file)) continue;
    files.set(file, { specifier, owner: packageOf(file)?.id, text });
    for (const [, path = ''] of text.matchAll(/['"](\.{1,2}\/[^'"\n]+)['"]/g)) {
      pending.push([path, file]);
    }
  }
  return [...files.values()];
}

/** Packages that compile or trace, and whose settings change no result. */
const harmless =
  /^(?:tsx|ts-node|esbuild-register|jiti|source-map-support|newrelic|dd-trace|@swc-node\/register|@(?:opentelemetry|sentry)\/[^/@]+)@/;

/** What a module needs to look at anything but itself. */
const reaching =
  /\b(?:process|require|register|createRequire|fetch|eval|Function|constructor)\b|\bimport\s*\(|(?:\bfrom|\bimport)\s*['"](?!\.{1,2}\/)/;

/**
 * A module that is preloaded and may look at files or variables, or load others by hooks, before anybody sees that; as it
 * was given. `undefined` without one. `folder`: as for {@link piecesOf}.
 */
export function unfollowedPreload(folder: string): string | undefined {
  const found = preloaded(nodeOptions, folder).find(({ owner, text }) =>
    owner === undefined ? reaching.test(text) : !harmless.test(owner),
  );
  return found?.specifier;
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
