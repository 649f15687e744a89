import { expect } from 'chai';
import { countedSummary } from '../../../src/model/summary/counts-only.js';
import { summarise } from '../../../src/model/summary/summary.js';
import { rowFacts, trialRows } from '../row-facts.js';

const graded = (passed: boolean | undefined, more = {}) =>
  rowFacts({ scores: passed === undefined ? [] : [{ key: 'exact', passed }], ...more });

describe('countedSummary', () => {
  it('counts the attempts of the last pass, also where they ran again', () => {
    const rows = [
      graded(true, { id: 'a', latency: 1 }),
      { ...graded(true, { id: 'b' }), counted: graded(false, { id: 'b', latency: 3 }) },
      { ...graded(true, { id: 'c' }), counted: rowFacts({ id: 'c', status: 'error' }) },
      graded(undefined, { id: 'd' }),
      rowFacts({ id: 'e', status: 'pending' }),
      graded(false, { id: 'f', pruned: true }),
    ];
    const found = countedSummary(rows, summarise(rows), { passes: 3 });
    const { low, high } = found.pass_rate ?? {};
    expect(found).to.deep.equal({
      pass_rate: { passed: 1, of: 3, low, high },
      verdicts: { passed: 1, failed: 1, errors: 1, none: 1 },
      latency: { p50: 2, p95: 2.9 },
      repeats: 2,
      passes: 3,
      scores: [
        { key: 'exact', type: 'ratio', passed: 1, total: 2, interval: found.scores[0]?.interval },
      ],
    });
    expect(low).to.be.closeTo(0.0615, 0.0001);
    expect(summarise(rows).totals.total_passed).to.equal(3);
  });

  it('has the interval over cases where there are trials, and no rate where nothing is judged', () => {
    const rows = ['++++', '----', '++++', '----'].flatMap((outcomes, at) =>
      trialRows(`f${at}`, outcomes),
    );
    const { pass_rate } = countedSummary(rows, summarise(rows));
    expect(pass_rate).to.include({ passed: 8, of: 16 });
    // Four cases, not sixteen results.
    expect(pass_rate?.low).to.be.below(0.2);
    const none = countedSummary([graded(undefined)], summarise([graded(undefined)]));
    expect(none).to.deep.include({ pass_rate: null, latency: { p50: null, p95: null } });
    expect(none.verdicts).to.deep.equal({ passed: 0, failed: 0, errors: 0, none: 1 });
  });
});
