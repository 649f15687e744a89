import { expect } from 'chai';
import type { EvalCase } from '../../../src/compare/cases/eval-case.js';
import { compareCases } from '../../../src/compare/compare-cases.js';
import { singleTrialPower } from '../../../src/compare/power/single-trial-power.js';
import { findsInTrials } from '../../../src/compare/power/trial-power.js';
import { evalCase, passed, valued, verdicts } from '../eval-cases.js';

const few = { draws: 200 };

function detectable(base: readonly EvalCase[], other: readonly EvalCase[]) {
  return compareCases(base, other, few).summary.pass_rate.detectable;
}

describe('what a comparison finds 4 times in 5', () => {
  it('is the power of the exact test over the pairs that differ', () => {
    // Of sure cases, six of 20 must fall: 1 − P(at most 5 of 20 at .35) = .7546, at .4 = .8744.
    const power = singleTrialPower({ pairs: 20, differing: 0, rate: 1 }, 0.025);
    expect(power(0.35)).to.be.at.most(0.7546);
    const alone = singleTrialPower({ pairs: 20, differing: -2, rate: 1 }, 0.025);
    expect(alone(0.35)).to.be.closeTo(0.7546, 0.00005);
    expect(alone(0.4)).to.be.closeTo(0.8744, 0.00005);
  });

  it('is the same by enumeration and by the normal distribution where there are many pairs', () => {
    const drop = 0.03;
    const of = (pairs: number) =>
      singleTrialPower({ pairs, differing: pairs * 0.2, rate: 0.8 }, 0.025)(drop);
    expect(of(2000)).to.be.closeTo(of(2001), 0.02);
  });

  it('needs more where more tests are corrected for', () => {
    const noise = (i: number) => valued('a', (i * 7) % 11).concat(valued('b', (i * 5) % 11));
    const cases = (isOther: boolean) =>
      verdicts('+'.repeat(40)).map((one, i) => ({
        ...one,
        scores: noise(isOther ? i + 3 : i),
      }));
    const alone = detectable(verdicts('+'.repeat(40)), verdicts('+'.repeat(40))) ?? 0;
    expect(detectable(cases(false), cases(true))).to.be.above(alone);
  });

  it('is at most what the base has to lose, and nothing if not even all to none is found', () => {
    expect(detectable(verdicts('+++++'), verdicts('+++++'))).to.equal(null);
    expect(detectable(verdicts('++++++'), verdicts('------'))).to.equal(1);
    const low = verdicts(`${'+'.repeat(7)}${'-'.repeat(13)}`);
    expect(detectable(low, low)).to.be.at.most(0.35);
    expect(detectable(verdicts('---'), verdicts('---'))).to.equal(null);
  });

  it('takes what differs beyond chance for no chance', () => {
    // Of 40 sure cases, ten broke.
    const [sure, broken] = [verdicts('+'.repeat(40)), verdicts('+'.repeat(30) + '-'.repeat(10))];
    expect(detectable(sure, broken)).to.be.closeTo(detectable(sure, sure) ?? 1, 0.001);
    expect(detectable(sure, broken)).to.be.below(0.25);
    const runOf = (passes: (i: number) => number) =>
      Array.from({ length: 40 }, (_, i) => passed(`${i}`, passes(i), 5));
    const before = runOf(() => 5);
    const after = runOf((i) => (i < 10 ? 0 : 5));
    expect(detectable(before, after)).to.be.closeTo(detectable(before, before) ?? 1, 0.03);
  });

  it('is all that the base has to lose where nothing less is found', () => {
    const base = verdicts('++++++--');
    expect(detectable(base, base)).to.equal(0.75);
    const none = compareCases(base, verdicts('--------'), few).summary.pass_rate;
    expect(none.beyond_chance).to.equal(true);
  });

  it('is simulated for trials, and is smaller the more there are', () => {
    const runOf = (trials: number, shift: number) =>
      Array.from({ length: 40 }, (_, i) =>
        passed(`${i}`, Math.round((trials * (6 + ((i + shift) % 5))) / 10), trials),
      );
    const found = [2, 5, 10].map((trials) => detectable(runOf(trials, 0), runOf(trials, 0)) ?? 1);
    expect(found).to.deep.equal([...found].sort((a, b) => b - a));
    expect(found[2]).to.be.within(0.02, 0.12);
    const uneven = detectable(runOf(1, 0), runOf(5, 0)) ?? 1;
    expect(uneven).to.be.within(0.05, 0.6);
  });

  it('gives the trials of sure cases the power of single ones', () => {
    const cases = Array.from({ length: 30 }, () => ({
      ...{ base: 3, inBase: 3, other: 3, inOther: 3 },
    }));
    const finds = (least: number) =>
      findsInTrials(cases, { isChanged: false, level: 0.025, least });
    expect(finds(0.03)(0)).to.equal(false);
    expect(finds(1)(1)).to.equal(true);
  });

  it('of values is the power of the paired test, within the scale', () => {
    const grades = (shift: number) =>
      Array.from({ length: 100 }, (_, i) =>
        evalCase(`${i}`, { scores: valued('near', ((i + shift) % 5) / 4) }),
      );
    const [score] = compareCases(grades(0), grades(2), few).summary.scores;
    // s = .615, n = 100: δ = (1.96 √(s² + δ²) + .84 s) / 10.
    expect(score?.detectable).to.be.closeTo(0.177, 0.001);
  });
});
