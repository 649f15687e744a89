import { expect } from 'chai';
import { type GivenRow, serveRows } from './served-rows.js';

const ten: readonly GivenRow[] = Array.from({ length: 10 }, () => ({ finish: {} }));

describe('GET /api/runs/{run_id}/rows', () => {
  it('answers with light rows, counts and a summary', async () => {
    const { rows, owner } = await serveRows([
      {
        plan: { input: { city: 'Rome', days: [1, 2] }, reference: 'sun\nand rain' },
        finish: { output: 'x'.repeat(400), trace_data: { trace_url: 'https://example.com/t' } },
      },
    ]);
    const page = await rows();
    expect(page).to.include({ total: 1, filtered: 1, count: 1, offset: 0 });
    expect(page.rows).to.deep.equal([
      {
        index: 0,
        id: 'evals/a.eval.ts::refund[0]',
        function: 'refund[0]',
        dataset: 'a',
        labels: ['smoke'],
        regradable: true,
        status: 'completed',
        passed: true,
        latency: 0.25,
        scores: [{ key: 'exact', passed: true, notes: 'fine' }],
        input: '{"city":"Rome","days":[1,2]}',
        output: 'x'.repeat(300),
        reference: 'sun and rain',
        error: null,
        annotation: '',
        has: ['trace_url'],
        cut: ['output'],
      },
    ]);
    expect(page.summary.counts.results).to.equal(1);
    await owner.run.edit(0, { annotation: 'Look' });
    expect((await rows()).rows[0]).to.deep.include({
      annotation: 'Look',
      has: ['annotation', 'trace_url'],
    });
  });

  it('pages by offset and limit, 100 rows when nothing is said', async () => {
    const { rows } = await serveRows(Array.from({ length: 250 }, () => ({ finish: {} })));
    const indicesOf = async (query: string) =>
      (await rows(query)).rows.map(({ index }: { index: number }) => index);
    expect(await indicesOf('')).to.have.lengthOf(100);
    expect(await indicesOf('offset=248')).to.deep.equal([248, 249]);
    expect(await indicesOf('offset=3&limit=2')).to.deep.equal([3, 4]);
    expect(await indicesOf('limit=500')).to.have.lengthOf(250);
    expect(await indicesOf('limit=0')).to.deep.equal([]);
    expect(await rows('offset=1000')).to.deep.include({ rows: [], filtered: 250, offset: 1000 });
  });

  it('leaves out the summary when that is not asked for, and is the same otherwise', async () => {
    const { rows, get } = await serveRows(ten);
    for (const query of ['offset=3&limit=4', 'sort=latency&order=desc', 'fold=trials']) {
      const { summary, ...page } = await rows(query);
      expect(summary.counts.results).to.equal(10);
      expect(await rows(`${query}&summary=false`)).to.deep.equal(page);
      expect(await rows(`${query}&summary=true`)).to.deep.equal({ ...page, summary });
    }
    const { headers } = await get('rows?summary=false');
    const known = { 'If-None-Match': headers.get('etag') ?? '' };
    expect((await get('rows?summary=false', known)).status).to.equal(304);
  });

  it('answers 304 until a row changes', async () => {
    const { get, owner } = await serveRows(ten);
    const first = await get('rows?limit=1');
    const headers = { 'If-None-Match': first.headers.get('etag') ?? '' };
    expect((await get('rows?limit=1', headers)).status).to.equal(304);
    expect((await get('rows/indices')).headers.get('etag')).to.be.a('string');
    await owner.run.edit(9, { annotation: 'Look' });
    expect((await get('rows?limit=1', headers)).status).to.equal(200);
  });

  it('works on a run without results', async () => {
    const { rows, indices } = await serveRows([]);
    const page = await rows('search=a&has=error&sort=latency&fold=trials&flaky=true');
    expect(page).to.include({ total: 0, filtered: 0, count: 0 });
    expect(page.summary.counts.pass_rate).to.equal(null);
    expect(page.summary.latency).to.deep.equal({
      count: 0,
      average: null,
      p50: null,
      p95: null,
      histogram: [],
    });
    expect(await indices()).to.deep.equal([]);
  });
});

describe('GET /api/runs/{run_id}/rows/indices', () => {
  it('answers with every index that matches, sorted', async () => {
    const { get } = await serveRows(
      ten.map((row, index) => ({ ...row, plan: { dataset: index % 2 === 0 ? 'even' : 'odd' } })),
    );
    const { body } = await get('rows/indices?dataset=odd&order=desc');
    expect(body).to.deep.equal({ indices: [9, 7, 5, 3, 1], total: 10, filtered: 5 });
  });
});

describe('sorting rows', () => {
  it('puts texts in the order in which people read them', async () => {
    const names = ['b', 'a[10]', 'A[9]', 'a[9]', 'a[010]', 'Z'];
    const { indices } = await serveRows(names.map((name) => ({ plan: { function: name } })));
    expect((await indices('sort=function')).map((index) => names[index])).to.deep.equal([
      'A[9]',
      'a[9]',
      'a[010]',
      'a[10]',
      'b',
      'Z',
    ]);
    expect(await indices('sort=function&order=desc')).to.deep.equal([5, 0, 1, 4, 3, 2]);
  });

  it('keeps equal rows in order of index, both ways', async () => {
    const { indices } = await serveRows(
      ['x', 'y', 'x', 'y'].map((dataset) => ({ plan: { dataset } })),
    );
    expect(await indices('sort=dataset')).to.deep.equal([0, 2, 1, 3]);
    expect(await indices('sort=dataset&order=desc')).to.deep.equal([1, 3, 0, 2]);
    expect(await indices('order=desc')).to.deep.equal([3, 2, 1, 0]);
  });

  it('puts rows without the value last, both ways', async () => {
    const latencies = [2, null, 0.5, 0, null, 1];
    const { indices } = await serveRows(latencies.map((latency) => ({ finish: { latency } })));
    expect(await indices('sort=latency')).to.deep.equal([3, 2, 5, 0, 1, 4]);
    expect(await indices('sort=latency&order=desc')).to.deep.equal([0, 5, 2, 3, 1, 4]);
  });

  it('sorts by a score: its value, else whether it passed; keys may hold colons', async () => {
    const { indices } = await serveRows([
      { finish: { scores: [{ key: 'a:b', value: -2 }] } },
      { finish: { scores: [] } },
      { finish: { scores: [{ key: 'a:b', passed: true }] } },
      { finish: { scores: [{ key: 'a:b', passed: false }] } },
      { finish: { scores: [{ key: 'a:b', passed: false, value: 0.5 }] } },
    ]);
    expect(await indices('sort=score:a:b')).to.deep.equal([0, 3, 4, 2, 1]);
    expect(await indices('sort=score:unknown&order=desc')).to.deep.equal([0, 1, 2, 3, 4]);
  });

  it('puts what wants to be looked at first when sorting by status', async () => {
    const { indices, owner } = await serveRows([
      {},
      { finish: {} },
      { finish: { scores: [{ key: 'a', passed: false }] } },
      { finish: { status: 'error', error: 'Error: no', scores: [] } },
      { finish: { scores: [] } },
      {},
    ]);
    owner.markRunning([5]);
    expect(await indices('sort=status')).to.deep.equal([3, 2, 4, 1, 5, 0]);
  });
});
