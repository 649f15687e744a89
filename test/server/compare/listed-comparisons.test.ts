import { rmSync } from 'node:fs';
import { expect } from 'chai';
import { casesOf } from '../../../src/compare/cases/group-by-case.js';
import { compareCases } from '../../../src/compare/compare-cases.js';
import {
  comparedInListings,
  ListedComparisons,
} from '../../../src/server/compare/previous-runs.js';
import type { RunOwner } from '../../../src/store/run-owner.js';
import { finished, newRun, plan, temporaryStore } from '../../store/builders.js';

const names = Array.from({ length: 12 }, (_, n) => `case_${n}`);

/** A store with runs that start one after the other, and what a listing of them says of the runs before. */
async function listedRuns() {
  const store = await temporaryStore();
  const comparisons = new ListedComparisons(() => store);
  // Runs that start one after the other have times of their own.
  let created_at_ms = 0;
  const begin = async (run_name: string) => {
    created_at_ms += 1;
    const owner = await store.createRun(newRun({ run_name, created_at_ms }));
    owner.plan(names.map((of, index) => plan(index, { id: `evals/a.eval.ts::${of}` })));
    owner.schedule({ kind: 'run', rows: 'all' });
    return owner;
  };
  return {
    store,
    comparisons,
    begin,
    run: async (name: string, passes: (n: number) => boolean) => {
      const owner = await begin(name);
      owner.finish(
        names.map((of, n) =>
          finished(n, { output: of, scores: [{ key: 'exact', passed: passes(n) }] }),
        ),
      );
      await owner.close('finished');
      return owner;
    },
    previous: async () => comparisons.of(await store.listRuns('default'), true),
  };
}

const comparison = (base: RunOwner, other: RunOwner) =>
  compareCases(casesOf(base.run.rows), casesOf(other.run.rows)).summary;

describe('the runs of a listing', () => {
  it('are compared with those before them', async () => {
    const { run, previous } = await listedRuns();
    const first = await run('first', () => true);
    const second = await run('second', (n) => n > 7);
    const third = await run('third', () => true);
    const [ofThird, ofSecond, ofFirst] = await previous();
    expect(ofFirst).to.equal(null);
    expect(ofSecond).to.include({ run_name: 'first', is_current: true });
    expect(ofSecond?.comparison).to.deep.equal(comparison(first, second));
    expect(ofSecond?.comparison?.scores[0]).to.deep.include({ key: 'exact', beyond_chance: true });
    expect(ofThird).to.include({ run_name: 'second', is_current: true });
    expect(ofThird?.comparison).to.deep.equal(comparison(second, third));
  });

  it('are compared once', async () => {
    const { run, previous } = await listedRuns();
    await run('first', () => true);
    await run('second', (n) => n > 7);
    const [before] = await previous();
    const [after] = await previous();
    expect(before?.comparison).to.be.an('object');
    expect(after?.comparison).to.equal(before?.comparison);
  });

  it('are compared again after corrections, also when the figures are the same', async () => {
    const { run, previous } = await listedRuns();
    const first = await run('first', (n) => n !== 0);
    const second = await run('second', (n) => n !== 0);
    expect((await previous())[0]?.comparison?.changes).to.include({ regressed: 0, fixed: 0 });
    await second.run.edit(0, { scores: [{ key: 'exact', passed: true }] });
    await second.run.edit(1, { scores: [{ key: 'exact', passed: false }] });
    const [compared] = await previous();
    expect(compared?.comparison?.changes).to.include({ regressed: 1, fixed: 1 });
    expect(compared?.comparison).to.deep.equal(comparison(first, second));
  });

  it('are not compared while they are in progress', async () => {
    const { run, begin, previous } = await listedRuns();
    await run('first', () => true);
    const owner = await begin('second');
    owner.finish([finished(0)]);
    expect((await previous())[0]).to.include({ comparison: null, is_current: false });
    await owner.close('finished');
    expect((await previous())[0]).to.deep.include({ is_current: true });
  });

  it('have no comparison with a run that is gone by then', async () => {
    const { run, store, comparisons } = await listedRuns();
    const first = await run('first', () => true);
    await run('second', () => true);
    const listed = await store.listRuns('default');
    rmSync(first.run.folder, { recursive: true });
    const [compared] = await comparisons.of(listed, true);
    expect(compared).to.include({ run_name: 'first', comparison: null, is_current: true });
  });

  it('are compared when they are among the newest', async () => {
    const { run, previous } = await listedRuns();
    for (let n = 0; n < comparedInListings.runs + 3; n += 1) await run(`run ${n}`, () => true);
    const current = (await previous()).map((one) => one?.is_current);
    expect(current.slice(0, comparedInListings.runs)).to.not.include(false);
    expect(current.slice(comparedInListings.runs)).to.deep.equal([false, false, undefined]);
  });
});
