import { expect } from 'chai';
import type { RunJson } from '../../src/model/run.js';
import { Project } from '../helpers/project.js';

describe('an evaluation that returns without waiting', () => {
  it('keeps what it left to the next tick and to settled promises', async () => {
    const project = new Project({
      'a.eval.ts': `
import { evaluation } from 'assay';
const print = async (turns: number) => {
  for (let turn = 0; turn < turns; turn += 1) await null;
  console.log('after ' + turns);
};
export const prints = evaluation({}, () => {
  process.nextTick(() => console.log('next tick'));
  void print(50);
});
export const exits = evaluation({}, () => { queueMicrotask(() => process.exit(3)); });
export const throws = evaluation({}, () => { process.nextTick(() => { throw new Error('a tick later'); }); });
export const many = evaluation({ cases: Array.from({ length: 40 }, (_, n) => ({ input: n })), target: (ctx) => {
  void Promise.resolve().then(() => console.log('case ' + ctx.input));
  return ctx.input;
} });
`,
    });
    const { code, stderr, json } = await project.assay(['run', '--json']);
    expect(code, stderr).to.equal(0);
    const saved: RunJson = json();
    const [prints, exits, throws, ...many] = saved.results.map(({ result }) => result);
    expect(printed(prints)).to.equal('next tick\nafter 50\n');
    expect(exits?.error).to.include('called process.exit(3)');
    expect(throws?.error).to.include('a tick later');
    expect(many.map(printed)).to.deep.equal(many.map((_, n) => `case ${n}\n`));
  });
});

function printed(result: RunJson['results'][number]['result'] | undefined): string {
  const logs = (result?.trace_data.logs ?? []) as unknown as { readonly text: string }[];
  return logs.map(({ text }) => text).join('');
}
