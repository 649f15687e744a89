import { expect } from 'chai';
import type { EvalCase } from '../../src/compare/cases/eval-case.js';
import { planRun, type RunPlan } from '../../src/compare/plan-run.js';
import type { RunUsage } from '../../src/model/calls/run-usage.js';
import type { RowFacts } from '../../src/model/result.js';
import { evalCase, passed, valuedTrials, verdicts } from './eval-cases.js';

interface Saved {
  readonly usage?: RunUsage;
  readonly unfinished?: readonly string[];
}

function planOf(cases: readonly EvalCase[], drop?: number, { usage, unfinished = [] }: Saved = {}) {
  const rowsOf = () =>
    new Map(unfinished.map((id) => [id, [{ index: 0, row: { status: 'pending' } as RowFacts }]]));
  const head = {
    ...{ run_id: 'r', run_name: 'brisk-otter', session_name: null, config_name: null },
    ...{ state: null, timestamp: 0, ...(usage && { usage }) },
  };
  const read = () => Promise.reject(new Error('not read'));
  return planRun({ head, cases, unfinished: unfinished.length, rowsOf, read }, drop);
}

/** Cases of 10 trials, of which 6 to 10 passed, in turns. */
function unsure(count: number, facts: Partial<EvalCase> = {}): EvalCase[] {
  return Array.from({ length: count }, (_, i) => passed(`${i}`, 6 + (i % 5), 10, facts));
}

const paid = (change: Partial<RunUsage> = {}): RunUsage => ({
  ...{ calls: 100, cost: 2, by_role: {} },
  ...change,
});

describe('what runs of the size of one find', () => {
  it('takes fewer evaluations, or trials, the more there is to find', () => {
    const [few, many] = [planOf(unsure(50), 0.1), planOf(unsure(50), 0.05)];
    const sizes = (plan: RunPlan) => [
      plan.wanted?.alike.evaluations?.evaluations ?? 0,
      plan.wanted?.alike.trials?.trials[0] ?? 0,
    ];
    expect(sizes(few)[0]).to.be.below(sizes(many)[0] ?? 0);
    expect(sizes(few)[1]).to.be.below(sizes(many)[1] ?? 0);
  });

  it('finds the drop at the sizes that it names, and not much below them', () => {
    const { finds, wanted } = planOf(unsure(100), 0.06);
    const size = wanted?.broken.evaluations?.evaluations ?? 0;
    const at = (count: number) => planOf(unsure(count)).finds.broken ?? 1;
    expect(at(size)).to.be.within(0.05, 0.065);
    expect(at(Math.round(size / 2))).to.be.above(0.065);
    expect(finds.broken).to.be.above(finds.alike ?? 1);
  });

  it('says that trials alone cannot find a few broken evaluations', () => {
    const { wanted } = planOf(unsure(20), 0.05);
    expect(wanted?.broken).to.deep.include({ trials: null });
    expect(wanted?.broken.evaluations?.evaluations).to.be.within(60, 400);
  });

  it('splits the variance between cases and within them', () => {
    const alike = Array.from({ length: 40 }, (_, i) => passed(`${i}`, i % 2 === 0 ? 4 : 0, 4));
    // Of 40 means, 0 and 1 in turns: 10 / 39.
    expect(planOf(alike).variance).to.deep.equal({ between: 10 / 39, within: 0 });
    const same = Array.from({ length: 40 }, (_, i) => passed(`${i}`, 2, 4));
    expect(planOf(same).variance?.within).to.be.closeTo(1 / 3, 1e-12);
    expect(planOf(same).variance?.between).to.equal(0);
  });

  it('assumes the worst where single trials do not tell', () => {
    const single = verdicts('+++++++---'.repeat(20));
    const plan = planOf(single, 0.1);
    expect(plan).to.deep.include({ is_worst_case: true, variance: null });
    const sure = planOf(
      Array.from({ length: 200 }, (_, i) => passed(`${i}`, i % 10 < 7 ? 2 : 0, 2)),
    );
    expect(plan.finds.broken).to.be.above(sure.finds.broken ?? 1);
    expect(plan.wanted?.broken.evaluations?.trials).to.deep.equal([1, 1]);
  });

  it('corrects for scores that vary by chance, and not for those that cannot', () => {
    const withScores = (of: (i: number) => EvalCase['scores'][number][]) =>
      unsure(50).map((one, i) => ({ ...one, scores: [...one.scores, ...of(i)] }));
    const alone = planOf(unsure(50)).finds.alike;
    const sure = withScores(() => valuedTrials('sure', Array(10).fill(1)));
    const noisy = withScores((i) =>
      ['a', 'b', 'c'].flatMap((key) => valuedTrials(key, [i, i + 1, i + 2, 0, 0, 0, 0, 0, 0, 0])),
    );
    expect(planOf(sure).finds.alike).to.equal(alone);
    expect(planOf(noisy).finds.alike).to.be.above(alone ?? 1);
  });

  it('costs what results have used, without what others replaced, and as far as it is known', () => {
    const cases = unsure(20);
    const costOf = (usage: RunUsage) => planOf(cases, undefined, { usage }).size.cost;
    const of = (dollars: number | null, isLowerBound = false) => ({
      dollars,
      is_lower_bound: isLowerBound,
    });
    const part = { results: 3, calls: 5, cost: 0.5 };
    expect(costOf(paid())).to.deep.equal(of(2));
    expect(costOf(paid({ replaced: part }))).to.deep.equal(of(1.5));
    expect(costOf(paid({ taken: { carried: part } }))).to.deep.equal(of(2.5));
    expect(costOf(paid({ unpriced: 2 }))).to.deep.equal(of(2, true));
    expect(costOf(paid({ cost: null, unpriced: 100 }))).to.deep.equal(of(null, true));
    expect(planOf(cases).size).to.not.have.property('cost');
    const wanted = planOf(cases, 0.1, { usage: paid() }).wanted?.alike.evaluations;
    expect(wanted?.cost?.dollars).to.be.closeTo(((wanted?.results ?? 0) * 2) / 200, 1e-9);
  });

  it('counts what has not finished, and leaves out what has no verdict', () => {
    const cases = [...unsure(40), evalCase('waits', { trials: 0 }), evalCase('silent')];
    const plan = planOf(cases, undefined, { unfinished: ['waits', '0'] });
    expect(plan).to.deep.include({
      ...{ unfinished: 2, without_verdict: 1 },
      size: { evaluations: 41, results: 402, trials: [1, 11] },
    });
  });

  it('keeps the proportions of cases with several numbers of trials', () => {
    const mixed = unsure(60).map((one, i) => (i % 3 === 0 ? passed(one.id, 1, 1) : one));
    const { evaluations, trials } = planOf(mixed, 0.06).wanted?.alike ?? {};
    expect(evaluations?.trials).to.deep.equal([1, 10]);
    const each = (evaluations?.results ?? 0) / (evaluations?.evaluations ?? 1);
    expect(each).to.be.closeTo(7, 0.1);
    expect((trials?.trials[1] ?? 0) / (trials?.trials[0] ?? 1)).to.equal(10);
  });

  const nothing = [
    { what: 'cases share clusters', cases: unsure(20, { cluster: 'a' }), clusters: 1, rate: 0.8 },
    { what: 'nothing passes', cases: verdicts('---------'), rate: 0 },
    { what: 'nothing has a verdict', cases: [evalCase('a'), evalCase('b')], rate: null },
    { what: 'there are no cases', cases: [], rate: null },
    { what: 'there is one evaluation', cases: verdicts('+'), rate: 1 },
  ];
  for (const { what, cases, clusters, rate } of nothing) {
    it(`finds nothing where ${what}`, () => {
      const plan = planOf(cases, 0.05);
      expect(plan.finds).to.deep.equal({ alike: null, broken: null });
      expect(plan.clusters).to.equal(clusters);
      if (rate === null) expect(plan.pass_rate).to.equal(null);
      else expect(plan.pass_rate).to.be.closeTo(rate, 1e-12);
      if (what !== 'there is one evaluation') {
        expect(plan.wanted?.alike).to.deep.equal({ evaluations: null, trials: null });
      }
    });
  }
});
