import { expect } from 'chai';
import type { RowFacts } from '../../../src/model/result.js';
import { intervalChips } from '../../../src/model/summary/run-figures.js';
import { summarise } from '../../../src/model/summary/summary.js';
import { clusteredMean } from '../../../src/statistics/clustered-mean.js';
import { clusteredRate } from '../../../src/statistics/clustered-share.js';
import { rowFacts, trialRows } from '../row-facts.js';

const documents = 24;

/** So many cases of each of 24 documents, of which every fourth fails with all its cases. */
function rows(cases: number): RowFacts[] {
  return Array.from({ length: cases * documents }, (_, i) => {
    const document = i % documents;
    return rowFacts({
      id: `c${i}`,
      cluster: `document=${document}`,
      scores: [
        { key: 'ok', passed: document % 4 > 0 },
        { key: 'judge', value: document / documents },
      ],
    });
  });
}

const alone = (list: readonly RowFacts[]) => list.map((row) => ({ ...row, cluster: undefined }));

describe('clusters of cases', () => {
  it('are one unit for the interval of the pass rate', () => {
    const { pass_rate, clusters } = summarise(rows(5));
    const passes = Array.from({ length: documents }, (_, i) => (i % 4 > 0 ? 5 : 0));
    expect(clusters).to.equal(documents);
    expect(pass_rate).to.deep.equal({
      ...{ passed: 90, total: 120 },
      ...clusteredRate(passes, Array(documents).fill(5)),
    });
    const plain = summarise(alone(rows(5)));
    expect(plain).not.to.have.property('clusters');
    expect(plain.pass_rate?.low).to.be.above((pass_rate?.low ?? 1) + 0.08);
  });

  it('are one unit for the interval of a mean', () => {
    const judge = (list: readonly RowFacts[]) =>
      intervalChips(list).find(({ key }) => key === 'judge')?.interval;
    const values = Array.from({ length: documents }, (_, i) => i / documents);
    const { low, high } =
      clusteredMean(values, Array(documents).fill(1), { low: 0, high: 1 }) ?? {};
    expect(judge(rows(5))?.low).to.be.closeTo(low ?? 0, 1e-12);
    expect(judge(rows(5))?.high).to.be.closeTo(high ?? 0, 1e-12);
    expect(judge(alone(rows(5)))?.low).to.be.above((low ?? 1) + 0.05);
  });

  it('are one unit for pass@k', () => {
    const trials = (cases: number) =>
      Array.from({ length: cases * documents }, (_, i) => {
        const document = i % documents;
        return trialRows(`c[${i}]`, document % 4 > 0 ? '+++' : '---').map((row) => ({
          ...row,
          cluster: `document=${document}`,
        }));
      }).flat();
    const passAt2 = (list: readonly RowFacts[]) =>
      summarise(list).trial_fields?.trial_statistics.by_k[1]?.pass_at;
    const [one, five] = [passAt2(trials(1)), passAt2(trials(5))];
    expect(five?.estimate).to.equal(0.75);
    expect(five?.low).to.be.closeTo(one?.low ?? 0, 0.02);
    expect(passAt2(alone(trials(5)))?.low).to.be.above((five?.low ?? 1) + 0.08);
  });

  it('of one case each change nothing', () => {
    const cases = rows(1);
    expect(summarise(cases).pass_rate).to.deep.equal(summarise(alone(cases)).pass_rate);
    expect(intervalChips(cases)).to.deep.equal(intervalChips(alone(cases)));
  });
});
