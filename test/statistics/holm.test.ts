import { expect } from 'chai';
import fc from 'fast-check';
import { holm } from '../../src/statistics/holm.js';

const pValues = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });

/** Holm's procedure as he wrote it: reject from the smallest on, until one is too large. */
function rejected(values: readonly number[], level: number): Set<number> {
  const order = [...values.keys()].sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const stop = order.findIndex((at, rank) => (values[at] ?? 0) > level / (values.length - rank));
  return new Set(stop === -1 ? order : order.slice(0, stop));
}

describe('holm', () => {
  it('gives the adjusted p-values of a worked example', () => {
    // The example of "Holm–Bonferroni method" in Wikipedia, as R's p.adjust has it: 1 and 4 are rejected at 0.05.
    const adjusted = holm([0.01, 0.04, 0.03, 0.005]).map((p) => Number(p.toFixed(12)));
    expect(adjusted).to.deep.equal([0.03, 0.06, 0.06, 0.02]);
  });

  it('leaves a single p-value as it is, and none as none', () => {
    expect(holm([0.04])).to.deep.equal([0.04]);
    expect(holm([])).to.deep.equal([]);
  });

  it('is at most a level exactly where the procedure of 1979 rejects', () => {
    fc.assert(
      fc.property(pValues, fc.constantFrom(0.01, 0.05, 0.2, 0.5), (values, level) => {
        const expected = rejected(values, level);
        holm(values).forEach((p, at) => {
          // Right at the level a product and a quotient may round differently.
          if (Math.abs(p - level) > 1e-12) expect(p <= level).to.equal(expected.has(at));
        });
      }),
    );
  });

  it('never makes a p-value smaller, larger than 1 or overtake another', () => {
    fc.assert(
      fc.property(pValues, (values) => {
        const adjusted = holm(values);
        values.forEach((p, i) => {
          expect(adjusted[i]).to.be.within(p, 1);
          values.forEach((q, j) => {
            if (p < q) expect(adjusted[i]).to.be.at.most(adjusted[j] ?? 0);
          });
        });
      }),
    );
  });
});
