import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pathState } from '../../files/path-state.js';
import type { Piece } from '../../model/code/evaluation-code.js';
import { readVersion } from '../../package-root.js';
import { shortHash } from '../../text/short-hash.js';
import { packageOf, placesOfPackage } from '../installed-packages.js';

// The options of this process, before somebody sets those of others. Reading it later would count as the user's.
const { env, platform, arch, versions } = process;
const nodeOptions = [env.NODE_OPTIONS ?? '', ...process.execArgv].join(' ').trim();

const languages = ['LC_ALL', 'LC_MESSAGES', 'LC_TIME', 'LC_NUMERIC', 'LC_COLLATE', 'LANG'];

const localTime = '/etc/localtime';

/** The options of this process, then the variables that decide its packages, its time zone and its language. */
export function surroundings(): readonly string[] {
  return [nodeOptions, ...['NODE_PATH', 'TZ', ...languages].map((name) => env[name] ?? '')];
}

/** What every evaluation depends on. `folder`: where relative paths of `NODE_OPTIONS` begin. */
export function piecesOf(of: readonly string[], folder: string): Piece[] {
  const [options = '', folders = '', zone, ...language] = of;
  const preloads = preloaded(options, folder).map(({ id }) => id);
  const named = [`node ${versions.node}`, `assay ${readVersion()}`, `${platform} ${arch}`];
  return [
    ...named.map((name): Piece => [name, name]),
    ['the time zone', `${zoneOfMachine()} ${zone}`],
    ['the language', language.join(' ')],
    ['NODE_PATH', shortHash(folders)],
    ['NODE_OPTIONS', shortHash(options)],
    ['what NODE_OPTIONS preloads', preloads.join(' ')],
  ];
}

/**
 * The time zone that counts without `TZ`, from the file that says it. Not from `Intl`, which takes longer than everything else
 * that finds the code of a small eval file.
 */
function zoneOfMachine(): string {
  if (platform === 'win32') return Intl.DateTimeFormat().resolvedOptions().timeZone;
  const state = pathState('exists', localTime) ?? 'UTC';
  const [, named] = /zoneinfo\/(.+)/.exec(state) ?? [];
  return named ?? `${state} ${pathState('file', localTime) ?? ''}`;
}

const preloading =
  /(?:^|\s)(?:--import|--require|-r|--loader|--experimental-loader)(?:=|\s+)("[^"]*"|\S+)/g;

/** Packages that compile or trace, and whose settings change no result. */
const harmless =
  /^(?:tsx|ts-node|esbuild-register|jiti|source-map-support|newrelic|dd-trace|@swc-node\/register|@(?:opentelemetry|sentry)\/[^/@]+)@/;

/** Why nothing may be carried over: a module is preloaded, which may look at anything before anybody sees that. */
export function hazardIn([options = '']: readonly string[], folder: string): string | undefined {
  const found = preloaded(options, folder).find(({ id }) => !harmless.test(id));
  return found && `preloads ${found.specifier}, of which assay does not see what it reads`;
}

/** The modules that options preload, with `name@version` of their packages; empty without one. */
function preloaded(options: string, folder: string) {
  return [...options.matchAll(preloading)].map(([, given = '']) => {
    const specifier = given.replaceAll('"', '');
    const path = specifier.startsWith('file:') ? fileURLToPath(specifier) : specifier;
    const places = [resolve(folder, path), ...placesOfPackage(path, join(folder, 'x.js'))];
    return { specifier, id: places.map(packageOf).find(Boolean)?.id ?? '' };
  });
}
