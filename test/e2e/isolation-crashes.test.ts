import { expect } from 'chai';
import { Project, until } from '../helpers/project.js';

const prologue = `
import { evaluation } from 'assay';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const neighbours = (name, count) => evaluation(
  { name, cases: Array.from({ length: count }, (_, n) => ({ id: String(n) })) },
  async (ctx) => { await wait(40); ctx.output = 'fine'; },
);
export const first = neighbours('first', 2);
`;
const epilogue = `
export const last = neighbours('last', 2);
`;

interface Crash {
  readonly source: string;
  readonly error: RegExp;
}

const crashes: Readonly<Record<string, Crash>> = {
  'is ended by a signal at once': {
    source: `() => { process.kill(process.pid, 'SIGSEGV'); }`,
    error: /ended by SIGSEGV/,
  },
  'is ended by a signal after it has waited': {
    source: `async () => { await wait(10); process.kill(process.pid, 'SIGSEGV'); await wait(5000); }`,
    error: /ended by SIGSEGV/,
  },
  aborts: {
    source: `async () => { await wait(10); process.abort(); }`,
    error: /ended by SIGABRT/,
  },
  'leaves by the back door': {
    source: `async () => { await wait(10); process.reallyExit(41); }`,
    error: /exit code 41/,
  },
  'shows the last lines that it wrote itself': {
    source: `() => { writeSync(2, 'library: core is at 42\\n'); process.kill(process.pid, 'SIGSEGV'); }`,
    error: /SIGSEGV[\s\S]*library: core is at 42/,
  },
  'runs out of memory': {
    source: `async () => { await wait(10); const all = []; for (;;) all.push(new Array(100_000).fill(0.5)); }`,
    error: /ran out of memory/,
  },
  'kills its whole process group': {
    source: `async () => { await wait(10); process.kill(-process.pid, 'SIGKILL'); await wait(5000); }`,
    error: /ended by SIGKILL/,
  },
};

describe('an evaluation that takes its process with it', () => {
  it('is an error that says how, and everything else finishes', async () => {
    const project = new Project({
      'crash.eval.ts': `import { writeSync } from 'node:fs';${prologue}
export const culprits = [${Object.entries(crashes).map(
        ([name, { source }]) => `evaluation({ name: '${name}' }, ${source})`,
      )}];${epilogue}`,
    });
    const { run, result, code } = await project.run(['-c', '1'], {
      env: { NODE_OPTIONS: '--max-old-space-size=60' },
    });
    for (const [name, { error }] of Object.entries(crashes)) {
      expect(result(name).status, name).to.equal('error');
      expect(result(name).error, name).to.match(error);
    }
    expect(run.total_errors).to.equal(Object.keys(crashes).length);
    expect(run.results.filter((row) => row.result.output === 'fine')).to.have.lengthOf(4);
    expect(run.state).to.equal('finished');
    expect(code).to.equal(0);
    expect(await project.processesLeft()).to.deep.equal([]);
  }).timeout(120_000);

  it('runs at most what was in flight again, and what had finished before only once', async () => {
    const project = new Project({
      'again.eval.ts': `
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { evaluation } from 'assay';
const untilThere = async (name) => {
  while (!existsSync(name)) await new Promise((resolve) => setTimeout(resolve, 10));
};
const called = (name) => appendFileSync('calls.txt', name + '\\n');
export const early = evaluation(
  { cases: Array.from({ length: 8 }, (_, n) => ({ id: String(n) })) },
  (ctx) => { called('early'); ctx.output = 'fine'; },
);
export const culprit = evaluation({}, async () => {
  await untilThere('go');
  writeFileSync('crashed', '');
  process.kill(process.pid, 'SIGSEGV');
});
export const during = evaluation(
  { cases: Array.from({ length: 3 }, (_, n) => ({ id: String(n) })) },
  async (ctx) => { called('during'); await untilThere('crashed'); ctx.output = 'fine'; },
);
`,
    });
    const running = project.start(['run', '-c', '4']);
    const calls = () =>
      project.has('calls.txt') ? project.read('calls.txt').trim().split('\n') : [];
    const countOf = (name: string) => calls().filter((call) => call === name).length;
    await until(() => project.finishedResults() === 8, 'the early ones to be saved');
    await until(() => countOf('during') === 3, 'the others to run');
    project.write('go', '');
    expect((await running.ended).code).to.equal(0);
    expect((await project.exported()).run.total_errors).to.equal(1);
    expect(countOf('early')).to.equal(8);
    expect(countOf('during')).to.equal(6);
  });
});
