import { expect } from 'chai';
import { jsonExporter } from '../../src/exporters/json.js';
import { toReadableRun } from '../../src/store/exported/read-exported-run.js';
import type { RunOwner } from '../../src/store/run-owner.js';
import type { Store } from '../../src/store/store.js';
import type { StoredRun } from '../../src/store/stored-run.js';
import { openStreamedRun } from '../../src/store/streamed-run.js';
import { repeatedText } from '../../src/text/repeats-text.js';
import { finished, finishedRun, refusal, temporaryStore } from './builders.js';

let second = 0;
const graded = (index: number, isPass: boolean, more = {}) => {
  second += 1;
  const started_at = new Date(second * 1000).toISOString();
  const scores = [{ key: 'exact', passed: isPass }];
  return finished(index, { scores, code: 'one', started_at, ...more });
};
const passed = (index: number, more = {}) => graded(index, true, more);
const failed = (index: number, more = {}) => graded(index, false, more);

/** The rate that counts, and the number of rows that pass now. */
function rates(run: StoredRun) {
  const { verdicts, pass_rate, totals, repeats } = run.summary();
  return {
    rate: `${verdicts.passed}/${verdicts.of}`,
    interval: `${pass_rate?.passed}/${pass_rate?.total}`,
    now: totals.total_passed,
    repeats,
  };
}

describe('attempts that count', () => {
  let store: Store;
  let owner: RunOwner;

  /** Four rows, of which the last two have failed. */
  beforeEach(async () => {
    store = await temporaryStore();
    const id = await finishedRun(store, 4);
    owner = await store.ownRun(id);
    owner.schedule({ kind: 'rerun', rows: 'all', newPass: [0, 1, 2, 3], beginsPass: true });
    owner.finish([passed(0), passed(1), failed(2), failed(3)]);
  });
  afterEach(() => owner.run.close());

  async function again(): Promise<StoredRun> {
    await owner.release();
    return store.openRun(owner.run.runId);
  }

  it('stay those of the pass when failed rows run again, however often', async () => {
    for (let round = 0; round < 3; round += 1) {
      owner.schedule({ kind: 'rerun', rows: [2, 3] });
      owner.finish([passed(2), failed(3)]);
    }
    const expected = { rate: '2/4', interval: '2/4', now: 3, repeats: { results: 2, passed: 1 } };
    expect(rates(owner.run)).to.deep.equal(expected);
    const read = await again();
    expect(rates(read)).to.deep.equal(expected);
    expect(read.rows[2]?.status).to.equal('completed');
    expect(read.rows[2]?.scores).to.deep.equal([{ key: 'exact', passed: true }]);
    expect(read.entry(2).counted?.scores).to.deep.equal([{ key: 'exact', passed: false }]);
    expect(read.counted.entry(2).result.scores).to.deep.equal([{ key: 'exact', passed: false }]);
    await read.close();
  });

  it('are the new ones once all rows ran again, with the rate before', async () => {
    owner.schedule({ kind: 'rerun', rows: [2, 3] });
    owner.finish([passed(2), passed(3)]);
    owner.schedule({ kind: 'rerun', rows: 'all', newPass: [0, 1, 2, 3], beginsPass: true });
    owner.finish([passed(0), failed(1), passed(2), passed(3)]);
    expect(rates(owner.run)).to.deep.equal({
      ...{ rate: '3/4', interval: '3/4', now: 3, repeats: undefined },
    });
    expect(owner.run.ratesBefore).to.deep.equal([
      { passed: 4, of: 4 },
      { passed: 2, of: 4 },
    ]);
  });

  it('are those that complete a pass which was stopped, or whose model could not be reached', async () => {
    owner.schedule({ kind: 'rerun', rows: 'all', newPass: [0, 1, 2, 3], beginsPass: true });
    owner.finish([
      passed(0),
      failed(1),
      finished(2, { status: 'error', error: '429', scores: [], no_draw: true }),
    ]);
    owner.cancel([3]);
    owner.schedule({ kind: 'rerun', rows: [1, 2, 3] });
    owner.finish([passed(1), passed(2), passed(3)]);
    expect(rates(owner.run)).to.deep.include({ rate: '3/4', now: 4 });
    expect(owner.run.summary().repeats).to.deep.equal({ results: 1, passed: 1 });
  });

  it('keep their grades when a part is graded again, and take the new ones when all are', async () => {
    const grade = (index: number, isPass: boolean, more = {}) => ({
      ...{ index, status: 'completed' as const, error: null, code: 'two' },
      scores: [{ key: 'exact', passed: isPass }],
      ...more,
    });
    owner.schedule({ kind: 'regrade', rows: [2] });
    owner.regrade([grade(2, true)]);
    expect(rates(owner.run)).to.deep.equal({
      ...{ rate: '2/4', interval: '2/4', now: 3 },
      repeats: { results: 1, passed: 1, regraded: 1, other_code: 1 },
    });
    owner.schedule({ kind: 'regrade', rows: 'all', newPass: [0, 1, 2, 3], beginsPass: true });
    owner.regrade([0, 1, 2, 3].map((index) => grade(index, index !== 0, { pass: true })));
    expect(rates(owner.run)).to.deep.include({ rate: '3/4', now: 3, repeats: undefined });
  });

  it('are told from other grades of them in logs that do not say when attempts began', async () => {
    const undated = { started_at: undefined, latency: null };
    owner.schedule({ kind: 'rerun', rows: 'all', newPass: [0, 1, 2, 3], beginsPass: true });
    owner.finish([0, 1, 2, 3].map((index) => failed(index, undated)));
    owner.schedule({ kind: 'rerun', rows: [1, 2] });
    owner.finish([failed(1, undated), passed(2, undated)]);
    owner.schedule({ kind: 'regrade', rows: [2, 3] });
    owner.regrade(
      [2, 3].map((index) => ({
        ...{ index, status: 'completed' as const, error: null, code: 'one' },
        scores: [{ key: 'exact', passed: true }],
      })),
    );
    const expected = { results: 3, passed: 2, regraded: 1 };
    expect(owner.run.summary().repeats).to.deep.equal(expected);
    const read = await again();
    expect(read.summary().repeats).to.deep.equal(expected);
    await read.close();
  });

  it('say how many verdicts differ from a grading before by the same code', async () => {
    const grade = (index: number, isPass: boolean, code: string) => ({
      ...{ index, status: 'completed' as const, error: null, code, pass: true },
      scores: [
        { key: 'exact', passed: isPass },
        { key: 'size', value: index },
      ],
    });
    const noise = () => owner.run.head().grading_noise;
    const all = { kind: 'regrade', rows: 'all', newPass: [0, 1, 2, 3], beginsPass: true } as const;
    owner.schedule(all);
    owner.regrade([0, 1, 2, 3].map((index) => grade(index, index > 0, 'one')));
    expect(noise()).to.deep.equal([{ key: 'exact', differ: 3, of: 4 }]);
    const read = await again();
    expect(read.head().grading_noise).to.deep.equal(noise());
    await read.close();
  });

  it('say nothing of verdicts of changed graders, or of a person', async () => {
    const grade = (index: number, code: string) => ({
      ...{ index, status: 'completed' as const, error: null, code, pass: true },
      scores: [{ key: 'exact', passed: index > 1 }],
    });
    await owner.run.edit(0, { scores: [{ key: 'exact', passed: false }] });
    owner.schedule({ kind: 'regrade', rows: 'all' });
    owner.regrade([grade(0, 'one'), ...[1, 2, 3].map((index) => grade(index, 'two'))]);
    expect(owner.run.head()).not.to.have.property('grading_noise');
  });

  it('are of no new pass when a regrade has left results', async () => {
    const passes = () => owner.run.ratesBefore.length;
    expect(passes()).to.equal(1);
    const all = { kind: 'regrade', rows: 'all', newPass: [0, 1, 2, 3], beginsPass: true } as const;
    owner.schedule(all);
    expect(passes()).to.equal(2);
    owner.leave([1]);
    owner.leave([2]);
    expect(passes()).to.equal(1);
    owner.schedule(all);
    owner.end({ outcome: 'finished' });
    owner.leave([3]);
    const read = await again();
    expect(read.ratesBefore).to.have.length(2);
    await read.close();
  });

  it('get the grade of their own output when all are graded again after a repeat', async () => {
    owner.schedule({ kind: 'rerun', rows: [2] });
    owner.finish([passed(2, { output: 'another' })]);
    owner.schedule({ kind: 'regrade', rows: 'all', newPass: [0, 1, 2, 3], beginsPass: true });
    const regraded = { status: 'completed' as const, error: null, scores: [] };
    owner.regrade([
      { ...regraded, index: 2, scores: [{ key: 'exact', passed: false, notes: 'of the repeat' }] },
      { ...regraded, index: 2, attempt: 'counted', scores: [{ key: 'exact', passed: true }] },
    ]);
    const read = await again();
    expect(rates(read)).to.deep.include({ rate: '3/4', now: 2 });
    expect(read.counted.entry(2).result).to.deep.include({ output: 'out 2' });
    expect(read.entry(2).result).to.deep.include({ output: 'another' });
    await read.close();
  });

  it('are edited with the newest one if their outputs are equal', async () => {
    owner.schedule({ kind: 'rerun', rows: [2, 3] });
    owner.finish([passed(2), passed(3, { output: 'another' })]);
    for (const index of [2, 3]) {
      const scores = [
        { key: 'exact', passed: true },
        { key: 'tone', passed: true },
      ];
      await owner.run.edit(index, { scores });
    }
    expect(owner.run.counted.entry(2).result.scores).to.deep.equal([
      { key: 'exact', passed: false },
      { key: 'tone', passed: true, source: 'human' },
    ]);
    expect(owner.run.counted.entry(3).result.scores).to.deep.equal([
      { key: 'exact', passed: false },
    ]);
  });

  it('are edited by themselves where asked for, whatever their outputs are', async () => {
    owner.schedule({ kind: 'rerun', rows: [2, 3] });
    owner.finish([passed(2), passed(3, { output: 'another' })]);
    const right = [{ key: 'exact', passed: true, notes: 'read by hand' }];
    for (const index of [2, 3]) await owner.run.edit(index, { countedScores: right });
    expect(rates(owner.run)).to.deep.include({ rate: '4/4', now: 4 });
    const read = await again();
    for (const index of [2, 3]) {
      const { counted, result } = read.entry(index);
      expect(counted?.scores).to.deep.equal([{ ...right[0], source: 'human' }]);
      expect(counted?.correction_history).to.have.length(1);
      expect(result.scores).to.deep.equal([{ key: 'exact', passed: true }]);
      expect(result.correction_history).to.deep.equal([]);
    }
    await read.edit(3, { scores: [{ key: 'exact', passed: false }], countedScores: [] });
    expect(rates(read)).to.deep.include({ rate: '3/3', now: 3 });
    const error = await refusal(() => read.edit(0, { countedScores: right }));
    expect(error.message).to.match(/is no repeat/);
    await read.close();
  });

  it('are the oldest ones of a log that does not tell full passes, and it says so until there is one', async () => {
    const at = new Date().toISOString();
    const again = { type: 'scheduled', at, kind: 'rerun', rows: 'all' } as const;
    owner.copy([again]);
    owner.finish([passed(0), failed(1), passed(2), passed(3)]);
    owner.schedule({ kind: 'rerun', rows: [1] });
    owner.finish([passed(1)]);
    const repeats = { results: 4, passed: 4, of_older_version: true };
    const rate = { rate: '2/4', now: 4, repeats };
    expect(rates(owner.run)).to.deep.include(rate);
    expect(repeatedText(repeats)).to.match(/when run again, by a version that did not tell full/);
    const { folder } = owner.run;
    await owner.close('finished');
    const streamed = await openStreamedRun(folder);
    expect(streamed.run.head.repeats).to.deep.equal(repeats);
    let text = '';
    for await (const piece of jsonExporter.render(streamed.run)) text += piece;
    await streamed.close();
    expect(toReadableRun(JSON.parse(text)).head.repeats).to.deep.equal(repeats);
    const other = await temporaryStore();
    const imported = await other.ownRun((await other.importRun(JSON.parse(text))).run_id);
    expect(rates(imported.run)).to.deep.include(rate);
    imported.schedule({ kind: 'rerun', rows: 'all', newPass: [0, 1, 2, 3], beginsPass: true });
    imported.finish([passed(0), passed(1), passed(2), failed(3)]);
    imported.schedule({ kind: 'rerun', rows: [3] });
    imported.finish([passed(3)]);
    expect(imported.run.summary().repeats).to.deep.equal({ results: 1, passed: 1 });
    await imported.release();
    await imported.run.close();
  });

  it('that completed a pass with other code are of one system once the others have run again', async () => {
    owner.schedule({ kind: 'rerun', rows: 'all', newPass: [0, 1, 2, 3], beginsPass: true });
    owner.finish([passed(0), passed(1)]);
    owner.schedule({ kind: 'resume', rows: [2, 3] });
    owner.finish([failed(2, { code: 'two' }), passed(3, { code: 'two' })]);
    owner.schedule({ kind: 'rerun', rows: [2] });
    owner.finish([passed(2, { code: 'two' })]);
    expect(owner.run.summary().mixed).to.deep.equal({ other_code: 2 });
    expect(owner.run.entry(2).counted).to.include({ other_code: true });
    owner.confirmCode([2, 3]);
    owner.schedule({ kind: 'rerun', rows: [0, 1], newPass: [0, 1], beginsPass: true });
    owner.finish([passed(0, { code: 'two' }), passed(1, { code: 'two' })]);
    const { folder } = owner.run;
    const { mixed, verdicts } = owner.run.summary();
    expect([mixed, verdicts.passed]).to.deep.equal([undefined, 3]);
    await owner.close('finished');
    const streamed = await openStreamedRun(folder);
    let text = '';
    for await (const piece of jsonExporter.render(streamed.run)) text += piece;
    await streamed.close();
    expect(text).to.include('"counted"').and.to.not.include('other_code');
    const read = await again();
    expect(read.summary()).to.not.have.property('mixed');
    await read.close();
  });

  it('go through an export and an import', async () => {
    owner.schedule({ kind: 'rerun', rows: [2, 3] });
    owner.finish([passed(2, { code: 'two' }), failed(3, { code: 'two' })]);
    let text = '';
    for await (const piece of jsonExporter.render(owner.run.snapshot())) text += piece;
    const document = JSON.parse(text);
    expect(document.repeats).to.deep.equal({ results: 2, passed: 1, other_code: 2 });
    const other = await temporaryStore();
    const { run_id } = await other.importRun(document);
    const imported = await other.openRun(run_id);
    expect(rates(imported)).to.deep.equal(rates(owner.run));
    expect(imported.entry(2).counted).to.deep.equal(owner.run.entry(2).counted);
    await imported.close();
  });
});
