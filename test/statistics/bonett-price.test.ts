import { expect } from 'chai';
import fc from 'fast-check';
import { bonettPrice } from '../../src/statistics/bonett-price.js';

/** Differences of single trials: in `onlyBase` pairs the base alone passed, in `onlyOther` the other run alone. */
function single(onlyBase: number, onlyOther: number, pairs: number): number[] {
  const same = pairs - onlyBase - onlyOther;
  return [...fill(onlyBase, -1), ...fill(same, 0), ...fill(onlyOther, 1)];
}

function fill(count: number, value: number): number[] {
  return Array<number>(count).fill(value);
}

describe('bonettPrice', () => {
  it('has the interval of the airway study in Fagerland, Lydersen and Laake 2014, Statistics in Medicine 33', () => {
    // 21 children: 1 with hyperresponsiveness before the transplantation alone, 7 after it alone.
    const { low, high } = bonettPrice(single(7, 1, 21), 1);
    expect(low).to.be.closeTo(-0.508, 0.0005);
    expect(high).to.be.closeTo(-0.013, 0.0005);
  });

  it('has the digits of its formula', () => {
    // By mpmath: p₁ = 3/52, p₂ = 10/52, z = 1.95996….
    const { low, high } = bonettPrice(single(2, 9, 50), 1);
    expect(low).to.be.closeTo(0.00373431186472282, 1e-14);
    expect(high).to.be.closeTo(0.265496457366046, 1e-14);
  });

  it('has a width when nothing differs', () => {
    const { low, high } = bonettPrice(single(0, 0, 200), 1);
    expect(low).to.be.closeTo(-0.0137, 0.0002);
    expect(high).to.be.closeTo(0.0137, 0.0002);
  });

  it('is mirrored when the runs change places, holds the difference and stays within −1…1', () => {
    const counts = fc
      .tuple(fc.nat(300), fc.nat(300), fc.nat(300))
      .filter(([a, b, same]) => a + b + same > 0);
    fc.assert(
      fc.property(counts, ([a, b, same]) => {
        const n = a + b + same;
        const { low, high } = bonettPrice(single(a, b, n), 1);
        const mirrored = bonettPrice(single(b, a, n), 1);
        expect(low).to.be.closeTo(-(mirrored.high ?? 0), 1e-15);
        expect(low).to.be.within(-1, (b - a) / n);
        expect(high).to.be.within((b - a) / n, 1);
      }),
    );
  });

  it('adds pairs of the size of those that differ where trials are several', () => {
    // By hand: Σd² = 5/3 over 5 pairs that differ, so (5/3 + 2) / 7 in place of 1 for each of both pairs that are added.
    const third = 1 / 3;
    const differences = [...fill(20, 0), -third, -2 * third, third, -third, -1];
    const { low, high } = bonettPrice(differences, third);
    expect(low).to.be.closeTo(-0.19355220093613, 1e-14);
    expect(high).to.be.closeTo(0.0454040527879823, 1e-14);
  });

  it('adds none that are smaller than what one trial moves', () => {
    const differences = [...fill(20, 0), ...fill(5, -0.1)];
    const { low, high } = bonettPrice(differences, 1);
    expect(low).to.be.closeTo(-0.12221839622088, 1e-13);
    expect(high).to.be.closeTo(0.0851813591838431, 1e-13);
    const even = bonettPrice(differences, 0.1);
    expect(even.low).to.be.closeTo(-0.0759737099475371, 1e-14);
    expect(even.high).to.be.closeTo(0.0389366729105001, 1e-14);
  });

  it('has no bounds without pairs', () => {
    expect(bonettPrice([], 1)).to.deep.equal({ low: null, high: null });
  });
});
