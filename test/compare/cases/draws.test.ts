import { expect } from 'chai';
import { renderBaseline } from '../../../src/compare/baseline/baseline.js';
import { parseBaseline } from '../../../src/compare/baseline/baseline-file.js';
import { casesOf } from '../../../src/compare/cases/group-by-case.js';
import { compareCases } from '../../../src/compare/compare-cases.js';
import { judgeBaselineGate } from '../../../src/compare/gates/judge-gates.js';
import { casesByKey, groupDifferences } from '../../../src/compare/group-differences.js';
import type { Origin, RowFacts } from '../../../src/model/result.js';
import { rowFacts, trialRows } from '../../model/row-facts.js';

/** A run by its id: results that passed (`+`) or failed (`-`), each with the time of its attempt. */
function ran(outcomes: string, startedAt = 1000): RowFacts[] {
  return [...outcomes].map((outcome, n) =>
    rowFacts({
      id: `a.ts::${n}`,
      startedAt: startedAt + n,
      code: 'v1',
      latency: n / 10,
      scores: [{ key: 'exact', passed: outcome === '+' }],
    }),
  );
}

const from = (run_id: string, kind: Origin['kind'] = 'carried'): Origin => ({
  run_id,
  run_name: run_id,
  kind,
});

const carried = (rows: readonly RowFacts[], origin = from('A')) =>
  rows.map((row) => ({ ...row, origin }));

/** A new grade of each output, by other code. */
const regraded = (rows: readonly RowFacts[], passed: boolean) =>
  carried(rows, from('A', 'regraded')).map((row) => ({
    ...row,
    code: 'v2',
    scores: [{ key: 'exact', passed }],
  }));

/** The runs A and B compared. */
function compared(a: readonly RowFacts[], b: readonly RowFacts[], ids = ['A', 'B']) {
  return compareCases(casesOf(a, ids[0]), casesOf(b, ids[1])).summary;
}

describe('compareCases with results that were carried over', () => {
  const a = ran('++++++++--');

  it('leaves them out of differences and tests, and counts them among the changes', () => {
    const anew = ran('------', 9000);
    const b = [...anew, ...carried(a.slice(6))];
    const { changes, carried: count, pass_rate, scores, latency } = compared(a, b);
    expect(count).to.equal(4);
    expect(changes).to.include({ regressed: 6, same: 4 });
    const without = compared(a.slice(0, 6), anew);
    expect(without.carried).to.equal(0);
    expect({ pass_rate, scores, latency }).to.deep.equal({
      pass_rate: without.pass_rate,
      scores: without.scores,
      latency: without.latency,
    });
    expect(pass_rate).to.include({ pairs: 6, base: 1, other: 0, p: 2 / 2 ** 6 });
  });

  it('has no p-value if all were carried over, and nothing is worse', () => {
    const comparison = compareCases(casesOf(a, 'A'), casesOf(carried(a), 'B'));
    const { summary } = comparison;
    expect(summary.carried).to.equal(10);
    expect(summary.pass_rate).to.include({ pairs: 0, difference: null, p: null });
    expect(judgeBaselineGate('regression', comparison)).to.deep.equal({
      verdict: 'yes',
      text: 'nothing is worse beyond chance than in the baseline; all 10 pairs carried, nothing to test',
    });
    expect(judgeBaselineGate('new-failures', comparison).verdict).to.equal('yes');
    const ungraded = a.map((row) => ({ ...row, scores: [] }));
    const nothing = compareCases(casesOf(ungraded, 'A'), casesOf(carried(ungraded), 'B'));
    expect(judgeBaselineGate('regression', nothing).verdict).to.equal('cannot-tell');
  });

  it('goes back to the run that really ran them, through chains and in both directions', () => {
    expect(compared(carried(a), a, ['B', 'A']).carried).to.equal(10);
    expect(compared(carried(a), carried(a), ['B', 'C']).carried).to.equal(10);
    expect(compared(carried(a), carried(a, from('X')), ['B', 'C']).carried).to.equal(0);
    expect(compared(a, ran('++++++++--', 5000)).carried).to.equal(0);
    expect(compared(a, a).carried, 'two runs, each with its own results').to.equal(0);
  });

  it('knows attempts apart: a rerun of the original run makes two draws of it', () => {
    const again = a.map((row) => ({ ...row, startedAt: 70_000 }));
    expect(compared(again, carried(a)).carried).to.equal(0);
    const unknown = a.map((row) => ({ ...row, startedAt: undefined }));
    expect(compared(unknown, carried(unknown)).carried).to.equal(0);
  });

  it('compares what was graded again or corrected, but not the latency of these attempts', () => {
    const b = regraded(a, false);
    const { carried: count, pass_rate, latency } = compared(a, b);
    expect(count).to.equal(0);
    expect(pass_rate).to.include({ pairs: 10, higher: 0, lower: 8 });
    expect(latency.pairs).to.equal(0);
    const c = carried(b);
    expect(compared(b, c, ['B', 'C']).carried, 'carried after it was graded').to.equal(10);
    expect(compared(a, c, ['A', 'C']).carried).to.equal(0);
    expect(compared(a, regraded(a, true)).carried, 'the same verdicts by other code').to.equal(0);
    const corrected = carried(a).map((row) => ({
      ...row,
      scores: [{ key: 'exact', passed: true, source: 'human' as const }],
    }));
    expect(compared(a, corrected)).to.include({ carried: 8 });
  });

  it('keeps a case whole of which some trials are new', () => {
    const trials = trialRows('t', '++-').map((row, n) => ({ ...row, startedAt: n }));
    const same = carried([...trials].reverse());
    expect(compared(trials, same)).to.include({ carried: 1 });
    const more = [...same, ...trialRows('t', '----').slice(3)].map((row, n) =>
      n === 3 ? { ...row, startedAt: 9000 } : row,
    );
    const { carried: count, pass_rate } = compared(trials, more);
    expect(count).to.equal(0);
    expect(pass_rate).to.include({ pairs: 1, other: 0.5 });
    const unknown = [...same.slice(0, 2), { ...same[2], startedAt: undefined } as RowFacts];
    expect(compared(trials, unknown).carried).to.equal(0);
  });

  it('tests neither single cases nor groups of them', () => {
    const trials = trialRows('t', '++++++').map((row, n) => ({ ...row, startedAt: n }));
    const base = casesOf([...a, ...trials], 'A');
    const b = [...ran('-----', 9000), ...carried(a.slice(5)), ...carried(trials)];
    const comparison = compareCases(base, casesOf(b, 'B'));
    const { text } = judgeBaselineGate('regression', comparison);
    expect(text).to.include('; 6 of 11 pairs carried, left out of the tests');
    const groups = casesByKey(b, (_, index) => [index < 7 ? 'one' : 'two']);
    const found = groupDifferences(base, casesOf(b, 'B'), groups);
    expect(found.get('one')?.pairs).to.equal(5);
    expect(found.get('two')?.pairs).to.equal(0);
  });

  it('finds them with a baseline file, unless it was merged by hand', () => {
    const cases = casesOf(a, 'A');
    const head = { run_id: 'A', run_name: 'a', created_at: 1_763_648_400 };
    const document = JSON.parse(renderBaseline({ ...head, cases }));
    const b = casesOf([...ran('-----', 9000), ...carried(a.slice(5))], 'B');
    const against = (value: unknown) => compareCases(parseBaseline(value).cases, b).summary;
    expect(against(document).carried).to.equal(5);
    const { attempts, ...old } = document;
    expect(attempts).to.have.lengthOf(10);
    expect(against(old).carried).to.equal(0);
    const merged = { ...document, evaluations: document.evaluations.slice(1) };
    expect(against(merged).carried).to.equal(0);
    expect(() => against({ ...document, attempts: 1 })).to.throw('attempts must be a list');
  });
});
