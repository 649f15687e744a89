import { expect } from 'chai';
import { krippendorffAlpha } from '../../src/statistics/krippendorff-alpha.js';

/** One text for each rater: a digit for each result, `.` for none. */
function unitsOf(...raters: readonly string[]): number[][] {
  return [...(raters[0] ?? '')].map((_, i) =>
    raters.flatMap((ratings) => (ratings[i] === '.' ? [] : [Number(ratings[i])])),
  );
}

describe('krippendorffAlpha', () => {
  for (const [source, units, nominal, interval] of [
    [
      'https://en.wikipedia.org/wiki/Krippendorff%27s_alpha#A_computational_example',
      unitsOf(
        '.....3412113 3.3'.replace(' ', ''),
        '1.213343.......',
        '..2134 4.21133.4'.replace(' ', ''),
      ),
      0.691,
      0.811,
    ],
    [
      'Krippendorff 2011, Computing Krippendorff’s Alpha-Reliability, example C',
      unitsOf('123321412...', '1233224125.3', '.3332342251.', '12332441251.'),
      0.743,
      0.849,
    ],
  ] as const) {
    it(`gives the published values of ${source}`, () => {
      const found = (['nominal', 'interval'] as const).map((level) =>
        Number(krippendorffAlpha(units, { level })?.estimate.toFixed(3)),
      );
      expect(found).to.deep.equal([nominal, interval]);
    });
  }

  const units = Array.from({ length: 200 }, (_, i) => [
    i % 5 ? 1 : 0,
    i % 40 > 36 ? 1 - (i % 5 ? 1 : 0) : i % 5 ? 1 : 0,
  ]);

  it('has the same interval in every draw with a seed, and a wider one where results are alike', () => {
    const of = (clusters?: number[]) => krippendorffAlpha(units, { level: 'nominal', clusters });
    expect(of()).to.deep.equal(of());
    const apart = of();
    const together = of(units.map((_, i) => Math.floor(i / 20)));
    expect(apart?.low).to.be.lessThan(apart?.estimate ?? 0);
    expect(apart?.high).to.be.greaterThan(apart?.estimate ?? 0);
    expect(together?.estimate).to.equal(apart?.estimate);
    expect(krippendorffAlpha(units, { level: 'nominal', seed: 2 })?.low).to.not.equal(apart?.low);
  });

  it('says nothing without two ratings of a result, and no interval of fewer than 20', () => {
    expect(krippendorffAlpha([[1], [0], []], { level: 'nominal' })).to.equal(null);
    expect(
      krippendorffAlpha(
        [
          [1, 1],
          [1, 1],
        ],
        { level: 'nominal' },
      ),
    ).to.equal(null);
    expect(krippendorffAlpha(units.slice(0, 19), { level: 'nominal' })).to.include({
      low: null,
      high: null,
    });
  });
});
