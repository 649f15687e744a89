import { expect } from 'chai';
import { Project } from '../helpers/project.js';

// A terminal of its own for the command, whose output then is what the terminal shows.
const inTerminal = {
  through: ['sh', '-c', 'exec script -qec "$*" /dev/null', 'sh'],
  env: { TERM: 'xterm' },
};

const slow = `import { evaluation } from 'assay';
await new Promise((resolve) => setTimeout(resolve, 1000));
export const slow = evaluation({ input: 1, target: (ctx) => ctx.input, evaluators: [() => true] });`;

const live = '  importing 1 file …';
const takenAway = '\r\x1b[J';

describe('assay run at a terminal, with a slow import', () => {
  it('says what it waits for, and takes that away for the run', async () => {
    const project = new Project({ 'a.eval.ts': slow });
    const { code, stdout } = await project.assay(['run'], inTerminal);
    expect(code).to.equal(0);
    expect(stdout.startsWith(live + takenAway)).to.equal(true);
    expect(stdout).to.match(/a\.eval\.ts · 1 case · session default/);
  });

  it('takes it away for a list and for an error', async () => {
    const project = new Project({ 'a.eval.ts': slow, 'bad.eval.ts': `${slow}\nthrow 1;` });
    const list = await project.assay(['run', '--list', 'a.eval.ts'], inTerminal);
    expect(list.stdout).to.equal(`${live}${takenAway}a.eval.ts::slow  a\r\n1 would run\r\n`);
    const failed = await project.assay(['run', 'bad.eval.ts'], inTerminal);
    expect(failed.code).to.equal(2);
    expect(failed.stdout).to.match(/^ {2}importing 1 file …\r.\[J\S*✗ /);
    const none = await project.assay(['run', '--label', 'none', 'a.eval.ts'], inTerminal);
    expect(none.code).to.equal(2);
    expect(none.stdout).to.match(/^ {2}importing 1 file …\r.\[J\S*✗ /);
  });
});
