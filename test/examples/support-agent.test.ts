import { expect } from 'chai';
import { describe, it } from 'mocha';
import { passes } from '../../src/model/result.js';
import { runExample } from './run-example.js';

describe('examples/support-agent', () => {
  it('shows all there is: datasets, several scores, trials that disagree, errors, conversations', () => {
    const run = runExample('examples/support-agent', '--concurrency', '100');
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
});
