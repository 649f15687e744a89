import { expect } from 'chai';
import { type GivenRow, type ServedRows, serveRows } from './served-rows.js';

const scored = (...scores: { key: string; passed?: boolean; value?: number }[]): GivenRow => ({
  finish: { scores },
});

function trials(name: string, outcomes: string): GivenRow[] {
  return [...outcomes].map((outcome, position) => ({
    plan: {
      id: `a.eval.ts::${name}~${position + 1}`,
      evaluation: `a.eval.ts::${name}`,
      function: name,
      trial: position + 1,
      trial_of: `a.eval.ts::${name}`,
    },
    ...(outcome === '?'
      ? {}
      : { finish: { scores: [{ key: 'exact', passed: outcome === '+' }], latency: position + 1 } }),
  }));
}

async function expectIndices(
  { indices }: ServedRows,
  expected: Readonly<Record<string, readonly number[]>>,
): Promise<void> {
  for (const [query, found] of Object.entries(expected)) {
    expect(await indices(query), query).to.deep.equal(found);
  }
}

describe('filters of rows', () => {
  it('are alternatives within a kind, hold together between kinds, and exclude with !', async () => {
    const served = await serveRows([
      { plan: { dataset: 'a', labels: ['x'] } },
      { plan: { dataset: 'a', labels: ['y'] } },
      { plan: { dataset: 'b', labels: ['x', 'y'] } },
      { plan: { dataset: 'c', labels: [] } },
    ]);
    await expectIndices(served, {
      'dataset=a': [0, 1],
      'dataset=a&dataset=b': [0, 1, 2],
      'dataset=!a': [2, 3],
      'dataset=!a&dataset=!b': [3],
      'label=x': [0, 2],
      'label=x&label=!y': [0],
      'label=!x': [1, 3],
      'dataset=a&label=x': [0],
      'dataset=a&dataset=!a': [],
      'dataset=unknown': [],
    });
  });

  it('take names of any kind, and after a backslash a leading !', async () => {
    const names = ['!a', '\\a', '__proto__', 'ä & b', ''];
    const served = await serveRows(names.map((dataset) => ({ plan: { dataset } })));
    const query = (value: string) => `dataset=${encodeURIComponent(value)}`;
    await expectIndices(served, {
      [query('\\!a')]: [0],
      [query('!!a')]: [1, 2, 3, 4],
      [query('\\\\a')]: [1],
      [query('__proto__')]: [2],
      [query('ä & b')]: [3],
      [query('')]: [4],
    });
  });

  it('know statuses and verdicts', async () => {
    const served = await serveRows([
      {},
      scored({ key: 'a', passed: true }),
      scored({ key: 'a', passed: false }),
      scored({ key: 'a', value: 1 }),
      { finish: { status: 'error', error: 'Error: no', scores: [] } },
      {},
      {},
    ]);
    served.owner.cancel([5]);
    served.owner.markRunning([6]);
    await expectIndices(served, {
      'status=completed': [1, 2, 3],
      'status=passed': [1],
      'status=failed': [2],
      'status=no_verdict': [3],
      'status=error': [4],
      'status=pending': [0],
      'status=running': [6],
      'status=cancelled': [5],
      'status=not_started': [],
      'status=failed&status=error': [2, 4],
      'status=!completed': [0, 4, 5, 6],
      'status=completed&status=!passed': [2, 3],
    });
  });

  it('know rules about scores', async () => {
    const served = await serveRows([
      scored({ key: 'exact', passed: true }, { key: 'size', value: 5 }),
      scored({ key: 'exact', passed: false }, { key: 'size', value: 4.9 }),
      scored({ key: 'a:b:>=1', passed: true }),
      scored({ key: 'size', value: -1e3 }),
    ]);
    await expectIndices(served, {
      'score=exact:passed': [0],
      'score=exact:failed': [1],
      'score=!exact:failed': [0, 2, 3],
      'score=size:%3E%3D5': [0],
      'score=size:%3C%3D5': [0, 1, 3],
      'score=size:%3C%3D-1e3': [3],
      'score=a:b:%3E%3D1:passed': [2],
      'score=exact:failed&score=size:%3E%3D5': [0, 1],
      'score=__proto__:passed': [],
    });
  });

  it('know what rows have', async () => {
    const served = await serveRows([
      { finish: { trace_data: { trace_url: 'https://example.com' } } },
      { finish: { trace_data: { messages: [{ role: 'user', content: 'Hi' }] } } },
      { finish: { status: 'error', error: 'Error: no', scores: [] } },
      { plan: { input: [{ role: 'user', content: 'Hi' }] } },
      { finish: {} },
    ]);
    await served.owner.run.edit(4, { annotation: 'Look' });
    await expectIndices(served, {
      'has=trace_url': [0],
      'has=messages': [1, 3],
      'has=error': [2],
      'has=annotation': [4],
      'has=error&has=annotation': [2, 4],
      'has=!error': [0, 1, 3, 4],
      'has=!messages&has=!trace_url': [2, 4],
    });
    await served.owner.run.edit(4, { annotation: '' });
    await expectIndices(served, { 'has=annotation': [] });
  });

  it('know ranges of latency: the end does not belong to it', async () => {
    const latencies = [0, 0.5, 1, 2, null];
    const served = await serveRows(latencies.map((latency) => ({ finish: { latency } })));
    await expectIndices(served, {
      'latency=0.5..2': [1, 2],
      'latency=1..': [2, 3],
      'latency=..0.5': [0],
      'latency=..0.5&latency=2..': [0, 3],
      'latency=!0..1': [2, 3, 4],
    });
  });

  it('know ranges of cost, what has no price, and what recordings answered', async () => {
    const used = (cost: number | null, more: object = {}) => {
      const totals = { calls: 1, cost, ...more };
      return { finish: { usage: { ...totals, by_role: { target: totals } } } };
    };
    const served = await serveRows([
      used(0.01),
      used(0.02),
      used(null, { unpriced: 1 }),
      used(0, { replayed: 1, replayed_cost: 0.02 }),
      { finish: {} },
      // At least that.
      used(0.01, { calls: 2, unpriced: 1 }),
      used(null, { calls: 0, unpriced: 1, programs: 1 }),
    ]);
    await expectIndices(served, {
      'cost=0.01..0.02': [0],
      'cost=0.01..': [0, 1, 5],
      'cost=0.02..': [1],
      'cost=..0.02': [0, 3],
      'cost=unknown': [2, 5, 6],
      'cost=replayed': [3],
      'cost=!replayed': [0, 1, 2, 4, 5, 6],
      'sort=cost': [3, 0, 5, 1, 2, 4, 6],
    });
  });

  it('filter and sort by what the run spent, not by what carried and regraded results cost before', async () => {
    const totals = (cost: number | null) => ({
      ...{ calls: 1, input: 100, output: 10, cost },
      ...(cost === null && { unpriced: 1 }),
    });
    const used = (cost: number | null) => ({
      finish: { usage: { ...totals(cost), by_role: { target: totals(cost) } } },
    });
    const served = await serveRows(
      [0.5, 0.01, 0.3, null, undefined, 0.02].map((cost) =>
        cost === undefined ? { finish: {} } : used(cost),
      ),
    );
    const { run } = served.owner;
    served.owner.restore(
      (['carried', 'regraded', 'carried'] as const).map((kind, n) => ({
        ...run.entry([0, 2, 3][n] ?? 0).result,
        ...{ calls: undefined, index: [0, 2, 3][n] ?? 0, status: 'completed' },
        origin: { run_id: 'r', run_name: 'before', kind },
      })),
    );
    await expectIndices(served, {
      'cost=0.01..': [1, 5],
      'cost=..0.01': [0, 2, 3],
      'cost=unknown': [],
      'sort=cost': [0, 2, 3, 1, 5, 4],
      'sort=cost&order=desc': [5, 1, 0, 2, 3, 4],
      'sort=calls&order=desc': [1, 5, 0, 2, 3, 4],
      'sort=tokens': [0, 2, 3, 1, 5, 4],
    });
  });

  it('know flaky evaluations by all their trials', async () => {
    const served = await serveRows([
      ...trials('steady', '++'),
      ...trials('flaky', '+-'),
      ...trials('open', '+?'),
      { finish: {} },
    ]);
    await expectIndices(served, {
      'flaky=true': [2, 3],
      'flaky=false': [0, 1, 4, 5, 6],
      'flaky=!true': [0, 1, 4, 5, 6],
      'flaky=true&flaky=false': [0, 1, 2, 3, 4, 5, 6],
      'flaky=true&status=failed': [3],
    });
  });
});

describe('fold=trials', () => {
  it('shows one row for all trials of an evaluation: the first that matches, as sorted', async () => {
    const { rows } = await serveRows([
      ...trials('one', '+-?'),
      { finish: { latency: 2.5 } },
      ...trials('two', '++'),
    ]);
    const page = await rows('fold=trials');
    expect(page).to.include({ total: 6, filtered: 6, count: 3 });
    expect(page.rows.map(({ index }: { index: number }) => index)).to.deep.equal([0, 3, 4]);
    expect(page.rows[0].fold).to.deep.equal({
      id: 'a.eval.ts::one',
      indices: [0, 1, 2],
      trials: 3,
      finished: 2,
      passed: 1,
      flaky: true,
      standings: ['passed', 'failed', 'pending'],
      distinct_outputs: 2,
      chips: [{ key: 'exact', type: 'ratio', passed: 1, total: 2 }],
      average_latency: 1.5,
    });
    expect(page.rows[1]).not.to.have.property('fold');
    const slowest = await rows('fold=trials&sort=latency&order=desc&limit=2');
    expect(slowest.rows.map(({ index }: { index: number }) => index)).to.deep.equal([3, 1]);
    const failed = await rows('fold=trials&status=failed');
    expect(failed).to.include({ filtered: 1, count: 1 });
    expect(failed.rows[0].fold.indices).to.deep.equal([0, 1, 2]);
  });

  it('says how many different outputs the completed trials have', async () => {
    const outputs = ['yes', 'no', { answer: 'yes' }, 'yes', { answer: 'yes' }];
    const { rows } = await serveRows([
      ...trials('one', '+-+++').map((row, n) => ({
        ...row,
        finish: { ...row.finish, output: outputs[n] ?? null },
      })),
      ...trials('two', '??'),
    ]);
    const page = await rows('fold=trials');
    expect(page.rows[0].fold.distinct_outputs).to.equal(3);
    expect(page.rows[1].fold.distinct_outputs).to.equal(0);
  });
});
