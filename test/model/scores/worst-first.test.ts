import { expect } from 'chai';
import type { ScoreChip } from '../../../src/model/scores/score.js';
import { worstFirst } from '../../../src/model/scores/worst-first.js';

const ratio = (key: string, passed: number): ScoreChip => ({
  ...{ key, type: 'ratio', passed, total: 100 },
});
const mean = (key: string, avg: number, more: object = {}): ScoreChip => ({
  ...{ key, type: 'avg', avg, count: 9 },
  ...more,
});
const order = (...chips: ScoreChip[]) => worstFirst(chips).map(({ key }) => key);

describe('the order of scores, worst first', () => {
  it('goes by shares and means', () => {
    expect(order(ratio('a', 90), mean('b', 0.2), ratio('c', 50))).to.deep.equal(['b', 'c', 'a']);
  });

  it('goes by the share that passed where values have a threshold', () => {
    const judged = mean('a', 0.9, { passed: 1, judged: 8, threshold: 0.95 });
    expect(order(ratio('b', 50), judged)).to.deep.equal(['a', 'b']);
  });

  it('turns means around of which less is better', () => {
    const toxicity = mean('a', 0.01, { better: 'lower' });
    expect(order(toxicity, ratio('b', 50))).to.deep.equal(['b', 'a']);
  });

  it('ends with values without a scale from 0 to 1', () => {
    expect(order(mean('a', 412), mean('b', -3), ratio('c', 100))).to.deep.equal(['c', 'a', 'b']);
  });
});
