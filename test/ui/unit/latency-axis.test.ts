import { expect } from 'chai';
import { latencyHistogram } from '../../../src/statistics/latency-histogram.js';
import { latencyAxis } from '../../../ui/src/dashboard/summary/latency-axis.js';

const labels = (latencies: readonly number[]) =>
  latencyAxis(latencyHistogram(latencies)).ticks.flatMap(({ label = [] }) => label);

describe('the axis of latencies', () => {
  it('is logarithmic: as far from one octave to the next', () => {
    const axis = latencyAxis(latencyHistogram([1, 2, 4, 31]));
    expect([1, 2, 4, 8, 16, 32].map(axis.at)).to.deep.equal([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(labels([1, 2, 4, 31])).to.deep.equal(['1', '2', '4', '8', '16', '32 s']);
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
    expect(labels(fast)).to.deep.equal(['0', '1', '2', '4', '8', '16 ms']);
  });
});
