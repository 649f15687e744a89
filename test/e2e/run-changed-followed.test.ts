import assert from 'node:assert/strict';
import { Project, removeProjects } from '../helpers/project.js';

/** What a target does, a change of something that it depends on, and the reason why it runs then. */
interface Row {
  readonly title: string;
  readonly target: string;
  /** A file that is written after the run, and its content. */
  readonly file: string;
  readonly text?: string;
  readonly reason: string;
}

const rows: readonly Row[] = [
  {
    title: 'a file in a folder that was listed with all below it',
    target: "fs.readdirSync('one', { recursive: true }).length",
    file: 'one/sub/new.md',
    reason: 'one/sub',
  },
  {
    title: 'the same with a promise',
    target: "(await fs.promises.readdir('two', { recursive: true })).length",
    file: 'two/sub/new.md',
    reason: 'two/sub',
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
];

/** What is missing counts for all eval files, so each has a project of its own. */
const missing: readonly Row[] = [
  {
    title: 'a module that was missing',
    target: "await import('./six/v1.js').then(() => 1, () => 0)",
    file: 'six/v1.ts',
    reason: 'six',
  },
  {
    title: 'a package that was missing',
    target: "(() => { try { return require('opt-pkg'); } catch { return 0; } })()",
    file: 'node_modules/opt-pkg/package.json',
    text: '{ "name": "opt-pkg", "version": "1.0.0" }',
    reason: 'node_modules/opt-pkg/package.json',
  },
];

function evalFile({ target }: Row): string {
  return `
    import fs from 'node:fs';
    import { createRequire } from 'node:module';
    import os from 'node:os';
    import path from 'node:path';
    import { evaluation } from 'assay';
    const require = createRequire(import.meta.url);
    export const it = evaluation({
      target: async () => {
        const link = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'link-')), 'link');
        return ${target};
      },
    });`;
}

describe('assay run --changed notices', () => {
  afterEach(removeProjects);

  it('what a target looks at in other ways than by reading a file', () => checkReasons(rows));

  for (const row of missing) it(row.title, () => checkReasons([row]));
});

async function checkReasons(all: readonly Row[]): Promise<void> {
  const project = new Project({
    'one/sub/old.md': '',
    'two/sub/old.md': '',
    'three.env': 'THREE=1',
    'four.md': 'before',
    'five.md': 'before',
    'node_modules/.keep': '',
    ...Object.fromEntries(all.map((row, at) => [`e${at}.eval.ts`, evalFile(row)])),
  });
  await project.run();
  for (const { file, text = 'after' } of all) project.write(file, text);
  const { stdout } = await project.assay(['run', '--changed', '--list']);
  for (const [at, { title, reason }] of all.entries()) {
    const line = stdout.split('\n').find((one) => one.includes(`e${at}.eval.ts`));
    assert.ok(line?.endsWith(`run: ${reason}`), `${title}: ${line}`);
  }
}
