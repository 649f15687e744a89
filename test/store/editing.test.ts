import { expect } from 'chai';
import { AssayError } from '../../src/errors.js';
import type { Score } from '../../src/model/scores/score.js';
import type { StoredRun } from '../../src/store/stored-run.js';
import { finished, finishedRun, newRun, plan, startedRun, temporaryStore } from './builders.js';

const machine: Score = { key: 'exact', passed: true, notes: 'fine' };

async function openedRun(): Promise<StoredRun> {
  const store = await temporaryStore();
  return store.openRun(await finishedRun(store, 1));
}

describe('editing a result', () => {
  it('adds one history entry per field', async () => {
    const run = await openedRun();
    const { result } = await run.edit(0, {
      annotation: 'hm',
      scores: [machine, { key: 'tone', value: 3 }],
    });
    expect(result.annotation).to.equal('hm');
    expect(result.correction_history.map(({ timestamp: _, ...rest }) => rest)).to.deep.equal([
      { field: 'annotation', before: '', after: 'hm' },
      {
        field: 'scores',
        before: [machine],
        after: [machine, { key: 'tone', value: 3, source: 'human' }],
      },
    ]);
    for (const { timestamp } of result.correction_history) {
      expect(new Date(timestamp).toISOString()).to.equal(timestamp);
    }
    await run.close();
  });

  it('leaves no trace when nothing changes', async () => {
    const run = await openedRun();
    await run.edit(0, { annotation: 'a', scores: [{ key: 'exact', passed: false }] });
    const before = run.entry(0);
    await run.edit(0, { annotation: 'a', scores: [{ passed: false, key: 'exact' }] });
    await run.edit(0, {});
    expect(run.entry(0)).to.deep.equal(before);
    await run.close();
  });

  it('makes edited scores human and leaves the source of the others', async () => {
    const run = await openedRun();
    const { result } = await run.edit(0, {
      scores: [
        { ...machine, source: 'human' },
        { key: 'b', passed: true },
      ],
    });
    expect(result.scores).to.deep.equal([machine, { key: 'b', passed: true, source: 'human' }]);
    const again = await run.edit(0, { scores: [{ key: 'b', passed: true }] });
    expect(again.result.scores).to.deep.equal([{ key: 'b', passed: true, source: 'human' }]);
    await run.close();
  });

  it('keeps where an assertion failed for as long as its score is not edited', async () => {
    const store = await temporaryStore();
    const asserted = { key: 'sum', passed: false, notes: '3 !== 2', location: 'a.eval.ts:5:10' };
    const owner = await startedRun(store, 1);
    owner.finish([finished(0, { scores: [asserted] })]);
    await owner.close('finished');
    const { run } = owner;
    const { location: _, ...sent } = asserted;
    const kept = await run.edit(0, { scores: [sent, machine] });
    expect(kept.result.scores[0]).to.deep.equal(asserted);
    const { result } = await run.edit(0, { scores: [{ ...sent, passed: true }] });
    expect(result.scores).to.deep.equal([{ ...sent, passed: true, source: 'human' }]);
    await run.close();
  });

  it('gives a value the verdict of the rule of its key, unless it comes with one', async () => {
    const store = await temporaryStore();
    const owner = await store.createRun(newRun());
    owner.plan([plan(0, { score_rules: { near: { threshold: 0.8 }, size: { better: 'lower' } } })]);
    owner.schedule({ kind: 'run', rows: [0] });
    const near: Score = { key: 'near', passed: false, value: 0.5, threshold: 0.8 };
    owner.finish([finished(0, { scores: [near] })]);
    await owner.close('finished');
    const { run } = owner;
    const scoresAfter = async (...scores: Score[]) => (await run.edit(0, { scores })).result.scores;
    // Sent back as it is, or without what it was judged by: nothing changes.
    expect(await scoresAfter(near)).to.deep.equal([near]);
    expect(await scoresAfter({ key: 'near', value: 0.5 })).to.deep.equal([near]);
    expect(run.entry(0).result.correction_history).to.deep.equal([]);
    expect(await scoresAfter({ key: 'near', value: 0.8 }, { key: 'size', value: 3 })).to.deep.equal(
      [
        { key: 'near', passed: true, value: 0.8, threshold: 0.8, source: 'human' },
        { key: 'size', value: 3, better: 'lower', source: 'human' },
      ],
    );
    expect(
      await scoresAfter({ key: 'near', passed: false, value: 0.9, threshold: 0 }),
    ).to.deep.equal([{ key: 'near', passed: false, value: 0.9, threshold: 0.8, source: 'human' }]);
    expect(await scoresAfter({ key: 'near', passed: true })).to.deep.equal([
      { key: 'near', passed: true, source: 'human' },
    ]);
    expect(run.summary().verdicts).to.include({ passed: 1, of: 1 });
    await run.close();
  });

  it('refuses a value that is not on its scale', async () => {
    const store = await temporaryStore();
    const owner = await store.createRun(newRun());
    owner.plan([plan(0, { score_rules: { judge: { scale: [0, 100] } } })]);
    owner.schedule({ kind: 'run', rows: [0] });
    const judge: Score = { key: 'judge', value: 40, scale: [0, 100] };
    owner.finish([finished(0, { scores: [judge] })]);
    await owner.close('finished');
    const { run } = owner;
    const edited = async (value: number) =>
      (await run.edit(0, { scores: [{ key: 'judge', value }] })).result.scores;
    expect(await edited(40)).to.deep.equal([judge]);
    expect(await edited(60)).to.deep.equal([{ ...judge, value: 60, source: 'human' }]);
    const error = await run.edit(0, { scores: [{ key: 'judge', value: 101 }] }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).to.be.an('error').with.property('code', 'bad-request');
    expect(error)
      .to.have.property('message')
      .that.equals('The value of judge must be a number from 0 to 100, its scale, not 101.');
    await run.close();
  });

  it('counts at once in the summary', async () => {
    const run = await openedRun();
    expect(run.head().total_passed).to.equal(1);
    await run.edit(0, { scores: [{ key: 'exact', passed: false }] });
    expect(run.head().total_passed).to.equal(0);
    await run.close();
  });

  it('refuses what is no score, and results that are not there', async () => {
    const run = await openedRun();
    const codeOf = (index: number, score: unknown) =>
      run.edit(index, { scores: [score as Score] }).then(
        () => 'done',
        (error: unknown) => (error instanceof AssayError ? error.code : String(error)),
      );
    expect(await codeOf(0, { key: 'a' })).to.equal('bad-request');
    expect(await codeOf(0, { key: '', passed: true })).to.equal('bad-request');
    expect(await codeOf(0, { key: 'a', value: Number.NaN })).to.equal('bad-request');
    expect(await codeOf(0, { key: 'x'.repeat(201), passed: true })).to.equal('bad-request');
    expect(await codeOf(7, machine)).to.equal('no-such-result');
    expect(await codeOf(-1, machine)).to.equal('no-such-result');
    expect(await codeOf(0.5, machine)).to.equal('no-such-result');
    expect(run.entry(0).result.correction_history).to.deep.equal([]);
    await run.close();
  });

  it('takes keys that are names of object properties as any other', async () => {
    const run = await openedRun();
    const keys = ['__proto__', 'constructor', 'prototype', 'toString'];
    const { result } = await run.edit(0, { scores: keys.map((key) => ({ key, passed: true })) });
    expect(result.scores.map((score) => score.key)).to.deep.equal(keys);
    expect(run.summary().score_chips.map((chip) => chip.key)).to.deep.equal(keys);
    await run.close();
  });

  it('leaves a snapshot that is being read as it was', async () => {
    const run = await openedRun();
    const snapshot = run.snapshot();
    await run.edit(0, { scores: [] });
    for await (const { entry } of snapshot.entries()) {
      expect(entry.result.scores).to.deep.equal([machine]);
    }
    expect(snapshot.head.total_passed).to.equal(1);
    await run.close();
  });
});
