import { expect } from 'chai';
import {
  type Bucket,
  joinBuckets,
  sumBuckets,
} from '../../../ui/src/dashboard/summary/latency-axis.js';

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
