import { expect } from 'chai';
import { Project } from '../helpers/project.js';

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
