import { expect } from 'chai';
import { Project } from '../helpers/project.js';

describe('annotations for GitHub', () => {
  it('say output and what was expected, and stand at the line that threw or the assertion that failed', async () => {
    const project = new Project({
      'evals/a.eval.ts': `
import assert from 'node:assert/strict';
import { expect } from 'chai';
import { evaluation, fromCsv } from 'assay';
import { agent, polite } from '../src/agent.js';
export const wrong = evaluation({
  reference: { eligible: true },
  target: () => ({ eligible: false }),
  evaluators: [function exact() { return { passed: false, notes: 'the window is open' }; }],
});
export const breaks = evaluation({ reference: 'yes', target: () => agent() });
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
export const rows = evaluation({
  cases: fromCsv(new URL('../data/rows.csv', import.meta.url)),
  target: ({ input }) => input,
  evaluators: [({ output }) => output !== 'b'],
});
`,
      'data/rows.csv': 'input\na\n"b"\n',
      'src/agent.ts': `
import assert from 'node:assert/strict';
export async function agent(): Promise<string> {
  await null;
  throw new TypeError('no reply');
}
export function polite(text: string): void {
  assert.match(text, /please/);
}
`,
    });
    const { stderr } = await project.assay(['run', '--reporter', 'github']);
    const commands = stderr.split('\n').filter((line) => line.startsWith('::'));
    expect(commands.slice(0, 2)).to.deep.equal([
      '::error file=evals/a.eval.ts,line=6,title=wrong::exact: the window is open%0Aoutput: {"eligible":false}%0Aexpected: {"eligible":true}',
      '::error file=src/agent.ts,line=5,title=breaks::TypeError: no reply%0Aexpected: yes',
    ]);
    const places = stderr.matchAll(/^::error (file=.*),title=([^:]+)::/gm);
    expect([...places].slice(2).map(([, place, title]) => `${title} ${place}`)).to.deep.equal([
      'sum file=evals/a.eval.ts,line=14',
      'tone file=src/agent.ts,line=8',
      'shape file=evals/a.eval.ts,line=21',
      'judged file=evals/a.eval.ts,line=23',
      'rows[1] file=data/rows.csv,line=3',
    ]);
  });
});
