import { expect } from 'chai';
import { Project, removeProjects } from '../helpers/project.js';

describe('annotations for GitHub', () => {
  after(removeProjects);

  it('say output, what was expected, and the line that threw', async () => {
    const project = new Project({
      'evals/a.eval.ts': `
import { evaluation } from 'assay';
import { agent } from '../src/agent.js';
export const wrong = evaluation({
  reference: { eligible: true },
  target: () => ({ eligible: false }),
  evaluators: [function exact() { return { passed: false, notes: 'the window is open' }; }],
});
export const breaks = evaluation({ reference: 'yes', target: () => agent() });
`,
      'src/agent.ts': `
export async function agent(): Promise<string> {
  await null;
  throw new TypeError('no reply');
}
`,
    });
    const { stderr } = await project.assay(['run', '--reporter', 'github']);
    const commands = stderr.split('\n').filter((line) => line.startsWith('::'));
    expect(commands).to.deep.equal([
      '::error file=evals/a.eval.ts,line=4,title=wrong::exact: the window is open%0Aoutput: {"eligible":false}%0Aexpected: {"eligible":true}',
      '::error file=src/agent.ts,line=4,title=breaks::TypeError: no reply%0Aexpected: yes',
    ]);
  });
});
