import { expect } from 'chai';
import { type Ended, Project } from '../helpers/project.js';

// A terminal of its own for the command, whose output then is what the terminal shows.
const inTerminal = {
  through: ['sh', '-c', 'exec script -qec "$*" /dev/null', 'sh'],
  env: { TERM: 'xterm' },
};

const slow = `import { existsSync } from 'node:fs';
import { evaluation } from 'assay';
while (!existsSync('open')) await new Promise((resolve) => setTimeout(resolve, 10));
export const slow = evaluation({ input: 1, target: (ctx) => ctx.input, evaluators: [() => true] });`;

const live = '  importing 1 file …';
const takenAway = '\r\x1b[J';

/** Runs the command at a terminal; the import goes on as soon as it is said to be waited for. */
async function runAtTerminal(...args: readonly string[]): Promise<Ended> {
  const project = new Project({ 'a.eval.ts': slow, 'bad.eval.ts': `${slow}\nthrow 1;` });
  const { said, ended } = project.start(['run', ...args], inTerminal);
  await said(/importing 1 file …/);
  project.write('open', '');
  return ended;
}

describe('assay run at a terminal, with a slow import', () => {
  it('says what it waits for, and takes that away for the run', async () => {
    const { code, stdout } = await runAtTerminal('a.eval.ts');
    expect(code).to.equal(0);
    expect(stdout.startsWith(live + takenAway)).to.equal(true);
    expect(stdout).to.match(/a\.eval\.ts · 1 case · session default/);
  });

  it('takes it away for a list and for an error', async () => {
    const [list, failed, none] = await Promise.all([
      runAtTerminal('--list', 'a.eval.ts'),
      runAtTerminal('bad.eval.ts'),
      runAtTerminal('--label', 'none', 'a.eval.ts'),
    ]);
    expect(list.stdout).to.equal(`${live}${takenAway}a.eval.ts::slow  a\r\n1 would run\r\n`);
    for (const { code, stdout } of [failed, none]) {
      expect(code).to.equal(2);
      expect(stdout).to.match(/^ {2}importing 1 file …\r.\[J\S*✗ /);
    }
  });
});
