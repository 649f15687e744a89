import assert from 'node:assert/strict';
import { lstatSync, rmSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { Project } from '../helpers/project.js';

/** What a target does, a change of something that it depends on, and the reason why it runs then. */
interface Row {
  readonly title: string;
  readonly target: string;
  /** Code before the evaluation. */
  readonly before?: string;
  /** A file that is written after the run, and its content. */
  readonly file: string;
  readonly text?: string;
  /** The link is made anew after the run, and leads there. */
  readonly leadsTo?: string;
  readonly reason: string;
}

const rows: readonly Row[] = [
  {
    title: 'a file in a folder that a promise has listed with all below it',
    target: "(await fs.promises.readdir('two', { recursive: true })).length",
    file: 'two/sub/new.md',
    reason: 'names in two/sub',
  },
  {
    title: 'a file with variables',
    target: "(process.loadEnvFile('three.env'), process.env.THREE)",
    file: 'three.env',
    text: 'THREE=3',
    reason: 'three.env',
  },
  {
    title: 'a file behind a symbolic link elsewhere',
    target: "(fs.symlinkSync(path.resolve('four.md'), link), fs.readFileSync(link, 'utf8'))",
    file: 'four.md',
    reason: 'four.md',
  },
  {
    title: 'a file behind a hard link elsewhere',
    target:
      "(fs.linkSync('five.md', 'node_modules/five.md'), fs.readFileSync('node_modules/five.md', 'utf8'))",
    file: 'five.md',
    reason: 'five.md',
  },
  {
    title: 'where a link leads, found with native code',
    target: "path.basename(fs.realpathSync.native('chosen'))",
    file: 'chosen',
    leadsTo: 'two',
    reason: 'chosen',
  },
  {
    title: 'where a link leads that is read as such',
    target: "fs.readlinkSync('newest')",
    file: 'newest',
    leadsTo: 'nowhere',
    reason: 'newest',
  },
  {
    title: 'that something is a link',
    target: "fs.lstatSync('latest').isSymbolicLink()",
    file: 'latest',
    text: '',
    reason: 'latest',
  },
  {
    title: 'the kinds of what is in a folder',
    target: "fs.readdirSync('kinds', { withFileTypes: true }).map((one) => one.isFile()).join()",
    file: 'kinds/one/is-a-folder-now.md',
    reason: 'names in kinds',
  },
  {
    title: 'what is in the working directory, which has a name',
    target: "fs.readdirSync('.').length",
    file: 'new-in-project.md',
    reason: 'names in the working directory\n',
  },
  {
    title: 'JSON that it reads and another evaluation imports',
    before: `
      import { name } from './imported.json';
      export const other = evaluation({ target: () => name });`,
    target: "JSON.parse(fs.readFileSync('imported.json', 'utf8')).version",
    file: 'imported.json',
    text: '{ "name": "it", "version": 2 }',
    reason: 'imported.json',
  },
  {
    title: 'source code that it reads and another evaluation imports',
    before: `
      import { one } from './imported.ts';
      export const other = evaluation({ target: () => one });`,
    target: "fs.readFileSync('imported.ts', 'utf8').length",
    file: 'imported.ts',
    text: '// Another comment\nexport const one = 1;',
    reason: 'imported.ts',
  },
];

/** What is missing counts for all eval files, so each has a project of its own. */
const missing: readonly Row[] = [
  {
    title: 'a module that was missing',
    target: "await import('./six/v1.js').then(() => 1, () => 0)",
    file: 'six/v1.ts',
    reason: 'six/v1.ts\n',
  },
  {
    title: 'a package that was missing',
    target: "(() => { try { return require('opt-pkg'); } catch { return 0; } })()",
    file: 'node_modules/opt-pkg/package.json',
    text: '{ "name": "opt-pkg", "version": "1.0.0" }',
    reason: 'node_modules/opt-pkg',
  },
];

function evalFile({ target, before = '' }: Row): string {
  return `
    import fs from 'node:fs';
    import { createRequire } from 'node:module';
    import os from 'node:os';
    import path from 'node:path';
    import { evaluation } from 'assay';
    const require = createRequire(import.meta.url);
    ${before}
    export const it = evaluation({
      target: async () => {
        const link = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'link-')), 'link');
        return ${target};
      },
    });`;
}

describe('assay run --changed notices', () => {
  it('what a target looks at in other ways than by reading a file', () => checkReasons(rows));

  for (const row of missing) it(row.title, () => checkReasons([row]));
});

describe('assay run --changed runs again', () => {
  it('what was seen to start a process or a worker, whoever started it', async () => {
    const starting = [
      "tool('true')",
      "require('child_' + 'process').execFileSync('true')",
      "(await import('node:' + 'child_' + 'process')).spawn('true').pid > 0",
      "new (require('worker_' + 'threads').Worker)('1', { eval: true }).threadId > 0",
    ];
    const evaluations = starting.map(
      (expression, at) => `
        export const e${at} = evaluation({ target: async () => String(${expression}) });`,
    );
    const project = new Project({
      ...installed(
        'tool',
        "const { execFileSync } = require('child_process');\nexports.tool = (name) => execFileSync(name);",
      ),
      'a.eval.ts': `
        import { createRequire } from 'node:module';
        import { evaluation } from 'assay';
        import { tool } from 'tool';
        const require = createRequire(import.meta.url);
        ${evaluations.join('')}
        export const e4 = evaluation({ target: () => 'nothing' });
        export const e5 = evaluation({ inputs: ['a.eval.ts'], target: () => String(tool('true')) });`,
      'b.eval.ts': `
        import { evaluation } from 'assay';
        import { tool } from 'tool';
        const commit = tool('true');
        export const b = evaluation({ target: () => String(commit) });`,
    });
    await project.run();
    const { stdout } = await project.assay(['run', '--changed', '--list']);
    const reasonOf = (id: string) =>
      stdout
        .split('\n')
        .find((line) => line.includes(`::${id} `))
        ?.replace(/.* (?=run|carried)/, '');
    const process = 'run: starts a process';
    assert.deepEqual(['e0', 'e1', 'e2', 'e3', 'b'].map(reasonOf), [
      ...[process, process, process],
      ...['run: starts a worker', process],
    ]);
    assert.match(reasonOf('e4') ?? '', /^carried/);
    assert.match(reasonOf('e5') ?? '', /^carried/, 'it names what the process depends on');
  });

  it('what depends on links, folders and functions of its own', async () => {
    // As pnpm links packages.
    const store = 'node_modules/.pnpm';
    const packages = [
      ['pk@1.0.0', 'mid', "exports.v = require('mid').v;"],
      ['mid@1.0.0', 'deep', "exports.v = require('deep').v;"],
      ['deep@1.0.0', undefined, 'exports.v = 1;'],
      ['deep@2.0.0', undefined, 'exports.v = 2;'],
    ] as const;
    const files = packages.map(([id, dependency, code]) => {
      const [name = '', version] = id.split('@');
      const folder = `${store}/${id}/node_modules/${name}`;
      const dependencies = dependency && { dependencies: { [dependency]: '*' } };
      const manifest = JSON.stringify({ name, version, ...dependencies });
      return { [`${folder}/package.json`]: manifest, [`${folder}/index.js`]: code };
    });
    const project = new Project({
      ...Object.assign({}, ...files),
      'package.eval.ts': `
        import { evaluation } from 'assay';
        import { v } from 'pk';
        export const a = evaluation({ target: () => v });`,
      'data/one.md': '',
      'data/.env': 'A=1',
      'folder.eval.ts': `
        import { execFileSync } from 'node:child_process';
        import { evaluation } from 'assay';
        export const a = evaluation({
          inputs: ['data'],
          target: () => execFileSync('cat', ['data/.env']).toString(),
        });`,
      'conf.json': '{ "v": 1 }',
      'm.ts': `
        import { createRequire } from 'node:module';
        export const { v } = createRequire(import.meta.url)('./conf.json');
        export const locale = (name: string) => import(\`./\${name}.ts\`);`,
      'function.eval.ts': `
        import { evaluation } from 'assay';
        import { v } from './m.js';
        export const a = evaluation({ target: () => v });`,
    });
    const link = (at: string, to: string) => symlinkSync(to, project.path(at));
    const deep = `${store}/mid@1.0.0/node_modules/deep`;
    link('node_modules/pk', '.pnpm/pk@1.0.0/node_modules/pk');
    link(`${store}/pk@1.0.0/node_modules/mid`, '../../mid@1.0.0/node_modules/mid');
    link(deep, '../../deep@1.0.0/node_modules/deep');
    await project.run();
    rmSync(project.path(deep));
    link(deep, '../../deep@2.0.0/node_modules/deep');
    project.write('data/.env', 'A=2');
    const reasons = async () => {
      const { stdout } = await project.assay(['run', '--changed', '--list']);
      return stdout
        .trim()
        .split('\n')
        .map((line) => line.replace(/ .*(?=run|carried)/, ' '));
    };
    const [folder, function_, packaged] = await reasons();
    assert.equal(folder, 'folder.eval.ts::a run: data/.env');
    assert.match(function_ ?? '', /carried/);
    assert.match(packaged ?? '', /^package\.eval\.ts::a run: deep@2\.0\.0/);
    project.write('conf.json', '{ "v": 2 }');
    assert.equal((await reasons())[1], 'function.eval.ts::a run: conf.json');
  });

  it('targets whose grading looks at files, or at variables that they set', async () => {
    const evals = (most: number) => `
      import { evaluation } from 'assay';
      import { env } from 'node:process';
      import { write } from 'writer';
      import { read } from 'reader';
      export const files = evaluation({
        target: () => { write('left.txt', '1'); return 1; },
        evaluators: [function graded() { return Number(read('left.txt')) < ${most}; }],
      });
      const { env: alias } = process;
      export const alone = evaluation({
        target: () => { alias.LEFT_ALONE = '1'; return 1; },
        evaluators: [function graded() { return Number(process.env.LEFT_ALONE) < ${most}; }],
      });
      export const imported = evaluation({
        target: () => { env.LEFT_IMPORTED = '1'; return 1; },
        evaluators: [function graded() { return Number(process.env.LEFT_IMPORTED) < ${most}; }],
      });
      export const scored = evaluation({
        target: (ctx) => { ctx.score('early', true); return 1; },
        evaluators: [function graded({ output }) { return output < ${most}; }],
      });
      export const bare = evaluation({
        target: () => Object.create(null),
        evaluators: [function graded({ output }) { return output instanceof Object && ${most} > 5; }],
      });
      export const plain = evaluation({
        target: () => 1,
        evaluators: [function graded({ output }) { return output < ${most}; }],
      });`;
    const project = new Project({
      ...installed('writer', "exports.write = require('fs').writeFileSync;"),
      ...installed('reader', "exports.read = (file) => require('fs').readFileSync(file, 'utf8');"),
      'a.eval.ts': evals(5),
    });
    await project.run();
    project.write('a.eval.ts', evals(6));
    const { result } = await project.run(['--changed']);
    const ids = ['files', 'alone', 'imported', 'scored', 'bare', 'plain'];
    const kinds = ids.map((id) => result(id).origin?.kind);
    assert.deepEqual(kinds, [...Array(4).fill(undefined), 'regraded', 'regraded']);
  });
});

function installed(name: string, code: string): Record<string, string> {
  return {
    [`node_modules/${name}/package.json`]: `{ "name": "${name}", "version": "1.0.0", "main": "index.cjs" }`,
    [`node_modules/${name}/index.cjs`]: code,
  };
}

async function checkReasons(all: readonly Row[]): Promise<void> {
  const project = new Project({
    'one/old.md': '',
    'two/sub/old.md': '',
    'three.env': 'THREE=1',
    'four.md': 'before',
    'five.md': 'before',
    'node_modules/.keep': '',
    'kinds/one': '',
    'imported.json': '{ "name": "it", "version": 1 }',
    'imported.ts': '// A comment\nexport const one = 1;',
    ...Object.fromEntries(all.map((row, at) => [`e${at}.eval.ts`, evalFile(row)])),
  });
  for (const link of ['chosen', 'newest', 'latest']) symlinkSync('one', project.path(link));
  await project.run();
  for (const { file, text = 'after', leadsTo } of all) {
    const path = project.path(file);
    // A file may become a link, or a folder.
    if (lstatSync(dirname(path), { throwIfNoEntry: false })?.isFile()) rmSync(dirname(path));
    rmSync(path, { force: true });
    if (leadsTo === undefined) project.write(file, text);
    else symlinkSync(leadsTo, path);
  }
  const { stdout } = await project.assay(['run', '--changed', '--list']);
  for (const [at, { title, reason }] of all.entries()) {
    const line = stdout.split('\n').find((one) => one.includes(`e${at}.eval.ts::it `));
    // Newer versions of Node also see where the module itself was looked for.
    assert.ok(`${line}\n`.includes(`run: ${reason}`), `${title}: ${line}`);
  }
}
