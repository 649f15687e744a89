import { expect } from 'chai';
import { runExample } from './run-example.js';

describe('examples/quickstart', () => {
  it('passes two of three cases and fails the wrong capital', async () => {
    const run = await runExample('examples/quickstart');
    const verdicts = run.results.map(({ function: name, result }) => [
      name,
      result.scores.map(({ key, passed }) => `${key} ${passed}`).join(),
    ]);
    expect(verdicts).to.deep.equal([
      ['capital[france]', 'exact true'],
      ['capital[japan]', 'exact true'],
      ['capital[australia]', 'exact false'],
    ]);
    expect(run.total_passed).to.equal(2);
  });
});
