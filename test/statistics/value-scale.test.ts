import { expect } from 'chai';
import {
  differenceScale,
  isUnbounded,
  ScaleFinder,
  unbounded,
} from '../../src/statistics/value-scale.js';

function scaleOf(...values: readonly number[]) {
  const finder = new ScaleFinder();
  for (const value of values) finder.add(value);
  return finder.scale;
}

describe('ScaleFinder', () => {
  it('takes values within 0 to 1 for grades', () => {
    expect(scaleOf(0, 0.3, 1)).to.deep.equal({ low: 0, high: 1 });
    expect(scaleOf()).to.deep.equal({ low: 0, high: 1 });
  });

  it('takes whole numbers up to 10 for ratings, of 0 to 5 when none is larger', () => {
    expect(scaleOf(1, 5, 4)).to.deep.equal({ low: 0, high: 5 });
    expect(scaleOf(7, 0, 10)).to.deep.equal({ low: 0, high: 10 });
  });

  it('finds no ends for anything else, whatever else there is', () => {
    for (const value of [1.5, -0.1, -1, 11, 60, 1e300]) {
      expect(scaleOf(0.5, 1, value), `${value}`).to.equal(unbounded);
    }
    expect(scaleOf(0.5, 3)).to.equal(unbounded);
    expect(isUnbounded(unbounded)).to.equal(true);
    expect(isUnbounded(scaleOf(1))).to.equal(false);
  });

  it('takes the declared scale while all values are on it, and the widest ends of several', () => {
    const finder = new ScaleFinder();
    finder.add(37.5, 1, [0, 100]);
    finder.add(2);
    expect(finder.scale).to.deep.equal({ low: 0, high: 100, isDeclared: true });
    finder.add(-4, 1, [-5, 5]);
    expect(finder.scale).to.deep.equal({ low: -5, high: 100, isDeclared: true });
    finder.add(101);
    expect(finder.scale).to.equal(unbounded);
  });

  it('takes sums for as many values', () => {
    const finder = new ScaleFinder();
    finder.add(11, 3);
    expect(finder.scale).to.deep.equal({ low: 0, high: 5 });
    finder.add(0.5, 2);
    expect(finder.scale).to.equal(unbounded);
  });
});

describe('differenceScale', () => {
  it('reaches as far as the scale in both directions', () => {
    expect(differenceScale({ low: 0, high: 5 })).to.deep.equal({ low: -5, high: 5 });
    expect(isUnbounded(differenceScale(unbounded))).to.equal(true);
  });
});
