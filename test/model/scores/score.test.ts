import { expect } from 'chai';
import { mergeHumanScores, type Score } from '../../../src/model/scores/score.js';

const human = (key: string, passed: boolean): Score => ({ key, passed, source: 'human' });

describe('mergeHumanScores', () => {
  it('replaces the scores of machines', () => {
    const before: Score[] = [
      { key: 'a', passed: false },
      { key: 'gone', value: 1 },
    ];
    const machine: Score[] = [{ key: 'a', passed: true }];
    expect(mergeHumanScores(machine, before)).to.deep.equal(machine);
  });

  it('keeps a human score in the place of the machine’s of its key', () => {
    const machine: Score[] = [
      { key: 'a', passed: false },
      { key: 'b', value: 2 },
    ];
    expect(mergeHumanScores(machine, [human('b', true)])).to.deep.equal([
      { key: 'a', passed: false },
      human('b', true),
    ]);
  });

  it('puts human scores of other keys behind, in their order', () => {
    const current = [human('z', true), { key: 'm', passed: true }, human('b', false)];
    expect(mergeHumanScores([{ key: 'n', value: 0 }], current)).to.deep.equal([
      { key: 'n', value: 0 },
      human('z', true),
      human('b', false),
    ]);
  });

  it('takes keys as they are, those of objects too, and changes no list', () => {
    const machine: readonly Score[] = Object.freeze([{ key: '__proto__', value: 1 }]);
    const current: readonly Score[] = Object.freeze([human('constructor', true)]);
    expect(mergeHumanScores(machine, current)).to.deep.equal([...machine, ...current]);
  });
});
