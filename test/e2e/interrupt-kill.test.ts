import { rmSync } from 'node:fs';
import { expect } from 'chai';
import { blockForever } from '../helpers/blocking.js';
import { Project, ProjectWithoutHosts, until } from '../helpers/project.js';

const source = `
import { appendFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { evaluation } from 'assay';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const quick = evaluation(
  { labels: ['some'], cases: Array.from({ length: 60 }, (_, n) => ({ id: String(n) })) },
  async (ctx) => { appendFileSync('calls.txt', 'quick ' + ctx.caseId + '\\n'); await wait(5); ctx.output = 'done'; },
);
export const stuck = evaluation({ labels: ['some'] }, async (ctx) => {
  await wait(20);
  appendFileSync('calls.txt', 'stuck\\n');
  if (process.env.STUCK) await new Promise(() => {});
  ctx.output = 'done';
});
const stuckWays = {
  loop: () => { while (true); },
  grandchild: () => new Promise((resolve) => spawn('sleep', ['1000']).on('exit', resolve)),
  detached: () => new Promise((resolve) => spawn('sleep', ['1000'], { detached: true }).on('exit', resolve)),
  // Writes when the runner is gone, before anything else has noticed.
  print: async () => {
    spawn('sleep', ['1000']);
    spawn('sleep', ['1000'], { detached: true });
    const runner = process.ppid;
    while (process.ppid === runner) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    console.log('late');
    await new Promise(() => {});
  },
  term: () => { process.on('SIGTERM', () => {}); process.on('SIGINT', () => {}); process.on('SIGHUP', () => {}); ${blockForever} },
};
export const ways = Object.entries(stuckWays).map(([name, way]) => evaluation({ name, labels: ['way'] }, async () => {
  appendFileSync('calls.txt', name + '\\n');
  await way();
}));
`;

const some = ['--label', 'some'];

function isRemoved(folder: string): boolean {
  try {
    rmSync(folder, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}

describe('a run whose process is killed', () => {
  it('leaves no process behind, even one that loops', async () => {
    const project = new Project({ 'a.eval.ts': source });
    // Each in a process of its own.
    const running = project.start(['run', '--isolate', '-c', '5', '--label', 'way']);
    await until(() => calls(project).length === 5, 'all to be stuck');
    running.child.kill('SIGKILL');
    await until(() => running.child.signalCode !== null, 'the kill');
    expect(await project.processesLeft()).to.deep.equal([]);
  });

  it('leaves no process behind that is still importing', async () => {
    const project = new Project({
      'a.eval.ts': `import { writeFileSync } from 'node:fs';
        writeFileSync('importing', '');
        ${blockForever}`,
    });
    const running = project.start(['run']);
    await until(() => project.has('importing'), 'the import');
    running.child.kill('SIGKILL');
    await until(() => running.child.signalCode !== null, 'the kill');
    expect(await project.processesLeft()).to.deep.equal([]);
  });

  it('leaves no process behind when its folder goes at the same time', async () => {
    const project = new Project({ 'a.eval.ts': source });
    const running = project.start(['run', '-c', '4', ...some], { env: { STUCK: 'yes' } });
    await until(() => calls(project).length > 0, 'the first evaluation');
    running.child.kill('SIGKILL');
    // Its processes may still be writing there, which ends a removal.
    await until(() => isRemoved(project.folder), 'the folder to be gone');
    expect(await project.processesLeft()).to.deep.equal([]);
  });

  it('can be resumed also when it was killed before anything was scheduled', async () => {
    const project = new ProjectWithoutHosts({ 'a.eval.ts': source });
    const { run } = await project.run(['a.eval.ts::stuck']);
    const log = `.assay/sessions/default/${run.run_id}/results.jsonl`;
    const lines = project.read(log).split('\n');
    const planned = lines.findIndex((line) => line.startsWith('{"type":"scheduled"'));
    expect(planned).to.be.greaterThan(0);
    project.write(log, `${lines.slice(0, planned).join('\n')}\n`);
    rmSync(project.path(`.assay/sessions/default/${run.run_id}/run.json`));
    const resumed = await project.run(['--resume', 'latest']);
    expect(resumed.statuses).to.deep.equal({ stuck: 'completed' });
  });
});

function calls(project: Project): readonly string[] {
  try {
    return project.read('calls.txt').trim().split('\n');
  } catch {
    return [];
  }
}
