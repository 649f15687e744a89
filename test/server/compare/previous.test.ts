import { expect } from 'chai';
import { casesOf } from '../../../src/compare/cases/group-by-case.js';
import { compareCases } from '../../../src/compare/compare-cases.js';
import { AssayError } from '../../../src/errors.js';
import { Comparisons, promptResults } from '../../../src/server/compare/comparisons.js';
import { PreviousRuns } from '../../../src/server/compare/previous-runs.js';
import { RowTables } from '../../../src/server/rows/row-table.js';
import type { RunOwner } from '../../../src/store/run-owner.js';
import { finished, newRun, plan } from '../../store/builders.js';
import { judged, serveRuns } from './served-runs.js';

const target = ({ run }: RunOwner, query = '') => `/api/runs/${run.runId}/rows?${query}`;

const names = Array.from({ length: 12 }, (_, n) => `case_${n}`);

const comparison = (base: RunOwner, other: RunOwner) => {
  const [one, two] = [base, other].map(({ run }) => casesOf(run.rows));
  return JSON.parse(JSON.stringify(compareCases(one ?? [], two ?? []).summary));
};

describe('the summary of rows: previous', () => {
  it('is null without an earlier run of its kind, whatever other sessions have, and says so', async () => {
    const { run, ask } = await serveRuns();
    await run([judged('a', true)], 'elsewhere', 'another');
    const first = await run([judged('a', true)], 'first');
    expect((await ask(target(first))).summary).to.deep.include({
      previous: null,
      no_previous: 'no earlier run of config default',
    });
    const other = await run([judged('b', true)], 'other cases');
    expect((await ask(target(other))).summary).to.deep.include({
      previous: null,
      no_previous: 'no earlier run of config default shares 80 % of the cases',
    });
  });

  it('is the run that started before, with the paired differences', async () => {
    const { run, ask } = await serveRuns();
    await run(
      names.slice(2).map((name) => judged(name, true)),
      'oldest',
    );
    const before = await run(
      names.map((name) => judged(name, true)),
      'before',
    );
    const after = await run(
      names.map((name, n) => judged(name, n > 7)),
      'after',
    );
    const { previous } = (await ask(target(after))).summary;
    expect(previous).to.deep.equal({
      run_id: before.run.runId,
      run_name: 'before',
      timestamp: before.run.head().created_at,
      started_at: before.run.head().started_at,
      updated_at: before.run.head().updated_at,
      total_evaluations: 12,
      total_passed: 12,
      total_errors: 0,
      score_chips: [{ key: 'exact', type: 'ratio', passed: 12, total: 12 }],
      comparison: comparison(before, after),
      is_current: true,
    });
    expect(previous.comparison.scores[0]).to.deep.include({ key: 'exact', beyond_chance: true });
    expect((await ask(target(before))).summary.previous.run_name).to.equal('oldest');
  });

  it('is of all results, regardless of the filter', async () => {
    const { run, ask } = await serveRuns();
    await run(names.map((name) => judged(name, true)));
    const after = await run(names.map((name, n) => judged(name, n > 7)));
    const all = (await ask(target(after))).summary;
    const failed = (await ask(target(after, 'status=failed'))).summary;
    expect(failed.counts.results).to.equal(8);
    expect(failed.previous).to.deep.equal(all.previous);
  });

  it('follows what becomes of the run before, and so does the version of the rows', async () => {
    const { run, get, store } = await serveRuns();
    const before = await run([judged('a', true)], 'before');
    const after = await run([judged('a', true)]);
    const read = async () => {
      const { headers } = await get(target(after));
      return headers.get('etag') ?? '';
    };
    const changed = async (etag: string) => {
      const { status, body } = await get(target(after), { 'if-none-match': etag });
      expect(status).to.equal(200);
      return body.summary.previous;
    };
    let etag = await read();
    expect((await get(target(after), { 'if-none-match': etag })).status).to.equal(304);
    await before.run.edit(0, { scores: [{ key: 'exact', passed: false }] });
    expect((await changed(etag)).comparison.changes.fixed).to.equal(1);
    etag = await read();
    await store.renameRun(before.run.runId, 'renamed');
    expect((await changed(etag)).run_name).to.equal('renamed');
    etag = await read();
    await before.run.close();
    await store.deleteRun(before.run.runId);
    expect(await changed(etag)).to.equal(null);
  });

  it('does not keep a long run waiting, unless it is asked to', async () => {
    const { run, store, ask, get } = await serveRuns();
    const long = async (created_at_ms: number) => {
      const owner = await store.createRun(newRun({ created_at_ms }));
      const indices = Array.from({ length: promptResults }, (_, index) => index);
      owner.plan(indices.map((index) => plan(index)));
      owner.schedule({ kind: 'run', rows: 'all' });
      owner.finish(indices.map((index) => finished(index, { latency: index / 7 })));
      await owner.close('finished');
      return owner;
    };
    const before = await long(1);
    const after = await long(2);
    await run([], 'elsewhere', 'another');
    const first = (await ask(target(after, 'limit=1'))).summary.previous;
    expect(first).to.include({ run_id: before.run.runId, comparison: null, is_current: false });
    const patient = await get(target(after, 'limit=1&wait=true'));
    const { previous } = patient.body.summary;
    expect(previous.is_current).to.equal(true);
    expect(previous.comparison.changes.same).to.equal(promptResults);
    const later = (await ask(target(after, 'limit=1'))).summary.previous;
    expect(later).to.deep.equal(previous);
  });

  it('is there while the run is in progress, and right when it has ended', async () => {
    const { run, store, ask } = await serveRuns();
    await run([judged('refund', true), judged('other', true)]);
    const owner = await store.createRun(newRun());
    owner.plan(
      ['refund', 'other'].map((name, index) => plan(index, { id: `evals/a.eval.ts::${name}` })),
    );
    owner.schedule({ kind: 'run', rows: 'all' });
    const counts = async () =>
      (await ask(`/api/runs/${owner.run.runId}/rows?wait=true`)).summary.previous.comparison
        .changes;
    expect(await counts()).to.include({ not_paired: 2 });
    owner.finish([finished(0, { scores: [{ key: 'exact', passed: false }] })]);
    expect(await counts()).to.include({ regressed: 1, not_paired: 1 });
    owner.finish([finished(1, { scores: [{ key: 'exact', passed: true }] })]);
    await owner.close('finished');
    const page = await ask(`/api/runs/${owner.run.runId}/rows`);
    expect(page.summary.previous.is_current).to.equal(true);
    expect(page.summary.previous.comparison.changes).to.include({ regressed: 1, not_paired: 0 });
  });

  it('has no comparison when the run before is gone by then', async () => {
    const { run, store } = await serveRuns();
    const before = await run([judged('a', true)], 'before');
    const after = await run([judged('a', true)]);
    const tables = new RowTables();
    const read = (id: string) => {
      throw new AssayError('no-such-run', `There is no run ${id}.`);
    };
    const runs = { read, listRuns: (session: string) => store.listRuns(session) };
    const previousRuns = new PreviousRuns(runs, tables, new Comparisons());
    const { previous } = await previousRuns.of(tables.current(after.run), false);
    expect(previous).to.include({ run_id: before.run.runId, comparison: null, is_current: true });
  });
});

describe('the groups of rows: difference', () => {
  const groups = ({ run }: RunOwner, query: string) =>
    `/api/runs/${run.runId}/rows/groups?${query}`;
  const inSet = (dataset: string, passed: string) =>
    [...passed].map((one, n) => ({
      ...judged(`${dataset}_${n}`, one === '+'),
      plan: { dataset, labels: ['all', ...(n === 0 ? ['first'] : [])] },
    }));

  it('is the paired one of the group, regardless of filters', async () => {
    const { run, ask, get } = await serveRuns();
    const before = await run([...inSet('a', '+++++++++'), ...inSet('b', '++')], 'before');
    const after = await run([...inSet('a', '--------+'), ...inSet('b', '+-'), ...inSet('c', '+')]);
    const read = await ask(groups(after, 'by=dataset'));
    expect(read.previous).to.deep.equal({ run_id: before.run.runId, run_name: 'before' });
    expect(read.groups[0]).to.deep.include({ key: 'a', results: 9, passed: 1 });
    expect(read.groups[0].difference).to.deep.include({ pairs: 9, beyond_chance: true });
    expect(read.groups[0].difference.difference.estimate).to.be.closeTo(-8 / 9, 1e-12);
    expect(read.groups[1].difference).to.deep.include({ pairs: 2, beyond_chance: false });
    expect(read.groups[2]).to.deep.include({ key: 'c' });
    expect(read.groups[2].difference).to.deep.include({ pairs: 0, difference: null });
    const passedOnly = await ask(groups(after, 'by=dataset&status=passed&dataset=a'));
    expect(passedOnly.groups).to.have.length(1);
    expect(passedOnly.groups[0].difference).to.deep.equal(read.groups[0].difference);

    const { headers } = await get(groups(after, 'by=dataset'));
    await before.run.edit(0, { scores: [{ key: 'exact', passed: false }] });
    const again = await get(groups(after, 'by=dataset'), {
      'if-none-match': headers.get('etag') ?? '',
    });
    expect(again.status).to.equal(200);
    expect(again.body.groups[0].difference.lower).to.equal(7);
  });

  it('is absent in the first run of a session, and for groups by output', async () => {
    const { run, ask } = await serveRuns();
    const first = await run(inSet('a', '++'), 'first');
    expect(await ask(groups(first, 'by=label'))).to.deep.include({
      previous: null,
      no_previous: 'no earlier run of config default',
    });
    const second = await run(inSet('a', '++'));
    const read = await ask(groups(second, 'by=output'));
    expect(read.previous.not_compared).to.equal('groups by output depend on the outcome');
    expect(read.groups.some((group: object) => 'difference' in group)).to.equal(false);
  });
});
