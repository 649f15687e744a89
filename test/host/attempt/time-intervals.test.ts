import { expect } from 'chai';
import fc from 'fast-check';
import { lengthOutside, type Period } from '../../../src/host/attempt/time-intervals.js';

describe('lengthOutside', () => {
  const period = fc
    .tuple(fc.nat(30), fc.nat(10))
    .map(([from, length]): Period => [from, from + length]);

  it('counts what no other period covers, moment by moment', () => {
    fc.assert(
      fc.property(fc.array(period), fc.array(period), (all, others) => {
        const periods = all
          .sort(([a], [b]) => a - b)
          .filter(([from], at) => all.slice(0, at).every(([, to]) => to <= from));
        const within = (list: readonly Period[], at: number) =>
          list.some(([from, to]) => from <= at && at < to);
        let expected = 0;
        for (let at = 0; at < 50; at += 1) {
          if (within(periods, at) && !within(others, at)) expected += 1;
        }
        expect(lengthOutside(periods, others)).to.equal(expected);
      }),
    );
  });
});
