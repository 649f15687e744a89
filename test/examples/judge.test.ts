import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { runInSharedProcess } from '../helpers/shared-process.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Commands of a block, and what the next block says that they print. */
interface Step {
  readonly commands: readonly string[];
  readonly printed: string;
}

/** The steps below a heading of a page. */
function stepsOf(page: string, heading: string): Step[] {
  const [, below = ''] = readFileSync(join(root, page), 'utf8').split(`${heading}\n`);
  const [text = ''] = below.split(/^#+ /m);
  const blocks = text.matchAll(/^```sh\n(.*?)^```\n(?:\n```\n(.*?)^```\n)?/gms);
  return [...blocks].map(([, commands = '', printed = '']) => ({
    commands: commands.trim().split('\n'),
    printed,
  }));
}

function words(line: string): string {
  return line.trim().replace(/\s+/g, ' ');
}

describe('examples/judge', () => {
  for (const [page, heading] of [
    ['examples/judge/README.md', '# Judge'],
    ['docs/judges.md', '## From a rubric to a calibrated judge in an hour'],
  ] as const) {
    it(`does what ${page} says, from the recordings of the checkout, without a key`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'assay-judge-'));
      const env = { PATH: process.env.PATH, ASSAY_RESULTS_DIR: join(folder, 'results') };
      const steps = stepsOf(page, heading);
      expect(steps).to.have.length.above(2);
      for (const { commands, printed } of steps) {
        let said = '';
        for (const line of commands) {
          const [command = '', remark = ''] = line.split(/ +# /);
          const args = command.replace(/^npx assay /, '').split(' ');
          const own = args.map((arg) => arg.replace(/^calibration\.json$/, join(folder, '$&')));
          const { code, stdout, stderr } = await runInSharedProcess(own, root, env);
          expect(code, stderr).to.equal(/exit code 1/.test(remark) ? 1 : 0);
          said += stdout + stderr;
        }
        const lines = new Set(said.split('\n').map(words));
        for (const line of printed.split('\n').map(words)) {
          if (line !== '' && line !== '…') expect([...lines]).to.include(line);
        }
      }
      rmSync(folder, { recursive: true });
    });
  }
});
