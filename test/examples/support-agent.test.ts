import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { passes } from '../../src/model/result.js';
import type { RunJson } from '../../src/model/run.js';
import { assayJson, runExample } from './run-example.js';

describe('examples/support-agent', () => {
  let offline: RunJson;

  before(async () => {
    offline = await runExample('examples/support-agent', '--offline');
  });

  it('shows all there is: datasets, several scores, trials that disagree, errors', () => {
    const { results } = offline;
    expect(new Set(results.map(({ dataset }) => dataset)).size).to.equal(5);
    expect(offline.total_evaluations).to.equal(261);
    expect(offline.total_errors).to.equal(5);
    expect(offline.total_passed).to.equal(214);
    const trials = results.filter(({ trial_of }) => trial_of?.endsWith('cancelOrder[twice]'));
    expect(trials.map(({ result }) => passes(result))).to.include.members([true, false]);
  });

  it('is answered by the recordings of the checkout, without a key', () => {
    expect(offline.usage).to.include({ calls: 0, cost: 0 });
    expect(offline.usage?.replayed).to.be.greaterThan(0);
  });

  it('has real traces: a tool loop, several turns, a retry after a 429, a judge; and the verdicts of its recordings', async () => {
    const saved = mkdtempSync(join(tmpdir(), 'assay-example-'));
    const flags = ['--results-dir', saved];
    await assayJson('run', 'examples/support-agent/orders.eval.ts', '--json', ...flags);
    const run = await assayJson('export', 'latest', '--calls', ...flags);
    rmSync(saved, { recursive: true });
    for (const { result } of run.results) {
      if (result.status !== 'completed') continue;
      expect(result.latency).to.be.above(0);
      expect(result.trace_data.messages).to.be.an('array').that.is.not.empty;
    }
    const twice = run.results.find(({ id }) => id.endsWith('cancelOrder[twice]~2'))?.result;
    const { calls = [], usage } = twice ?? {};
    expect(calls.map(({ role, status }) => `${role} ${status}`)).to.deep.equal([
      ...['target 200', 'target 200', 'target 200', 'target 429', 'target 200'],
      'evaluator:politeness 200',
    ]);
    expect(calls[4]?.retry_of).to.equal(4);
    expect(calls.map(({ model_call }) => model_call?.tool_calls?.[0]?.name)).to.deep.equal([
      ...['orders_get', 'orders_cancel', undefined, undefined, undefined, undefined],
    ]);
    expect(calls[4]?.model_call).to.include({ model: 'gpt-5-mini', stream: true });
    expect(calls[4]?.model_call?.messages?.map(({ role }) => role)).to.deep.equal([
      ...['system', 'user', 'assistant', 'tool', 'assistant', 'tool', 'assistant', 'user'],
    ]);
    expect(usage?.by_role['evaluator:politeness']?.calls).to.equal(1);
    expect(usage?.cost).to.be.greaterThan(0);
    expect(run.usage?.unpriced).to.equal(undefined);
    const verdicts = ({ results }: RunJson) =>
      results
        .filter(({ id }) => id.includes('orders.eval.ts'))
        .map(({ id, result }) => [id, result.status, result.output, result.scores, result.error]);
    expect(verdicts(run)).to.deep.equal(verdicts(offline)).and.to.have.length.above(20);
  });
});
