import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AssayError, hasSystemCode } from '../../errors.js';
import { isObject } from '../../model/json.js';
import { findJsonFault } from '../../text/json-position.js';
import { positionAt } from '../../text/text-position.js';
import { firstEval, modelClients } from './first-eval.js';
import type { FromPlan } from './from/plan-from.js';
import type { ProjectFacts } from './from/translation.js';

/** A file that a project lacks, or lines of one. */
export interface InitFile {
  /** Relative to the project, with `/`. */
  readonly path: string;
  /** The whole text of the file afterwards. */
  readonly text: string;
  /** What is added to a file that is there: `the script eval`; absent for a new file. */
  readonly adds?: string;
}

export interface InitPlan {
  /** What is to be written, in the order in which it is shown. */
  readonly files: readonly InitFile[];
  /** What is there already and stays as it is, as sentences without their point. */
  readonly left: readonly string[];
  /** The variable of the key that the first evaluation uses; absent where it asks no model. */
  readonly key?: string;
  /** What the files of another tool become; empty without any. */
  readonly translations: FromPlan['translations'];
  /** Packages that the translations import, and that no package.json names. */
  readonly missing: readonly string[];
  /** False where no package.json names assay: that of the folder, and in a checkout those above it. */
  readonly isInstalled: boolean;
  /** What adds a package for development, without its name. */
  readonly addCommand: string;
}

/**
 * Finds what a project needs for its first evaluation, or for those of other tools. `from`: paths and globs of theirs. Changes
 * nothing. Error: `bad-request` for a package.json, or a file of another tool, that cannot be read, `storage-unusable` for other files.
 */
export async function planInit(folder: string, from: readonly string[] = []): Promise<InitPlan> {
  const read = (path: string) => readIn(folder, path);
  const [manifest, ...above] = await readManifests(folder);
  const dependencies = new Set([manifest, ...above].flatMap(dependenciesOf));
  const client = modelClients.find(({ packages }) =>
    packages.every((one) => dependencies.has(one)),
  );
  const files: InitFile[] = [];
  const left: string[] = [];
  const create = async (path: string, text: string) => {
    if ((await read(path)) === undefined) files.push({ path, text });
    else left.push(`${path} is there`);
  };
  const isModule = manifest?.value.type === 'module';
  const plan = await planEvals(folder, from, { packages: dependencies, isModule });
  if (from.length === 0) await create('evals/first.eval.ts', firstEval(client));
  for (const { path, text } of plan.files) await create(path, text);
  await create('assay.yaml', settings);
  if (manifest !== undefined && 'eval' in scriptsOf(manifest)) {
    left.push('package.json has a script eval');
  } else if (manifest !== undefined) {
    const text = withScript(manifest);
    if (text === undefined) {
      left.push(
        'package.json (add "eval": "assay run" to its scripts: writing it would change more)',
      );
    } else files.push({ path: 'package.json', text, adds: 'the script eval' });
  } else if (above.every((one) => one === undefined)) {
    files.push({ path: 'package.json', text: newManifest });
  } else left.push('package.json of a folder above has no script for this one');
  const ignored = await read('.gitignore');
  const lines = ['.assay/', '.env'].filter((line) => !isIgnored(ignored ?? '', line));
  if (lines.length === 0) left.push('.gitignore has .assay/ and .env');
  else files.push(ignoreFile(ignored, lines));
  if (await isFolder(join(folder, '.github'))) {
    await create('.github/workflows/evals.yml', workflowFor(lockedBy(folder), client?.key));
  }
  return {
    ...{ files, left, isInstalled: dependencies.has('assay') },
    addCommand: (lockedBy(folder) ?? namedBy([manifest, ...above]))?.add ?? addWithNpm,
    ...{ translations: plan.translations, missing: missingOf(plan, dependencies) },
    ...(client && from.length === 0 && { key: client.key }),
  };
}

async function planEvals(
  folder: string,
  from: readonly string[],
  facts: ProjectFacts,
): Promise<FromPlan> {
  if (from.length === 0) return { files: [], translations: [] };
  // Parsers that no other start needs.
  const { planFrom } = await import('./from/plan-from.js');
  return planFrom(folder, from, facts);
}

function missingOf({ translations }: FromPlan, dependencies: ReadonlySet<string>): string[] {
  const wanted = translations.flatMap(({ packages, needsAjv }) => [
    ...packages,
    ...(needsAjv ? ['ajv'] : []),
  ]);
  return [...new Set(wanted)].filter((name) => !dependencies.has(name));
}

async function readIn(folder: string, path: string): Promise<string | undefined> {
  try {
    return await readFile(join(folder, path), 'utf8');
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT')) return undefined;
    throw new AssayError('storage-unusable', `${path} cannot be read.`, { cause: error });
  }
}

async function isFolder(path: string): Promise<boolean> {
  const { stat } = await import('node:fs/promises');
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** package.json as it is. */
interface Manifest {
  readonly text: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** That of a folder and, in a checkout, those of the folders above it: `undefined` for a folder without one. */
function readManifests(folder: string): Promise<(Manifest | undefined)[]> {
  return Promise.all(
    foldersFrom(folder).map(async (one) => {
      const text = await readIn(one, 'package.json');
      return text === undefined ? undefined : parseManifest(text, join(one, 'package.json'));
    }),
  );
}

/** A folder and those above it, up to the root of its checkout; without one, the folder alone. */
function foldersFrom(folder: string): string[] {
  const folders = [folder];
  for (let at = folder; !existsSync(join(at, '.git')); at = dirname(at)) {
    if (dirname(at) === at) return [folder];
    folders.push(dirname(at));
  }
  return folders;
}

function parseManifest(text: string, path: string): Manifest {
  // Editors of Windows begin a file with this mark, and npm skips it.
  const json = text.replace(/^\uFEFF/, '');
  const hints = ['Mend it first; nothing was written.'];
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    const { offset, reason } = findJsonFault(json);
    const { line, column } = positionAt(json, offset);
    const message = `${path}:${line}:${column}: ${reason}.`;
    throw new AssayError('bad-request', message, { cause, hints });
  }
  if (!isObject(value) || !isObject(value.scripts ?? {})) {
    const what = isObject(value) ? '"scripts" of package.json' : 'package.json';
    throw new AssayError('bad-request', `${what} is not a JSON object: ${path}`, { hints });
  }
  return { text, value };
}

function dependenciesOf(manifest: Manifest | undefined): string[] {
  const keysOf = (field: string) => Object.keys(Object(manifest?.value[field]));
  return [...keysOf('dependencies'), ...keysOf('devDependencies')];
}

function scriptsOf({ value }: Manifest): Readonly<Record<string, unknown>> {
  return { ...(value.scripts as object | undefined) };
}

/**
 * The manifest with the script, in its own indentation, line ends and byte order mark; `undefined` where more than white space
 * would change: numbers of many digits, keys that are there twice.
 */
function withScript(manifest: Manifest): string | undefined {
  const { text, value } = manifest;
  const dense = (json: string) => json.replace(/[\uFEFF\s]+/g, '');
  if (dense(text) !== dense(JSON.stringify(value))) return undefined;
  const [mark = ''] = /^\uFEFF?/.exec(text) ?? [];
  const changed = { ...value, scripts: { ...scriptsOf(manifest), eval: 'assay run' } };
  const [, indentation = '  '] = /^\uFEFF?\{\r?\n([ \t]+)"/.exec(text) ?? [];
  const [end = ''] = /\s*$/.exec(text) ?? [];
  const made = `${mark}${JSON.stringify(changed, null, indentation)}${end}`;
  return text.includes('\r\n') ? made.replace(/\r?\n/g, '\r\n') : made;
}

const newManifest = `${JSON.stringify({ private: true, type: 'module', scripts: { eval: 'assay run' } }, null, 2)}\n`;

const settings = `# yaml-language-server: $schema=./node_modules/assay/assay.schema.json
# Settings of assay, all optional: docs/settings.md of the package, or assay config.
concurrency: 8
`;

function isIgnored(text: string, line: string): boolean {
  const name = line.replace(/\/$/, '');
  return text.split(/\r?\n/).some((one) => one.trim().replace(/^\/|\/$/g, '') === name);
}

function ignoreFile(text: string | undefined, lines: readonly string[]): InitFile {
  const path = '.gitignore';
  if (text === undefined) return { path, text: lines.map((line) => `${line}\n`).join('') };
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const before = text === '' || text.endsWith('\n') ? text : `${text}${end}`;
  const added = lines.map((line) => `${line}${end}`).join('');
  return { path, text: `${before}${added}`, adds: lines.join(' and ') };
}

interface PackageManager {
  /** The file of its lock. */
  readonly lock: string;
  readonly install: string;
  readonly start: string;
  readonly add: string;
}

const addWithNpm = 'npm install --save-dev';

const packageManagers: readonly PackageManager[] = [
  {
    lock: 'pnpm-lock.yaml',
    install: 'corepack enable && pnpm install --frozen-lockfile',
    start: 'pnpm exec',
    add: 'pnpm add --save-dev',
  },
  {
    lock: 'yarn.lock',
    install: 'corepack enable && yarn install --immutable',
    start: 'yarn',
    add: 'yarn add --dev',
  },
  {
    lock: 'bun.lock',
    install: 'npm install --global bun && bun install --frozen-lockfile',
    start: 'bunx',
    add: 'bun add --dev',
  },
  { lock: 'package-lock.json', install: 'npm ci', start: 'npx', add: addWithNpm },
];

/** That of the nearest lock; `undefined` without one. */
function lockedBy(folder: string): PackageManager | undefined {
  const isThere = (lock: string) => foldersFrom(folder).some((one) => existsSync(join(one, lock)));
  return packageManagers.find(({ lock }) => isThere(lock));
}

/** That of the nearest `packageManager`, such as `pnpm@9.0.0`; `undefined` without one. */
function namedBy(manifests: readonly (Manifest | undefined)[]): PackageManager | undefined {
  const named = manifests.map((one) => one?.value.packageManager).find((one) => one !== undefined);
  return packageManagers.find(({ add }) => String(named).startsWith(`${add.split(' ')[0]}@`));
}

/** A secret that is not set is empty there: a run of canned answers would pass for one of the model. */
function workflowFor(manager: PackageManager | undefined, key: string | undefined): string {
  const { install, start } = manager ?? { install: 'npm install', start: 'npx' };
  return `name: evals
on: pull_request
permissions:
  contents: read
jobs:
  evals:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 22 }
      - run: ${install}
      # Errors alone fail this job. For wrong answers to fail it, too, add a gate: --fail-under 0.9
      - run: ${start} assay run --fail-on errors --reporter github
${key === undefined ? '' : `        env:\n          ${key}: \${{ secrets.${key} }}\n`}`;
}
