import { expect } from 'chai';
import type { Score } from '../../../src/model/scores/score.js';
import {
  deriveVerdict,
  deriveVerdicts,
  isScoreRules,
  mergeScoreRules,
  rulesOfScores,
  type ScoreRule,
} from '../../../src/model/scores/score-rule.js';

describe('deriveVerdict', () => {
  const rows: readonly (readonly [what: string, Partial<Score>, ScoreRule, Partial<Score>])[] = [
    ['a value above', { value: 0.81 }, { threshold: 0.8 }, { passed: true, threshold: 0.8 }],
    [
      'a value at the threshold',
      { value: 0.8 },
      { threshold: 0.8 },
      { passed: true, threshold: 0.8 },
    ],
    ['a value below', { value: 0.79 }, { threshold: 0.8 }, { passed: false, threshold: 0.8 }],
    ['a threshold of 0', { value: 0 }, { threshold: 0 }, { passed: true, threshold: 0 }],
    [
      'a direction that is said',
      { value: 1 },
      { threshold: 2, better: 'higher' },
      { passed: false, threshold: 2 },
    ],
    [
      'lower: at',
      { value: 500 },
      { threshold: 500, better: 'lower' },
      { passed: true, threshold: 500, better: 'lower' },
    ],
    [
      'lower: above',
      { value: 501 },
      { threshold: 500, better: 'lower' },
      { passed: false, threshold: 500, better: 'lower' },
    ],
    ['lower without a threshold', { value: 501 }, { better: 'lower' }, { better: 'lower' }],
    [
      'a verdict that is given',
      { value: 0.1, passed: true },
      { threshold: 0.8 },
      { passed: true, threshold: 0.8 },
    ],
    [
      'a failure that is given',
      { value: 0.9, passed: false },
      { threshold: 0.8 },
      { passed: false, threshold: 0.8 },
    ],
    ['no value', { passed: true }, { threshold: 0.8, better: 'lower' }, {}],
    ['an empty rule', { value: 1 }, {}, {}],
  ];
  for (const [what, score, rule, more] of rows) {
    it(`judges ${what}`, () => {
      const given: Score = { key: 'k', notes: 'n', ...score };
      expect(deriveVerdict(given, rule)).to.deep.equal({ ...given, ...more });
    });
  }

  it('changes nothing without a rule', () => {
    const score: Score = { key: 'k', value: 1 };
    expect(deriveVerdict(score, undefined)).to.equal(score);
    const scores = [score];
    expect(deriveVerdicts(scores, undefined)).to.equal(scores);
  });

  it('leave a verdict of the evaluator without the threshold that did not judge it', () => {
    const given: Score = { key: 'a', value: 1, passed: true };
    expect(deriveVerdicts([given], { a: { threshold: 2 } })).to.deep.equal([given]);
    expect(deriveVerdicts([given], { a: { threshold: 2, better: 'lower' } })).to.deep.equal([
      { ...given, better: 'lower' },
    ]);
  });

  it('finds rules by key, names of inherited properties included', () => {
    const scores: Score[] = ['constructor', '__proto__', 'a'].map((key) => ({ key, value: 1 }));
    expect(deriveVerdicts(scores, { a: { threshold: 2 } })).to.deep.equal([
      scores[0],
      scores[1],
      { key: 'a', value: 1, passed: false, threshold: 2 },
    ]);
  });
});

describe('mergeScoreRules', () => {
  it('merges keys, and fields of one key; the nearer one wins', () => {
    const merged = mergeScoreRules(
      { a: { threshold: 1 }, b: { threshold: 1, better: 'lower' } },
      { b: { threshold: 2 }, c: { better: 'lower' } },
    );
    expect(merged).to.deep.equal({
      a: { threshold: 1 },
      b: { threshold: 2, better: 'lower' },
      c: { better: 'lower' },
    });
  });

  it('gives the other when one is missing', () => {
    const rules = { a: { threshold: 1 } };
    expect(mergeScoreRules(undefined, rules)).to.equal(rules);
    expect(mergeScoreRules(rules, undefined)).to.equal(rules);
    expect(mergeScoreRules(undefined, undefined)).to.equal(undefined);
  });
});

describe('rulesOfScores', () => {
  it('finds in stored scores what they were judged by', () => {
    const scores: Score[] = [
      { key: 'a', value: 1, passed: true, threshold: 1 },
      { key: 'b', value: 1, better: 'lower' },
      { key: 'c', value: 1 },
    ];
    expect(rulesOfScores(scores)).to.deep.equal({ a: { threshold: 1 }, b: { better: 'lower' } });
    expect(rulesOfScores(scores.slice(2))).to.equal(undefined);
  });
});

describe('isScoreRules', () => {
  it('takes rules and refuses everything else', () => {
    for (const rules of [{}, { a: {} }, { a: { threshold: -1, better: 'higher' } }]) {
      expect(isScoreRules(rules)).to.equal(true);
    }
    const others = [
      null,
      [],
      'a',
      { a: null },
      { a: { threshold: '1' } },
      { a: { threshold: Number.NaN } },
      { a: { better: 'up' } },
      { a: { more: 1 } },
      { '': {} },
    ];
    for (const other of others) expect(isScoreRules(other), JSON.stringify(other)).to.equal(false);
  });
});
