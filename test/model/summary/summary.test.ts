import { expect } from 'chai';
import type { RowFacts } from '../../../src/model/result.js';
import type { Score } from '../../../src/model/scores/score.js';
import { scoreChips, summarise } from '../../../src/model/summary/summary.js';
import { rowFacts, trialRows } from '../row-facts.js';

const passed = { key: 'exact', passed: true };
const failed = { key: 'exact', passed: false };

describe('scoreChips', () => {
  const near = (value: number, threshold = 0.8) => ({
    ...{ key: 'near', value, passed: value >= threshold, threshold },
  });
  const tokens = { key: 'tokens', value: 4, better: 'lower' as const };
  const chips: readonly [what: string, scores: readonly Score[], chip: object][] = [
    [
      'a ratio of a key whose scores have passed',
      [passed, failed, passed],
      { key: 'exact', type: 'ratio', passed: 2, total: 3 },
    ],
    [
      'an average of a key whose scores have only values',
      [1, 2, 6].map((value) => ({ key: 'size', value })),
      { key: 'size', type: 'avg', avg: 3, count: 3 },
    ],
    [
      'a ratio when any score of the key has passed, of those alone',
      [
        { key: 'k', value: 1 },
        { key: 'k', value: 0.2, passed: false },
      ],
      { key: 'k', type: 'ratio', passed: 0, total: 1, values: { avg: 0.6, count: 2 } },
    ],
    [
      'an average of a key with a threshold, with how many passed',
      [near(0.9), near(0.8), near(0.1)],
      { key: 'near', type: 'avg', avg: (0.9 + 0.8 + 0.1) / 3, count: 3, passed: 2, threshold: 0.8 },
    ],
    [
      'how many were judged when some values were not, or some verdicts have no value',
      [
        near(0.9),
        { key: 'near', value: 0.5 },
        { key: 'near', value: 0.7 },
        { key: 'near', passed: false, source: 'human' },
      ],
      {
        ...{ key: 'near', type: 'avg', avg: (0.9 + 0.5 + 0.7) / 3, count: 3 },
        ...{ passed: 1, judged: 2, threshold: 0.8 },
      },
    ],
    [
      'the values beside the verdicts of an evaluator, and how many a threshold derived',
      [near(0.9), { key: 'near', passed: false, value: 0.95 }, near(0.85)],
      {
        ...{ key: 'near', type: 'ratio', passed: 2, total: 3, derived: 2 },
        values: { avg: 0.9, count: 3 },
      },
    ],
    [
      'no threshold when the scores of a key have different ones',
      [near(0.5), near(0.75, 0.5), near(0.25)],
      { key: 'near', type: 'avg', avg: 0.5, count: 3, passed: 1 },
    ],
    [
      'that lower is better, without a threshold',
      [tokens],
      { key: 'tokens', type: 'avg', avg: 4, count: 1, better: 'lower' },
    ],
    [
      'that lower is better, with a threshold',
      [{ ...tokens, passed: true, threshold: 5 }],
      {
        ...{ key: 'tokens', type: 'avg', avg: 4, count: 1, better: 'lower' },
        passed: 1,
        threshold: 5,
      },
    ],
  ];
  for (const [what, scores, chip] of chips) {
    it(`has ${what}`, () => {
      expect(scoreChips(scores.map((score) => ({ scores: [score] })))).to.deep.equal([chip]);
    });
  }

  it('keeps the order in which keys first appear', () => {
    const rows = ['zb', 'az'].map((keys) => ({
      scores: [...keys].map((key) => ({ key, value: 1 })),
    }));
    expect(scoreChips(rows).map(({ key }) => key)).to.deep.equal(['z', 'b', 'a']);
  });

  it('counts every score of a key that a result has twice', () => {
    expect(scoreChips([{ scores: [passed, failed] }])).to.deep.include({
      key: 'exact',
      type: 'ratio',
      passed: 1,
      total: 2,
    });
  });

  it('takes names of object properties for keys like any other', () => {
    const rows = ['__proto__', 'constructor'].map((key) => ({ scores: [{ key, passed: true }] }));
    expect(scoreChips(rows).map(({ key }) => key)).to.deep.equal(['__proto__', 'constructor']);
  });
});

describe('versions of the code', () => {
  const row = (file: string, at: number, code: string | undefined, change = {}) =>
    rowFacts({
      id: `${file}::x[${at}]`,
      function: `x[${at}]`,
      evaluation: `${file}::x`,
      status: 'completed',
      code,
      finished: at,
      ...change,
    });

  it('are counted by eval file, newest first by when their results finished', () => {
    const rows = [row('a', 1, 'old'), row('a', 2, 'old'), row('a', 9, 'new'), row('b', 3, 'only')];
    expect(summarise(rows).code_versions).to.deep.equal([
      { results: 2, codes: ['new', 'only'] },
      { results: 2, codes: ['old'] },
    ]);
    expect(summarise([...rows].reverse()).code_versions).to.deep.equal([
      { results: 2, codes: ['only', 'new'] },
      { results: 2, codes: ['old'] },
    ]);
  });

  it('are none when there is one, or it is not known, not finished or pruned', () => {
    const others = [
      row('a', 2, undefined),
      row('a', 3, 'two', { status: 'pending' }),
      row('a', 4, 'three', { pruned: true }),
      row('b', 5, 'four'),
    ];
    expect(summarise([row('a', 1, 'one'), ...others]).code_versions).to.equal(undefined);
  });
});

describe('summarise', () => {
  it('leaves pruned rows out of all but the number of results', () => {
    const kept = rowFacts({ scores: [passed], latency: 1 });
    const pruned = { status: 'error', latency: 9, pruned: true } as const;
    const all = summarise([kept, rowFacts({ ...pruned, scores: [failed] })]);
    const { totals, counted, ...others } = all;
    const { totals: alone, counted: _, ...same } = summarise([kept]);
    expect(totals).to.deep.equal({ ...alone, total_evaluations: 2, total_pruned: 1 });
    expect(counted.totals).to.deep.equal(totals);
    expect(others).to.deep.equal(same);
  });

  it('is all zeros without rows', () => {
    const totals = {
      total_evaluations: 0,
      total_functions: 0,
      total_passed: 0,
      total_errors: 0,
      total_with_scores: 0,
      average_latency: 0,
    };
    expect(summarise([])).to.deep.equal({
      totals,
      counted: { totals, score_chips: [] },
      verdicts: { passed: 0, failed: 0, errors: 0, none: 0, of: 0 },
      pass_rate: null,
      score_chips: [],
      unfinished: 0,
      trial_fields: undefined,
      code_versions: undefined,
      usage: undefined,
    });
  });

  it('takes rows from any iterable, read once', () => {
    function* rows() {
      yield rowFacts({ scores: [passed] });
      yield rowFacts({ scores: [failed] });
    }
    expect(summarise(rows()).totals).to.include({ total_evaluations: 2, total_passed: 1 });
  });

  const value = { key: 'size', value: 0 };
  const unfinished = ['not_started', 'pending', 'running', 'cancelled'] as const;
  type Counts = Record<'passed' | 'errors' | 'scored' | 'of', number>;
  const counted: readonly [what: string, facts: Partial<RowFacts>, wanted: Counts][] = [
    ['a passed score', { scores: [passed, value] }, { passed: 1, errors: 0, scored: 1, of: 1 }],
    ['a failed score', { scores: [passed, failed] }, { passed: 0, errors: 0, scored: 1, of: 1 }],
    ['no verdict', { scores: [value] }, { passed: 0, errors: 0, scored: 1, of: 0 }],
    ['no score', {}, { passed: 0, errors: 0, scored: 0, of: 0 }],
    ['an error', { status: 'error', scores: [passed] }, { passed: 0, errors: 1, scored: 1, of: 1 }],
    ...unfinished.map((status): (typeof counted)[number] => {
      const wanted = { passed: 0, errors: 0, scored: 1, of: 0 };
      return [`the status ${status}`, { status, scores: [passed] }, wanted];
    }),
  ];
  for (const [what, facts, wanted] of counted) {
    it(`counts a result with ${what} by its status, verdict and scores`, () => {
      const { totals, verdicts } = summarise([rowFacts(facts)]);
      expect([totals.total_passed, verdicts.passed]).to.deep.equal([wanted.passed, wanted.passed]);
      expect(totals).to.include({ total_errors: wanted.errors, total_with_scores: wanted.scored });
      expect(verdicts.of).to.equal(wanted.of);
    });
  }

  it('adds results up', () => {
    const rows = counted.map(([, facts]) => rowFacts(facts));
    const { totals, verdicts, score_chips } = summarise(rows);
    expect(totals).to.include({ total_passed: 1, total_errors: 1, total_with_scores: 8 });
    expect(verdicts).to.deep.equal({ passed: 1, failed: 1, errors: 1, none: 2, of: 3 });
    expect(score_chips).to.deep.equal(scoreChips(rows));
  });

  it('counts cases and trials of an evaluation as one function', () => {
    const rows = [
      rowFacts({ id: 'a.eval.ts::f[0]', evaluation: 'a.eval.ts::f' }),
      rowFacts({ id: 'a.eval.ts::f[1]', evaluation: 'a.eval.ts::f' }),
      rowFacts({ id: 'b.eval.ts::f', evaluation: 'b.eval.ts::f' }),
      ...trialRows('g', '+-+'),
    ];
    expect(summarise(rows).totals).to.include({ total_evaluations: 6, total_functions: 3 });
  });

  it('averages latency over the results that have one, zero included, and is 0 where none has', () => {
    const rows = [1, 0, null, 2].map((latency) => rowFacts({ latency }));
    expect(summarise(rows).totals.average_latency).to.equal(1);
    expect(summarise([rowFacts(), rowFacts()]).totals.average_latency).to.equal(0);
  });

  it('has trial fields when a row is a trial, and only then', () => {
    expect(summarise([rowFacts()]).trial_fields).to.equal(undefined);
    expect(summarise(trialRows('a', '+-')).trial_fields).to.include({
      trials: 2,
      pass_at_k: 1,
      pass_all_k: 0,
    });
  });
});
