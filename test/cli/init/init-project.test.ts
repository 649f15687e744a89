import { join } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import { firstEval, modelClients } from '../../../src/cli/init/first-eval.js';
import { planInit } from '../../../src/cli/init/init-project.js';
import { nextCommands } from '../../../src/cli/init/translation-text.js';
import { Project } from '../../helpers/project.js';
import { linkPackages } from '../../helpers/project-folder.js';

const planFor = (files: Readonly<Record<string, string>>) =>
  planInit(new Project({ 'package.json': '{}\n', ...files }).folder);
const textOf = async (path: string, files: Readonly<Record<string, string>>) =>
  (await planFor(files)).files.find((file) => file.path === path)?.text;

describe('what a project lacks', () => {
  it('is an evaluation, settings, a script and lines that git ignores', async () => {
    const { files, left, isInstalled } = await planFor({});
    const paths = files.map(({ path, adds }) => `${path}${adds ? ` + ${adds}` : ''}`);
    expect(paths).to.deep.equal([
      'evals/first.eval.ts',
      'assay.yaml',
      'package.json + the script eval',
      '.gitignore',
    ]);
    expect(left).to.deep.equal([]);
    expect(isInstalled).to.equal(false);
  });

  it('is not what is there', async () => {
    const there = {
      'package.json': '{"scripts":{"eval":"x"},"devDependencies":{"assay":"1"}}',
      'evals/first.eval.ts': 'x',
      'assay.yaml': '',
      '.gitignore': '/.assay\n.env\n',
      '.github/workflows/evals.yml': 'x',
    };
    const { files, left, isInstalled } = await planFor(there);
    expect(files).to.deep.equal([]);
    expect(left).to.have.lengthOf(5);
    expect(isInstalled).to.equal(true);
  });

  const manifests: readonly [what: string, before: string, after: string][] = [
    [
      'two spaces',
      '{\n  "name": "a"\n}\n',
      '{\n  "name": "a",\n  "scripts": {\n    "eval": "assay run"\n  }\n}\n',
    ],
    [
      'tabs',
      '{\n\t"name": "a"\n}',
      '{\n\t"name": "a",\n\t"scripts": {\n\t\t"eval": "assay run"\n\t}\n}',
    ],
    [
      'a byte order mark',
      '\uFEFF{}\n',
      '\uFEFF{\n  "scripts": {\n    "eval": "assay run"\n  }\n}\n',
    ],
    [
      'Windows line ends',
      '{\r\n  "scripts": {\r\n    "test": "t"\r\n  }\r\n}\r\n',
      '{\r\n  "scripts": {\r\n    "test": "t",\r\n    "eval": "assay run"\r\n  }\r\n}\r\n',
    ],
  ];
  for (const [what, before, after] of manifests) {
    it(`is added to a package.json with ${what} as it is written`, async () => {
      expect(await textOf('package.json', { 'package.json': before })).to.equal(after);
    });
  }

  for (const text of [
    '{"big":12345678901234567890}',
    '{ "version": 1.0 }',
    '{"scripts":{"a":"x"},"scripts":{"b":"y"}}',
  ]) {
    it(`is left to people where writing it would change more of ${text}`, async () => {
      const { files, left } = await planFor({ 'package.json': text });
      expect(files.map(({ path }) => path)).not.to.include('package.json');
      expect(left.join()).to.include('add "eval": "assay run" to its scripts');
    });
  }

  for (const [add, files] of [
    ['npm install --save-dev', {}],
    ['npm install --save-dev', { 'package-lock.json': '' }],
    ['pnpm add --save-dev', { 'pnpm-lock.yaml': '' }],
    ['yarn add --dev', { 'yarn.lock': '' }],
    ['bun add --dev', { 'bun.lock': '' }],
    ['pnpm add --save-dev', { 'package.json': '{"packageManager":"pnpm@9.0.0"}' }],
  ] as const) {
    it(`is installed with ${add} beside ${JSON.stringify(files)}`, async () => {
      const [install] = nextCommands(await planFor(files));
      expect(install).to.equal(`${add} assay`);
    });
  }

  it('is added to the end of .gitignore', async () => {
    expect(await textOf('.gitignore', { '.gitignore': 'node_modules' })).to.equal(
      'node_modules\n.assay/\n.env\n',
    );
    expect(await textOf('.gitignore', { '.gitignore': '.env\r\n' })).to.equal(
      '.env\r\n.assay/\r\n',
    );
  });

  const workflows: readonly [what: string, files: Readonly<Record<string, string>>, has: string][] =
    [
      ['pnpm', { 'pnpm-lock.yaml': '' }, 'pnpm exec assay run'],
      ['npm', { 'package-lock.json': '' }, 'run: npm ci\n'],
      ['npm without a lock', {}, 'run: npm install\n'],
      ['what its gate does not judge', {}, '# Errors alone fail this job.'],
      [
        'the key of the client',
        { 'package.json': '{"dependencies":{"openai":"6"}}' },
        '{ secrets.OPENAI_API_KEY }',
      ],
    ];
  for (const [what, files, has] of workflows) {
    it(`is a workflow with ${what} where there are others`, async () => {
      const text = await textOf('.github/workflows/evals.yml', { '.github/x': '', ...files });
      expect(text).to.include(has);
    });
  }

  it('counts with what a checkout has above, and is no second package.json', async () => {
    const { folder } = new Project({
      'package.json': '{"dependencies":{"openai":"6"},"devDependencies":{"assay":"1"}}',
      '.git/HEAD': '',
      'pnpm-lock.yaml': '',
      'app/.github/x': '',
    });
    const { files, left, key, isInstalled } = await planInit(join(folder, 'app'));
    expect({ key, isInstalled }).to.deep.equal({ key: 'OPENAI_API_KEY', isInstalled: true });
    expect(files.map(({ path }) => path)).to.not.include('package.json');
    expect(left).to.deep.equal(['package.json of a folder above has no script for this one']);
    expect(files.at(-1)?.text).to.include('pnpm exec assay run');
  });

  it('has no client of a package that the project lacks', async () => {
    const text = '{"dependencies":{"@ai-sdk/openai":"2"}}';
    expect((await planFor({ 'package.json': text })).key).to.equal(undefined);
  });

  const broken: readonly [text: string, says: RegExp][] = [
    ['{\n  "name": }', /package\.json:2:11: it is not JSON: /],
    ['[]', /^package\.json is not a JSON object: /],
    ['{"scripts":"x"}', /^"scripts" of package\.json is not a JSON object: /],
  ];
  for (const [text, says] of broken) {
    it(`is not known where package.json is ${JSON.stringify(text)}`, async () => {
      const error = await planFor({ 'package.json': text }).catch((caught: Error) => caught);
      expect(error).to.include({ code: 'bad-request' });
      expect((error as Error).message).to.match(says);
    });
  }
});

describe('the first evaluation', () => {
  it('has the types that each client wants, the strict ones', function () {
    this.timeout(120_000);
    const files = [undefined, ...modelClients].map((client, at) => [`${at}.ts`, firstEval(client)]);
    const { folder } = new Project({
      'package.json': '{"type":"module"}',
      ...Object.fromEntries(files),
    });
    linkPackages(folder, [
      ...new Set(['@types/node', ...modelClients.flatMap((one) => one.packages)]),
    ]);
    const program = ts.createProgram(
      files.map(([name]) => `${folder}/${name}`),
      {
        ...{ strict: true, noEmit: true, skipLibCheck: true, noUncheckedIndexedAccess: true },
        module: ts.ModuleKind.NodeNext,
        target: ts.ScriptTarget.ES2022,
        types: ['node'],
        typeRoots: [`${folder}/node_modules/@types`],
      },
    );
    const faults = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
      return `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    });
    expect(faults).to.deep.equal([]);
  });
});
