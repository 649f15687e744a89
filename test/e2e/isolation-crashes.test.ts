import { expect } from 'chai';
import { Project } from '../helpers/project.js';
import { fewOf } from '../helpers/rounds.js';

const prologue = `
import { evaluation } from 'assay';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const neighbours = (name, count) => evaluation(
  { name, cases: Array.from({ length: count }, (_, n) => ({ id: String(n) })) },
  async (ctx) => { await wait(40); ctx.output = 'fine'; },
);
export const first = neighbours('first', 8);
`;
const epilogue = `
export const last = neighbours('last', 8);
`;

interface Crash {
  readonly name: string;
  readonly source: string;
  readonly error: RegExp;
  readonly concurrencies?: readonly string[];
}

const crashes: readonly Crash[] = [
  {
    name: 'is ended by a signal at once',
    source: `evaluation({}, () => { process.kill(process.pid, 'SIGSEGV'); })`,
    error: /ended by SIGSEGV/,
    concurrencies: ['1', '8'],
  },
  {
    name: 'is ended by a signal after it has waited',
    source: `evaluation({}, async () => { await wait(10); process.kill(process.pid, 'SIGSEGV'); await wait(5000); })`,
    error: /ended by SIGSEGV/,
    concurrencies: ['1', '8'],
  },
  {
    name: 'kills its process while it waits',
    source: `evaluation({}, async () => { await wait(10); process.kill(process.pid, 'SIGKILL'); await wait(5000); })`,
    error: /ended by SIGKILL/,
  },
  {
    name: 'aborts',
    source: `evaluation({}, async () => { await wait(10); process.abort(); })`,
    error: /ended by SIGABRT/,
  },
  {
    name: 'leaves by the back door',
    source: `evaluation({}, async () => { await wait(10); console.error('before the end'); process.reallyExit(41); })`,
    error: /exit code 41/,
  },
  {
    name: 'runs out of memory',
    source: `evaluation({}, async () => { await wait(10); const all = []; for (;;) all.push(new Array(1000).fill({})); })`,
    error: /ran out of memory/,
  },
  {
    name: 'kills its whole process group',
    source: `evaluation({}, async () => { await wait(10); process.kill(-process.pid, 'SIGKILL'); await wait(5000); })`,
    error: /ended by SIGKILL/,
  },
];

describe('an evaluation that takes its process with it', () => {
  it('is an error that says how, and everything else finishes', async () => {
    await Promise.all(
      fewOf(crashes, 1).flatMap(({ name, source, error, concurrencies = ['8'] }) =>
        concurrencies.map(async (concurrency) => {
          const project = new Project({
            'crash.eval.ts': `${prologue}export const culprit = ${source};${epilogue}`,
          });
          const { run, result, code } = await project.run(['-c', concurrency], {
            env: { NODE_OPTIONS: '--max-old-space-size=60' },
          });
          const what = `${name}, concurrency ${concurrency}`;
          expect(result('culprit').status, what).to.equal('error');
          expect(result('culprit').error, what).to.match(error);
          expect(run.total_errors, what).to.equal(1);
          const fine = run.results.filter((row) => row.result.output === 'fine');
          expect(fine, what).to.have.lengthOf(16);
          expect(run.state, what).to.equal('finished');
          expect(code, what).to.equal(0);
          expect(await project.processesAfter(3000), what).to.deep.equal([]);
        }),
      ),
    );
  }).timeout(120_000);

  it('shows the last lines it wrote to stderr itself', async () => {
    const project = new Project({
      'words.eval.ts': `
import { writeSync } from 'node:fs';
import { evaluation } from 'assay';
export const culprit = evaluation({}, () => {
  writeSync(2, 'library: assertion failed, core is at 42\\n');
  process.kill(process.pid, 'SIGSEGV');
});
`,
    });
    const { result } = await project.run();
    expect(result('culprit').error).to.match(
      /SIGSEGV[\s\S]*library: assertion failed, core is at 42/,
    );
  });

  it('is each an error when several do it', async () => {
    const project = new Project({
      'many.eval.ts': `${prologue}
export const culprit = evaluation(
  { cases: Array.from({ length: 5 }, (_, n) => ({ id: String(n) })) },
  async () => { await wait(10); process.kill(process.pid, 'SIGSEGV'); await wait(5000); },
);${epilogue}`,
    });
    const { run, statuses } = await project.run(['-c', '8']);
    const culprits = Object.keys(statuses).filter((name) => name.startsWith('culprit'));
    expect(culprits.map((name) => statuses[name])).to.deep.equal(Array(5).fill('error'));
    expect(run.total_errors).to.equal(5);
    expect(run.results.filter((row) => row.result.output === 'fine')).to.have.lengthOf(16);
  });

  it('is found with several processes as well', async () => {
    const project = new Project({
      'workers.eval.ts': `${prologue}
export const culprit = evaluation({}, async () => { await wait(10); process.kill(process.pid, 'SIGSEGV'); });
${epilogue}`,
    });
    const { run, result } = await project.run(['-c', '8', '--workers', '3']);
    expect(result('culprit').error).to.match(/SIGSEGV/);
    expect(run.total_errors).to.equal(1);
    expect(run.results.filter((row) => row.result.output === 'fine')).to.have.lengthOf(16);
  });

  it('runs at most what was in flight again, and what had finished before only once', async () => {
    const project = new Project({
      'again.eval.ts': `
import { appendFileSync } from 'node:fs';
import { evaluation } from 'assay';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const called = (name) => appendFileSync('calls.txt', name + '\\n');
export const early = evaluation(
  { cases: Array.from({ length: 8 }, (_, n) => ({ id: String(n) })) },
  async (ctx) => { called('early'); await wait(5); ctx.output = 'fine'; },
);
export const culprit = evaluation({}, async () => { await wait(300); process.kill(process.pid, 'SIGSEGV'); await wait(5000); });
export const during = evaluation(
  { cases: Array.from({ length: 3 }, (_, n) => ({ id: String(n) })) },
  async (ctx) => { called('during'); await wait(1000); ctx.output = 'fine'; },
);
`,
    });
    const { run } = await project.run(['-c', '4']);
    expect(run.total_errors).to.equal(1);
    const calls = project.read('calls.txt').trim().split('\n');
    expect(calls.filter((name) => name === 'early')).to.have.lengthOf(8);
    expect(calls.filter((name) => name === 'during')).to.have.lengthOf.within(3, 6);
  });
});
