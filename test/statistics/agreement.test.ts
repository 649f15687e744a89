import { expect } from 'chai';
import {
  agreementInterval,
  cohensKappa,
  gwetsAc1,
  percentAgreement,
} from '../../src/statistics/agreement.js';

describe('agreement of two raters', () => {
  // The first: irrCAC 1.0 (R), kappa2.table and gwet.ac1.table of cont3x3abstractors. The others: numpy, from the variance
  // formulas of Fleiss, Cohen and Everitt 1969 and of Gwet 2008, equation 15.
  for (const [table, kappa, kappaError, ac1, ac1Error] of [
    [
      [
        [13, 0, 0],
        [0, 20, 7],
        [0, 4, 56],
      ],
      0.796409402183972,
      0.05891071832608148,
      0.8493305482313462,
      0.043217467522559276,
    ],
    [
      [
        [132, 6],
        [14, 20],
      ],
      0.597754911131899,
      0.08062521845429028,
      0.8366881883782757,
      0.037719771228422454,
    ],
    [
      [
        [40, 9],
        [6, 45],
      ],
      0.699519230769231,
      0.0713936026999882,
      0.7007481296758108,
      0.07135180335974461,
    ],
    [
      [
        [118, 5],
        [2, 0],
      ],
      -0.02339181286549608,
      0.01228675667280364,
      0.9407763376087177,
      0.022964551247932913,
    ],
    [
      [
        [22, 2, 2],
        [5, 7, 14],
        [0, 2, 36],
      ],
      0.5619158878504673,
      0.06843026552440626,
      0.597117149380008,
      0.07071837793082329,
    ],
  ] as const) {
    it(`is that of irrCAC and numpy for ${JSON.stringify(table)}`, () => {
      const found = [cohensKappa(table), gwetsAc1(table)];
      expect(found[0]?.estimate).to.be.closeTo(kappa, 1e-12);
      expect(found[0]?.standardError).to.be.closeTo(kappaError, 1e-12);
      expect(found[1]?.estimate).to.be.closeTo(ac1, 1e-12);
      expect(found[1]?.standardError).to.be.closeTo(ac1Error, 1e-12);
    });
  }

  it('is a share with its binomial error in percent', () => {
    const { estimate, standardError } =
      percentAgreement([
        [40, 9],
        [6, 45],
      ]) ?? {};
    expect(estimate).to.equal(0.85);
    expect(standardError).to.be.closeTo(Math.sqrt((0.85 * 0.15) / 100), 1e-15);
  });

  it('is not defined without results, nor κ where all have one verdict', () => {
    for (const measure of [percentAgreement, cohensKappa, gwetsAc1]) {
      expect(
        measure([
          [0, 0],
          [0, 0],
        ]),
      ).to.equal(null);
    }
    expect(
      cohensKappa([
        [9, 0],
        [0, 0],
      ]),
    ).to.equal(null);
    expect(
      gwetsAc1([
        [9, 0],
        [0, 0],
      ])?.estimate,
    ).to.equal(1);
  });

  it('has an interval within −1 to 1 that is wider for fewer results, and is none of width 0 without disagreement', () => {
    const table = [
      [30, 0],
      [0, 30],
    ];
    const many = agreementInterval(cohensKappa, table, 600);
    const few = agreementInterval(cohensKappa, table, 60);
    expect(few.low).to.be.within(0.7, many.low ?? 0);
    expect(few.high).to.be.within(0.98, 1);
  });
});
