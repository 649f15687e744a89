import { expect } from 'chai';
import { Project } from '../helpers/project.js';
import { fewOf } from '../helpers/rounds.js';

const prologue = `
import { spawn } from 'node:child_process';
import { evaluation } from 'assay';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const neighbours = evaluation(
  { name: 'neighbour', cases: Array.from({ length: 7 }, (_, n) => ({ id: String(n) })) },
  async (ctx) => { await wait(200); ctx.output = 'fine'; },
);
`;

interface Hang {
  readonly name: string;
  readonly source: string;
  readonly error?: RegExp;
  /** Tried by itself as well. */
  readonly alone?: boolean;
}

const loops = /^timed out after 1 s and held its process/;
const letsGo = /^timed out after 1 s in its body/;

const hangs: readonly Hang[] = [
  { name: 'loops at once', source: '() => { while (true); }', error: loops, alone: true },
  { name: 'loops later', source: 'async () => { await wait(20); while (true); }', error: loops },
  { name: 'never settles', source: '() => new Promise(() => {})', error: letsGo, alone: true },
  {
    name: 'ignores the signal',
    source: 'async () => { for (;;) await wait(50); }',
    error: letsGo,
  },
  {
    name: 'listens to the signal',
    source:
      '(ctx) => new Promise((_, reject) => ctx.signal.addEventListener("abort", () => reject(ctx.signal.reason)))',
    error: letsGo,
  },
  {
    name: 'ignores SIGTERM',
    source: `async () => { process.on('SIGTERM', () => {}); for (;;) await wait(50); }`,
    error: letsGo,
  },
  {
    name: 'ignores SIGTERM and loops',
    source: `async () => { process.on('SIGTERM', () => {}); await wait(20); while (true); }`,
    error: loops,
  },
  {
    name: 'stops its process',
    source: `async () => { await wait(20); process.kill(process.pid, 'SIGSTOP'); await wait(60000); }`,
    alone: true,
  },
  {
    name: 'waits for a child',
    source: `() => new Promise((resolve) => spawn('sleep', ['1000']).on('exit', resolve))`,
    error: letsGo,
  },
  {
    name: 'waits for a detached child',
    source: `() => new Promise((resolve) => spawn('sleep', ['1000'], { detached: true }).on('exit', resolve))`,
    error: letsGo,
  },
  {
    name: 'waits for a child that ignores SIGTERM',
    source: `() => new Promise((resolve) => spawn('sh', ['-c', 'trap "" TERM; sleep 1000; sleep 1000']).on('exit', resolve))`,
    error: letsGo,
  },
];

describe('an evaluation that does not end', () => {
  for (const alone of [true, false]) {
    const beside = alone ? 'by itself' : 'beside seven others';
    it(`is over soon after its timeout, ${beside}, and leaves no process`, async () => {
      await Promise.all(
        fewOf(
          hangs.filter((hang) => !alone || hang.alone === true),
          alone ? 1 : 2,
        ).map(async ({ name, source, error }) => {
          const project = new Project({
            'hang.eval.ts': `${prologue}
export const culprit = evaluation({}, ${source});
${alone ? '' : 'export { neighbours };'}`,
          });
          const { run, result, took } = await project.run(['-c', '8', '--timeout', '1']);
          expect(result('culprit').status, name).to.equal('error');
          if (error !== undefined) expect(result('culprit').error, name).to.match(error);
          expect(run.total_errors, name).to.equal(1);
          const fine = run.results.filter((row) => row.result.output === 'fine');
          expect(fine, name).to.have.lengthOf(alone ? 0 : 7);
          // Who does it is found out by running each alone, which can take the timeout once more.
          expect(took, name).to.be.below(alone ? 15 : 30);
          expect(await project.processesAfter(4000), name).to.deep.equal([]);
        }),
      );
    }).timeout(120_000);
  }

  it('keeps what finished before and what it has produced itself', async () => {
    const project = new Project({
      'kept.eval.ts': `${prologue}
export const quick = evaluation({}, (ctx) => { ctx.output = 'quick'; });
export const half = evaluation({ target: () => 'half' }, async (ctx) => {
  ctx.score('first', true);
  console.log('so far');
  await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve));
});
`,
    });
    const { result } = await project.run(['--timeout', '0.3']);
    expect(result('quick').status).to.equal('completed');
    expect(result('half')).to.include({ status: 'error', output: 'half' });
    expect(result('half').scores).to.deep.equal([{ key: 'first', passed: true }]);
    expect(result('half').error).to.equal('timed out after 0.3 s in its body');
    expect(JSON.stringify(result('half').trace_data)).to.include('so far');
  });

  it('says in which part it was', async () => {
    const project = new Project({
      'parts.eval.ts': `${prologue}
const never = ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', resolve));
export const target = evaluation({ target: never });
export const body = evaluation({ target: () => 1 }, never);
export const evaluator = evaluation({ target: () => 1, evaluators: [never] });
`,
    });
    const { result } = await project.run(['--timeout', '0.2']);
    expect(result('target').error).to.equal('timed out after 0.2 s in its target');
    expect(result('body').error).to.equal('timed out after 0.2 s in its body');
    expect(result('evaluator').error).to.equal('timed out after 0.2 s in its evaluators');
  });

  it('has its late result dropped', async () => {
    const project = new Project({
      'late.eval.ts': `${prologue}
export const late = evaluation({}, async (ctx) => {
  ctx.output = 'in time';
  await wait(600);
  ctx.output = 'late';
  ctx.score('late', true);
});
export const long = evaluation({ timeout: 10 }, async (ctx) => { await wait(1200); ctx.output = 'long'; });
`,
    });
    const [{ result, run }, again] = await Promise.all([
      project.run(),
      project.run([], { env: { ASSAY_TIMEOUT: '0.3' } }),
    ]);
    expect(run.total_errors).to.equal(0);
    expect(again.result('late')).to.include({ status: 'error', output: 'in time' });
    expect(again.result('late').scores).to.deep.equal([]);
    expect(again.result('long').output).to.equal('long');
    expect(result('late').output).to.equal('late');
  });

  it('is told by its signal, and its neighbours stay in the same process when it lets go', async () => {
    const project = new Project({
      'signal.eval.ts': `${prologue}
export const polite = evaluation({ timeout: 0.3 }, (ctx) => new Promise((resolve) => {
  ctx.signal.addEventListener('abort', () => {
    ctx.output = ctx.signal.reason.name;
    resolve();
  });
}));
export const pids = evaluation(
  { cases: Array.from({ length: 6 }, (_, n) => ({ id: String(n) })) },
  async (ctx) => { await wait(400); ctx.output = process.pid; },
);
`,
    });
    const { result, run } = await project.run(['-c', '3']);
    expect(result('polite').error).to.match(/^timed out after 0.3 s/);
    const pids = run.results.slice(1).map((row) => row.result.output);
    expect(new Set(pids)).to.have.property('size', 1);
  });
});
