import { expect } from 'chai';
import fc from 'fast-check';
import { studentQuantile } from '../../src/statistics/mean-interval.js';
import { normalQuantile } from '../../src/statistics/normal-quantile.js';

type Row = readonly [freedom: number, ...quantiles: number[]];

/** By mpmath with 40 digits: the root of the regularised incomplete beta function. */
const probabilities = [0.51, 0.6, 0.95, 0.975, 0.999];
const reference: readonly Row[] = [
  [1, 0.0314262660433512, 0.324919696232906, 6.31375151467504, 12.7062047361747, 318.30883898555],
  [2, 0.0282899297993335, 0.288675134594813, 2.91998558035373, 4.30265272974946, 22.3271247701199],
  [3, 0.027211467049118, 0.27667066233269, 2.35336343480182, 3.18244630528371, 10.2145318524074],
  [4, 0.026670618302639, 0.270722294707597, 2.13184678632665, 2.77644510519779, 7.17318221978231],
  [5, 0.0263467123422732, 0.267180865704145, 2.01504837333302, 2.57058183563632, 5.89342953135601],
  [7, 0.0259779415695169, 0.263166861352023, 1.89457860509001, 2.36462425159279, 4.78528962863833],
  [10, 0.0257028930080903, 0.26018482949208, 1.81246112281168, 2.22813885198627, 4.14370049404659],
  [19, 0.0254010028325672, 0.256922819796155, 1.72913281152137, 2.09302405440831, 3.57940014895472],
  [29, 0.0252860495620129, 0.255683634571256, 1.6991270265335, 2.0452296421327, 3.3962402883568],
  [30, 0.0252787839717658, 0.255605364951913, 1.69726088659396, 2.04227245630124, 3.3851848668293],
  [47, 0.025202683674158, 0.254785935981744, 1.67792672164186, 2.01174051372977, 3.27291237838093],
  [49, 0.0251972102503268, 0.254727025599191, 1.67655089261685, 2.00957523712924, 3.26507917292886],
  [
    100, 0.0251316975377146, 0.254022182458228, 1.66023432608534, 1.98397151852355,
    3.17373949373878,
  ],
  [999, 0.025075186488481, 0.253414583330367, 1.64638034542754, 1.96234146113345, 3.09841036175331],
  [
    99999, 0.0250689709710738, 0.25334777716392, 1.64486886493735, 1.95998770777184,
    3.0903138102423,
  ],
  [1e7, 0.0250689088858276, 0.253347109876003, 1.6448537793284, 1.95996422176721, 3.09023312118091],
];

describe('studentQuantile', () => {
  it('has the reference values to 12 digits', () => {
    for (const [freedom, ...quantiles] of reference) {
      quantiles.forEach((quantile, i) => {
        const found = studentQuantile(probabilities[i] ?? 0, freedom);
        expect(Math.abs(found / quantile - 1), `${freedom} ${quantile}`).to.be.below(1e-12);
      });
    }
  });

  it('leaves as much above it as asked for, by Simpson’s rule on the density', () => {
    for (const freedom of [3, 6, 15, 48, 200]) {
      const quantile = studentQuantile(0.975, freedom);
      expect(centralShare(quantile, freedom) / 2, `${freedom}`).to.be.closeTo(0.475, 1e-13);
    }
  });

  it('comes to the normal quantile', () => {
    expect(studentQuantile(0.975, 1e12)).to.be.closeTo(normalQuantile(0.975), 1e-11);
  });

  it('grows with the probability and falls with the degrees of freedom', () => {
    const freedoms = fc.integer({ min: 1, max: 100_000 });
    const shares = fc.double({ min: 0.5001, max: 0.9999, noNaN: true });
    fc.assert(
      fc.property(freedoms, shares, (freedom, share) => {
        const quantile = studentQuantile(share, freedom);
        return (
          studentQuantile(share + 5e-5, freedom) > quantile &&
          studentQuantile(share, freedom + 1) <= quantile * (1 + 1e-13)
        );
      }),
    );
  });

  it('refuses what has no quantile', () => {
    expect(() => studentQuantile(0.975, 0)).to.throw(RangeError);
    expect(() => studentQuantile(0.975, 1.5)).to.throw(RangeError);
    expect(() => studentQuantile(1, 5)).to.throw(RangeError);
  });
});

/** P(|T| ≤ t): the density is integrated over the angle whose tangent is t / √freedom, where it is a power of the cosine. */
function centralShare(t: number, freedom: number): number {
  const integrate = (to: number) => {
    const steps = 4000;
    let sum = 0;
    for (let i = 0; i <= steps; i += 1) {
      const weight = i === 0 || i === steps ? 1 : i % 2 === 1 ? 4 : 2;
      sum += weight * Math.cos((i * to) / steps) ** (freedom - 1);
    }
    return (sum * to) / steps / 3;
  };
  return integrate(Math.atan(t / Math.sqrt(freedom))) / integrate(Math.PI / 2);
}
