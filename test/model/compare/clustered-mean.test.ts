import { expect } from 'chai';
import { bootstrapMean } from '../../../src/model/compare/bootstrap-mean.js';
import { clusteredMean } from '../../../src/model/compare/clustered-mean.js';
import { seededRandom } from '../../../src/model/random.js';
import { finish } from '../../../src/model/steps.js';

const meanOf = (sums: Float64Array, counts: Float64Array) => finish(clusteredMean(sums, counts));

/** The ratio of sums over units drawn one by one. */
function naiveBounds(sums: Float64Array, counts: Float64Array) {
  const random = seededRandom(77);
  const means = Array.from({ length: 8000 }, () => {
    let [sum, count] = [0, 0];
    for (let i = 0; i < sums.length; i += 1) {
      const drawn = Math.floor(random() * sums.length);
      sum += sums[drawn] ?? 0;
      count += counts[drawn] ?? 0;
    }
    return sum / count;
  }).sort((a, b) => a - b);
  return { low: means[200] ?? 0, high: means[7799] ?? 0 };
}

describe('clusteredMean', () => {
  it('is the bootstrap of unit means where counts are equal', () => {
    const sums = Float64Array.of(3, 1, 8, 2, 2);
    const found = meanOf(sums, new Float64Array(5).fill(2));
    const bounds = finish(bootstrapMean(sums.map((one) => one / 2).sort()));
    expect(found).to.deep.equal({ estimate: 1.6, ...bounds });
  });

  it('has the bounds of drawing units one by one where counts differ', () => {
    const random = seededRandom(5);
    const counts = Float64Array.from({ length: 120 }, () => 1 + Math.floor(random() * 5));
    const sums = counts.map((count) => count * (random() + random()));
    const found = meanOf(sums, counts);
    const naive = naiveBounds(sums, counts);
    const tolerance = ((naive.high - naive.low) / 3.92) * 0.06 * 4;
    expect(found?.low).to.be.closeTo(naive.low, tolerance);
    expect(found?.high).to.be.closeTo(naive.high, tolerance);
  });

  it('is the mean over all scores, whichever unit they are of', () => {
    expect(meanOf(Float64Array.of(1, 9), Float64Array.of(1, 4))?.estimate).to.equal(2);
  });

  it('does not depend on the order of units', () => {
    const sums = Float64Array.of(3, 1, 8, 2, 2);
    const counts = Float64Array.of(1, 1, 3, 2, 1);
    expect(meanOf(sums.slice().reverse(), counts.slice().reverse())).to.deep.equal(
      meanOf(sums, counts),
    );
  });

  it('has no bounds for one unit and is nothing for none', () => {
    const one = meanOf(Float64Array.of(6), Float64Array.of(4));
    expect(one).to.deep.equal({ estimate: 1.5, low: null, high: null });
    expect(meanOf(new Float64Array(0), new Float64Array(0))).to.equal(null);
  });
});
