import { expect } from 'chai';
import type { RunJson } from '../../../src/model/run.js';
import { toReadableRun } from '../../../src/store/exported/read-exported-run.js';
import type { Store } from '../../../src/store/store.js';
import { finished, newRun, plan, readAll, refusal, temporaryStore } from '../builders.js';

/** A run with every kind of row, exported. */
async function exported(store: Store): Promise<RunJson> {
  const owner = await store.createRun(
    newRun({ session_name: 'a/b', created_at_ms: 1_700_000_000_000 }),
  );
  owner.plan([
    plan(0, {
      trial: 1,
      trial_of: 'evals/a.eval.ts::refund[0]',
      id: 'evals/a.eval.ts::refund[0]~1',
    }),
    ...[1, 2, 3, 4, 5].map((index) => plan(index)),
  ]);
  owner.schedule({ kind: 'run', rows: [0, 1, 2, 3, 4] });
  owner.finish([
    finished(0, { metadata: { seen: true } }),
    finished(1, { status: 'error', error: 'Error: no\n  at x', scores: [], latency: null }),
    finished(2, { scores: [{ key: 'tone', value: 0.5 }], regradable: false }),
  ]);
  await owner.run.edit(0, { annotation: 'first', scores: [] });
  await owner.run.edit(0, { annotation: '', scores: [{ key: 'tone', value: 1 }] });
  await owner.run.edit(5, { annotation: 'not run' });
  owner.schedule({ kind: 'regrade', rows: [0] });
  owner.regrade([
    { index: 0, status: 'completed', error: null, scores: [{ key: 'b', passed: true }] },
  ]);
  await owner.run.edit(4, { scores: [{ key: 'early', passed: true }] });
  owner.cancel([3]);
  await owner.close('stopped');
  const results = await readAll(store, owner.run.runId);
  await owner.run.close();
  return JSON.parse(JSON.stringify({ ...owner.run.head(), results })) as RunJson;
}

describe('importing an exported run', () => {
  it('keeps what scores were judged by, also for what people enter then', async () => {
    const store = await temporaryStore();
    const owner = await store.createRun(newRun());
    owner.plan([plan(0)]);
    owner.schedule({ kind: 'run', rows: [0] });
    const near = { key: 'near', passed: false, value: 0.5, threshold: 0.8 };
    owner.finish([finished(0, { scores: [near, { key: 'tokens', value: 9, better: 'lower' }] })]);
    await owner.close('finished');
    const results = await readAll(store, owner.run.runId);
    await owner.run.close();
    const target = await temporaryStore();
    const document = JSON.parse(JSON.stringify({ ...owner.run.head(), results }));
    const run = await target.openRun((await target.importRun(document)).run_id);
    expect(run.entry(0).result.scores).to.deep.equal(results[0]?.result.scores);
    const edited = await run.edit(0, { scores: [{ key: 'near', value: 0.9 }] });
    expect(edited.result.scores).to.deep.equal([
      { ...near, passed: true, value: 0.9, source: 'human' },
    ]);
    await run.close();
  });

  it('keeps how the last execution ended, and by what its calls were priced', async () => {
    const store = await temporaryStore();
    const owner = await store.createRun(newRun());
    owner.plan([plan(0), plan(1)]);
    owner.schedule({ kind: 'run', rows: [0, 1], maxCost: 1 });
    expect(owner.run.head()).to.include({ state: 'running', max_cost: 1 });
    owner.finish([finished(0)]);
    owner.cancel([1]);
    await owner.close('finished', {
      prices: 'a-list 1.2.3',
      waited: { small: 6.25 },
      budget: { max_cost: 1, spent: 1.2, refused: [] },
    });
    const results = await readAll(store, owner.run.runId);
    await owner.run.close();
    const head = {
      ...{ prices: 'a-list 1.2.3', waited: { small: 6.25 } },
      ...{ max_cost: 1, outcome: 'budget' },
    };
    expect(owner.run.head()).to.deep.include(head);
    const document = JSON.parse(JSON.stringify({ ...owner.run.head(), results }));
    expect(toReadableRun(document).head).to.deep.include(head);
    const target = await temporaryStore();
    const made = await target.importRun(document);
    const run = await target.openRun(made.run_id);
    expect(run.head()).to.deep.include(head);
    await run.close();
    for (const [field, value] of [
      ['prices', 1],
      ['waited', { small: '6' }],
      ['max_cost', '1'],
      ['outcome', 'done'],
    ]) {
      const wrong = { ...document, [String(field)]: value };
      expect((await refusal(() => target.importRun(wrong))).message).to.include(
        `/${field} must be`,
      );
    }
  });

  it('gives back exactly what was exported', async () => {
    const document = await exported(await temporaryStore());
    const store = await temporaryStore();
    const made = await store.importRun(document);
    expect(made).to.deep.equal({
      run_id: document.run_id,
      run_name: 'brisk-otter',
      session_name: 'a/b',
    });
    const run = await store.openRun(made.run_id);
    const results = await readAll(store, made.run_id);
    expect({ ...run.head(), results }).to.deep.equal(document);
    expect(new Set(run.rows.map((row) => row.evaluation)).size).to.equal(1);
    await run.close();
  });

  it('keeps the number of full passes, and counts on from it', async () => {
    const document = await exported(await temporaryStore());
    const summary = { ...document.summary, passes: 3 };
    const target = await temporaryStore();
    const { run_id } = await target.importRun({ ...document, summary });
    const owner = await target.ownRun(run_id);
    expect(owner.run.head().summary.passes).to.equal(3);
    expect(owner.run.ratesBefore).to.deep.equal([]);
    const all = [...owner.run.rows.keys()];
    owner.schedule({ kind: 'rerun', rows: 'all', newPass: all, beginsPass: true });
    expect(owner.run.countedFigures(true).passes).to.equal(4);
    expect(owner.run.ratesBefore).to.have.length(1);
    await owner.close('stopped');
    await owner.run.close();
  });

  it('keeps when the run began and last changed, where the document says it', async () => {
    const document = await exported(await temporaryStore());
    const times = { created_at: 3000, started_at: 1000, updated_at: 5000 };
    const { started_at: _, updated_at: __, ...older } = { ...document, ...times };
    for (const [given, expected] of [
      [{ ...document, ...times }, times],
      [older, { created_at: 3000, started_at: 3000, updated_at: 3000 }],
    ] as const) {
      const store = await temporaryStore();
      const { run_id } = await store.importRun(given);
      const run = await store.openRun(run_id);
      expect(run.head()).to.include(expected);
      await run.close();
    }
  });

  it('takes two spellings of a reviewer for one, and refuses names that nobody could give', async () => {
    const store = await temporaryStore();
    const document = await exported(store);
    const label = (reviewer: string, verdict: 'pass' | 'fail') => ({
      ...{ index: 0, key: 'tone', reviewer, verdict, output_hash: 'h' },
      at: '2026-01-01T00:00:00.000Z',
    });
    const withLabels = (...labels: readonly ReturnType<typeof label>[]) => ({
      ...{ ...document, run_id: 'none of ours' },
      review: { samples: [], labels, rubrics: { texts: {} } },
    });
    const spelt = withLabels(label('Jos\u00e9', 'pass'), label(' Jose\u0301 ', 'fail'));
    const run = await store.openRun((await store.importRun(spelt)).run_id);
    const said = run.log.index.review.labelsOf(0).map((one) => [one.reviewer, one.verdict]);
    expect(said).to.deep.equal([['Jos\u00e9', 'fail']]);
    await run.close();
    const before = (await store.listRuns('a/b')).length;
    const hidden = withLabels(label('ada\u200b', 'pass'));
    expect(await refusal(() => store.importRun(hidden))).to.include({ code: 'bad-request' });
    expect(await store.listRuns('a/b')).to.have.length(before);
  });

  it('takes a fresh id when the id is taken, and the session it is told', async () => {
    const store = await temporaryStore();
    const document = await exported(store);
    const made = await store.importRun(document, { session: 'other' });
    expect(made.run_id)
      .to.match(/^[0-9a-f]{12}$/)
      .and.not.equal(document.run_id);
    expect(made.session_name).to.equal('other');
    expect(await readAll(store, made.run_id)).to.deep.equal(document.results);
  });

  it('keeps what a hand changed in the file, also where history and values disagree', async () => {
    const store = await temporaryStore();
    const document = await exported(store);
    const [first] = document.results;
    if (first === undefined) throw new Error('no result');
    const changed = {
      ...document,
      total_evaluations: 1,
      results: [{ ...first, result: { ...first.result, annotation: 'by hand', scores: [] } }],
    };
    const { run_id } = await store.importRun(changed);
    expect(await readAll(store, run_id)).to.deep.equal(changed.results);
  });

  it('makes a running result a pending one', async () => {
    const store = await temporaryStore();
    const document = await exported(store);
    const results = document.results.slice(3, 4).map((entry) => ({
      ...entry,
      result: { ...entry.result, status: 'running' as const },
    }));
    const { run_id } = await store.importRun({ ...document, total_evaluations: 1, results });
    const run = await store.openRun(run_id);
    expect(run.rows[0]?.status).to.equal('pending');
    expect(run.state).to.equal('interrupted');
    await run.close();
  });
});
