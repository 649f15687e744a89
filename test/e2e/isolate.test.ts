import { expect } from 'chai';
import { Project, until } from '../helpers/project.js';

const evals = `
import { evaluation } from 'assay';
let calls = 0;
export const pids = evaluation({ cases: Array.from({ length: 3 }, (_, n) => ({ id: String(n) })), trials: 2 }, async (ctx) => {
  calls += 1;
  ctx.output = { pid: process.pid, calls, spoiled: globalThis.spoiled === true };
  globalThis.spoiled = true;
});
`;

/** What each attempt must say: that it had a process for itself. */
function expectApart(outputs: readonly unknown[]): void {
  const all = outputs as readonly { pid: number; calls: number; spoiled: boolean }[];
  expect(new Set(all.map(({ pid }) => pid))).to.have.property('size', all.length);
  for (const { calls, spoiled } of all)
    expect({ calls, spoiled }).to.deep.equal({ calls: 1, spoiled: false });
}

describe('assay run --isolate', () => {
  it('gives every attempt a process of its own, trials too, and leaves none', async () => {
    const project = new Project({ 'a.eval.ts': evals });
    const { run } = await project.run(['--isolate', '-c', '3']);
    expect(run.results).to.have.lengthOf(6);
    expectApart(run.results.map((row) => row.result.output));
    expect(await project.processesLeft()).to.deep.equal([]);
  });

  it('can be set in the settings file and the environment, and switched off again', async () => {
    const inOne = new Project({
      'a.eval.ts': `
import { evaluation } from 'assay';
export const pids = evaluation({ cases: [{}, {}] }, (ctx) => { ctx.output = process.pid; });`,
      'assay.yaml': 'isolate: true\n',
    });
    const pidsOf = async (args: readonly string[], env = {}) => {
      const { run } = await inOne.run(args, { env });
      return new Set(run.results.map((row) => row.result.output)).size;
    };
    expect(await pidsOf([])).to.equal(2);
    expect(await pidsOf(['--no-isolate'])).to.equal(1);
    inOne.remove('assay.yaml');
    expect(await pidsOf([], { ASSAY_ISOLATE: 'true' })).to.equal(2);
  });

  it('can be stopped', async () => {
    const project = new Project({
      'a.eval.ts': `
import { evaluation } from 'assay';
export const slow = evaluation({ cases: Array.from({ length: 40 }, (_, input) => ({ input })) }, ({ input }) => input === 0 ? undefined : new Promise(() => {}));
`,
    });
    const { child, ended } = project.start(['run', '--isolate', '-c', '2']);
    await until(() => project.finishedResults() > 0, 'the first result');
    child.kill('SIGINT');
    expect((await ended).code).to.equal(130);
    expect(await project.processesLeft()).to.deep.equal([]);
  });
});
