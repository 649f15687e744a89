import { expect } from 'chai';
import { clusteredMean } from '../../src/statistics/clustered-mean.js';
import { meanInterval } from '../../src/statistics/mean-interval.js';
import { seededRandom } from '../../src/statistics/random.js';

function uneven(clusters: number) {
  const random = seededRandom(5);
  const counts = Float64Array.from({ length: clusters }, () => 1 + Math.floor(random() * 5));
  return { counts, sums: counts.map((count) => count * (random() + random())) };
}

describe('clusteredMean', () => {
  it('has the interval of the means of clusters where counts are equal', () => {
    const sums = Float64Array.from({ length: 25 }, (_, i) => i ** 2);
    const found = clusteredMean(sums, new Float64Array(25).fill(2));
    expect(found).to.deep.equal({ estimate: 98, ...meanInterval(sums.map((one) => one / 2)) });
  });

  it('has about the variance of the ratio by the jackknife where counts differ', () => {
    const { sums, counts } = uneven(120);
    const found = clusteredMean(sums, counts);
    const without = (left: number) =>
      (clusteredMean(
        sums.filter((_, i) => i !== left),
        counts.filter((_, i) => i !== left),
      )?.estimate ?? 0) - (found?.estimate ?? 0);
    const squares = sums.reduce((sum, _, i) => sum + without(i) ** 2, 0);
    const half = 1.98 * Math.sqrt((squares * 119) / 120);
    expect(((found?.high ?? 0) - (found?.low ?? 0)) / 2).to.be.closeTo(half, half * 0.03);
  });

  it('is the mean over all results, whichever cluster they are of', () => {
    expect(clusteredMean([1, 9], [1, 4])?.estimate).to.equal(2);
  });

  it('does not depend on the order of clusters', () => {
    const { sums, counts } = uneven(40);
    const found = clusteredMean(sums, counts);
    const reversed = clusteredMean(sums.slice().reverse(), counts.slice().reverse());
    expect(reversed?.low).to.be.closeTo(found?.low ?? 0, 1e-14);
    expect(reversed?.high).to.be.closeTo(found?.high ?? 0, 1e-14);
  });

  it('has no bounds for few clusters, and is nothing for none or when the sum is no number', () => {
    expect(clusteredMean([6], [4])).to.deep.equal({ estimate: 1.5, low: null, high: null });
    expect(clusteredMean([], [])).to.equal(null);
    expect(clusteredMean([1.7e308, 1.7e308], [1, 1])).to.equal(null);
  });
});
