import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AssayError, hasSystemCode } from '../../errors.js';
import { parseJson } from '../../model/json.js';
import { firstEval, modelClients } from './first-eval.js';

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
  /** False where package.json does not name assay. */
  readonly isInstalled: boolean;
}

/**
 * Finds what a project needs for its first evaluation. Changes nothing. Error: `bad-request` for a package.json that cannot be
 * read, `storage-unusable` for other files.
 */
export async function planInit(folder: string): Promise<InitPlan> {
  const read = (path: string) => readIn(folder, path);
  const manifest = await read('package.json');
  const { dependencies, scripts } = parseManifest(manifest);
  const client = modelClients.find((one) => dependencies.has(one.package));
  const files: InitFile[] = [];
  const left: string[] = [];
  const create = async (path: string, text: string) => {
    if ((await read(path)) === undefined) files.push({ path, text });
    else left.push(`${path} is there`);
  };
  await create('evals/first.eval.ts', firstEval(client));
  await create('assay.yaml', settings);
  if (manifest === undefined) files.push({ path: 'package.json', text: newManifest });
  else if (scripts.has('eval')) left.push('package.json has a script eval');
  else {
    const text = withScript(manifest);
    files.push({ path: 'package.json', text, adds: 'the script eval' });
  }
  const ignored = await read('.gitignore');
  const lines = ['.assay/', '.env'].filter((line) => !isIgnored(ignored ?? '', line));
  if (lines.length === 0) left.push('.gitignore has .assay/ and .env');
  else files.push(ignoreFile(ignored, lines));
  if (await isFolder(join(folder, '.github'))) {
    await create('.github/workflows/evals.yml', workflowFor(await packageManagerOf(read)));
  }
  return {
    ...{ files, left, isInstalled: dependencies.has('assay') },
    ...(client && { key: client.key }),
  };
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

function parseManifest(text: string | undefined) {
  const none = { dependencies: new Set<string>(), scripts: new Set<string>() };
  if (text === undefined) return none;
  const found = parseJson(text.replace(/^\uFEFF/, ''));
  if (typeof found !== 'object' || found === null || Array.isArray(found)) {
    throw new AssayError('bad-request', 'package.json is not a JSON object.', {
      hints: ['Mend it first; nothing was written.'],
    });
  }
  const manifest = found as Readonly<Record<string, unknown>>;
  const keysOf = (field: string) => Object.keys(Object(manifest[field]));
  return {
    dependencies: new Set([...keysOf('dependencies'), ...keysOf('devDependencies')]),
    scripts: new Set(keysOf('scripts')),
  };
}

/** The manifest with the script, in its own indentation and line ends. */
function withScript(text: string): string {
  const manifest = JSON.parse(text.replace(/^\uFEFF/, ''));
  manifest.scripts = { ...manifest.scripts, eval: 'assay run' };
  const [, indentation = '  '] = /^\{\r?\n([ \t]+)"/.exec(text) ?? [];
  const [end = ''] = /\s*$/.exec(text) ?? [];
  const made = `${JSON.stringify(manifest, null, indentation)}${end}`;
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

type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

async function packageManagerOf(
  read: (path: string) => Promise<string | undefined>,
): Promise<PackageManager> {
  if ((await read('pnpm-lock.yaml')) !== undefined) return 'pnpm';
  if ((await read('yarn.lock')) !== undefined) return 'yarn';
  return (await read('bun.lock')) === undefined ? 'npm' : 'bun';
}

const install: Readonly<Record<PackageManager, string>> = {
  npm: `      - run: npm ci
      - run: npx assay run --fail-on errors --reporter github`,
  pnpm: `      - run: corepack enable && pnpm install --frozen-lockfile
      - run: pnpm exec assay run --fail-on errors --reporter github`,
  yarn: `      - run: corepack enable && yarn install --immutable
      - run: yarn assay run --fail-on errors --reporter github`,
  bun: `      - run: npm install --global bun && bun install --frozen-lockfile
      - run: bunx assay run --fail-on errors --reporter github`,
};

function workflowFor(manager: PackageManager): string {
  return `name: evals
on: pull_request
jobs:
  evals:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 22 }
${install[manager]}
`;
}
