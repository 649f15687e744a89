import { expect } from 'chai';
import { delay, Project, removeProjects, until } from '../helpers/temporary-project.js';

const source = `
import { appendFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { evaluation } from 'assay';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const quick = evaluation(
  { cases: Array.from({ length: 200 }, (_, n) => ({ id: String(n) })) },
  async (ctx) => { appendFileSync('calls.txt', 'quick ' + ctx.caseId + '\\n'); await wait(5); ctx.output = 'done'; },
);
export const stuck = evaluation({}, async (ctx) => {
  await wait(20);
  appendFileSync('calls.txt', 'stuck\\n');
  if (process.env.STUCK !== undefined) await stuckWays[process.env.STUCK]();
  ctx.output = 'done';
});
const stuckWays = {
  loop: () => { while (true); },
  wait: () => new Promise(() => {}),
  grandchild: () => new Promise((resolve) => spawn('sleep', ['1000']).on('exit', resolve)),
  detached: () => new Promise((resolve) => spawn('sleep', ['1000'], { detached: true }).on('exit', resolve)),
  term: () => { process.on('SIGTERM', () => {}); process.on('SIGINT', () => {}); process.on('SIGHUP', () => {}); while (true); },
};
`;

describe('a run whose process is killed', () => {
  after(removeProjects);

  it('leaves no process behind, even one that loops', async () => {
    await Promise.all(
      ['loop', 'wait', 'grandchild', 'detached', 'term'].map(async (way) => {
        const project = new Project({ 'a.eval.ts': source });
        const running = project.start(['run', '-c', '4'], { env: { STUCK: way } });
        await until(() => calls(project).includes('stuck'), 'the evaluation that is stuck');
        running.child.kill('SIGKILL');
        const killedAt = performance.now();
        await until(() => running.child.signalCode !== null, 'the kill');
        expect(await project.processesAfter(5000), way).to.deep.equal([]);
        expect(performance.now() - killedAt, `${way}: milliseconds`).to.be.below(4500);
      }),
    );
  }).timeout(40_000);

  it('can be read at once, and resumed: what was told is there, the rest is pending', async () => {
    const project = new Project({ 'a.eval.ts': source });
    const running = project.start(['run', '-c', '1', '--json'], { env: { STUCK: 'wait' } });
    await until(() => calls(project).includes('stuck'), 'the evaluation that is stuck');
    await delay(200);
    running.child.kill('SIGKILL');
    await running.ended;

    const killed = await project.exported();
    expect(killed.run.state).to.equal('interrupted');
    expect(killed.run.results).to.have.lengthOf(201);
    expect(killed.run.results.filter((row) => row.result.status === 'completed')).to.have.lengthOf(
      200,
    );
    expect(killed.result('stuck')).to.include({ status: 'pending', output: null });

    const resumed = await project.run(['--resume', killed.run.run_id]);
    expect(resumed.code).to.equal(0);
    expect(resumed.run.run_id).to.equal(killed.run.run_id);
    expect(resumed.run).to.include({ state: 'finished', total_errors: 0, total_passed: 201 });
    expect(calls(project).filter((call) => call.startsWith('quick'))).to.have.lengthOf(200);
    expect(resumed.run.results.slice(0, 200)).to.deep.equal(killed.run.results.slice(0, 200));
  });

  it('at any moment, loses nothing that was reported as finished', async () => {
    const moments = [150, 250, 300, 350, 400, 450, 500, 600];
    await inTurns(moments, 3, async (moment) => {
      const project = new Project({ 'a.eval.ts': source });
      const running = project.start(['run', '-c', '3', '--verbose']);
      await delay(moment);
      running.child.kill('SIGKILL');
      await running.ended;
      const listed = await project.assay(['sessions', '--json']);
      expect(listed.code, `${moment} ms: ${listed.stderr}`).to.equal(0);
      const ids = [...listed.stdout.matchAll(/"run_id":\s*"([0-9a-f]{12})"/g)];
      if (ids.length === 0) return;
      const resumed = await project.run(['--resume', 'latest']);
      expect(resumed.code, `${moment} ms`).to.equal(0);
      expect(resumed.run, `${moment} ms`).to.include({ state: 'finished', total_passed: 201 });
    });
  }).timeout(60_000);
});

function calls(project: Project): readonly string[] {
  try {
    return project.read('calls.txt').trim().split('\n');
  } catch {
    return [];
  }
}

async function inTurns<T>(
  items: readonly T[],
  atATime: number,
  each: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const turn = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await each(item);
  };
  await Promise.all(Array.from({ length: atATime }, turn));
}
