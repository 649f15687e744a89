import { expect } from 'chai';
import ts from 'typescript';
import { firstEval, modelClients } from '../../../src/cli/init/first-eval.js';
import { planInit } from '../../../src/cli/init/init-project.js';
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

  it('is added to the end of .gitignore', async () => {
    expect(await textOf('.gitignore', { '.gitignore': 'node_modules' })).to.equal(
      'node_modules\n.assay/\n.env\n',
    );
    expect(await textOf('.gitignore', { '.gitignore': '.env\r\n' })).to.equal(
      '.env\r\n.assay/\r\n',
    );
  });

  it('is a workflow with the package manager in use where there are others', async () => {
    const files = { '.github/x': '', 'pnpm-lock.yaml': '' };
    expect(await textOf('.github/workflows/evals.yml', files)).to.include('pnpm exec assay run');
  });

  it('is not known where package.json cannot be read', async () => {
    const error = await planFor({ 'package.json': '{' }).catch((caught: Error) => caught);
    expect(error).to.include({
      code: 'bad-request',
      message: 'package.json is not a JSON object.',
    });
  });
});

describe('the first evaluation', () => {
  it('has the types that each client wants, the strict ones', function () {
    this.timeout(120_000);
    const files = [undefined, ...modelClients].map((client, at) => [`${at}.ts`, firstEval(client)]);
    const { folder } = new Project({
      'package.json': '{"type":"module"}',
      ...Object.fromEntries(files),
    });
    linkPackages(folder, ['ai', '@types/node', ...modelClients.map((one) => one.package)]);
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
