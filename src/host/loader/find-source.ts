import { readFileSync, realpathSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { hasSystemCode } from '../../errors.js';
import { isInstalled } from '../installed-packages.js';
import { projectOf } from './tsconfig.js';

const extensions = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json'];

/** The source extensions that TypeScript accepts for an extension in an import, best first. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.js', '.jsx'],
  '.jsx': ['.tsx', '.jsx'],
  '.mjs': ['.mts', '.mjs'],
  '.cjs': ['.cts', '.cjs'],
};

/** True for files that must be compiled before Node can run them. */
export function needsCompiling(file: string): boolean {
  return /\.(?:[cm]?ts|tsx|jsx)$/.test(file);
}

/**
 * The file for a specifier that Node itself cannot resolve: relative without extension, a folder, `.js` for `.ts`,
 * a tsconfig path. `undefined` leaves it to Node.
 */
export function findSource(specifier: string, importer: string): string | undefined {
  const isOfFolder = isPath(specifier) && /(?:^|\/)\.{0,2}$/.test(specifier);
  for (const candidate of candidatesFor(specifier, importer)) {
    const find = isOfFolder ? findInFolder : findFile;
    const found = find(candidate, importer);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The source for an entry of `imports` or `exports` that Node has looked up and not found, outside of installed
 * packages: `.ts` for `.js`, and the source of a file that has not been built. `error` is that of Node.
 */
export function findUnbuilt(specifier: string, importer: string, error: unknown) {
  if (isPath(specifier)) return undefined;
  const places = missingTargets(error).filter((place) => !isInstalled(place));
  return places.map((place) => findFile(place, importer)).find(Boolean);
}

/** The path to which a name has led Node, where nothing was, and that of the source from which it is built. */
export function missingTargets(error: unknown): string[] {
  if (!hasSystemCode(error, 'ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND')) return [];
  // A `main` that is not there makes its package missing.
  const { message } = error as Error;
  const [, named = ''] = /^Cannot find (?:module|package) '([^']+)'/.exec(message) ?? [];
  if (!path.isAbsolute(named)) return [];
  const target = realTarget(named);
  return [target, projectOf(target).sourceOf(target) ?? target];
}

/** In TypeScript, the source beside a file that an entry of `imports` or `exports` names; `undefined` without one. */
export function findBeside(file: string, importer: string): string | undefined {
  if (isInstalled(file) || !needsCompiling(importer)) return undefined;
  const found = findAlias(file, importer);
  return found === file ? undefined : found;
}

/** A path whose folders are resolved, as far as they exist: those of a linked package are elsewhere. */
function realTarget(target: string): string {
  const folder = path.dirname(target);
  if (folder === target) return target;
  try {
    return path.join(realpathSync(folder), path.basename(target));
  } catch {
    return path.join(realTarget(folder), path.basename(target));
  }
}

/** The paths, with or without an extension, at which the file for a specifier may be outside of installed packages. */
export function candidatesFor(specifier: string, importer: string): readonly string[] {
  if (isPath(specifier)) return [path.resolve(path.dirname(importer), specifier)];
  if (isBuiltin(specifier) || /^[a-z][a-z+.-]+:/i.test(specifier)) return [];
  return projectOf(importer).candidatesFor(specifier);
}

/** The paths at which a module can be, first the ones that go before the others, for specifiers that {@link findSource} knows. */
export function possibleSources(specifier: string, importer: string): string[] {
  return candidatesFor(specifier, importer).flatMap((target) => {
    const extension = path.extname(target);
    const stem = target.slice(0, target.length - extension.length);
    const sources = (aliases[extension] ?? []).map((other) => stem + other);
    if (extensions.includes(extension)) return [...new Set([...sources, target])];
    const stems = [target, path.join(target, 'index')];
    return [
      target,
      ...stems.flatMap((one) => [...extensions, '.node'].map((other) => one + other)),
    ];
  });
}

/** True for relative and absolute paths. */
export function isPath(specifier: string): boolean {
  return /^(?:\.\.?(?:\/|$)|\/)/.test(specifier) || path.isAbsolute(specifier);
}

function findFile(target: string, importer: string): string | undefined {
  return findAlias(target, importer) ?? findExtension(target) ?? findInFolder(target, importer);
}

function findAlias(target: string, importer: string): string | undefined {
  const extension = path.extname(target);
  const stem = target.slice(0, target.length - extension.length);
  const candidates = (aliases[extension] ?? []).map((other) => stem + other);
  // In TypeScript, the source wins even if a build left its output beside it; in JavaScript, the specifier is taken
  // literally.
  return (needsCompiling(importer) ? [...candidates, target] : [target, ...candidates]).find(
    isFile,
  );
}

function findExtension(target: string): string | undefined {
  return extensions.map((extension) => target + extension).find(isFile);
}

function findInFolder(folder: string, importer: string): string | undefined {
  if (!isFolder(folder)) return undefined;
  const main = readMain(folder);
  const found = main === undefined ? undefined : findMain(path.resolve(folder, main), importer);
  return found ?? findExtension(path.join(folder, 'index'));
}

function findMain(target: string, importer: string): string | undefined {
  return (
    findAlias(target, importer) ??
    findExtension(target) ??
    findExtension(path.join(target, 'index'))
  );
}

function readMain(folder: string): string | undefined {
  try {
    const text = readFileSync(path.join(folder, 'package.json'), 'utf8');
    const { main } = JSON.parse(text) as { main?: unknown };
    return typeof main === 'string' ? main : undefined;
  } catch {
    return undefined;
  }
}

function isFile(target: string): boolean {
  return statSync(target, { throwIfNoEntry: false })?.isFile() ?? false;
}

function isFolder(target: string): boolean {
  return statSync(target, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
