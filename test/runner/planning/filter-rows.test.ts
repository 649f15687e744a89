import { expect } from 'chai';
import type { RowFacts } from '../../../src/model/result.js';
import { filterRows, type SavedRowFilter } from '../../../src/runner/planning/filter-rows.js';

type Facts = Partial<RowFacts> & { readonly passed?: boolean };

function row(id: string, { passed, ...more }: Facts = {}): RowFacts {
  const [, base = id, trial] = /^(.*)~(\d+)$/.exec(id) ?? [];
  return {
    id,
    evaluation: base.replace(/\[.*\]$/, ''),
    function: base.slice(base.indexOf('::') + 2),
    dataset: 'd',
    labels: [],
    ...(trial === undefined ? {} : { trial: Number(trial), trial_of: base }),
    status: 'completed',
    latency: 0.1,
    scores: passed === undefined ? [] : [{ key: 'k', passed }],
    ...more,
  };
}

const rows = [
  row('e/a.ts::f[x]', { passed: true, labels: ['l'] }),
  row('e/a.ts::f[y]', { passed: false, dataset: 'o' }),
  row('e/a.ts::g', { status: 'error' }),
  row('e/ab.ts::f', { scores: [{ key: 'k', value: 1 }] }),
  row('e/b.ts::h~1', { passed: true, labels: ['l', 'm'] }),
  row('e/b.ts::h~2', { passed: false, labels: ['l', 'm'] }),
  row('e/b.ts::i~1', { passed: true }),
  row('e/b.ts::i~2', { passed: true }),
  row('z.ts::p', { status: 'pending' }),
  row('z.ts::c', { status: 'cancelled' }),
  row('z.ts::n', { status: 'not_started' }),
];

function chosen(filter: Partial<SavedRowFilter>): number[] {
  return filterRows(rows, { only: [], datasets: [], labels: [], paths: [], ...filter });
}

describe('filterRows', () => {
  it('takes all rows without a filter', () => {
    expect(chosen({})).to.deep.equal([...rows.keys()]);
  });

  it('takes as failed all trials of what failed in one of them, as errors just what is one', () => {
    expect(chosen({ only: ['failed'] })).to.deep.equal([1, 4, 5]);
    expect(chosen({ only: ['errors'] })).to.deep.equal([2]);
    expect(chosen({ only: ['failed', 'errors'] })).to.deep.equal([1, 2, 4, 5]);
  });

  it('takes as unfinished what was asked to run and has not ended', () => {
    expect(chosen({ only: ['unfinished'] })).to.deep.equal([8, 9]);
  });

  it('takes all trials of an evaluation of which some pass and some do not', () => {
    expect(chosen({ only: ['flaky'] })).to.deep.equal([4, 5]);
    const trials = [
      row('a.ts::e~1', { passed: true }),
      row('a.ts::e~2', { status: 'error' }),
      row('a.ts::u~1', { passed: true }),
      row('a.ts::u~2', { status: 'cancelled' }),
    ];
    const filter = { only: ['flaky'], datasets: [], labels: [], paths: [] } as const;
    expect(filterRows(trials, filter)).to.deep.equal([0, 1]);
  });

  it('takes paths for whole parts of ids: folder, file, evaluation, case', () => {
    expect(chosen({ paths: ['e'] })).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(chosen({ paths: ['./e/'] })).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(chosen({ paths: ['e/a.ts'] })).to.deep.equal([0, 1, 2]);
    expect(chosen({ paths: ['e/a'] })).to.deep.equal([]);
    const odd = [row('e/a::b.ts::f', { function: 'f', evaluation: 'e/a::b.ts::f' })];
    const ofOdd = (path: string) =>
      filterRows(odd, { only: [], datasets: [], labels: [], paths: [path] });
    expect(ofOdd('e/a')).to.deep.equal([]);
    expect(ofOdd('e/a::b.ts')).to.deep.equal([0]);
    expect(chosen({ paths: ['e/a.ts::f'] })).to.deep.equal([0, 1]);
    expect(chosen({ paths: ['e/a.ts::f[y]', 'e/b.ts::h'] })).to.deep.equal([1, 4, 5]);
    expect(chosen({ paths: ['.'] })).to.deep.equal([...rows.keys()]);
  });

  it('joins kinds of filters with and', () => {
    expect(chosen({ labels: ['l'], only: ['failed'] })).to.deep.equal([4, 5]);
    expect(chosen({ labels: ['m', 'l'], paths: ['e/a.ts'] })).to.deep.equal([0]);
    expect(chosen({ datasets: ['o'], labels: ['l'] })).to.deep.equal([]);
  });

  it('counts evaluations to the limit, with all of their trials', () => {
    expect(chosen({ limit: 2 })).to.deep.equal([0, 1]);
    expect(chosen({ paths: ['e/b.ts'], limit: 1 })).to.deep.equal([4, 5]);
    expect(chosen({ only: ['failed'], limit: 1 })).to.deep.equal([1]);
  });
});
