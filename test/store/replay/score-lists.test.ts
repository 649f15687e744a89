import { expect } from 'chai';
import type { Score } from '../../../src/model/scores/score.js';
import { ScoreLists } from '../../../src/store/replay/score-lists.js';

describe('ScoreLists', () => {
  it('gives one list for scores that say the same, whatever their notes', () => {
    const lists = new ScoreLists();
    const one = lists.of([{ key: 'exact', passed: true, notes: 'as it should be' }]);
    expect(one).to.deep.equal([{ key: 'exact', passed: true }]);
    expect(lists.of([{ key: 'exact', passed: true, notes: 'again' }])).to.equal(one);
  });

  it('tells verdicts, values, keys, order and lengths apart', () => {
    const lists = new ScoreLists();
    const given: Score[][] = [
      [],
      [{ key: 'a', passed: true }],
      [{ key: 'a', passed: false }],
      [{ key: 'a', value: 0 }],
      [{ key: 'a', value: 1 }],
      [{ key: 'a', passed: true, value: 1 }],
      [{ key: 'a', passed: true, value: 1, threshold: 0.5 }],
      [{ key: 'a', passed: true, value: 1, threshold: 1 }],
      [{ key: 'a', passed: true, value: 1, threshold: 1, better: 'lower' }],
      [{ key: 'a', value: 1, better: 'lower' }],
      [{ key: 'b', passed: true }],
      [
        { key: 'a', passed: true },
        { key: 'b', passed: true },
      ],
      [
        { key: 'b', passed: true },
        { key: 'a', passed: true },
      ],
    ];
    for (const scores of [...given, ...given]) {
      expect(lists.of(scores)).to.deep.equal(scores);
    }
    expect(new Set(given.map(lists.of)).size).to.equal(given.length);
  });

  it('keeps that an assertion failed, not where', () => {
    const lists = new ScoreLists();
    const failed = { key: 'a', passed: false };
    const asserted: Score = { ...failed, location: 'a.eval.ts:1:1' };
    for (let round = 0; round < 2; round += 1) {
      expect(lists.of([failed])).to.deep.equal([failed]);
      expect(lists.of([asserted])).to.deep.equal([{ ...failed, asserted: true }]);
    }
  });

  it('keeps who set a score', () => {
    const lists = new ScoreLists();
    const human: Score[] = [{ key: 'a', passed: true, source: 'human' }];
    expect(lists.of([{ key: 'a', passed: true }])).to.deep.equal([{ key: 'a', passed: true }]);
    expect(lists.of(human)).to.deep.equal(human);
  });

  it('is right also for more different lists than it keeps', () => {
    const lists = new ScoreLists();
    for (let value = 0; value < 25_000; value += 1) {
      expect(lists.of([{ key: 'size', value }])[0]?.value).to.equal(value);
    }
  });
});
