import { expect } from 'chai';
import { blockForever } from '../helpers/blocking.js';
import { Project, until } from '../helpers/project.js';

/** Starts a process as daemons do: in a session of its own, twice, so that it has neither parent nor group left. Returns when it runs. */
const prologue = `
import { execFileSync, spawn } from 'node:child_process';
import { evaluation } from 'assay';
const daemon = (name) => {
  execFileSync('sh', ['-c', 'setsid sh -c "setsid sh -c \\'trap \\"\\" TERM HUP; touch ' + name + '; sleep 1000; sleep 1000\\' &" & until [ -e ' + name + ' ]; do sleep 0.01; done'], { stdio: 'ignore' });
};
`;

/** Bodies of evaluations, each after it has started a daemon. */
const endings: Readonly<Record<string, string>> = {
  finished: '',
  failed: 'throw new Error("failed");',
  endless: 'return new Promise(() => {});',
  crashed: 'process.kill(process.pid, "SIGSEGV");',
  blocks: blockForever,
};

describe('a daemon that an evaluation has started', () => {
  it('is gone however the evaluation has ended, or when the import has started it', async () => {
    const evaluations = Object.entries(endings).map(
      ([name, source]) =>
        `export const ${name} = evaluation({}, () => { daemon('${name}'); ${source} });`,
    );
    const project = new Project({
      'a.eval.ts': `${prologue}\ndaemon('imported');\n${evaluations.join('\n')}`,
    });
    await project.run(['--timeout', '1']);
    for (const name of ['imported', ...Object.keys(endings)]) {
      expect(project.has(name), name).to.equal(true);
    }
    expect(await project.processesLeft()).to.deep.equal([]);
  });

  it('is gone when the command is killed', async () => {
    const project = new Project({
      'a.eval.ts': `${prologue}\nexport const starts = evaluation({}, async () => { daemon('daemon'); ${blockForever} });`,
    });
    const { child, ended } = project.start(['run']);
    await until(() => project.has('daemon'), 'the daemon');
    child.kill('SIGKILL');
    await ended;
    expect(await project.processesLeft()).to.deep.equal([]);
  });
});
