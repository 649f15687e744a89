import { expect } from 'chai';
import fc from 'fast-check';
import { lengthOutside, type Period } from '../../../src/model/calls/usage.js';

describe('lengthOutside', () => {
  const period = fc
    .tuple(fc.nat(30), fc.nat(10))
    .map(([from, length]): Period => [from, from + length]);

  it('counts what no other period covers, moment by moment', () => {
    fc.assert(
      fc.property(fc.array(period), fc.array(period), (periods, others) => {
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
