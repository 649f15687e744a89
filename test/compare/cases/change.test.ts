import { expect } from 'chai';
import { changeOf, isNewFailure } from '../../../src/compare/cases/change.js';
import type { CaseScore } from '../../../src/compare/cases/eval-case.js';
import { evalCase, passed, valued, valuedTrials } from '../eval-cases.js';

const scored = (scores: readonly CaseScore[]) => evalCase('f', { judged: 1, scores });
const verdict = (key: string, sum: number): CaseScore[] => [{ key, kind: 'ratio', sum, count: 1 }];

describe('changeOf', () => {
  const cases = [
    ['regressed', 'passed and fails', passed('f', 1), passed('f', 0)],
    ['fixed', 'failed and passes', passed('f', 0), passed('f', 1)],
    ['regressed', 'passes in fewer trials', passed('f', 4, 5), passed('f', 3, 5)],
    ['same', 'passes in an equal share of other trials', passed('f', 1, 3), passed('f', 2, 6)],
    [
      'changed',
      'keeps its verdict with another output',
      passed('f', 1, 1, { outputHash: 'g' }),
      passed('f', 1, 1, { outputHash: 'h' }),
    ],
    [
      'regressed',
      'fails with another output',
      passed('f', 1, 1, { outputHash: 'g' }),
      passed('f', 0, 1, { outputHash: 'h' }),
    ],
    [
      'same',
      'has an output that is not known',
      passed('f', 1),
      passed('f', 1, 1, { outputHash: 'h' }),
    ],
    ['changed', 'has lost its verdict', passed('f', 1), evalCase('f')],
    ['changed', 'has got a verdict', evalCase('f'), passed('f', 0)],
    ['same', 'never had a verdict', evalCase('f'), evalCase('f')],
    ['changed', 'has another value', scored(valued('k', 0.5)), scored(valued('k', 0.25))],
    ['same', 'has the same values', scored(valued('k', 0.5)), scored(valued('k', 0.5))],
    [
      'same',
      'has the same values in other trials',
      scored(valuedTrials('k', [1, 2])),
      scored(valuedTrials('k', [2, 1])),
    ],
    [
      'changed',
      'has other values with the same mean',
      scored(valuedTrials('k', [1, 3])),
      scored(valuedTrials('k', [2, 2])),
    ],
    [
      'changed',
      'has other verdicts under its scores',
      scored([...verdict('a', 1), ...verdict('b', 0)]),
      scored([...verdict('a', 0), ...verdict('b', 1)]),
    ],
    ['changed', 'has lost a score', scored(valued('k', 1)), scored([])],
    ['changed', 'has one more score', scored([]), scored(valued('k', 1))],
    ['only_base', 'is gone', passed('f', 1), undefined],
    ['only_other', 'is new', undefined, passed('f', 0)],
    ['only_other', 'is new and has not finished', undefined, evalCase('f', { trials: 0 })],
    ['not_paired', 'has not finished', passed('f', 1), evalCase('f', { trials: 0 })],
    ['not_paired', 'had not finished', evalCase('f', { trials: 0 }), passed('f', 0)],
  ] as const;
  for (const [change, what, base, other] of cases) {
    it(`calls a evalCase that ${what} ${change}`, () => {
      expect(changeOf(base, other)).to.equal(change);
    });
  }
});

describe('isNewFailure', () => {
  const cases = [
    [true, 'all to none', passed('f', 1), passed('f', 0)],
    [true, 'all to not all', passed('f', 5, 5), passed('f', 4, 5)],
    [true, 'some to none', passed('f', 2, 5), passed('f', 0, 5)],
    [false, 'some to fewer', passed('f', 4, 5), passed('f', 1, 5)],
    [false, 'none to none', passed('f', 0), passed('f', 0)],
    [false, 'all to all of fewer', passed('f', 5, 5), passed('f', 2, 2)],
    [false, 'all to no verdict', passed('f', 1), evalCase('f')],
  ] as const;
  for (const [expected, what, base, other] of cases) {
    it(`is ${expected} for ${what}`, () => {
      expect(isNewFailure(base, other)).to.equal(expected);
    });
  }
});
