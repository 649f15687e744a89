import { expect } from 'chai';
import { type EvalCase, withoutErrors } from '../../../src/compare/cases/eval-case.js';
import { casesOf } from '../../../src/compare/cases/group-by-case.js';
import { lostTexts } from '../../../src/compare/cases/lost-text.js';
import { compareCases } from '../../../src/compare/compare-cases.js';
import { judgeMissing } from '../../../src/compare/gates/judge-gates.js';
import { judgeRegression } from '../../../src/compare/gates/judge-regression.js';
import type { RowFacts } from '../../../src/model/result.js';
import type { ScoreFacts } from '../../../src/model/scores/score.js';
import { rowFacts } from '../../model/row-facts.js';
import { passed, verdicts } from '../eval-cases.js';

type Trial = readonly ScoreFacts[] | 'error';

/** A run with these trials of each case; one trial is a case without trials. */
function runOf(...cases: readonly (readonly Trial[])[]): EvalCase[] {
  return casesOf(
    cases.flatMap((trials, at) =>
      trials.map((trial, n): RowFacts => {
        const facts = trial === 'error' ? { status: 'error' as const } : { scores: trial };
        return trials.length === 1
          ? rowFacts({ id: `c${at}`, ...facts })
          : rowFacts({ id: `c${at}~${n + 1}`, trial_of: `c${at}`, ...facts });
      }),
    ),
  );
}

const exact = (passed: boolean): ScoreFacts => ({ key: 'exact', passed });
const hard = (passed: boolean): ScoreFacts => ({ key: 'hard', passed });
const both = (easy: boolean, difficult: boolean) => [exact(easy), hard(difficult)];

function compared(base: readonly EvalCase[], other: readonly EvalCase[]) {
  const comparison = compareCases(base, other);
  const { pass_rate, lost, changes } = comparison.summary;
  return {
    lost: lostTexts(lost),
    rates: [pass_rate.base, pass_rate.other],
    changes: { fixed: changes.fixed, regressed: changes.regressed, changed: changes.changed },
    regression: judgeRegression(comparison).verdict,
    missing: judgeMissing(comparison).verdict,
  };
}

describe('what a run has lost', () => {
  const base = runOf([both(true, true)], [both(true, false)], [both(true, false)]);

  it('is a score that is gone, and the pass rate is compared over the others', () => {
    const other = runOf([[exact(true)]], [[exact(true)]], [[exact(true)]]);
    expect(compared(base, other)).to.deep.equal({
      lost: ['score hard is gone'],
      rates: [1, 1],
      changes: { fixed: 0, regressed: 0, changed: 3 },
      regression: 'cannot-tell',
      missing: 'no',
    });
  });

  it('are verdicts of a judge that abstains', () => {
    const all = verdicts('++++');
    const some = runOf([[exact(true)]], [[]], [[]], [[exact(true)]]).map((one, i) => ({
      ...one,
      id: String(i),
      scores: one.scores.map((score) => ({ ...score, key: 'correctness' })),
    }));
    const found = compared(all, some);
    expect(found.lost).to.deep.equal([
      '2 cases lost their verdict',
      '2 cases lost score correctness',
    ]);
    expect([found.regression, found.missing]).to.deep.equal(['cannot-tell', 'no']);
    expect(found.rates).to.deep.equal([1, 1]);
  });

  it('are verdicts of trials', () => {
    const trials = (...judged: readonly boolean[]) =>
      runOf(judged.map((isJudged) => (isJudged ? [exact(true)] : [])));
    expect(compared(trials(true, true, true), trials(true, false, true)).lost).to.deep.equal([
      '1 case lost verdicts of trials',
      '1 case lost score exact',
    ]);
    expect(compared(trials(true, false), trials(true, false, false, true)).lost).to.deep.equal([]);
  });

  it('leaves which trials passed under the scores that are left', () => {
    const before = runOf([
      both(true, false),
      both(false, true),
      both(true, true),
      both(false, false),
    ]);
    const after = runOf([[exact(true)], [exact(true)], [exact(false)], [exact(true)]]);
    expect(compared(before, after)).to.deep.include({
      rates: [0.5, 0.75],
      changes: { fixed: 1, regressed: 0, changed: 0 },
    });
    // A baseline file does not know which scores a trial passed together.
    const filed = before.map(({ grades: _, ...one }) => one);
    expect(compared(filed, after).rates).to.deep.equal([0.5, 0.75]);
    const three = runOf([
      [...both(true, false), { key: 'tone', passed: true }],
      [...both(false, true), { key: 'tone', passed: true }],
    ]).map(({ grades: _, ...one }) => one);
    const two = runOf([both(true, true), both(true, true)]);
    expect(compared(three, two)).to.deep.include({
      rates: [null, null],
      lost: ['score tone is gone'],
    });
  });

  it('is said beside what is worse all the same', () => {
    const good = runOf(...Array.from({ length: 10 }, () => [both(true, true)]));
    const bad = runOf(...Array.from({ length: 10 }, () => [[exact(false)]]));
    const verdict = judgeRegression(compareCases(good, bad));
    expect(verdict.verdict).to.equal('no');
    expect(verdict.text).to.match(/pass rate 100.0 % → 0.0 % .*; score hard is gone$/);
  });

  it('is no error, whether errors count or not', () => {
    const failing = runOf(['error'], [both(true, false)], [both(true, false)]);
    expect(compared(base, failing).lost).to.deep.equal([]);
    expect(compared(base.map(withoutErrors), failing.map(withoutErrors)).lost).to.deep.equal([]);
    const trials = runOf([both(true, true), both(true, true)]);
    const one = runOf([both(true, true), 'error']);
    expect(compared(trials, one).lost).to.deep.equal([]);
    expect(compared(one.map(withoutErrors), trials.map(withoutErrors)).lost).to.deep.equal([]);
  });

  it('is no assertion that does not fail any more, and nothing that was not reached because one failed', () => {
    const assertion: ScoreFacts = { key: 'correctness', passed: false, asserted: true };
    const fixed = compared(runOf([[exact(true), assertion]]), runOf([[exact(true)]]));
    expect(fixed).to.deep.include({
      lost: [],
      changes: { fixed: 1, regressed: 0, changed: 0 },
      regression: 'yes',
    });
    const stopped = compared(
      base,
      runOf([[exact(true), assertion]], [both(true, false)], [both(true, false)]),
    );
    expect(stopped).to.deep.include({ lost: [], missing: 'yes' });
    expect(stopped.changes.regressed).to.equal(1);
  });

  it('is nothing where a case has a score for the first time', () => {
    expect(compared(runOf([[exact(true)]]), runOf([both(true, false)]))).to.deep.include({
      lost: [],
      changes: { fixed: 0, regressed: 1, changed: 0 },
      missing: 'yes',
    });
    expect(compared([passed('a', 1)], [passed('a', 1)]).lost).to.deep.equal([]);
  });
});
