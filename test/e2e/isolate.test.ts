import { expect } from 'chai';
import { Project, until } from '../helpers/project.js';

const evals = `
import { evaluation } from 'assay';
let calls = 0;
export const pids = evaluation({ cases: [{ id: 'a' }], trials: 2 }, async (ctx) => {
  calls += 1;
  ctx.output = { pid: process.pid, calls, spoiled: globalThis.spoiled === true };
  globalThis.spoiled = true;
});
`;

describe('assay run --isolate', () => {
  it('gives every attempt a process of its own, also by settings and environment, unless it is switched off', async () => {
    const project = new Project({ 'a.eval.ts': evals });
    const set = { env: { ASSAY_ISOLATE: 'true' } };
    for (const [args, options, settings, processes] of [
      [['--isolate', '-c', '3'], {}, '', 2],
      [[], set, '', 2],
      [[], {}, 'isolate: true\n', 2],
      [['--no-isolate'], set, 'isolate: true\n', 1],
    ] as const) {
      project.write('assay.yaml', settings);
      const { run } = await project.run(args, options);
      const all = run.results.map(({ result }) => result.output as { pid: number });
      expect(all).to.have.lengthOf(2);
      expect(new Set(all.map(({ pid }) => pid))).to.have.property('size', processes);
      if (processes === 1) continue;
      for (const { pid: _, ...met } of all) {
        expect(met).to.deep.equal({ calls: 1, spoiled: false });
      }
    }
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

describe('the process that evaluations run in', () => {
  it('has no arguments and no options of Node, nor have processes that they fork', async () => {
    const project = new Project({
      'child.mjs': 'process.send({ argv: process.argv.slice(2), execArgv: process.execArgv });',
      'a.eval.ts': `
import { fork } from 'node:child_process';
import { evaluation } from 'assay';
export const one = evaluation({
  target: async () => ({
    argv: process.argv.slice(2),
    execArgv: process.execArgv,
    forked: await new Promise((resolve) => fork('child.mjs').once('message', resolve)),
  }),
});`,
    });
    const { run } = await project.run();
    const none = { argv: [], execArgv: [] };
    expect(run.results[0]?.result.output).to.deep.equal({ ...none, forked: none });
  });
});
