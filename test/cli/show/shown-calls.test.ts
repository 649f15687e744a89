import { expect } from 'chai';
import { checkOrder, shownCalls } from '../../../src/cli/show/shown-calls.js';
import { coloursFor } from '../../../src/cli/terminal/colour.js';
import type { StoredCall } from '../../../src/model/calls/stored-calls.js';
import type { StoredRun } from '../../../src/store/stored-run.js';
import { finished, startedRun, temporaryStore } from '../../store/builders.js';

const call = (number: number, given: Partial<StoredCall>): StoredCall => ({
  ...{ number, role: 'target', method: 'POST', url: 'http://m/', status: 200, start: 0, end: 1 },
  model_call: {
    provider: 'openai',
    operation: 'chat',
    model: 'large',
    usage: { input: 9, output: 1 },
  },
  ...given,
});

describe('assay show --calls', () => {
  let run: StoredRun;
  beforeEach(async () => {
    const owner = await startedRun(await temporaryStore(), 2);
    const calls = [
      [call(1, { end: 7, cost: null }), call(2, { cost: 0.02, role: 'evaluator:tone' })],
      [call(1, { status: 500, cost: 0, end: 9 }), call(2, { replayed: true, cost: 0.05 })],
    ];
    owner.finish(calls.map((its, index) => finished(index, { calls: { calls: its, texts: [] } })));
    await owner.close('finished');
    run = owner.run;
  });

  const page = { columns: 100, colours: coloursFor('stdout'), resultsDir: undefined };
  const linesOf = (order?: 'cost' | 'latency' | 'tokens') =>
    shownCalls({ run, stored: run }, { order })
      .text(page)
      .split('\n')
      .map((line) => line.trim().replace(/ {2,}/g, '  '));

  it('lists the slowest, the dearest and the failed ones, and how to open their cases', () => {
    const id = (index: number) => `evals/a.eval.ts::refund[${index}]`;
    const lines = linesOf();
    const below = (title: string) => lines[lines.findIndex((one) => one.startsWith(title)) + 1];
    expect(below('slowest')).to.equal(`${id(0)}  1  large  target  9  1  not priced  7.00 s`);
    expect(below('dearest')).to.match(/refund\[1\] {2}2 {2}large {2}target {2}replayed/);
    expect(below('dearest')).to.include('($0.0500)');
    expect(below('failed')).to.equal(`${id(1)}  1  large  target  500  9  1  9.00 s`);
    expect(lines).to.include(`assay show ${run.runId} "refund[0]"  slowest`);
  });

  it('lists them in one order, what is not known last', () => {
    const lines = linesOf('cost');
    const at = lines.findIndex((one) => one.startsWith('dearest'));
    const costs = lines.slice(at + 1, at + 5).map((one) => one.split('  ').at(-2));
    expect(costs).to.deep.equal(['($0.0500)', '$0.0200', 'not priced', '1']);
  });

  it('refuses orders of groups for calls, and of calls for groups', () => {
    expect(checkOrder({ by: 'cost', calls: true })).to.equal('cost');
    expect(checkOrder({ by: 'dataset', calls: false })).to.equal(undefined);
    expect(checkOrder({ by: 'dataset' })).to.equal(undefined);
    expect(() => checkOrder({ by: 'dataset', calls: true })).to.throw('--by must be one of');
    expect(() => checkOrder({ by: 'cost', calls: false })).to.throw('with --calls');
  });
});
