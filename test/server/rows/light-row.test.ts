import { expect } from 'chai';
import type { Json } from '../../../src/model/result.js';
import { lightRowsOf, toLightRow } from '../../../src/server/rows/light-row.js';
import { RowTables } from '../../../src/server/rows/row-table.js';
import { finished, newRun, plan, startedRun, temporaryStore } from '../../store/builders.js';

describe('lightRows', () => {
  it('answers in the order asked for, without what is not there', async () => {
    const owner = await startedRun(await temporaryStore(), 4);
    const rows = await lightRowsOf(new RowTables().current(owner.run), [3, 0, 9, -1, 0]);
    expect(rows.map(({ index }) => index)).to.deep.equal([3, 0, 0]);
  });

  it('shows rows as they are at the moment', async () => {
    const owner = await startedRun(await temporaryStore(), 1);
    const show = async () => (await lightRowsOf(new RowTables().current(owner.run), [0]))[0];
    expect(await show()).to.include({ status: 'pending', passed: null, output: null });
    owner.markRunning([0]);
    expect(await show()).to.include({ status: 'running' });
    owner.finish([finished(0, { output: 'y'.repeat(100_000) })]);
    expect(await show()).to.include({ status: 'completed', passed: true, latency: 0.25 });
    await owner.run.edit(0, { scores: [{ key: 'exact', passed: false }], annotation: 'no' });
    expect(await show()).to.deep.include({
      passed: false,
      annotation: 'no',
      has: ['annotation'],
      scores: [{ key: 'exact', passed: false, source: 'human' }],
      cut: ['output'],
    });
  });

  it('cuts notes, annotations and long lists of scores', async () => {
    const owner = await startedRun(await temporaryStore(), 2);
    const many = Array.from({ length: 150 }, (_, at) => ({ key: `k${at}`, passed: true }));
    owner.finish([
      finished(0, { scores: [{ key: 'a', passed: true, notes: 'n'.repeat(500) }] }),
      finished(1, { scores: many }),
    ]);
    await owner.run.edit(0, { annotation: 'a'.repeat(500) });
    const [first, second] = await lightRowsOf(new RowTables().current(owner.run), [0, 1]);
    expect(first?.scores[0]?.notes).to.have.lengthOf(200);
    expect(first?.annotation).to.have.lengthOf(300);
    expect(first?.cut).to.deep.equal(['scores', 'annotation']);
    expect(second?.scores).to.have.lengthOf(100);
    expect(second?.cut).to.deep.equal(['scores']);
  });

  it('shows long values the same whether it reads all of them or a part', async () => {
    const long: readonly Json[] = [
      'plain '.repeat(16_000),
      '"quoted" \\ and\nlines\t'.repeat(4000),
      '😀ß\u2028\u0000'.repeat(16_000),
      `${',"scores":[]}'.repeat(6000)}{"error":`,
      { text: 'x'.repeat(90_000), scores: [{ key: 'no' }], error: 'no' },
      Array.from({ length: 4000 }, (_, at) => [at, { scores: [], latency: 1, trace_data: {} }]),
      Array.from({ length: 4000 }, (_, at) => ({ role: 'user', content: `message ${at}` })),
      Array.from({ length: 4000 }, (_, at) => ({ role: 'user', at })),
      [[...'nested'.repeat(4000)]],
    ];
    const store = await temporaryStore();
    const owner = await store.createRun(newRun());
    owner.plan(
      long.flatMap((value, at) => [
        plan(at * 4, { input: value }),
        plan(at * 4 + 1, { reference: value, metadata: { a: 1 } }),
        plan(at * 4 + 2, { input: value, reference: value }),
        plan(at * 4 + 3, { metadata: { value } }),
      ]),
    );
    owner.schedule({ kind: 'run', rows: 'all' });
    owner.finish(
      long.flatMap((value, at) => [
        finished(at * 4, { output: value, scores: [{ key: 'a', value: 0.5, notes: 'fine' }] }),
        finished(at * 4 + 1, { output: value, trace_data: { messages: [value] } }),
        finished(at * 4 + 2, { output: 'short', trace_data: { trace_url: 'u', value } }),
        finished(at * 4 + 3, {
          status: 'error',
          error: typeof value === 'string' ? value : 'Error',
          output: value,
          scores: [],
        }),
      ]),
    );
    await owner.run.edit(1, { annotation: 'seen' });
    owner.schedule({ kind: 'rerun', rows: [2] });
    owner.finish([finished(2, { output: 'again '.repeat(30_000) })]);
    const indices = [...owner.run.rows.keys()];
    const read = await lightRowsOf(new RowTables().current(owner.run), indices);
    for (const index of indices) {
      expect(read[index], `${index}`).to.deep.equal(toLightRow(index, owner.run.entry(index)));
    }
    // From memory it is the same.
    expect(await lightRowsOf(new RowTables().current(owner.run), indices)).to.deep.equal(read);
  });

  it('lists outputs of several megabytes without reading all of them', async () => {
    const owner = await startedRun(await temporaryStore(), 8);
    const output = 'a long answer, '.repeat(300_000);
    const indices = [...Array(8).keys()];
    for (const index of indices) owner.finish([finished(index, { output })]);
    const { file } = owner.run.log;
    let bytes = 0;
    for (const read of ['readAt', 'bytesAt'] as const) {
      const original = file[read].bind(file) as (offset: number, length: number) => never;
      file[read] = (offset: number, length: number) => {
        bytes += length;
        return original(offset, length);
      };
    }
    expect((await lightRowsOf(new RowTables().current(owner.run), indices))[7]?.output).to.equal(
      output.slice(0, 300),
    );
    expect(bytes).to.be.within(1, 8 * 32 * 1024);
    // Once shown, they are not read again.
    bytes = 0;
    await lightRowsOf(new RowTables().current(owner.run), indices);
    expect(bytes).to.equal(0);
  });
});
