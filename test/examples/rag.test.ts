import { expect } from 'chai';
import type { RunJson } from '../../src/model/run.js';
import { runExample } from './run-example.js';

describe('examples/rag', () => {
  it('is answered by the recordings of the checkout, without a key, as a whole and by the case', async () => {
    const run = await runExample('examples/rag', '--offline');
    expect(run.total_evaluations).to.equal(8);
    expect(run.usage).to.include({ calls: 0, cost: 0 });
    const outcomes = ({ results }: RunJson) =>
      results.map(({ id, result }) => [id, result.output, result.scores, result.error]);
    const one = await runExample('examples/rag/questions.eval.ts::questions[water]', '--offline');
    expect(one.results).to.have.length(1);
    expect(outcomes(run)).to.deep.include(outcomes(one)[0]);
  });
});
