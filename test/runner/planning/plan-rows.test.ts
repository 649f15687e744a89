import { expect } from 'chai';
import {
  isWhole,
  matchPlannedRows,
  newPassOf,
  planRows,
} from '../../../src/runner/planning/plan-rows.js';
import { rowFacts } from '../../model/row-facts.js';
import { descriptor } from '../descriptors.js';

describe('planRows', () => {
  it('makes one row without trial fields of an evaluation that runs once', () => {
    const rows = [...planRows([descriptor('a.ts::f[x]', { labels: ['l'], line: 7 })], { base: 1 })];
    expect(rows).to.deep.equal([
      {
        index: 0,
        id: 'a.ts::f[x]',
        evaluation: 'a.ts::f',
        function: 'f[x]',
        dataset: 'd',
        labels: ['l'],
        line: 7,
      },
    ]);
  });

  it('keeps the trials of an evaluation together, numbered from 1', () => {
    const evaluations = [descriptor('a.ts::f'), descriptor('a.ts::g', { trials: 1 })];
    const rows = [...planRows(evaluations, { base: 2 })];
    expect(rows.map(({ id, trial, trial_of }) => [id, trial, trial_of])).to.deep.equal([
      ['a.ts::f~1', 1, 'a.ts::f'],
      ['a.ts::f~2', 2, 'a.ts::f'],
      ['a.ts::g', undefined, undefined],
    ]);
    expect([...planRows(evaluations, { base: 2 }, 7)].map((row) => row.index)).to.deep.equal([
      7, 8, 9,
    ]);
    expect(rows[2]).to.not.have.any.keys('trial', 'trial_of');
  });

  it('takes the number of the flag over that of the evaluation over that of the run', () => {
    const count = (trials: { flag?: number; base: number }, own?: number) =>
      [...planRows([descriptor('a.ts::f', own === undefined ? {} : { trials: own })], trials)]
        .length;
    expect(count({ base: 3 })).to.equal(3);
    expect(count({ base: 3 }, 2)).to.equal(2);
    expect(count({ flag: 4, base: 3 }, 2)).to.equal(4);
    expect(count({ flag: 1, base: 3 }, 2)).to.equal(1);
  });
});

const trial = (base: string, n: number) => ({ id: `${base}~${n}`, trial: n, trial_of: base });

describe('rows of one run that are wanted in another', () => {
  it('are found by id, wherever they are now', () => {
    const planned = [{ id: 'b' }, { id: 'c' }, { id: 'a' }];
    expect(matchPlannedRows(planned, [{ id: 'a' }, { id: 'b' }])).to.deep.equal([0, 2]);
  });

  it('are single trials where both runs have trials', () => {
    const planned = [trial('a', 1), trial('a', 2), trial('a', 3)];
    expect(matchPlannedRows(planned, [trial('a', 2)])).to.deep.equal([1]);
  });

  it('are all trials of what had none', () => {
    expect(
      matchPlannedRows([trial('a', 1), trial('a', 2), { id: 'b' }], [{ id: 'a' }]),
    ).to.deep.equal([0, 1]);
  });

  it('are the evaluation where it has no trials any more', () => {
    expect(matchPlannedRows([{ id: 'a' }, { id: 'b' }], [trial('a', 2)])).to.deep.equal([0]);
  });

  it('are refused by name when they are gone', () => {
    expect(() => matchPlannedRows([{ id: 'a' }], [{ id: 'a' }, { id: 'gone' }])).to.throw(
      'The evals have no gone any more.',
    );
  });

  it('count as gone when the run has fewer trials now', () => {
    const two = [trial('a', 1), trial('a', 2)];
    expect(() => matchPlannedRows([trial('a', 1)], two)).to.throw('have no a~2');
  });
});

const row = (evaluation: string, more = {}) => rowFacts({ id: evaluation, evaluation, ...more });
const never = () => false;

describe('newPassOf', () => {
  const rows = [row('a'), row('a'), row('b'), row('b', { pruned: true })];

  it('has the rows of evaluations that run whole, without pruned ones', () => {
    expect(newPassOf(rows, [0, 1, 2], never)).to.deep.equal([0, 1, 2]);
    expect(newPassOf(rows, [0, 2], never)).to.deep.equal([2]);
    expect(newPassOf(rows, [1], never)).to.deep.equal([]);
  });

  it('does not wait for rows that are left, and takes new ones in', () => {
    expect(newPassOf(rows, [0, 2, 4], (_, index) => index === 1)).to.deep.equal([0, 2, 4]);
  });
});

describe('isWhole', () => {
  it('is true of all rows, whoever names them', () => {
    const rows = [row('a'), row('b'), row('c', { pruned: true })];
    expect([isWhole(rows, 'all'), isWhole(rows, [1, 0]), isWhole(rows, [0])]).to.deep.equal([
      ...[true, true, false],
    ]);
  });
});
