import { expect } from 'chai';
import { blockForever } from '../helpers/blocking.js';
import { Project, until } from '../helpers/project.js';

/** Starts a process as daemons do: in a session of its own, twice, so that it has neither parent nor group left. Returns when it runs. */
const prologue = `
import { execFileSync, spawn } from 'node:child_process';
import { evaluation } from 'assay';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const daemon = () => {
  execFileSync('sh', ['-c', 'setsid sh -c "setsid sh -c \\'trap \\"\\" TERM HUP; touch daemon; sleep 1000; sleep 1000\\' &" & until [ -e daemon ]; do sleep 0.01; done'], { stdio: 'ignore' });
};
`;

const endings: Readonly<Record<string, string>> = {
  'has finished': '() => { daemon(); }',
  'has failed': '() => { daemon(); throw new Error("failed"); }',
  'has crashed its process':
    'async () => { daemon(); await wait(300); process.kill(process.pid, "SIGSEGV"); }',
  'does not end': '() => { daemon(); return new Promise(() => {}); }',
  loops: 'async () => { daemon(); await wait(300); while (true); }',
};

describe('a daemon that an evaluation has started', () => {
  for (const [how, source] of Object.entries(endings)) {
    it(`is gone when the evaluation ${how}`, async () => {
      const project = new Project({
        'a.eval.ts': `${prologue}\nexport const starts = evaluation({}, ${source});`,
      });
      await project.run(['--timeout', '1']);
      expect(project.has('daemon'), 'it ran').to.equal(true);
      expect(await project.processesAfter(4000)).to.deep.equal([]);
    }).timeout(60_000);
  }

  it('is gone when the import has started it', async () => {
    const project = new Project({
      'a.eval.ts': `${prologue}\ndaemon();\nexport const one = evaluation({}, () => {});`,
    });
    await project.run();
    expect(project.has('daemon'), 'it ran').to.equal(true);
    expect(await project.processesAfter(4000)).to.deep.equal([]);
  }).timeout(60_000);

  it('is gone when the command is killed', async () => {
    const project = new Project({
      'a.eval.ts': `${prologue}\nexport const starts = evaluation({}, async () => { daemon(); ${blockForever} });`,
    });
    const { child, ended } = project.start(['run']);
    await until(() => project.has('daemon'), 'the daemon');
    child.kill('SIGKILL');
    await ended;
    expect(await project.processesAfter(4000)).to.deep.equal([]);
  }).timeout(60_000);
});
