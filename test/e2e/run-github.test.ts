import { expect } from 'chai';
import { Project } from '../helpers/project.js';

describe('annotations for GitHub', () => {
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

  it('stand at the assertion that failed', async () => {
    const project = new Project({
      'evals/a.eval.ts': `
import assert from 'node:assert/strict';
import { expect } from 'chai';
import { evaluation } from 'assay';
import { polite } from '../src/polite.js';
export const sum = evaluation({ input: 2 }, async ({ input }) => {
  await null;
  assert.equal(input + 1, 4, 'at /not/a/frame.ts:7:7\\n    at /not/a/frame.ts:8:8');
});
export const tone = evaluation({ target: () => 'Go away.' }, ({ output }) => {
  polite(output);
});
export const shape = evaluation({ target: () => ({ a: 1 }) }, ({ output }) => {

  expect(output).to.deep.equal({ a: 2 });
});
export const judged = evaluation({}, (ctx) => {
  ctx.score(false);
});
`,
      'src/polite.ts': `
import assert from 'node:assert/strict';

export function polite(text: string): void {
  assert.match(text, /please/);
}
`,
    });
    const { stderr } = await project.assay(['run', '--reporter', 'github']);
    const places = stderr.matchAll(/^::error (file=.*),title=(\w+)::/gm);
    expect([...places].map(([, place, title]) => `${title} ${place}`)).to.deep.equal([
      'sum file=evals/a.eval.ts,line=8',
      'tone file=src/polite.ts,line=5',
      'shape file=evals/a.eval.ts,line=15',
      'judged file=evals/a.eval.ts,line=17',
    ]);
  });
});
