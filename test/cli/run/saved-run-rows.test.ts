import { expect } from 'chai';
import { type SavedRunRows, savedRunRows } from '../../../src/cli/run/saved-run-rows.js';
import { AssayError } from '../../../src/errors.js';
import type { RowFacts } from '../../../src/model/result.js';

const rows = ['evals/a.eval.ts::f[x]', 'evals/a.eval.ts::g', '../b.eval.ts::h'].map(
  (id, index): RowFacts => ({
    id,
    evaluation: id.replace('[x]', ''),
    function: id.slice(id.indexOf('::') + 2),
    dataset: 'd',
    labels: index === 0 ? ['l'] : [],
    status: 'completed',
    latency: 0,
    scores: [{ key: 'k', passed: true }],
  }),
);

function chosen(filter: Partial<SavedRunRows>): number[] | 'all' {
  const none = { only: [], datasets: [], labels: [], paths: [] };
  return savedRunRows(rows, { ...none, runName: 'brisk-otter', cwd: '/project', ...filter });
}

function refusal(filter: Partial<SavedRunRows>): AssayError {
  try {
    chosen(filter);
  } catch (error) {
    if (error instanceof AssayError) return error;
  }
  return expect.fail('nothing is refused');
}

describe('savedRunRows', () => {
  it('is all without a filter', () => {
    expect(chosen({})).to.equal('all');
  });

  it('takes paths as a shell gives them: relative, absolute, with an evaluation', () => {
    expect(chosen({ paths: ['./evals/'] })).to.deep.equal([0, 1]);
    expect(chosen({ paths: ['/project/evals/a.eval.ts::g'] })).to.deep.equal([1]);
    expect(chosen({ paths: ['evals/../evals/a.eval.ts::f'] })).to.deep.equal([0]);
    expect(chosen({ paths: ['/b.eval.ts'] })).to.deep.equal([2]);
    expect(chosen({ paths: ['.'] })).to.deep.equal([0, 1, 2]);
  });

  it('is empty when what the filters mean is in another state', () => {
    expect(chosen({ only: ['failed'] })).to.deep.equal([]);
    expect(chosen({ only: ['errors'], labels: ['l'] })).to.deep.equal([]);
  });

  it('refuses filters that match nothing, and says what there is', () => {
    expect(refusal({ labels: ['m'], only: ['failed'] })).to.deep.include({
      code: 'nothing-selected',
      message: 'No result of brisk-otter matches the filters.',
      hints: ['label m; there are: l'],
    });
    expect(refusal({ datasets: ['e'] }).hints).to.deep.equal(['dataset e; there are: d']);
    expect(refusal({ paths: ['evals/a.eval.ts::ff'] }).hints[0]).to.match(
      /^Did you mean .*evals\/a\.eval\.ts::f/,
    );
  });
});
