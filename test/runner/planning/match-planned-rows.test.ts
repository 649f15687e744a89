import { expect } from 'chai';
import { matchPlannedRows } from '../../../src/runner/planning/match-planned-rows.js';

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
