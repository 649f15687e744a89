import { expect } from 'chai';
import { latencyHistogram } from '../../src/statistics/latency-histogram.js';

describe('latencyHistogram', () => {
  it('counts in buckets of a quarter of an octave, without gaps', () => {
    const buckets = latencyHistogram([1, 1.1, 1.5, 2]);
    expect(buckets.map(({ count }) => count)).to.deep.equal([2, 0, 1, 0, 1]);
    expect(buckets[0]?.from).to.equal(1);
    expect(buckets[0]?.to).to.be.closeTo(1.189207, 1e-6);
    expect(buckets[4]?.from).to.equal(2);
    for (const [place, { to }] of buckets.entries()) {
      expect(buckets[place + 1]?.from ?? to).to.equal(to);
    }
  });

  it('puts every bound into the bucket that begins there', () => {
    for (let n = -40; n <= 70; n += 1) {
      const latency = 2 ** (n / 4);
      expect(latencyHistogram([latency])).to.deep.equal([
        { from: latency, to: 2 ** ((n + 1) / 4), count: 1 },
      ]);
    }
  });

  it('has one bucket from 0 for what takes less than a millisecond', () => {
    const buckets = latencyHistogram([0, 0.0005, 0.00097]);
    expect(buckets).to.deep.equal([{ from: 0, to: 2 ** -10, count: 3 }]);
  });

  it('is empty without latencies', () => {
    expect(latencyHistogram([])).to.deep.equal([]);
  });
});
