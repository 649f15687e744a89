import { expect } from 'chai';
import { blockForever } from '../helpers/blocking.js';
import { type JsonRun, Project, type Running, until } from '../helpers/project.js';

const source = `
import { appendFileSync } from 'node:fs';
import { evaluation } from 'assay';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const called = (name) => appendFileSync('calls.txt', name + '\\n');
export const quick = evaluation(
  { cases: Array.from({ length: 10 }, (_, n) => ({ id: String(n) })) },
  (ctx) => { called('quick'); ctx.output = 'done'; },
);
export const long = evaluation(
  { cases: Array.from({ length: 10 }, (_, n) => ({ id: String(n) })) },
  async (ctx) => {
    called('long');
    const aborted = new Promise((resolve) => ctx.signal.addEventListener('abort', resolve));
    await Promise.race([wait(Number(process.env.LONG_MS)), aborted]);
    ctx.output = 'done';
  },
);
`;
const loop = `
import { appendFileSync, existsSync } from 'node:fs';
import { evaluation } from 'assay';
export const quick = evaluation(
  { cases: Array.from({ length: 10 }, (_, n) => ({ id: String(n) })) },
  (ctx) => { ctx.output = 'done'; },
);
export const loops = evaluation({}, async () => {
  while (!existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 10));
  appendFileSync('calls.txt', 'long\\n');
  if (process.env.LONG_MS !== '1') ${blockForever}
});
`;

interface Interrupted {
  readonly project: Project;
  readonly running: Running;
}

/** Sends a signal when the quick ones are saved and something long is under way. */
async function interrupt(
  text: string,
  signal: NodeJS.Signals,
  args: readonly string[] = [],
): Promise<Interrupted> {
  const project = new Project({ 'a.eval.ts': text });
  const running = project.start(['run', '-c', '2', ...args], { env: { LONG_MS: '60000' } });
  await until(() => project.finishedResults() === 10, 'the quick ones to be saved');
  // What loops would keep its process from telling what else has finished in it.
  project.write('go', '');
  await until(() => hasCalled(project, 'long'), 'something long under way');
  running.child.kill(signal);
  return { project, running };
}

function hasCalled(project: Project, name: string): boolean {
  return project.has('calls.txt') && project.read('calls.txt').includes(name);
}

function countOf({ run }: JsonRun, status: string): number {
  return run.results.filter((row) => row.result.status === status).length;
}

describe('SIGINT and SIGTERM', () => {
  it('cancel what is unfinished, which can be resumed, keep what is, and exit with 130 and 143', async () => {
    const looping = await interrupt(loop, 'SIGINT');
    const waiting = await interrupt(source, 'SIGTERM', ['--json']);
    for (const [{ project, running }, code] of [
      [looping, 130],
      [waiting, 143],
    ] as const) {
      const ended = await running.ended;
      expect(ended.code, ended.stderr).to.equal(code);
      expect(ended.stderr).to.include('Stopping; finished results are saved');
      expect(ended.stderr).not.to.match(/^\s+at /m);
      expect(await project.processesLeft()).to.deep.equal([]);
      const saved = await project.exported();
      expect(countOf(saved, 'completed')).to.equal(10);
      expect(countOf(saved, 'cancelled')).to.equal(saved.run.results.length - 10);
      expect(saved.run.state).to.equal('finished');
      if (code === 143) expect(JSON.parse(ended.stdout)).to.deep.equal(saved.run);
    }
    // What was cancelled can be resumed.
    const { project } = waiting;
    const resumed = await project.run(['--resume', 'latest'], { env: { LONG_MS: '1' } });
    expect(resumed.code).to.equal(0);
    expect(countOf(resumed, 'completed')).to.equal(20);
    const calls = project.read('calls.txt').trim().split('\n');
    expect(calls.filter((name) => name === 'quick')).to.have.lengthOf(10);
  });

  it('end everything at once when they come twice', async () => {
    const { project, running } = await interrupt(loop, 'SIGINT');
    await until(() => running.stderr().includes('Stopping'), 'the first to be heard');
    running.child.kill('SIGINT');
    const { code } = await running.ended;
    expect(code).to.equal(130);
    // An end in order waits for what loops, and then takes the lock away.
    expect(project.savedText(), 'the lock').to.include('"nonce"');
    expect(await project.processesLeft(), 'processes').to.deep.equal([]);
    const saved = await project.exported();
    expect(countOf(saved, 'completed')).to.equal(10);
    expect(countOf(saved, 'running')).to.equal(0);
  });
});

describe('a stdout that nobody reads to the end', () => {
  it('is left quietly, and a closed stderr keeps nothing from running', async () => {
    const project = new Project({
      'a.eval.ts': `
import { evaluation } from 'assay';
export const many = evaluation({ cases: Array.from({ length: 300 }, (_, n) => ({ input: 'x'.repeat(5000) + n })) }, () => {});
`,
    });
    const command = (line: string) => ['sh', '-c', `"$@" ${line}`, 'sh'];
    const [head, closed, deaf] = await Promise.all([
      project.assay(['run', '--json'], { through: command('| head -1') }),
      project.assay(['run', '--json', '--session', 'closed'], { through: command('>&-') }),
      project.assay(['run', '--json', '--no-save'], { through: command('2>&-') }),
    ]);
    expect(head.stdout).to.equal('{\n');
    expect(head.stderr).not.to.match(/EPIPE|^\s+at /m);
    expect(closed.stderr).not.to.match(/^\s+at /m);
    expect(deaf.json()).to.include({ total_passed: 300 });
    const listed = await project.assay(['sessions', 'show', 'default', '--json']);
    expect(listed.stdout).to.include('"total_evaluations": 300');
  });
});
