import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { correctedRate, predictionPowered } from '../../src/statistics/corrected-rate.js';
import { LabelledSample } from '../../src/statistics/labelled-sample.js';

const { cases } = JSON.parse(
  readFileSync(new URL('./data/prediction-powered.json', import.meta.url), 'utf8'),
) as {
  readonly cases: readonly {
    readonly labels: string;
    readonly judge: string;
    readonly others: string;
    readonly lam: number;
    readonly theta: number;
    readonly se: number;
  }[];
};

/** Rows of which the first are labelled. */
function powered(
  labels: string,
  judge: string,
  design: { clusters?: number[]; strata?: number[]; sizes?: number[] } = {},
) {
  const predicted = Float64Array.from(judge, Number);
  const sample = new LabelledSample({
    clusters: [...predicted.keys()],
    strata: new Array(predicted.length).fill(0),
    sizes: [predicted.length],
    labelled: [...labels].map((_, row) => row),
    ...design,
  });
  return predictionPowered(sample, Float64Array.from(labels, Number), predicted);
}

describe('correctedRate', () => {
  // The first: arXiv:2511.21140, by its own code. The others: numpy, from section 3.
  for (const [rates, estimate, low, high] of [
    [[0.4, 1000, 0.7, 200, 0.9, 200], 0.16666666666666666, 0.056350724841608, 0.2627330257859588],
    [[0.851, 168, 0.59, 34, 0.957, 138], 0.806215722120658, 0.6615733243884371, 0.9209547542252646],
    [[0.5, 60, 0.9, 40, 0.9, 60], 0.5, 0.31298928220639116, 0.6719846173590349],
    [[0.97, 300, 0.95, 40, 0.99, 200], 0.9787234042553191, 0.9480840270444575, 1],
  ] as const) {
    it(`is that of Lee and others for ${rates.join(', ')}`, () => {
      const [p, n, q0, m0, q1, m1] = rates;
      const found = correctedRate({
        judged: { rate: p, size: n },
        specificity: { rate: q0, size: m0 },
        sensitivity: { rate: q1, size: m1 },
      });
      expect(found?.estimate).to.be.closeTo(estimate, 1e-9);
      expect(found?.low).to.be.closeTo(low, 1e-9);
      expect(found?.high).to.be.closeTo(high, 1e-9);
    });
  }

  it('is none for a judge that is no better than chance', () => {
    const coin = { rate: 0.5, size: 100 };
    expect(correctedRate({ judged: coin, specificity: coin, sensitivity: coin })).to.equal(null);
  });
});

describe('predictionPowered', () => {
  for (const { labels, judge, others, lam, theta, se } of cases) {
    it(`is that of ppi_py for ${labels.length} labels and ${others.length} rows without`, () => {
      const { estimate, lambda, standardError, low, high } = powered(labels, judge + others);
      expect(lambda).to.be.closeTo(lam, 1e-12);
      expect(estimate).to.be.closeTo(theta, 1e-12);
      expect(standardError).to.be.closeTo(se, 1e-12);
      expect(low).to.be.lessThan(estimate);
      expect(high).to.be.greaterThan(estimate);
    });
  }

  it('is the rate of the labels where all rows are labelled, or the judge says one thing', () => {
    expect(powered('1100', '1010')).to.include({ estimate: 0.5, lambda: 0 });
    expect(powered('1110', '11111111')).to.include({ estimate: 0.75, lambda: 0 });
  });

  it('knows less where rows are alike', () => {
    const [labels, judge] = ['1111000011110000', '11110000111100001111111100000000'];
    const apart = powered(labels, judge);
    const alike = powered(labels, judge, { clusters: [...judge].map((_, i) => Math.floor(i / 4)) });
    expect(alike.estimate).to.equal(apart.estimate);
    expect(alike.standardError).to.be.greaterThan(apart.standardError * 1.5);
  });

  it('weights strata back', () => {
    // 3 of 4 pass in a stratum of 90 rows, 1 of 4 in one of 10: 0.9 · 0.75 + 0.1 · 0.25.
    const strata = [0, 0, 0, 0, 1, 1, 1, 1, ...new Array(86).fill(0), ...new Array(6).fill(1)];
    const design = { strata, sizes: [90, 10] };
    expect(powered('11101000', '1'.repeat(100), design).estimate).to.be.closeTo(0.7, 1e-12);
    // The verdicts are the strata, so that the judge adds nothing to the weights.
    const verdicts = strata.map((stratum) => (stratum === 0 ? '1' : '0')).join('');
    expect(powered('11101000', verdicts, design).estimate).to.be.closeTo(0.7, 1e-12);
  });
});

describe('LabelledSample', () => {
  it('takes strata with fewer than two labels together', () => {
    const sample = new LabelledSample({
      clusters: [0, 1, 2, 3, 4, 5, 6, 7],
      strata: [0, 0, 0, 0, 1, 1, 2, 2],
      sizes: [4, 2, 2],
      labelled: [0, 1, 4, 6],
    });
    expect([...sample.weights]).to.deep.equal([0.25, 0.25, 0.25, 0.25]);
  });

  it('has the size of the labels where they are independent, and of the clusters where they are alike', () => {
    const values = Float64Array.of(1, 1, 0, 0, 1, 1, 0, 0);
    const design = { strata: new Array(8).fill(0), sizes: [8], labelled: [0, 1, 2, 3, 4, 5, 6, 7] };
    const apart = new LabelledSample({ ...design, clusters: [0, 1, 2, 3, 4, 5, 6, 7] });
    expect(apart.effectiveSize(values)).to.be.closeTo(8, 1e-12);
    const alike = new LabelledSample({ ...design, clusters: [0, 0, 1, 1, 2, 2, 3, 3] });
    expect(alike.effectiveSize(values)).to.be.closeTo(3, 1e-12);
  });
});
