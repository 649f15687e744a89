import { expect } from 'chai';
import {
  type CaseScore,
  type EvalCase,
  withoutErrors,
} from '../../../src/compare/cases/eval-case.js';
import { compareCases } from '../../../src/compare/compare-cases.js';
import { judgeMissing, judgeNewFailures } from '../../../src/compare/gates/judge-gates.js';
import { judgeRegression } from '../../../src/compare/gates/judge-regression.js';
import { seededRandom } from '../../../src/statistics/random.js';
import { times } from '../../helpers/rounds.js';
import { evalCase, passed, valued, valuedTrials, verdicts } from '../eval-cases.js';

const worse = 'worse beyond chance, unless provider or judge changed between the runs: ';

function regression(base: readonly EvalCase[], other: readonly EvalCase[]) {
  return judgeRegression(compareCases(base, other));
}

/** Cases of which each has a value under one key. */
function values(key: string, list: readonly number[]): EvalCase[] {
  return list.map((value, i) => evalCase(String(i), { scores: valued(key, value) }));
}

/** A case of which all trials are errors. */
function failed(id: string, trials: number): EvalCase {
  return evalCase(id, { trials, judged: trials, errors: trials });
}

describe('judgeRegression', () => {
  it('says no when the pass rate fell beyond chance', () => {
    const verdict = regression(verdicts('++++++++++'), verdicts('------++++'));
    expect(verdict.verdict).to.equal('no');
    expect(verdict.text).to.equal(`${worse}pass rate 100.0 % → 40.0 % (p .031)`);
    expect(verdict.worse_units).to.deep.equal([]);
  });

  describe('of cases that share clusters', () => {
    /** So many cases of each document, which pass or fail together. */
    const documents = (outcomes: string, cases: number, trials = 1) =>
      [...outcomes].flatMap((outcome, document) =>
        Array.from({ length: cases }, (_, at) =>
          passed(`${document}.${at}`, outcome === '+' ? trials : 0, trials, {
            cluster: `document=${document}`,
          }),
        ),
      );

    it('flips whole clusters', () => {
      const { summary } = compareCases(documents('++++++++++', 5), documents('---+++++++', 5));
      // 15 of 50 cases by themselves have p 6e-5; three documents have two of eight ways.
      expect(summary.pass_rate).to.deep.include({ pairs: 50, clusters: 10, p: 0.25 });
      const { verdict } = regression(documents('++++++++++', 5), documents('---+++++++', 5));
      expect(verdict).to.equal('yes');
      const all = regression(documents('++++++++++', 5), documents('-------+++', 5));
      expect(all.verdict).to.equal('no');
    });

    it('cannot tell with fewer than 8 clusters', () => {
      const { verdict, text } = regression(documents('+++++++', 9), documents('-------', 9));
      expect(verdict).to.equal('cannot-tell');
      expect(text).to.equal(
        'pass rate: the cases are of 7 clusters, and fewer than 8 cannot be tested',
      );
      expect(regression(documents('++++++++', 9), documents('--------', 9)).verdict).to.equal('no');
    });

    it('cannot tell with unequal numbers of trials', () => {
      const { verdict, text } = regression(
        documents('++++++++++', 3, 2),
        documents('----------', 3, 3),
      );
      expect(verdict).to.equal('cannot-tell');
      expect(text).to.contain('unequal numbers of trials, for which clusters cannot be tested');
    });

    it('takes clusters of one case for cases', () => {
      const plain = (cases: readonly EvalCase[]) =>
        cases.map((one) => ({ ...one, cluster: undefined }));
      const [base, other] = [documents('+++++', 1, 5), documents('-++++', 1, 7)];
      expect(regression(base, other)).to.deep.equal(regression(plain(base), plain(other)));
    });

    it('uses the clusters of a run for a base that was made before there were any', () => {
      const base = documents('++++++++++', 5).map((one) => ({ ...one, cluster: undefined }));
      const found = compareCases(base, documents('---+++++++', 5)).summary.pass_rate;
      expect(found).to.deep.include({ clusters: 10, p: 0.25 });
      const other = documents('---+++++++', 5).map((one) => ({ ...one, cluster: undefined }));
      expect(compareCases(documents('++++++++++', 5), other).summary.pass_rate.clusters).to.equal(
        10,
      );
    });

    it('does not test their cases one by one, and says so', () => {
      const base = documents('++++++++++', 2, 5);
      const other = base.map((one, at) => (at === 0 ? { ...one, passes: 0, scores: [] } : one));
      const found = regression(base, [...other.slice(0, 1), ...base.slice(1)]);
      expect(found).to.deep.include({
        verdict: 'cannot-tell',
        tested_units: 0,
        clustered_units: 20,
      });
      const same = regression(base, base);
      expect(same.text).to.equal(
        'nothing is worse beyond chance than in the baseline; 20 cases not tested one by one, because they share clusters',
      );
    });
  });

  it('says yes when one case without trials failed', () => {
    expect(regression(verdicts('++++++++++'), verdicts('-+++++++++')).verdict).to.equal('yes');
    expect(regression(verdicts('+'), verdicts('-')).verdict).to.equal('yes');
  });

  it('says yes when everything is better', () => {
    expect(regression(verdicts('----------'), verdicts('++++++++++')).verdict).to.equal('yes');
  });

  it('does not count a score twice that is the pass rate over again', () => {
    const { measures } = regression(verdicts('++++++++++'), verdicts('------++++'));
    expect(measures.map(({ measure }) => measure.kind)).to.deep.equal(['pass_rate']);
    expect(measures[0]?.p_adjusted).to.equal(0.03125);
  });

  it('corrects over the pass rate and all other scores whose data could show anything', () => {
    const with2 = (outcomes: string, sizes: readonly number[]) =>
      verdicts(outcomes).map((one, i) => ({
        ...one,
        scores: [...one.scores, ...valued('size', sizes[i] ?? 0)],
      }));
    const tests = ({ measures }: ReturnType<typeof regression>) =>
      measures.map(({ p_adjusted, among }) => [p_adjusted, among]);
    const same = Array<number>(10).fill(5);
    const flat = regression(with2('++++++++++', same), with2('------++++', same));
    expect(flat.verdict).to.equal('no');
    expect(tests(flat)).to.deep.equal([
      [1 / 32, 1],
      [null, null],
    ]);
    // Both could be beyond chance at 1.25 %: seven verdicts and ten sizes differ.
    const moved = [9, 1, 9, 1, 9, 1, 9, 1, 9, 1];
    const both = regression(with2('++++++++++', same), with2('-------+++', moved));
    expect(both.verdict).to.equal('no');
    expect(both.measures[0]?.p_adjusted).to.be.closeTo(2 / 64, 1e-12);
    expect(tests(both)[1]).to.deep.equal([1, 2]);
    // Six verdicts cannot.
    const less = regression(with2('++++++++++', same), with2('------++++', moved));
    expect(less.verdict).to.equal('yes');
    expect(tests(less)).to.deep.equal([
      [null, null],
      [1, 2],
    ]);
  });

  it('finds what breaks beside scores that never move', () => {
    const flat = Array.from({ length: 60 }, (_, i) => valued(`flat ${i}`, 0.5)).flat();
    const cases = (outcomes: string) =>
      verdicts(outcomes).map((one) => ({ ...one, scores: [...one.scores, ...flat] }));
    const found = regression(cases('+'.repeat(40)), cases('-'.repeat(8) + '+'.repeat(32)));
    expect(found.verdict).to.equal('no');
    expect(found.text).to.equal(`${worse}pass rate 100.0 % → 80.0 % (p .008)`);
  });

  it('finds one case that breaks beside cases that are sure', () => {
    const sure = Array.from({ length: 29 }, (_, i) => passed(`s${i}`, i % 2 === 0 ? 5 : 0, 5));
    const found = regression([...sure, passed('f', 5, 5)], [...sure, passed('f', 0, 5)]);
    expect(found.text).to.equal(`${worse}f 5/5 → 0/5 (p .008)`);
    expect(found.worse_units[0]).to.include({ among: 1 });
    expect(found.worse_units[0]?.p_adjusted).to.be.closeTo(2 / 252, 1e-15);
  });

  it('judges the verdicts of an evaluator, whatever the values beside them do', () => {
    const rated = (passes: number, value: number) =>
      Array.from({ length: 10 }, (_, i) =>
        passed(String(i), passes, 1, {
          scores: [{ key: 'rating', kind: 'ratio', sum: passes, count: 1, values: [value] }],
        }),
      );
    expect(regression(rated(1, 400), rated(0, 450)).verdict).to.equal('no');
    expect(regression(rated(1, 450), rated(1, 400)).verdict).to.equal('yes');
    const { scores } = compareCases(rated(1, 450), rated(1, 400)).summary;
    const value = scores.find(({ type }) => type === 'avg');
    expect(value).to.include({ gated: false, p_adjusted: null, among: null, detectable: null });
    expect(value?.p).to.be.closeTo(2 / 1024, 1e-12);
  });

  it('judges values and the verdicts that a threshold derives from them', () => {
    const near = (value: number): CaseScore => ({
      ...{ key: 'near', kind: 'value', sum: value, count: 1 },
      derived: { passes: value >= 0.8 ? 1 : 0, of: 1 },
    });
    const run = (list: readonly number[]) =>
      list.map((value, i) =>
        // The exact match fails: the pass rate does not show what the threshold says.
        passed(String(i), 0, 1, {
          scores: [{ key: 'exact', kind: 'ratio', sum: 0, count: 1 }, near(value)],
        }),
      );
    const base = Array<number>(10).fill(0.8);
    const higher = regression(run(base), run(base.map((_, i) => (i < 8 ? 0.79 : 1))));
    expect(higher.text).to.equal(`${worse}near (passed) 100.0 % → 20.0 % (p .008)`);
    const lower = regression(run(base.map(() => 1)), run(base.map(() => 0.85)));
    expect(lower.text).to.match(/near 1 → 0.85 on average \(p /);
  });

  it('says no for a score without verdicts that fell', () => {
    const verdict = regression(
      values('size', [5, 6, 7, 8, 9, 9]),
      values('size', [1, 1, 1, 1, 1, 1]),
    );
    expect(verdict).to.deep.include({ verdict: 'no' });
    expect(verdict.text).to.equal(`${worse}size 7.333 → 1 on average (p .031)`);
  });

  it('names a case that fails beyond chance on its own', () => {
    const steady = Array.from({ length: 5 }, (_, i) => passed(`s${i}`, 5, 10));
    const verdict = regression([...steady, passed('f', 10, 10)], [...steady, passed('f', 1, 10)]);
    expect(verdict.tested_units).to.equal(6);
    expect(verdict.worse_units.map(({ id }) => id)).to.deep.equal(['f']);
    expect(verdict.text).to.equal(`${worse}f 10/10 → 1/10 (p <.001)`);
  });

  it('names five findings and counts the rest', () => {
    const many = (passes: number) =>
      Array.from({ length: 8 }, (_, i) => passed(`f${i}`, passes, 20));
    expect(regression(many(20), many(0)).text).to.match(/f3 20\/20 → 0\/20 \(p \S+\) and 4 more$/);
  });

  it('holds back an unchanged system in at most 5 % of comparisons, whatever the trials', () => {
    const random = seededRandom(20);
    const draw = (trials: number) =>
      Array.from({ length: 60 }, (_, i) => {
        const values = Array.from({ length: trials }, () => (random() < 0.96 ? 1 : 0));
        const passes = values.reduce<number>((sum, one) => sum + one, 0);
        const size = valuedTrials(
          'size',
          values.map((one) => one + random()),
        );
        return passed(String(i), passes, trials, { scores: size });
      });
    for (const [base, other] of [
      [1, 10],
      [1, 3],
      [10, 3],
      [1, 1],
    ] as const) {
      const count = times(40);
      let red = 0;
      for (let repetition = 0; repetition < count; repetition += 1) {
        const compared = compareCases(draw(base), draw(other), { draws: 400 });
        if (judgeRegression(compared).verdict === 'no') red += 1;
      }
      // 5 %, and three standard errors; one trial against ten was 29 % without dealing trials out.
      const most = 0.05 * count + 3 * Math.sqrt(0.05 * 0.95 * count);
      expect(red, `${base} against ${other}`).to.be.at.most(most);
    }
  });

  it('cannot tell about averages of unequally many trials where a baseline keeps sums only', () => {
    const summed = [{ key: 'size', kind: 'value', sum: 30, count: 3 } as const];
    const base = [evalCase('a', { trials: 3, scores: summed })];
    const found = regression(
      base,
      values('size', [4]).map((one) => ({ ...one, id: 'a' })),
    );
    expect(found.verdict).to.equal('cannot-tell');
    expect(found.text).to.match(/^size: .* bless it again$/);
  });

  it('knows in which direction a score is worse', () => {
    const tokens = (list: readonly number[]) =>
      values('tokens', list).map((one) => ({
        ...one,
        scores: one.scores.map((score) => ({ ...score, better: 'lower' as const })),
      }));
    const [few, many] = [tokens([1, 2, 3, 4, 5, 6]), tokens([11, 12, 13, 14, 15, 16])];
    expect(regression(few, many)).to.deep.include({ verdict: 'no' });
    expect(regression(many, few)).to.deep.include({ verdict: 'yes' });
  });

  it('cannot tell where cases without a verdict are errors now', () => {
    const base = values('near', [0.9, 0.8, 0.7, 0.6]);
    const other = base.map((one, at) => (at < 3 ? failed(one.id, 1) : one));
    expect(regression(base, other)).to.deep.include({
      verdict: 'cannot-tell',
      text: 'regressions cannot be judged: 3 cases without a verdict in the baseline are errors now (--ignore-errors leaves them out)',
    });
    expect(regression(base, other.map(withoutErrors)).verdict).to.equal('yes');
    const before = base.map((one, at) => (at < 3 ? failed(one.id, 1) : one));
    expect(regression(before, other).verdict).to.equal('yes');
    expect(regression(before, base).verdict).to.equal('yes');
  });

  it('says how many errors there are, apart from failures', () => {
    const failing = verdicts('---------+').map((one, i) => (i < 4 ? { ...one, errors: 1 } : one));
    const found = regression(verdicts('++++++++++'), failing);
    expect(found.errors).to.deep.equal({ base: 0, other: 4 });
    expect(found.text).to.match(/; errors 0 → 4$/);
    expect(regression(verdicts('++'), verdicts('++')).text).to.not.include('errors');
  });

  it('cannot tell when no verdict or score is in both runs', () => {
    expect(regression(verdicts('++'), [passed('new', 1)]).verdict).to.equal('cannot-tell');
    expect(regression([evalCase('a')], [evalCase('a')]).verdict).to.equal('cannot-tell');
    expect(regression([], []).verdict).to.equal('cannot-tell');
  });
});

describe('judgeNewFailures', () => {
  it('names what passed and fails now, by chance or not', () => {
    const found = judgeNewFailures(compareCases(verdicts('++--'), verdicts('+-+-')));
    expect(found).to.deep.equal({
      verdict: 'no',
      text: 'passed before and fails now: 1',
      failed: ['1'],
    });
  });

  it('tells an error from a failure', () => {
    const other = verdicts('--').map((one, i) => ({ ...one, errors: i }));
    const found = judgeNewFailures(compareCases(verdicts('++'), other));
    expect(found.text).to.equal('passed before and fails now: 0, 1 (error)');
  });
});

describe('judgeMissing', () => {
  it('names what is gone and what has not finished', () => {
    const base = [passed('a', 1), passed('b', 0), passed('c', 1), evalCase('d', { trials: 0 })];
    const other = [passed('a', 1), evalCase('b', { trials: 0 }), passed('new', 1)];
    expect(judgeMissing(compareCases(base, other))).to.deep.equal({
      verdict: 'no',
      text: 'gone: c; not finished: b',
      gone: ['c'],
      unfinished: ['b'],
      lost: [],
    });
  });
});
