import { expect } from 'chai';
import { compareCases } from '../../../src/compare/compare-cases.js';
import { judgeBaselineGate } from '../../../src/compare/gates/judge-gates.js';
import { baselineGates } from '../../../src/model/gates/judge-gate.js';
import { passed, verdicts } from '../eval-cases.js';

function judge(base: string, other: string): string[] {
  const comparison = compareCases(verdicts(base), verdicts(other));
  return baselineGates.map((gate) => judgeBaselineGate(gate, comparison).verdict);
}

describe('judgeBaselineGate', () => {
  it('tells a regression beyond chance from a single new failure, and both from what is missing', () => {
    expect(judge('+++++++', '+++++++')).to.deep.equal(['yes', 'yes', 'yes']);
    expect(judge('+++++++', '++++++-')).to.deep.equal(['yes', 'no', 'yes']);
    expect(judge('++++++++++', '----------')).to.deep.equal(['no', 'no', 'yes']);
    expect(judge('+++++++', '++++++')).to.deep.equal(['yes', 'yes', 'no']);
  });

  it('holds nothing against an evaluation that is new', () => {
    expect(judge('+++', '+++-----')).to.deep.equal(['yes', 'yes', 'yes']);
  });

  it('cannot tell anything of runs that share nothing', () => {
    const comparison = compareCases([passed('a', 1)], [passed('b', 1)]);
    const verdictOf = (gate: (typeof baselineGates)[number]) =>
      judgeBaselineGate(gate, comparison).verdict;
    expect(verdictOf('regression')).to.equal('cannot-tell');
    expect(verdictOf('new-failures')).to.equal('cannot-tell');
    expect(verdictOf('missing')).to.equal('no');
  });
});
