import { expect } from 'chai';
import { finished } from '../../store/builders.js';
import { type GivenRow, type ServedRows, serveRows } from './served-rows.js';

const failed = (notes: string, dataset = 'a'): GivenRow => ({
  plan: { dataset },
  finish: { scores: [{ key: 'exact', passed: false, notes }] },
});
const rows = [
  failed('expected 1 day'),
  { finish: { scores: [{ key: 'exact', passed: true }] } },
  failed('expected 2 days'),
  { finish: { status: 'error' as const, error: 'Error: no\n    at x', scores: [] } },
  failed('expected 3 days', 'b'),
  {},
];
const query = (reason: string) => `reason=${encodeURIComponent(reason)}`;

async function reasonsOf({ get }: ServedRows, of = '') {
  return (await get(`rows/reasons?${of}`)).body;
}

describe('reasons of rows', () => {
  it('are of the rows that match, the largest first, with two examples', async () => {
    const served = await serveRows(rows);
    const { reasons, ...rest } = await reasonsOf(served);
    expect(rest).to.deep.equal({
      ...{ total: 6, filtered: 6, failures: 4, count: 3 },
      ...{ previous: null, no_previous: 'it has not started' },
    });
    const told = reasons.map(({ reason, results, same, examples }: Record<string, unknown>) => [
      ...[reason, results, same],
      (examples as { index: number }[]).map(({ index }) => index),
    ]);
    expect(told).to.deep.equal([
      ['exact=expected # days', 2, false, [2, 4]],
      ['exact=expected # day', 1, true, [0]],
      ['=Error: no', 1, true, [3]],
    ]);
    expect((await reasonsOf(served, 'dataset=b')).reasons).to.have.lengthOf(1);
  });

  it('are a filter, and follow what becomes of the rows', async () => {
    const served = await serveRows(rows);
    expect(await served.indices(query('exact=expected # days'))).to.deep.equal([2, 4]);
    expect(await served.indices(query('!=Error: no'))).to.deep.equal([0, 1, 2, 4, 5]);
    expect(await served.indices(query('exact=another'))).to.deep.equal([]);
    expect((await served.get(`rows?${query('exact')}`)).status).to.equal(400);
    served.owner.finish([
      finished(5, { scores: [{ key: 'exact', passed: false, notes: 'expected 9 days' }] }),
    ]);
    expect(await served.indices(query('exact=expected # days'))).to.deep.equal([2, 4, 5]);
  });
});

describe('figures of rows', () => {
  it('are of the rows that have all of them, with their states', async () => {
    const score = (value: number, latency: number | null): GivenRow => ({
      finish: { latency, scores: [{ key: 's', value, passed: value > 0.5 }] },
    });
    const served = await serveRows([
      score(0.25, 2),
      { finish: { latency: 1 } },
      score(0.75, null),
      score(1, 3),
    ]);
    const { body } = await served.get('rows/figures?figure=latency&figure=score:s');
    expect(body).to.deep.equal({
      ...{ total: 4, filtered: 4 },
      ...{
        indices: [0, 3],
        standings: ['failed', 'passed'],
        figures: [
          [2, 3],
          [0.25, 1],
        ],
      },
    });
    expect((await served.get('rows/figures?figure=score:s')).body.indices).to.deep.equal([0, 2, 3]);
    for (const wrong of ['', '?figure=size', '?figure=cost&figure=cost&figure=cost']) {
      expect((await served.get(`rows/figures${wrong}`)).status).to.equal(400);
    }
  });

  it('select rows by a range: from inclusive, to exclusive', async () => {
    const used = (calls: number, value: number): GivenRow => {
      const totals = { calls, cost: 0.1, input: 10 * calls, output: 0 };
      return {
        finish: {
          scores: [{ key: 's', value }],
          usage: { ...totals, by_role: { target: totals } },
        },
      };
    };
    const served = await serveRows([used(1, -1), used(2, 0.5), used(3, 1), {}]);
    const found: Readonly<Record<string, readonly number[]>> = {
      'calls=2..3': [1],
      'calls=..3': [0, 1],
      'tokens=20..': [1, 2],
      'score=s:0.5..1': [1],
      'score=s:..1': [0, 1],
      'score=s:0.5..': [1, 2],
    };
    for (const [filter, indices] of Object.entries(found)) {
      expect(await served.indices(filter), filter).to.deep.equal(indices);
    }
  });
});
