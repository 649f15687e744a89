import { expect } from 'chai';
import { judgeRun } from '../../../src/cli/run/judge-run.js';
import type { BaselineComparison } from '../../../src/cli/run/run-baseline.js';
import type { Gate } from '../../../src/model/gates/judge-gate.js';
import { summarise } from '../../../src/model/summary/summary.js';
import type { StoredRun } from '../../../src/store/stored-run.js';
import { rowFacts } from '../../model/row-facts.js';

const rows = [rowFacts({ scores: [{ key: 'exact', passed: true }] })];
const run = {
  rows,
  header: { run_id: 'r' },
  summary: () => summarise(rows),
} as unknown as StoredRun;

function judge(gate: Gate, lost?: Partial<BaselineComparison['lost']>) {
  const all = { verdicts: 0, whole_verdicts: 0, scores: [], judged_alike: 0, ...lost };
  const comparison = { judge: () => [], lost: all } as unknown as BaselineComparison;
  return judgeRun({ own: [gate], baseline: [] }, run, lost && comparison, () => undefined)[0];
}

describe('judgeRun', () => {
  const rate: Gate = { kind: 'pass-rate', atLeast: 0.9 };
  const gone = { key: 'hard', cases: 3, verdicts: 3, gone: true };

  it('cannot tell whether a rate is high enough where verdicts of the baseline are lost', () => {
    expect(judge(rate)?.verdict).to.equal('yes');
    expect(judge(rate, { scores: [gone] })).to.deep.equal({
      verdict: 'cannot-tell',
      text: 'pass rate cannot be judged: score hard is gone (pass rate 100.0 % (1 of 1), at least 90 % asked for)',
    });
    expect(judge(rate, { verdicts: 2, whole_verdicts: 2 })?.text).to.match(
      /^pass rate cannot be judged: 2 cases lost their verdict /,
    );
  });

  it('judges scores that are whole, and what fails all the same', () => {
    const exact: Gate = { kind: 'score', key: 'exact.passed', limit: 0.9 };
    expect(judge(exact, { scores: [gone] })?.verdict).to.equal('yes');
    const partly = { key: 'exact', cases: 1, verdicts: 1, gone: false };
    expect(judge(exact, { scores: [partly] })?.verdict).to.equal('cannot-tell');
    // Values alone say nothing about what passed.
    expect(judge(rate, { scores: [{ ...gone, verdicts: 0 }] })?.verdict).to.equal('yes');
    expect(judge({ ...rate, atLeast: 1.1 }, { scores: [gone] })?.verdict).to.equal('no');
  });
});
