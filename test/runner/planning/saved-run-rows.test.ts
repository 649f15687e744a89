import { expect } from 'chai';
import {
  isFreeChoice,
  type SavedRunRows,
  savedRunRows,
} from '../../../src/runner/planning/saved-run-rows.js';
import { rowFacts } from '../../model/row-facts.js';
import { refusal } from '../../store/builders.js';

const rows = ['evals/a.eval.ts::f[x]', 'evals/a.eval.ts::g', '../b.eval.ts::h'].map((id, index) =>
  rowFacts({
    ...{ id, evaluation: id.replace('[x]', ''), function: id.slice(id.indexOf('::') + 2) },
    ...{ dataset: 'd', labels: index === 0 ? ['l'] : [] },
    scores: [{ key: 'k', passed: true }],
  }),
);

const asFilter = (filter: Partial<SavedRunRows>): SavedRunRows => {
  const none = { only: [], datasets: [], labels: [], paths: [] };
  return { ...none, runName: 'brisk-otter', cwd: '/project', ...filter };
};
async function* entries() {
  // Nothing here asks for values.
}
const chosen = (filter: Partial<SavedRunRows>) =>
  savedRunRows({ rows, entries, trace: () => ({ calls: [] }) }, asFilter(filter));

const refused = (filter: Partial<SavedRunRows>) => refusal(() => chosen(filter));

describe('savedRunRows', () => {
  it('is all without a filter', async () => {
    expect(await chosen({})).to.equal('all');
  });

  it('takes paths as a shell gives them: relative, absolute, with an evaluation', async () => {
    expect(await chosen({ paths: ['./evals/'] })).to.deep.equal([0, 1]);
    expect(await chosen({ paths: ['/project/evals/a.eval.ts::g'] })).to.deep.equal([1]);
    expect(await chosen({ paths: ['evals/../evals/a.eval.ts::f'] })).to.deep.equal([0]);
    expect(await chosen({ paths: ['/b.eval.ts'] })).to.deep.equal([2]);
    expect(await chosen({ paths: ['.'] })).to.deep.equal([0, 1, 2]);
  });

  it('is empty when what the filters mean is in another state', async () => {
    expect(await chosen({ only: ['failed'] })).to.deep.equal([]);
    expect(await chosen({ only: ['errors'], labels: ['l'] })).to.deep.equal([]);
  });

  it('refuses filters that match nothing, and says what there is', async () => {
    expect(await refused({ labels: ['m'], only: ['failed'] })).to.deep.include({
      code: 'nothing-selected',
      message: 'No result of brisk-otter matches the filters.',
      hints: ['label m; there are: l'],
    });
    expect((await refused({ datasets: ['e'] })).hints).to.deep.equal(['dataset e; there are: d']);
    expect((await refused({ paths: ['evals/a.eval.ts::ff'] })).hints[0]).to.match(
      /^Did you mean .*evals\/a\.eval\.ts::f/,
    );
  });
});

describe('isFreeChoice', () => {
  it('is true where no outcome can have decided: files, evaluations with cases, datasets and labels', () => {
    const free = [{}, { paths: ['evals'] }, { paths: ['evals/a.eval.ts::f'] }, { labels: ['l'] }];
    for (const filter of free) expect(isFreeChoice(rows, asFilter(filter))).to.equal(true);
  });

  it('is false for states, single cases and a limit', () => {
    const chosenOnes: Partial<SavedRunRows>[] = [
      { only: ['failed'] },
      { limit: 1 },
      { paths: ['evals/a.eval.ts::f[x]'] },
      { paths: ['evals/a.eval.ts::g'] },
    ];
    for (const filter of chosenOnes) expect(isFreeChoice(rows, asFilter(filter))).to.equal(false);
  });
});
