import { expect } from 'chai';
import { type Gate, judgeGate } from '../../../src/model/gates/judge-gate.js';
import type { RowFacts } from '../../../src/model/result.js';
import type { Score } from '../../../src/model/scores/score.js';
import { summarise } from '../../../src/model/summary/summary.js';
import { rowFacts } from '../row-facts.js';

const row = (id: number, scores: Score[], status: RowFacts['status'] = 'completed') =>
  rowFacts({ id: `a.ts::f[${id}]`, evaluation: 'a.ts::f', scores, status });

const yes: Score = { key: 'exact', passed: true };
const no: Score = { key: 'exact', passed: false };
const length = (value: number): Score => ({ key: 'length', value });

function verdict(gate: Gate, rows: readonly RowFacts[]) {
  return judgeGate(gate, { rows, summary: () => summarise(rows) });
}

describe('judgeGate', () => {
  it('holds the pass rate over verdicts and errors against its limit', () => {
    const rows = [row(0, [yes]), row(1, [no]), row(2, [length(3)]), row(3, [], 'error')];
    const at = (atLeast: number) => verdict({ kind: 'pass-rate', atLeast }, rows).verdict;
    expect([at(0), at(0.3333), at(1 / 3), at(0.34), at(1)]).to.deep.equal([
      'yes',
      'yes',
      'yes',
      'no',
      'no',
    ]);
  });

  it('lets a rate pass that meets its limit in decimal digits', () => {
    const rows = Array.from({ length: 10 }, (_, index) => row(index, [index < 7 ? yes : no]));
    for (const atLeast of [0.7, 0.1 * 7, 1 - 0.3]) {
      expect(verdict({ kind: 'pass-rate', atLeast }, rows).verdict).to.equal('yes');
    }
  });

  it('counts an error as a verdict, and cannot tell without any', () => {
    const gate: Gate = { kind: 'pass-rate', atLeast: 0.5 };
    expect(verdict(gate, [row(0, [], 'error')]).verdict).to.equal('no');
    expect(verdict(gate, [row(0, [length(1)]), row(1, [], 'cancelled')]).verdict).to.equal(
      'cannot-tell',
    );
    expect(verdict(gate, []).verdict).to.equal('cannot-tell');
  });

  it('writes a rate as the summary does, with more digits where it would read as the limit', () => {
    const rows = Array.from({ length: 3000 }, (_, i) => row(i, [i < 2699 ? yes : no]));
    const at = (atLeast: number) => verdict({ kind: 'pass-rate', atLeast }, rows).text;
    expect(at(0.8)).to.equal('pass rate 90.0 % (2,699 of 3,000), at least 80 % asked for');
    expect(at(0.9)).to.equal('pass rate 89.97 % (2,699 of 3,000) is under 90 %');
  });

  it('never writes a rate as all or nothing that is not', () => {
    const rows = Array.from({ length: 3000 }, (_, i) => row(i, [i < 2999 ? yes : no]));
    const at = (key: string) => verdict({ kind: 'score', key, limit: 0.9 }, rows).text;
    expect(verdict({ kind: 'pass-rate', atLeast: 0.9 }, rows).text).to.equal(
      'pass rate 99.97 % (2,999 of 3,000), at least 90 % asked for',
    );
    expect(at('exact')).to.equal('exact 99.97 % (2,999 of 3,000), at least 90 % asked for');
  });

  it('writes an average and its limit as the summary does', () => {
    const rows = [row(0, [length(12_000)]), row(1, [length(12_801)])];
    const at = (limit: number, list = rows) =>
      verdict({ kind: 'score', key: 'length', limit }, list).text;
    expect(at(12_000)).to.equal('length 12,401 on average, at least 12,000 asked for');
    expect(at(12_400.5001)).to.equal('length 12,400.5 on average is under 12400.5001');
    const tiny = [row(0, [length(0.000012)])];
    expect(at(0.00002, tiny)).to.equal('length 0.000012 on average is under 0.00002');
  });

  it('says how many results have what it judges, where some do not', () => {
    const rows = [
      ...Array.from({ length: 12 }, (_, i) => row(i, [yes, length(i)])),
      ...Array.from({ length: 386 }, (_, i) => row(12 + i, [])),
      row(398, [], 'error'),
      row(399, [length(3)]),
      row(400, [], 'cancelled'),
      rowFacts({ id: 'a.ts::f[401]', evaluation: 'a.ts::f', status: 'completed', pruned: true }),
    ];
    const at = (key: string, limit: number, more = {}) =>
      verdict({ kind: 'score', key, limit, ...more }, rows).text;
    expect(at('exact', 0.5)).to.equal(
      'exact 92.3 % (12 of 13; 1 error), at least 50 % asked for; 12 of 400 results have it, 387 have none',
    );
    expect(at('exact', 0.99)).to.equal(
      'exact 92.3 % (12 of 13; 1 error) is under 99 %; 12 of 400 results have it, 387 have none',
    );
    expect(at('length', 2, { ignoresErrors: true })).to.equal(
      'length 5.308 on average, at least 2 asked for; 13 of 400 results have it, 386 have none',
    );
    expect(at('exact.passed', 0.5, { ignoresErrors: true })).to.equal(
      'exact 100.0 % (12 of 12), at least 50 % asked for; 12 of 400 results have it, 387 have none',
    );
    expect(verdict({ kind: 'pass-rate', atLeast: 0.5 }, rows).text).to.equal(
      'pass rate 92.3 % (12 of 13; 1 error), at least 50 % asked for; 12 of 400 results have a verdict, 387 have none',
    );
    const one = [row(0, [yes]), row(1, [])];
    expect(verdict({ kind: 'score', key: 'exact', limit: 1 }, one).text).to.equal(
      'exact 100.0 % (1 of 1), at least 100 % asked for; 1 of 2 results has it, 1 has none',
    );
  });

  it('counts errors of the evaluations that give a score as not passed, and cannot tell their mean', () => {
    const other = rowFacts({ id: 'a.ts::g', evaluation: 'a.ts::g', status: 'error' });
    const errors = [1, 2, 3].map((id) => row(id, [], 'error'));
    const rows = [row(0, [yes, length(2)]), ...errors, row(4, [yes, length(4)], 'error'), other];
    const at = (key: string, more = {}) =>
      verdict({ kind: 'score', key, limit: 0.5, ...more }, rows);
    expect(at('exact')).to.deep.equal({
      verdict: 'no',
      text: 'exact 20.0 % (1 of 5; 4 errors) is under 50 %; errors of other evaluations are not judged: 1 of g',
    });
    expect(at('length')).to.deep.equal({
      verdict: 'cannot-tell',
      text: 'the mean of length cannot be judged: 4 errors among 5 (--ignore-errors leaves them out)',
    });
    const without = { ignoresErrors: true };
    expect(at('exact', without).text).to.equal('exact 100.0 % (2 of 2), at least 50 % asked for');
    expect(at('length', without).verdict).to.equal('yes');
  });

  it('counts an error as not passed that has the score, from another evaluator, unless a person gave it', () => {
    const failed = row(1, [yes], 'error');
    const judged = row(2, [{ ...yes, source: 'human' }], 'error');
    const gate: Gate = { kind: 'score', key: 'exact', limit: 0.9 };
    expect(verdict(gate, [row(0, [yes]), failed, judged]).text).to.equal(
      'exact 66.7 % (2 of 3; 1 error) is under 90 %',
    );
  });

  it('names errors of evaluations that give other scores, and cannot tell where all results are errors', () => {
    const of = (name: string, id: number, scores: Score[], status: RowFacts['status']) =>
      rowFacts({ id: `b.ts::${name}[${id}]`, evaluation: `b.ts::${name}`, scores, status });
    const refund = [of('refund', 0, [length(1)], 'completed'), of('refund', 1, [], 'error')];
    const tone = [0, 1].map((id) => of('tone', id, [length(1)], 'error'));
    const at = (rows: readonly RowFacts[], limit: number, more = {}) =>
      verdict({ kind: 'score', key: 'exact', limit, ...more }, [row(0, [yes]), ...rows]);
    expect(at(refund, 0.5)).to.deep.equal({
      verdict: 'yes',
      text: 'exact 100.0 % (1 of 1), at least 50 % asked for; 1 of 3 results has it, 1 has none; errors of other evaluations are not judged: 1 of refund',
    });
    expect(at([...refund, ...tone], 0.5)).to.deep.equal({
      verdict: 'cannot-tell',
      text: 'exact cannot be judged: all results of tone are errors, so it is not known whether it gives this score (--ignore-errors leaves them out); exact 100.0 % (1 of 1), at least 50 % asked for; 1 of 5 results has it, 1 has none',
    });
    expect(at([...tone, row(1, [no])], 0.9).verdict).to.equal('no');
    expect(at(tone, 0.5, { ignoresErrors: true }).verdict).to.equal('yes');
    const repeat = { ...of('tone', 0, [yes], 'completed'), counted: of('tone', 0, [], 'error') };
    expect(at([repeat, ...tone.slice(1)], 0.9).text).to.equal(
      'exact 33.3 % (1 of 3; 2 errors) is under 90 %',
    );
    const rows = [row(0, [yes]), ...tone];
    const base = { having: () => new Set<string>(), shown: new Set(['b.ts::tone[1]']) };
    const run = { rows, summary: () => summarise(rows) };
    expect(judgeGate({ kind: 'score', key: 'exact', limit: 0.5 }, run, base).text).to.match(
      /asked for; errors of other evaluations are not judged: 2 of tone$/,
    );
  });

  it('counts errors of the evaluations that gave a score in the base', () => {
    const down = [1, 2].map((at) =>
      rowFacts({ id: `a.ts::g[${at}]`, evaluation: 'a.ts::g', status: 'error' }),
    );
    const gate: Gate = { kind: 'score', key: 'exact', limit: 0.5 };
    const rows = [row(0, [yes]), ...down];
    const run = { rows, summary: () => summarise(rows) };
    expect(judgeGate(gate, run).verdict).to.equal('cannot-tell');
    const shown = new Set(['a.ts::g[1]']);
    const base = { having: (key: string) => (key === 'exact' ? shown : new Set<string>()), shown };
    expect(judgeGate(gate, run, base).text).to.equal(
      'exact 33.3 % (1 of 3; 2 errors) is under 50 %',
    );
  });

  it('holds the ratio of a score with verdicts, and the mean of one with values', () => {
    const rows = [row(0, [yes, length(1)]), row(1, [no, length(2)])];
    const at = (key: string, limit: number) => verdict({ kind: 'score', key, limit }, rows);
    expect(at('exact', 0.5).verdict).to.equal('yes');
    expect(at('exact', 0.51)).to.deep.equal({
      verdict: 'no',
      text: 'exact 50.0 % (1 of 2) is under 51 %',
    });
    expect(at('length', 1.5).verdict).to.equal('yes');
    expect(at('length', 1.6)).to.deep.equal({
      verdict: 'no',
      text: 'length 1.5 on average is under 1.6',
    });
    expect(at('lenght', 1)).to.deep.equal({
      verdict: 'cannot-tell',
      text: 'lenght cannot be judged: no result has a score lenght; there are: exact, length',
    });
  });

  describe('with thresholds', () => {
    const near = (value: number) => ({ key: 'near', value, passed: value >= 0.8, threshold: 0.8 });
    const tokens = (value: number) => ({ key: 'tokens', value, better: 'lower' as const });
    const rows = [row(0, [near(0.9), tokens(400)]), row(1, [near(0.6), tokens(600)])];
    const at = (key: string, limit: number, more: typeof rows = []) =>
      verdict({ kind: 'score', key, limit }, [...rows, ...more]);

    it('holds the average of a score, and the share that passed of KEY.passed', () => {
      expect(at('near', 0.75).verdict).to.equal('yes');
      expect(at('near', 0.76).text).to.equal('near 0.75 on average is under 0.76');
      expect(at('near.passed', 0.5)).to.deep.equal({
        verdict: 'yes',
        text: 'near passed 50.0 % (1 of 2), at least 50 % asked for',
      });
      expect(at('near.passed', 0.51)).to.deep.equal({
        verdict: 'no',
        text: 'near passed 50.0 % (1 of 2) is under 51 %',
      });
    });

    it('fails above the limit where lower is better', () => {
      expect(at('tokens', 500)).to.deep.equal({
        verdict: 'yes',
        text: 'tokens 500 on average, at most 500 asked for',
      });
      expect(at('tokens', 499)).to.deep.equal({
        verdict: 'no',
        text: 'tokens 500 on average is over 499 (lower is better)',
      });
    });

    it('takes KEY.passed for the ratio of a score with verdicts alone, and for a score of that name', () => {
      expect(
        verdict({ kind: 'score', key: 'exact.passed', limit: 1 }, [row(0, [yes])]).text,
      ).to.equal('exact 100.0 % (1 of 1), at least 100 % asked for');
      const own = [row(2, [{ key: 'near.passed', value: 7 }])];
      expect(at('near.passed', 7, own).text).to.equal(
        'near.passed 7 on average, at least 7 asked for; 1 of 3 results has it, 2 have none',
      );
    });

    it('holds the share of a score whose evaluator gives verdicts, and the average of KEY.value', () => {
      const rated = (value: number, passed: boolean) => ({ key: 'rating', value, passed });
      const given = [row(2, [rated(5, true)]), row(3, [rated(2, false)])];
      expect(at('rating', 0.9, given).text).to.equal(
        'rating 50.0 % (1 of 2) is under 90 %; 2 of 4 results have it, 2 have none',
      );
      expect(at('rating.value', 3.5, given).verdict).to.equal('yes');
      expect(at('rating.value', 4, given).text).to.equal(
        'rating.value 3.5 on average is under 4; 2 of 4 results have it, 2 have none',
      );
      expect(at('near.value', 0.76).text).to.equal('near.value 0.75 on average is under 0.76');
      const derived = { ...rated(4, true), threshold: 3 };
      expect(at('rating', 0.9, [...given, row(4, [derived])]).text).to.equal(
        'rating 66.7 % (2 of 3; 1 verdict of a threshold) is under 90 %; 3 of 5 results have it, 2 have none',
      );
      expect(at('exact.value', 1, [row(2, [yes])]).text).to.equal(
        'exact.value cannot be judged: no score exact has a value',
      );
    });

    it('cannot tell the share of values without a threshold', () => {
      expect(at('tokens.passed', 0.5)).to.deep.equal({
        verdict: 'cannot-tell',
        text: 'tokens cannot be judged: no score tokens has passed or failed, its values have no threshold',
      });
    });
  });

  it('looks for errors', () => {
    expect(verdict({ kind: 'errors' }, [row(0, [no])]).verdict).to.equal('yes');
    expect(verdict({ kind: 'errors' }, [row(0, [], 'error')])).to.deep.equal({
      verdict: 'no',
      text: '1 error',
    });
  });

  it('says of how many results it knows no errors while others have not finished', () => {
    const gate: Gate = { kind: 'errors' };
    expect(verdict(gate, [row(0, [no])]).text).to.equal('no errors');
    const unfinished = (['not_started', 'pending', 'running', 'cancelled'] as const).map(
      (status, n) => row(n + 1, [], status),
    );
    expect(verdict(gate, [row(0, [no]), ...unfinished])).to.deep.equal({
      verdict: 'yes',
      text: 'no errors in the 1 result of 5 that has finished',
    });
    expect(verdict(gate, [row(0, [no]), row(9, [yes]), ...unfinished]).text).to.equal(
      'no errors in the 2 results of 6 that have finished',
    );
    const errors = [row(0, [], 'error'), ...unfinished];
    expect(verdict(gate, errors).text).to.equal('1 error');
  });

  it('counts everything that did not pass as a failure', () => {
    expect(verdict({ kind: 'failures' }, [row(0, [yes])]).verdict).to.equal('yes');
    const others = [row(1, [no]), row(2, []), row(3, [length(1)]), row(4, [yes], 'error')];
    expect(verdict({ kind: 'failures' }, [row(0, [yes]), ...others])).to.deep.equal({
      verdict: 'no',
      text: '4 of 5 did not pass',
    });
  });

  it('refuses a limit that is not on the scale of a score, and takes a percentage of that scale', () => {
    const rated = (value: number, more: Partial<Score> = {}) =>
      row(value, [{ key: 'rating', value, ...more }]);
    const at = (
      limit: number,
      rows: readonly RowFacts[],
      more: { percent?: true } = {},
      key = 'rating',
    ) => verdict({ kind: 'score', key, limit, ...more }, rows);
    const percent = { percent: true } as const;
    const grades = [rated(0.5), rated(0.75)];
    const lower = [rated(0.5, { better: 'lower' })];
    const hundred = [rated(80, { scale: [0, 100] }), rated(90, { scale: [0, 100] })];
    const five = [rated(1, { scale: [1, 5] }), rated(5, { scale: [1, 5] })];
    for (const [found, text] of [
      [
        at(90, [row(0, [yes])], {}, 'exact'),
        'exact cannot be judged: it is from 0 to 1, and the limit is 90: write 0.9 or 90%',
      ],
      [at(-0.1, [row(0, [yes])], {}, 'exact'), 'it is from 0 to 1, and the limit is -0.1'],
      [at(2, [row(0, [yes])], percent, 'exact'), 'the limit is 200 %'],
      [at(90, grades), 'write 0.9 or 90%, or declare another scale'],
      [at(120, hundred), '120 is not on its scale, 0 to 100'],
      [at(0.9, [rated(3), rated(4)], percent), 'a percentage of it needs its scale'],
      [at(0.9, [rated(3000)], percent), 'a percentage of it needs its scale'],
    ] as const) {
      expect(found.verdict, found.text).to.equal('cannot-tell');
      expect(found.text).to.include(text);
    }
    expect(at(0.9, hundred, percent).text).to.equal('rating 85 on average is under 90');
    expect(at(0.5, five, percent).text).to.equal('rating 3 on average, at least 3 asked for');
    expect(at(0.6, grades, percent).verdict).to.equal('yes');
    expect(at(2000, [rated(3000)]).verdict).to.equal('yes');
    expect(at(2, lower).verdict).to.equal('yes');
  });
});
