import { expect } from 'chai';
import fc from 'fast-check';
import { latencyHistogram } from '../../../src/statistics/latency-histogram.js';
import {
  type Bucket,
  joinBuckets,
  labelWidth,
  latencyAxis,
  placeLabels,
  sumBuckets,
} from '../../../ui/src/dashboard/summary/latency-axis.js';

const labels = (latencies: readonly number[]) =>
  latencyAxis(latencyHistogram(latencies)).ticks.flatMap(({ label = [] }) => label);

describe('the axis of latencies', () => {
  it('is logarithmic: as far from one octave to the next', () => {
    const axis = latencyAxis(latencyHistogram([1, 2, 4, 31]));
    expect([1, 2, 4, 8, 16, 32].map(axis.at)).to.deep.equal([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(labels([1, 2, 4, 31])).to.deep.equal(['1', '2', '5', '10', '20 s']);
  });

  it('names round values, as many as have room', () => {
    expect(labels([0.2, 0.9])).to.deep.equal(['0.1', '0.2', '0.5', '1', '2 s']);
    expect(labels([0.0001, 30])).to.deep.equal(['0', '0.001', '0.01', '0.1', '1', '10 s']);
  });

  it('puts a bucket where its bounds are', () => {
    const buckets = latencyHistogram([0.0001, 0.0004, 0.0011, 0.05]);
    const axis = latencyAxis(buckets);
    for (const bucket of buckets) {
      expect(axis.bucketAt(bucket)).to.be.closeTo(axis.at(bucket.from), 1e-9);
      const end = axis.bucketAt(bucket) + axis.bucketWidth(bucket);
      expect(end).to.be.closeTo(axis.at(bucket.to), 1e-9);
    }
  });

  it('begins at 0, evenly up to a millisecond, when something took less than that', () => {
    const fast = [0.0001, 0.0002, 0.0009];
    const axis = latencyAxis(latencyHistogram(fast));
    expect(axis.at(0)).to.equal(0);
    expect(axis.at(0.0001)).to.be.closeTo(0.02, 0.001);
    expect(axis.at(0.0005)).to.be.closeTo(0.1, 0.003);
    expect(axis.at(0.002)).to.be.closeTo(0.4, 0.01);
    expect(labels(fast)).to.deep.equal(['0', '1', '2', '5', '10 ms']);
  });
});

const buckets = [4, 1, 1, 1, 1, 1].map((count, n): Bucket => ({ from: n, to: n + 1, count }));
const joined = (least: number, widthOf: (bucket: Bucket) => number = () => 1) =>
  joinBuckets(buckets, widthOf, least).map((group) => group.map(({ from }) => from));

describe('neighbouring buckets of latencies', () => {
  it('are joined until each is wide enough, and the rest with the last', () => {
    expect(joined(1)).to.deep.equal([[0], [1], [2], [3], [4], [5]]);
    expect(joined(3)).to.deep.equal([
      [0, 1, 2],
      [3, 4, 5],
    ]);
    expect(joined(4)).to.deep.equal([[0, 1, 2, 3, 4, 5]]);
    expect(joined(2, ({ count }) => count)).to.deep.equal([[0], [1, 2], [3, 4, 5]]);
    expect(joined(100)).to.deep.equal([[0, 1, 2, 3, 4, 5]]);
    expect(joinBuckets([], () => 1, 2)).to.deep.equal([]);
  });

  it('are one bucket together', () => {
    expect(sumBuckets(buckets.slice(0, 3))).to.deep.equal({ from: 0, to: 3, count: 6 });
  });
});

type Label = ReturnType<typeof placeLabels>['p50'];

const spanOf = (at: number, { isLeft }: Label) =>
  isLeft ? { from: at - labelWidth, to: at } : { from: at, to: at + labelWidth };

describe('labels of p50 and p95', () => {
  it('cover neither each other nor the line of the other, and stay on the drawing', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(share, share, (a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        const { p50, p95 } = placeLabels(low, high);
        const [first, last] = [spanOf(low, p50), spanOf(high, p95)];
        for (const { from, to } of [first, last]) {
          expect(from).to.be.at.least(0);
          expect(to).to.be.at.most(1);
        }
        const isApart = first.to <= last.from || last.to <= first.from;
        expect(isApart || p50.row !== p95.row).to.equal(true);
        // A line crosses the rows at and below that of its label.
        const isCrossed = (line: number, of: Label, { from, to }: typeof first, label: Label) =>
          of.row <= label.row && from < line && line < to;
        expect(isCrossed(low, p50, last, p95)).to.equal(false);
        expect(isCrossed(high, p95, first, p50)).to.equal(false);
      }),
    );
  });

  it('are in one row where there is room', () => {
    expect(placeLabels(0.4, 0.4)).to.deep.equal({
      p50: { isLeft: true, row: 0 },
      p95: { isLeft: false, row: 0 },
    });
    expect(placeLabels(0.85, 0.9)).to.deep.equal({
      p50: { isLeft: true, row: 1 },
      p95: { isLeft: true, row: 0 },
    });
  });
});
