import { expect } from 'chai';
import { planRows } from '../../../src/runner/planning/plan-rows.js';
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
