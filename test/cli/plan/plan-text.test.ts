import { expect } from 'chai';
import { renderPlan } from '../../../src/cli/plan/plan-text.js';
import type { PlannedSize, RunPlan } from '../../../src/compare/plan-run.js';

function size(evaluations: number, trials: number, cost?: PlannedSize['cost']): PlannedSize {
  const results = evaluations * trials;
  return { evaluations, results, trials: [trials, trials], ...(cost && { cost }) };
}

const about = (dollars: number | null, isLowerBound = false) => ({
  dollars,
  is_lower_bound: isLowerBound,
});

function plan(change: Partial<RunPlan> = {}): RunPlan {
  return {
    ...{ run_id: 'r', run_name: 'brisk-otter', size: size(261, 5) },
    ...{ unfinished: 0, without_verdict: 0, errors: 0, pass_rate: 0.8 },
    variance: { between: 0.06, within: 0.02 },
    is_worst_case: false,
    finds: { alike: 0.061, broken: 0.0824 },
    ...change,
  };
}

const wanted: NonNullable<RunPlan['wanted']> = {
  drop: 0.05,
  alike: { trials: size(261, 8, about(2.9)), evaluations: size(390, 5, about(2.71)) },
  broken: { trials: null, evaluations: size(1640, 5, about(9.54, true)) },
};

describe('the text of a plan', () => {
  it('says what is found, and what a drop takes', () => {
    expect(renderPlan(plan({ wanted }), 80)).to.equal(
      [
        '  261 evaluations × 5 trials, as in brisk-otter',
        '  finds a drop of   6.1 points   4 times in 5',
        '  for 5 points      × 8 trials (≈ $2.90), or 390 evaluations × 5 (≈ $2.71)',
        '',
        '  where a few evaluations no longer pass, and the others stay as they are',
        '  finds a drop of   8.2 points   4 times in 5',
        '  for 5 points      not by trials alone (100 are too few), or 1,640 evaluations',
        '                    × 5 (≥ $9.54)',
        '',
        '  variance          75.0 % between evaluations, which pairs cancel; 25.0 %',
        '                    within them, which more trials reduce',
      ].join('\n'),
    );
  });

  it('names bounds where single trials do not tell', () => {
    const worst = { is_worst_case: true, variance: null, size: size(261, 1) };
    const sizes = { trials: null, evaluations: size(1187, 1, about(null, true)) };
    const single = plan({ ...worst, wanted: { drop: 0.025, alike: sizes, broken: sizes } });
    expect(renderPlan(single, 200)).to.equal(
      [
        '  261 evaluations × 1 trial, as in brisk-otter',
        '  finds a drop of   ≤ 8.2 points   4 times in 5',
        '  for 2.5 points    not by trials alone (100 are too few), or ≤ 1,187 evaluations × 1 (cost unknown)',
        '',
        '  Single trials do not show how much results vary by chance, so the worst is assumed. To know: assay run --trials 3',
      ].join('\n'),
    );
  });

  const texts: { what: string; change: Partial<RunPlan>; says: string[] }[] = [
    {
      what: 'too few evaluations to find anything',
      change: { finds: { alike: null, broken: null }, size: size(1, 5) },
      says: [
        'finds a drop of   none 4 times in 5, not even a fall to 0 %',
        '1 evaluation can hardly show how others vary: take the sizes as rough.',
      ],
    },
    {
      what: 'more than there is to lose',
      change: { wanted: { ...wanted, drop: 0.9 } },
      says: ['for 90 points     more than there is to lose: 80.0 % pass'],
    },
    {
      what: 'what no million evaluations find',
      change: {
        wanted: { ...wanted, drop: 0.00001, broken: { trials: null, evaluations: null } },
      },
      says: [
        'for 0.001 points  not by trials alone (100 are too few), or not by evaluations alone (a million are too few)',
      ],
    },
    {
      what: 'results that vary in nothing',
      change: { variance: { between: 0, within: 0 }, trials_alike: true },
      says: [
        'variance          none: all results are alike',
        'The trials of this run are all alike, as from a response cache: more of them say nothing more.',
      ],
    },
    {
      what: 'what is not as planned',
      change: { unfinished: 57, without_verdict: 1, errors: 6 },
      says: [
        '57 results of 1,305 have not finished, and may be unlike the others.',
        'Without a verdict, and left out: 1 evaluation.',
        '6 results are errors, which count as not passed.',
      ],
    },
    {
      what: 'clusters',
      change: { clusters: 12 },
      says: ['How small a drop it finds is not known, because cases share clusters.'],
    },
    { what: 'nothing that passes', change: { pass_rate: 0 }, says: ['Nothing passes'] },
    {
      what: 'several numbers of trials',
      change: { size: { evaluations: 3000, results: 9000, trials: [1, 5] } },
      says: ['3,000 evaluations × 1–5 trials'],
    },
    {
      what: 'no verdicts',
      change: { pass_rate: null, without_verdict: 4 },
      says: ['No result of brisk-otter has a verdict, so there is no pass rate.'],
    },
    {
      what: 'nothing that has finished',
      change: { pass_rate: null, unfinished: 4 },
      says: ['No result of brisk-otter has finished, so nothing is known of its pass rate.'],
    },
    { what: 'no results', change: { pass_rate: null }, says: ['brisk-otter has no results.'] },
  ];
  for (const { what, change, says } of texts) {
    it(`says so of ${what}`, () => {
      const text = renderPlan(plan(change), Number.POSITIVE_INFINITY);
      for (const said of says) expect(text).to.include(said);
    });
  }
});
