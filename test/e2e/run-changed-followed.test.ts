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

function evalFile({ target }: Row): string {
  return `
    import fs from 'node:fs';
    import os from 'node:os';
    import path from 'node:path';
    import { evaluation } from 'assay';
    export const it = evaluation({
      target: async () => {
        const link = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'link-')), 'link');
        return ${target};
      },
    });`;
}

describe('assay run --changed notices', () => {
  afterEach(removeProjects);

  it('what a target looks at in other ways than by reading a file', async () => {
    const project = new Project({
      'one/sub/old.md': '',
      'two/sub/old.md': '',
      'three.env': 'THREE=1',
      'four.md': 'before',
      'five.md': 'before',
      'node_modules/.keep': '',
      ...Object.fromEntries(rows.map((row, at) => [`e${at}.eval.ts`, evalFile(row)])),
    });
    await project.run();
    for (const { file, text = 'after' } of rows) project.write(file, text);
    const { stdout } = await project.assay(['run', '--changed', '--list']);
    for (const [at, { title, reason }] of rows.entries()) {
      const line = stdout.split('\n').find((one) => one.includes(`e${at}.eval.ts`));
      assert.ok(line?.endsWith(`run: ${reason}`), `${title}: ${line}`);
    }
  });
});
