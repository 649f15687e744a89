import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { runInSharedProcess } from '../helpers/shared-process.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** The commands of each recipe, by its heading. */
const recipes = new Map(
  read('docs/recipes.md')
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [, block = ''] = /^```sh\n(.*?)^```$/ms.exec(section) ?? [];
      return [section.split('\n', 1).join(), block.trim().split('\n')];
    }),
);

describe('docs/recipes.md', () => {
  it('names every example', () => {
    const folders = readdirSync(join(root, 'examples')).filter((name) => name !== 'recordings');
    const named = read('docs/recipes.md').matchAll(/examples\/([\w-]+)\/README\.md/g);
    expect([...new Set([...named].map(([, name]) => name))].sort()).to.deep.equal(folders.sort());
  });

  it('has the commands of the examples, which their tests run', () => {
    for (const [recipe, commands] of recipes) {
      if (recipe === 'Gate in CI') continue;
      const [, example = ''] = /^npx assay run (examples\/[\w-]+)/.exec(commands[0] ?? '') ?? [];
      for (const command of commands) {
        expect(read(`${example}/README.md`).split('\n'), recipe).to.include(command);
      }
    }
  });

  it('has gates that hold, and a baseline that is written before it is read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-recipes-'));
    const env = { PATH: process.env.PATH, ASSAY_RESULTS_DIR: join(folder, 'results') };
    for (const command of recipes.get('Gate in CI') ?? []) {
      const args = command.replace(/^npx assay /, '').split(' ');
      const own = args.map((arg) => arg.replace(/^baseline\.json$/, join(folder, '$&')));
      const { code, stderr } = await runInSharedProcess(own, root, env);
      expect(code, `${command}: ${stderr}`).to.equal(0);
    }
    rmSync(folder, { recursive: true });
  });
});
