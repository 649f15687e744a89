import { expect } from 'chai';
import { runExample } from './run-example.js';

describe('examples/extraction', () => {
  it('says which field is wrong, from the recordings of the checkout, without a key', async () => {
    const { results, usage } = await runExample('examples/extraction', '--offline');
    expect(usage).to.include({ calls: 0, cost: 0 });
    const wrong = results.flatMap(({ function: name, result: { scores } }) =>
      scores.flatMap(({ key, passed, notes }) => (passed ? [] : [`${name} ${key}: ${notes}`])),
    );
    expect(wrong).to.deep.equal([
      'invoices[decimal_comma] total: 8450 instead of 84.5',
      'invoices[point_and_comma] total: 1.2345 instead of 1234.5',
      'invoices[day_first] due: "2026-04-12" instead of "2026-12-04"',
      'invoices[not_due] due: "2026-10-09" instead of null',
    ]);
    expect(results).to.have.length(10);
    const keys = ['schema', 'supplier', 'number', 'total', 'currency', 'due'];
    expect(results[0]?.result.scores.map(({ key }) => key)).to.deep.equal(keys);
  });
});
