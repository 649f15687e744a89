import { expect } from 'chai';
import fc from 'fast-check';
import { bonettPrice } from '../../src/statistics/bonett-price.js';

describe('bonettPrice', () => {
  it('has the interval of the airway study in Fagerland, Lydersen and Laake 2014, Statistics in Medicine 33', () => {
    // 21 children: 1 with hyperresponsiveness before the transplantation alone, 7 after it alone.
    const { low, high } = bonettPrice(7, 1, 21);
    expect(low).to.be.closeTo(-0.508, 0.0005);
    expect(high).to.be.closeTo(-0.013, 0.0005);
  });

  it('has the digits of its formula', () => {
    // By mpmath: p₁ = 3/52, p₂ = 10/52, z = 1.95996….
    const { low, high } = bonettPrice(2, 9, 50);
    expect(low).to.be.closeTo(0.00373431186472282, 1e-14);
    expect(high).to.be.closeTo(0.265496457366046, 1e-14);
  });

  it('has a width when nothing differs', () => {
    const { low, high } = bonettPrice(0, 0, 200);
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
        const { low, high } = bonettPrice(a, b, n);
        const mirrored = bonettPrice(b, a, n);
        expect(low).to.be.closeTo(-(mirrored.high ?? 0), 1e-15);
        expect(low).to.be.within(-1, (b - a) / n);
        expect(high).to.be.within((b - a) / n, 1);
      }),
    );
  });

  it('has no bounds without pairs, and refuses counts that do not fit', () => {
    expect(bonettPrice(0, 0, 0)).to.deep.equal({ low: null, high: null });
    expect(() => bonettPrice(3, 3, 5)).to.throw(RangeError, '3, 3 of 5');
    expect(() => bonettPrice(-1, 3, 5)).to.throw(RangeError);
    expect(() => bonettPrice(0.5, 3, 5)).to.throw(RangeError);
  });
});
