import { expect } from 'chai';
import { clusteredRate } from '../../src/statistics/clustered-share.js';
import { wilsonInterval } from '../../src/statistics/wilson-interval.js';

function rate(units: readonly (readonly [number, number])[]) {
  return clusteredRate(
    Float64Array.from(units, ([passed]) => passed),
    Float64Array.from(units, ([, of]) => of),
  );
}

describe('clusteredRate', () => {
  it('is the Wilson interval where every unit counts once', () => {
    const units = Array.from({ length: 263 }, (_, i) => [i < 81 ? 1 : 0, 1] as const);
    expect(rate(units)).to.deep.equal(wilsonInterval(81, 263));
  });

  it('counts trials that always agree as one', () => {
    const units = Array.from({ length: 40 }, (_, i) => [i < 30 ? 5 : 0, 5] as const);
    const found = rate(units);
    // The variance over 40 units has 39 as its divisor: an effective size of 39 instead of 200.
    expect(found?.estimate).to.equal(0.75);
    expect(found?.low).to.be.within((wilsonInterval(29, 39).low ?? 0) - 0.01, 0.75);
    expect(found?.low).to.be.closeTo(wilsonInterval(30, 40).low ?? 0, 0.003);
    expect(found?.high).to.be.closeTo(wilsonInterval(30, 40).high ?? 0, 0.003);
  });

  it('counts trials that are independent each for itself', () => {
    // 3 trials of ½ each: 1, 3, 3 and 1 in 8 units pass 0, 1, 2 and 3 times.
    const units = [0, 1, 1, 1, 2, 2, 2, 3].flatMap((passed) =>
      Array.from({ length: 100 }, () => [passed, 3] as const),
    );
    const found = rate(units);
    expect(found?.low).to.be.closeTo(wilsonInterval(1200, 2400).low ?? 0, 1e-4);
    expect(found?.high).to.be.closeTo(wilsonInterval(1200, 2400).high ?? 0, 1e-4);
  });

  it('is never narrower than for independent trials', () => {
    // Every unit passes in exactly one of two trials: less variation than chance would have.
    const found = rate(Array.from({ length: 30 }, () => [1, 2] as const));
    expect(found?.low).to.be.closeTo(wilsonInterval(30, 60).low ?? 0, 1e-12);
    expect(found?.high).to.be.closeTo(wilsonInterval(30, 60).high ?? 0, 1e-12);
  });

  it('takes one trial a unit where all or none passed', () => {
    expect(rate(Array.from({ length: 20 }, () => [5, 5] as const))?.low).to.be.closeTo(
      wilsonInterval(20, 20).low ?? 0,
      1e-12,
    );
    expect(rate([[0, 3]])).to.deep.include({ estimate: 0, low: 0 });
    expect(rate([[2, 3]])?.low).to.be.below(0.2);
  });

  it('has the digits of its formula', () => {
    // 12 units of 4: v = Σ(x/4 − p)² / (12 · 11), carriers (Σy)²/Σy² = 10/3 of what failed, size 15.2848.
    const passes = [4, 4, 4, 3, 4, 2, 4, 0, 4, 4, 1, 4];
    const found = rate(passes.map((passed) => [passed, 4] as const));
    expect(found?.estimate).to.be.closeTo(38 / 48, 1e-15);
    expect(found?.low).to.be.closeTo(0.54188578610291, 1e-12);
    expect(found?.high).to.be.closeTo(0.924286486065871, 1e-12);
  });

  it('reaches further toward 1 where hardly any result failed', () => {
    const found = rate(Array.from({ length: 10 }, (_, i) => [i === 0 ? 3 : 4, 4] as const));
    expect(found?.low).to.be.closeTo(0.790452503858414, 1e-12);
    // 1 + ln(0.95) · 0.025; Wilson's would be 0.9975.
    expect(found?.high).to.be.closeTo(0.998717667640311, 1e-14);
    const mirrored = rate(Array.from({ length: 10 }, (_, i) => [i === 0 ? 1 : 0, 4] as const));
    expect(mirrored?.low).to.be.closeTo(1 - 0.998717667640311, 1e-14);
  });

  it('weighs units by what they count', () => {
    expect(
      rate([
        [1, 1],
        [1, 3],
      ])?.estimate,
    ).to.equal(0.5);
  });

  it('is nothing where nothing counts', () => {
    expect(rate([])).to.equal(null);
  });
});
