import { expect } from 'chai';
import fc from 'fast-check';
import { type CaseScore, type EvalCase, withoutErrors } from '../../src/compare/cases/eval-case.js';
import { compareCases } from '../../src/compare/compare-cases.js';
import { judgeRegression } from '../../src/compare/gates/judge-regression.js';
import { fairCoinTails } from '../../src/statistics/half-binomial.js';
import { seededRandom } from '../../src/statistics/random.js';
import { twoSidedP } from '../../src/statistics/tails.js';
import { evalCase, passed, valued, valuedTrials, verdicts } from './eval-cases.js';

const few = { draws: 200 };

function score(base: readonly EvalCase[], other: readonly EvalCase[], key: string) {
  return compareCases(base, other, few).summary.scores.find((one) => one.key === key);
}

const cases = fc.uniqueArray(
  fc
    .record({
      id: fc.nat(30).map(String),
      trials: fc.nat(4),
      share: fc.integer({ min: 0, max: 4 }),
      size: fc.integer({ min: 0, max: 8 }),
      latency: fc.option(fc.integer({ min: 0, max: 9 })),
      outputHash: fc.option(fc.constantFrom('g', 'h')),
    })
    .map(({ id, trials, share, size, ...facts }) =>
      passed(id, Math.min(share, trials), trials, {
        ...facts,
        scores: trials === 0 ? [] : valuedTrials('size', Array<number>(trials).fill(size)),
      }),
    ),
  { selector: ({ id }) => id, maxLength: 30 },
);

describe('compareCases', () => {
  it('pairs by id, never by position', () => {
    const base = [passed('a', 1), passed('b', 0), passed('gone', 1)];
    const other = [passed('new', 0), passed('b', 0), passed('a', 1)];
    const { summary, pairs } = compareCases(base, other);
    expect(pairs.map(({ id, change }) => [id, change])).to.deep.equal([
      ['a', 'same'],
      ['b', 'same'],
      ['gone', 'only_base'],
      ['new', 'only_other'],
    ]);
    expect(summary.changes).to.deep.equal({
      regressed: 0,
      fixed: 0,
      changed: 0,
      same: 2,
      only_base: 1,
      only_other: 1,
      not_paired: 0,
    });
    expect(summary.pass_rate).to.deep.include({ pairs: 2, base: 0.5, other: 0.5 });
  });

  it('tests the pass rate of single trials as McNemar does', () => {
    const { pass_rate: rate } = compareCases(
      verdicts('++++++++++------++++'),
      verdicts('----------+++-----++'),
    ).summary;
    expect(rate).to.deep.include({ pairs: 20, higher: 3, lower: 12 });
    expect(rate.p).to.equal(twoSidedP(fairCoinTails(15, 3)));
    expect(rate.beyond_chance).to.equal(true);
    expect(rate.difference?.estimate).to.be.closeTo(-9 / 20, 1e-15);
  });

  it('takes the share of passes as the value of a case with trials', () => {
    const { pass_rate: rate } = compareCases(
      [passed('a', 5, 5), passed('b', 1, 2)],
      [passed('a', 4, 5), passed('b', 4, 4)],
    ).summary;
    expect(rate).to.deep.include({ base: 0.75, other: 0.9 });
    expect(rate.difference?.estimate).to.be.closeTo(0.15, 1e-15);
  });

  it('counts a case without a finished trial on one side, and compares nothing of it', () => {
    const running = evalCase('a', { trials: 0 });
    const { summary } = compareCases([passed('a', 1)], [running]);
    expect(summary.changes.not_paired).to.equal(1);
    expect(summary.pass_rate).to.deep.include({ pairs: 0, difference: null, p: null });
  });

  it('counts the cases of which only one side has a score', () => {
    const base = [
      evalCase('a', { scores: valued('size', 4) }),
      evalCase('b', { scores: valued('size', 2) }),
    ];
    const other = [evalCase('a'), evalCase('b', { scores: valued('size', 3) })];
    expect(score(base, other, 'size')).to.deep.include({
      type: 'avg',
      pairs: 1,
      base: 2,
      other: 3,
      only_base: 1,
      only_other: 0,
    });
  });

  it('has an interval of the pass rate for few cases with trials, wider where a run has single ones', () => {
    const cases = (trials: number) =>
      Array.from({ length: 8 }, (_, i) => passed(`${i}`, trials, trials));
    const width = (base: number, other: number) => {
      const { difference } = compareCases(cases(base), cases(other)).summary.pass_rate;
      return (difference?.high ?? 0) - (difference?.low ?? 0);
    };
    // No pair differs: ±z · √2 / 10.
    expect(width(3, 3)).to.be.closeTo(2 * 1.959964 * Math.SQRT2 * 0.1, 1e-6);
    const mixed = (trials: number) => [...cases(trials), passed('odd', trials - 1, trials)];
    const shares = (base: number, other: number) =>
      compareCases(mixed(base), cases(other).concat(passed('odd', other, other))).summary.pass_rate
        .difference?.high ?? 0;
    expect(shares(10, 10)).to.be.below(shares(10, 1));
  });

  it('averages values over trials', () => {
    const base = [evalCase('a', { trials: 2, scores: valuedTrials('size', [1, 2]) })];
    const other = [evalCase('a', { scores: valued('size', 4) })];
    expect(score(base, other, 'size')).to.deep.include({ base: 1.5, other: 4, higher: 1 });
  });

  it('tests unbounded values, and gives percentiles of the pairs in place of an interval', () => {
    const sizes = (add: number) =>
      Array.from({ length: 30 }, (_, i) =>
        evalCase(`${i}`, { trials: 2, scores: valuedTrials('size', [i + add, i + 2 * add]) }),
      );
    const left = evalCase('left', { scores: valued('size', 1e6) });
    const found = score([...sizes(20), left], sizes(25), 'size');
    expect(found).to.deep.include({ type: 'avg', pairs: 30, detectable: null, only_base: 0 });
    expect(found?.difference).to.deep.equal({ estimate: 7.5, low: null, high: null });
    expect(found).to.include({ beyond_chance: true });
    expect(found?.percentiles?.base.p50).to.equal(44.5);
    expect(found?.percentiles?.other.p50).to.equal(52);
    expect(found?.percentiles?.base.p95).to.be.closeTo(66.05, 1e-9);
    const shifted = compareCases(sizes(20), sizes(25), { draws: 300 });
    expect(judgeRegression(shifted).verdict).to.equal('yes');
    const back = compareCases(sizes(25), sizes(20), { draws: 300 });
    expect(judgeRegression(back).verdict).to.equal('no');
  });

  it('has an interval where the values of both runs together are grades', () => {
    const grades = (of: (i: number) => number) =>
      Array.from({ length: 40 }, (_, i) => evalCase(`${i}`, { scores: valued('near', of(i)) }));
    const half = grades((i) => (i % 5) / 4);
    const near = score(
      half,
      grades((i) => (i % 7) / 6),
      'near',
    );
    expect(near?.difference?.low).to.be.a('number');
    expect(near?.detectable).to.be.a('number');
    expect(near).not.to.have.property('percentiles');
    const odd = score(
      half,
      grades((i) => (i === 39 ? 60 : (i % 7) / 6)),
      'near',
    );
    expect(odd?.difference).to.deep.include({ low: null, high: null });
    expect(odd?.percentiles?.base).to.deep.equal({ p50: 0.5, p95: 1 });
    // One grade of 40 moved by little: another could have moved by all there is.
    const moved = score(
      half,
      grades((i) => (i === 7 ? 0.6 : (i % 5) / 4)),
      'near',
    );
    expect(moved?.difference).to.deep.include({ low: null, high: null });
    expect(moved).not.to.have.property('percentiles');
  });

  it('does not compare a ratio with an average', () => {
    const ratio = passed('a', 1);
    const value = evalCase('a', { scores: valued('correctness', 0.4) });
    expect(score([ratio], [value], 'correctness')).to.deep.include({ type: 'mixed', pairs: 0 });
  });

  describe('with verdicts and values of one score', () => {
    const rated = (passes: number, value: number): CaseScore => ({
      ...{ key: 'rating', kind: 'ratio', sum: passes, count: 1, values: [value] },
    });
    const judged = (passes: number, value: number): CaseScore => ({
      ...{ key: 'rating', kind: 'value', sum: value, count: 1, derived: { passes, of: 1 } },
    });
    const runOf = (...scores: readonly CaseScore[]) =>
      scores.map((one, i) =>
        passed(String(i), one.kind === 'ratio' ? one.sum : 1, 1, { scores: [one] }),
      );
    const linesOf = (base: readonly EvalCase[], other: readonly EvalCase[]) =>
      compareCases(base, other).summary.scores.map(({ name, type, gated, base, other }) => ({
        ...{ name, type, gated, base, other },
      }));

    it('compares the verdicts of an evaluator, with the values beside them', () => {
      const base = runOf(rated(1, 450), rated(1, 450));
      const other = runOf(rated(1, 500), rated(0, 500));
      expect(linesOf(base, other)).to.deep.equal([
        { name: 'rating', type: 'ratio', gated: true, base: 1, other: 0.5 },
        { name: 'rating (value)', type: 'avg', gated: false, base: 450, other: 500 },
      ]);
    });

    it('compares values with the verdicts that a threshold derives beside them, and judges both', () => {
      const base = runOf(judged(1, 0.8), judged(1, 0.8));
      const other = runOf(judged(1, 1), judged(0, 0.7));
      expect(linesOf(base, other)).to.deep.equal([
        { name: 'rating', type: 'avg', gated: true, base: 0.8, other: 0.85 },
        { name: 'rating (passed)', type: 'ratio', gated: true, base: 1, other: 0.5 },
      ]);
    });

    it('lets each result keep its own verdict, given or derived', () => {
      const base = runOf(rated(1, 0.9), judged(1, 0.9));
      const other = runOf(rated(1, 0.9), judged(0, 0.1));
      expect(linesOf(base, other)).to.deep.equal([
        { name: 'rating', type: 'ratio', gated: true, base: 1, other: 0.5 },
        { name: 'rating (value)', type: 'avg', gated: false, base: 0.9, other: 0.5 },
      ]);
    });

    it('goes on comparing values where a person gave the only other verdict', () => {
      const human: CaseScore = { key: 'rating', kind: 'ratio', sum: 1, count: 1, human: true };
      const run = runOf(human, judged(1, 0.9));
      expect(linesOf(run, run).map(({ name }) => name)).to.deep.equal([
        'rating',
        'rating (passed)',
      ]);
    });

    it('compares the values alone where only one run has verdicts', () => {
      const base = [evalCase('0', { scores: valued('rating', 0.5) })];
      expect(linesOf(base, runOf(judged(0, 0.75)))).to.deep.equal([
        { name: 'rating', type: 'avg', gated: true, base: 0.5, other: 0.75 },
      ]);
    });
  });

  it('takes the direction of the other run, and of the base where the other has no such score', () => {
    const less = valued('tokens', 5).map((one) => ({ ...one, better: 'lower' as const }));
    const more = valued('tokens', 5);
    const direction = (base: CaseScore[], other: CaseScore[]) =>
      score([evalCase('a', { scores: base })], [evalCase('a', { scores: other })], 'tokens')
        ?.better;
    expect(direction(more, less)).to.equal('lower');
    expect(direction(less, more)).to.equal('higher');
    expect(direction(less, [])).to.equal('lower');
  });

  it('leaves out results that are errors where cases are made without them', () => {
    const base = [
      passed('a', 4, 5, { errors: 1 }),
      passed('b', 1),
      passed('c', 0, 1, { errors: 1 }),
    ];
    const other = [
      passed('a', 3, 5, { errors: 2 }),
      passed('b', 0, 1, { errors: 1 }),
      passed('c', 1),
    ];
    const found = compareCases(base.map(withoutErrors), other.map(withoutErrors));
    const expected = { pairs: 1, base: 1, other: 1, only_base: 1, only_other: 1 };
    expect(found.summary.pass_rate).to.deep.include(expected);
    expect(compareCases(base, other).summary.pass_rate).to.deep.include({ pairs: 3, lower: 2 });
  });

  it('has no p-value for averages of unequally many trials of which only the sum is known', () => {
    const summed = [{ key: 'size', kind: 'value', sum: 6, count: 3 } as const];
    const base = [evalCase('a', { trials: 3, scores: summed })];
    const found = score(base, [evalCase('a', { scores: valued('size', 4) })], 'size');
    expect(found).to.deep.include({ base: 2, other: 4, p: null, beyond_chance: false });
    const even = [evalCase('a', { trials: 3, scores: valuedTrials('size', [4, 4, 4]) })];
    expect(score(base, even, 'size')).to.deep.include({ base: 2, other: 4, p: 1 });
  });

  it('does not test latency', () => {
    const timed = (latency: number) =>
      Array.from({ length: 9 }, (_, i) => evalCase(String(i), { latency }));
    const { latency } = compareCases(timed(1), timed(2)).summary;
    expect(latency).to.deep.include({ pairs: 9, base: 1, other: 2, higher: 9 });
    expect(latency).to.not.have.any.keys('p', 'beyond_chance');
  });

  it('leaves values out where the key is a ratio elsewhere in the run, as its chip does', () => {
    const base = [passed('a', 1), evalCase('b', { scores: valued('correctness', 9) })];
    expect(score(base, [passed('a', 0), passed('b', 1)], 'correctness')).to.deep.include({
      type: 'ratio',
      pairs: 1,
      only_other: 1,
    });
  });

  it('says which score is the pass rate over again', () => {
    const base = [passed('a', 1), passed('b', 0)];
    expect(
      score(base, [passed('a', 1), passed('b', 1)], 'correctness')?.same_as_pass_rate,
    ).to.equal(true);
    const error = evalCase('b', { judged: 1 });
    expect(score(base, [passed('a', 1), error], 'correctness')?.same_as_pass_rate).to.equal(false);
  });

  it('compares latencies over the cases that have one in both', () => {
    const timed = (latencies: readonly (number | null)[]) =>
      latencies.map((latency, i) => evalCase(String(i), { latency }));
    const { latency } = compareCases(timed([1, 2, 3, 4]), timed([2, 2.5, 2, null])).summary;
    expect(latency).to.deep.include({ pairs: 3, base: 2, higher: 2, lower: 1, median: 0.5 });
    expect(latency.p50).to.deep.equal({ base: 2, other: 2 });
    expect(latency.p95.base).to.be.closeTo(2.9, 1e-12);
  });

  it('compares what calls used over the cases whose amount is known in both', () => {
    const used = (...costs: readonly (number | null)[]) =>
      costs.map((cost, i) =>
        evalCase(String(i), {
          trials: 2,
          usage: { cost, tokens: i === 0 ? null : 100 * (i + 1), calls: 2 * i },
        }),
      );
    const base = used(0.02, 0.04, 0.06, 0.08, 0);
    const { usage } = compareCases(base, used(0.04, 0.04, null, 0.2, 0)).summary;
    expect(usage?.cost).to.deep.include({ pairs: 4, unknown: 1, higher: 2, lower: 0 });
    // Means over trials: .01, .02, .04, 0 against .02, .02, .1, 0.
    expect(usage?.cost.base).to.be.closeTo(0.0175, 1e-12);
    expect(usage?.cost.other).to.be.closeTo(0.035, 1e-12);
    expect(usage?.cost.median).to.be.closeTo(0.005, 1e-12);
    expect(usage?.tokens).to.deep.include({ pairs: 4, unknown: 1, base: 175, other: 175 });
    expect(usage?.calls).to.deep.include({ pairs: 5, unknown: 0, base: 2, lower: 0 });
    expect(usage?.calls).to.not.have.any.keys('p', 'beyond_chance');
    expect(compareCases(base, [evalCase('0')]).summary).to.not.have.property('usage');
  });

  it('gives the difference of what calls used the interval of a latency', () => {
    const amounts = Array.from({ length: 30 }, (_, i) => (i * 7) % 11);
    const used = (factor: number) =>
      amounts.map((amount, i) => {
        const latency = factor * amount;
        return evalCase(String(i), { latency, usage: { cost: latency, tokens: 1, calls: i % 2 } });
      });
    const { latency, usage } = compareCases(used(1), used(2)).summary;
    expect(usage?.cost.difference).to.deep.equal(latency.difference);
    expect(usage?.cost.difference?.low).to.be.greaterThan(0);
    // 0 and 1 calls are amounts, not verdicts: all alike tell no range.
    expect(usage?.calls.difference).to.deep.equal({ estimate: 0, low: null, high: null });
  });

  it('stays finite when values are as large as numbers get', () => {
    const huge = [evalCase('a', { scores: valued('size', 1.7e308) }), passed('b', 1)];
    const other = [evalCase('a', { scores: valued('size', -1.7e308) }), passed('b', 1)];
    expect(score(huge, other, 'size')).to.deep.include({ pairs: 0, difference: null });
  });

  it('keeps apart keys that are names of object properties', () => {
    const base = [evalCase('__proto__', { scores: valued('constructor', 1) })];
    const other = [evalCase('__proto__', { scores: valued('constructor', 2) })];
    expect(score(base, other, 'constructor')).to.deep.include({ pairs: 1, base: 1, other: 2 });
  });

  it('negates every difference when base and other change places', () => {
    fc.assert(
      fc.property(cases, cases, (base, other) => {
        const there = compareCases(base, other, few).summary;
        const back = compareCases(other, base, few).summary;
        expect(back.changes).to.deep.equal({
          ...there.changes,
          regressed: there.changes.fixed,
          fixed: there.changes.regressed,
          only_base: there.changes.only_other,
          only_other: there.changes.only_base,
        });
        for (const [one, two] of [
          [there.pass_rate, back.pass_rate],
          [there.latency, back.latency],
        ] as const) {
          expect(two.higher).to.equal(one.lower);
          expect((two.difference?.estimate ?? 0) + (one.difference?.estimate ?? 0)).to.equal(0);
          expect((two.difference?.low ?? 0) + (one.difference?.high ?? 0)).to.equal(0);
        }
        expect(back.pass_rate.p).to.equal(there.pass_rate.p);
      }),
      { numRuns: 50 },
    );
  });

  it('says the same whatever the order of cases', () => {
    fc.assert(
      fc.property(cases, cases, fc.integer(), (base, other, seed) => {
        const shuffled = compareCases(shuffle(base, seed), shuffle(other, seed + 1), few);
        expect(shuffled.summary).to.deep.equal(compareCases(base, other, few).summary);
      }),
      { numRuns: 50 },
    );
  });
});

function shuffle(list: readonly EvalCase[], seed: number): EvalCase[] {
  const random = seededRandom(seed);
  return list
    .map((one) => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}
