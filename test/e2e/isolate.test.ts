import { expect } from 'chai';
import { Project, until } from '../helpers/project.js';

const evals = `
import { fork } from 'node:child_process';
import { evaluation } from 'assay';
let calls = 0;
export const pids = evaluation({ cases: [{ id: 'a' }], trials: 2 }, async (ctx) => {
  calls += 1;
  ctx.output = {
    pid: process.pid, calls, spoiled: globalThis.spoiled === true,
    argv: process.argv.slice(2), execArgv: process.execArgv,
    forked: await new Promise((resolve) => fork('child.mjs').once('message', resolve)),
  };
  globalThis.spoiled = true;
});
`;

describe('assay run --isolate', () => {
  it('gives every attempt a process of its own, unless it is switched off, without arguments and options of Node', async () => {
    const project = new Project({
      'a.eval.ts': evals,
      'child.mjs': 'process.send({ argv: process.argv.slice(2), execArgv: process.execArgv });',
    });
    const all = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
      const { run } = await project.run(args, { env });
      return run.results.map(({ result }) => result.output as { pid: number });
    };
    const none = { argv: [], execArgv: [] };
    const isolated = await all(['--isolate', '-c', '3']);
    expect(new Set(isolated.map(({ pid }) => pid))).to.have.property('size', 2);
    for (const { pid: _, ...met } of isolated) {
      expect(met).to.deep.equal({ calls: 1, spoiled: false, ...none, forked: none });
    }
    project.write('assay.yaml', 'isolate: true\n');
    const [first, second] = await all(['--no-isolate'], { ASSAY_ISOLATE: 'true' });
    expect(first?.pid).to.equal(second?.pid);
    expect(await project.processesLeft()).to.deep.equal([]);
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
