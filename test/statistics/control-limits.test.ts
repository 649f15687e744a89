import { expect } from 'chai';
import { controlLimits, DriftSum, deviationOf } from '../../src/statistics/control-limits.js';
import { percentileBounds } from '../../src/statistics/percentile.js';

const verdicts = (sum: number, count: number) => ({ count, sum, squares: sum });

describe('control limits', () => {
  it('are those of a prediction from the noise of each case', () => {
    // s² = 5/4 · 0.4 · 0.6 = 0.3 for each of two cases: Σ w² s² (1 + 1/5) = 2 · 0.25 · 0.36 = 0.18; (z / 4)² = 0.2401.
    const cases = [verdicts(2, 5), verdicts(3, 5)].map((before) => ({
      before,
      now: verdicts(1, 1),
    }));
    const found = deviationOf(cases, true);
    expect(found?.mean).to.equal(1);
    expect(found?.expected).to.equal(0.5);
    expect(found?.sd).to.be.closeTo(Math.sqrt(0.18 + 0.240091), 1e-6);
    expect(found && controlLimits(found, true)).to.deep.equal({ low: 0, high: 1 });
  });

  it('of sure cases let one of them fail, and not two', () => {
    const cases = (failed: number) =>
      Array.from({ length: 100 }, (_, at) => ({
        before: verdicts(5, 5),
        now: verdicts(at < failed ? 0 : 1, 1),
      }));
    const isOutside = (failed: number) => {
      const found = deviationOf(cases(failed), true);
      return found !== undefined && found.mean < (controlLimits(found, true).low ?? 0);
    };
    expect([0, 1, 2].map(isOutside)).to.deep.equal([false, false, true]);
  });

  it('of values have no floor, and none are told of values that are all alike', () => {
    const before = { count: 5, sum: 1.5, squares: 0.45 };
    const now = { count: 1, sum: 0.3, squares: 0.09 };
    expect(deviationOf([{ before, now }], false)?.sd).to.equal(0);
    expect(deviationOf([], false)).to.equal(undefined);
  });
});

describe('the sums of differences', () => {
  it('find small shifts of one direction, and begin again', () => {
    const drifts = new DriftSum();
    const add = (mean: number) => drifts.add({ mean, expected: 0, sd: 1 });
    // Each −1 adds 0.5; the eleventh is the first above 5.
    const found = Array.from({ length: 12 }, () => add(-1));
    expect(found.indexOf('down')).to.equal(10);
    expect(found.filter((one) => one !== undefined)).to.have.length(1);
    expect(add(0)).to.equal(undefined);
  });
});

describe('the interval of a percentile', () => {
  it('needs values beyond the percentile', () => {
    const values = (count: number) => Float64Array.from({ length: count }, (_, at) => at);
    expect(percentileBounds(values(71), 0.95)).to.deep.equal({ low: null, high: null });
    const { low, high } = percentileBounds(values(101), 0.95);
    expect(low).to.be.within(87, 90);
    expect(high).to.be.within(97, 99);
    expect(percentileBounds(values(101), 0.95, 20)).to.deep.equal({ low: null, high: null });
  });
});
