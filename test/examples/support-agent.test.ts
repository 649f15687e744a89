import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { passes } from '../../src/model/result.js';
import type { RunJson } from '../../src/model/run.js';
import { runExample, runNode } from './run-example.js';

describe('examples/support-agent', () => {
  let run: RunJson;
  const saved = mkdtempSync(join(tmpdir(), 'assay-example-'));

  before(function () {
    this.timeout(240_000);
    const flags = ['--results-dir', saved];
    runNode('bin/run.js', 'run', 'examples/support-agent', '--concurrency', '50', ...flags);
    run = JSON.parse(runNode('bin/run.js', 'export', 'latest', '--calls', ...flags)) as RunJson;
  });
  after(() => rmSync(saved, { recursive: true }));

  it('shows all there is: datasets, several scores, trials that disagree, errors, conversations', () => {
    const { results } = run;
    expect(new Set(results.map(({ dataset }) => dataset)).size).to.equal(5);
    expect(run.total_evaluations).to.equal(261);
    expect(run.total_errors).to.equal(5);
    expect(run.total_passed).to.equal(214);
    const trials = results.filter(({ trial_of }) => trial_of?.endsWith('cancelOrder[twice]'));
    expect(trials.map(({ result }) => passes(result))).to.include.members([true, false]);
    for (const { result } of results) {
      if (result.status !== 'completed') continue;
      expect(result.latency).to.be.greaterThan(0);
      expect(result.trace_data.messages).to.be.an('array').that.is.not.empty;
    }
  });

  it('has real traces: a tool loop, several turns, a retry after a 429, a judge', () => {
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
  });

  it('is answered by the recordings of the checkout, with the same verdicts', () => {
    const offline = runExample('examples/support-agent', '--offline');
    const verdicts = ({ results }: RunJson) =>
      results.map(({ id, result }) => [
        id,
        result.status,
        result.output,
        result.scores,
        result.error,
      ]);
    expect(verdicts(offline)).to.deep.equal(verdicts(run));
    expect(offline.usage).to.include({ calls: 0, cost: 0 });
    expect(offline.usage?.replayed).to.be.greaterThan(0);
  }).timeout(120_000);
});
