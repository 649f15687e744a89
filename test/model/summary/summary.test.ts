import { expect } from 'chai';
import { scoreChips, summarise } from '../../../src/model/summary/summary.js';
import { rowFacts, trialRows } from '../row-facts.js';

const passed = { key: 'exact', passed: true };
const failed = { key: 'exact', passed: false };

describe('scoreChips', () => {
  it('makes a ratio of a key whose scores have passed', () => {
    const rows = [passed, failed, passed].map((score) => ({ scores: [score] }));
    expect(scoreChips(rows)).to.deep.equal([{ key: 'exact', type: 'ratio', passed: 2, total: 3 }]);
  });

  it('makes an average of a key whose scores have only values', () => {
    const rows = [1, 2, 6].map((value) => ({ scores: [{ key: 'size', value }] }));
    expect(scoreChips(rows)).to.deep.equal([{ key: 'size', type: 'avg', avg: 3, count: 3 }]);
  });

  it('makes a ratio when any score of the key has passed, and counts only those', () => {
    const rows = [
      { scores: [{ key: 'k', value: 1 }] },
      { scores: [{ key: 'k', value: 0.2, passed: false }] },
    ];
    expect(scoreChips(rows)).to.deep.equal([{ key: 'k', type: 'ratio', passed: 0, total: 1 }]);
  });

  it('keeps the average of a key with a threshold, and says how many passed', () => {
    const rows = [0.9, 0.8, 0.1].map((value) => ({
      scores: [{ key: 'near', value, passed: value >= 0.8, threshold: 0.8 }],
    }));
    const [chip] = scoreChips(rows);
    expect(chip).to.deep.equal({
      key: 'near',
      type: 'avg',
      avg: (0.9 + 0.8 + 0.1) / 3,
      count: 3,
      passed: 2,
      threshold: 0.8,
    });
  });

  it('says how many were judged when some values were not, or some verdicts have no value', () => {
    const rows = [
      { scores: [{ key: 'near', value: 0.9, passed: true, threshold: 0.8 }] },
      { scores: [{ key: 'near', value: 0.5 }] },
      { scores: [{ key: 'near', value: 0.7 }] },
      { scores: [{ key: 'near', passed: false, source: 'human' as const }] },
    ];
    expect(scoreChips(rows)[0]).to.include({ type: 'avg', count: 3, passed: 1, judged: 2 });
  });

  it('names no threshold when the scores of a key have different ones', () => {
    const rows = [0.8, 0.5, 0.8].map((threshold) => ({
      scores: [{ key: 'near', value: 0.6, passed: threshold < 0.6, threshold }],
    }));
    const [chip] = scoreChips(rows);
    expect(chip).to.include({ type: 'avg', passed: 1 }).and.not.have.property('threshold');
  });

  it('says that lower is better, with and without a threshold', () => {
    const score = { key: 'tokens', value: 4, better: 'lower' as const };
    expect(scoreChips([{ scores: [score] }])).to.deep.equal([
      { key: 'tokens', type: 'avg', avg: 4, count: 1, better: 'lower' },
    ]);
    expect(scoreChips([{ scores: [{ ...score, passed: true, threshold: 5 }] }])[0]).to.include({
      passed: 1,
      threshold: 5,
      better: 'lower',
    });
  });

  it('keeps the order in which keys first appear', () => {
    const rows = [
      {
        scores: [
          { key: 'z', value: 1 },
          { key: 'b', value: 1 },
        ],
      },
      {
        scores: [
          { key: 'a', value: 1 },
          { key: 'z', value: 1 },
        ],
      },
    ];
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
    const { totals, ...others } = summarise([kept, rowFacts({ ...pruned, scores: [failed] })]);
    const { totals: alone, ...same } = summarise([kept]);
    expect(totals).to.deep.equal({ ...alone, total_evaluations: 2, total_pruned: 1 });
    expect(others).to.deep.equal(same);
  });

  it('is all zeros without rows', () => {
    expect(summarise([])).to.deep.equal({
      totals: {
        total_evaluations: 0,
        total_functions: 0,
        total_passed: 0,
        total_errors: 0,
        total_with_scores: 0,
        average_latency: 0,
      },
      verdicts: { passed: 0, of: 0 },
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

  it('counts a completed result with a passed score and no failed one as passed', () => {
    const values = { key: 'size', value: 3 };
    const { totals } = summarise([
      rowFacts({ scores: [passed] }),
      rowFacts({ scores: [passed, values] }),
      rowFacts({ scores: [passed, failed] }),
      rowFacts({ scores: [failed] }),
    ]);
    expect(totals.total_passed).to.equal(2);
  });

  it('does not count a result without a verdict as passed', () => {
    const rows = [rowFacts(), rowFacts({ scores: [{ key: 'size', value: 1 }] })];
    expect(summarise(rows).totals.total_passed).to.equal(0);
  });

  for (const status of ['not_started', 'pending', 'running', 'error', 'cancelled'] as const) {
    it(`does not count a result that is ${status} as passed, whatever its scores`, () => {
      const { totals, verdicts } = summarise([rowFacts({ status, scores: [passed] })]);
      expect(totals.total_passed).to.equal(0);
      expect(verdicts).to.deep.equal({ passed: 0, of: status === 'error' ? 1 : 0 });
    });
  }

  it('counts the results with the status error as errors', () => {
    const rows = [
      rowFacts({ status: 'error' }),
      rowFacts({ status: 'cancelled' }),
      rowFacts({ scores: [failed] }),
    ];
    expect(summarise(rows).totals.total_errors).to.equal(1);
  });

  it('counts the results with at least one score of any kind', () => {
    const rows = [
      rowFacts(),
      rowFacts({ scores: [failed, passed] }),
      rowFacts({ scores: [{ key: 'size', value: 0 }] }),
    ];
    expect(summarise(rows).totals.total_with_scores).to.equal(2);
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

  it('averages latency over the results that have one, zero included', () => {
    const rows = [1, 0, null, 2].map((latency) => rowFacts({ latency }));
    expect(summarise(rows).totals.average_latency).to.equal(1);
  });

  it('takes an average latency of 0 when no result has one', () => {
    expect(summarise([rowFacts(), rowFacts()]).totals.average_latency).to.equal(0);
  });

  it('measures passes against results with a verdict and errors', () => {
    const { verdicts } = summarise([
      rowFacts({ scores: [passed] }),
      rowFacts({ scores: [failed] }),
      rowFacts({ status: 'error' }),
      rowFacts({ scores: [{ key: 'size', value: 3 }] }),
      rowFacts({ status: 'not_started' }),
    ]);
    expect(verdicts).to.deep.equal({ passed: 1, of: 3 });
  });

  it('gives the same chips as scoreChips', () => {
    const rows = [
      rowFacts({ scores: [passed, { key: 'size', value: 2 }] }),
      rowFacts({ scores: [failed] }),
    ];
    expect(summarise(rows).score_chips).to.deep.equal(scoreChips(rows));
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
