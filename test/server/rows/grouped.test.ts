import { expect } from 'chai';
import { type GivenRow, type ServedRows, serveRows } from './served-rows.js';

const row = (
  dataset: string,
  labels: readonly string[],
  passed: boolean,
  latency = 1,
): GivenRow => ({
  plan: { dataset, labels: [...labels] },
  finish: { scores: [{ key: 'exact', passed }], latency },
});
const trial = (n: number, passed: boolean): GivenRow => ({
  plan: {
    dataset: 'trials',
    labels: [],
    id: `t.eval.ts::t~${n}`,
    trial: n,
    trial_of: 't.eval.ts::t',
  },
  finish: { scores: [{ key: 'exact', passed }] },
});

const rows = [
  row('good', ['a', 'b'], true, 4),
  row('bad', ['a'], false, 1),
  row('alone', ['c'], false),
  row('good', [], true, 2),
  row('bad', [], true, 9),
  trial(1, true),
  trial(2, true),
];

async function read({ rows }: ServedRows, query: string) {
  const page = await rows(query);
  return {
    indices: page.rows.map(({ index }: { index: number }) => index),
    groups: page.summary?.groups?.map(({ key, rows }: { key: string; rows: number }) => [
      key,
      rows,
    ]),
    count: page.count,
    filtered: page.filtered,
  };
}

describe('rows in groups', () => {
  let served: ServedRows;
  beforeEach(async () => {
    served = await serveRows(rows);
  });

  it('come group after group, the worst first, each in the order of the rows', async () => {
    expect(await read(served, 'by=dataset&sort=status')).to.deep.equal({
      indices: [1, 4, 0, 3, 5, 6, 2],
      groups: [
        ['bad', 2],
        ['good', 2],
        ['trials', 2],
        [null, 1],
      ],
      count: 7,
      filtered: 7,
    });
  });

  it('sort groups and rows by one figure', async () => {
    const { indices, groups } = await read(served, 'by=dataset&sort=latency&order=desc');
    expect(groups.map(([key]: string[]) => key)).to.deep.equal(['bad', 'good', 'trials', null]);
    expect(indices.slice(0, 4)).to.deep.equal([4, 1, 0, 3]);
  });

  it('fold trials, and count the rows of each group', async () => {
    const { groups, indices } = await read(served, 'by=dataset&fold=trials&dataset=!alone');
    expect(groups).to.deep.equal([
      ['bad', 2],
      ['good', 2],
      ['trials', 1],
    ]);
    expect(indices).to.deep.equal([1, 4, 0, 3, 5]);
  });

  it('have a row in the group of each of its labels, and the others last', async () => {
    const { groups, indices, count, filtered } = await read(served, 'by=label');
    expect(groups).to.deep.equal([
      ['a', 2],
      [null, 5],
    ]);
    expect(indices).to.deep.equal([0, 1, 2, 3, 4, 5, 6]);
    expect([count, filtered]).to.deep.equal([7, 7]);
    const both = await serveRows([row('x', ['a', 'b'], true), row('x', ['a', 'b'], true)]);
    expect(await read(both, 'by=label')).to.deep.include({ indices: [0, 1, 0, 1], count: 4 });
  });

  it('are pages of the whole list, and need no summary', async () => {
    const { indices, groups, count } = await read(
      served,
      'by=dataset&sort=status&offset=1&limit=2&summary=false',
    );
    expect([indices, groups, count]).to.deep.equal([[4, 0], undefined, 7]);
  });

  it('give the indices of each group', async () => {
    const { body } = await served.get('rows/indices?by=label&sort=status');
    expect(body.groups).to.deep.equal([
      [1, 0],
      [2, 3, 4, 5, 6],
    ]);
    expect(body.indices).to.deep.equal([1, 0, 2, 3, 4, 5, 6]);
  });

  it('are not grouped by what is no field', async () => {
    const { status, body } = await served.get('rows?by=colour');
    expect(status).to.equal(400);
    expect(body.errors[0].detail).to.contain('must be one of dataset, label, evaluation');
  });
});
