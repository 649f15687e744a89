import { expect } from 'chai';
import { type ServedRows, serveRows } from './served-rows.js';

describe('fields of rows', () => {
  let served: ServedRows;
  beforeEach(async () => {
    served = await serveRows([
      {
        plan: { input: { city: 'Wien' } },
        finish: { output: { items: [{ price: 9.5 }] }, metadata: { tier: 'gold' } },
      },
      { plan: { input: { city: 'Bonn' } }, finish: { output: { items: [{ price: 10 }] } } },
      { plan: { input: 'x'.repeat(100_000) }, finish: { output: { items: [] } } },
      { plan: { input: { city: 'Ulm' } } },
    ]);
  });

  const field = (text: string) => `field=${encodeURIComponent(text)}`;

  it('are shown where they are asked for, in their order', async () => {
    const query = [field('metadata.tier'), field('output.items[0].price'), field('input.city')];
    const { rows } = await served.rows(query.join('&'));
    expect(rows.map(({ fields }: { fields: unknown }) => fields)).to.deep.equal([
      ['gold', '9.5', 'Wien'],
      [null, '10', 'Bonn'],
      [null, null, null],
      [null, null, 'Ulm'],
    ]);
    for (const row of (await served.rows()).rows) expect(row).to.not.have.property('fields');
  });

  it('are sorted as numbers where all are, and as text else; rows without come last', async () => {
    const sorted = (text: string, order = 'asc') =>
      served.indices(`sort=${encodeURIComponent(`field:${text}`)}&order=${order}`);
    expect(await sorted('output.items[0].price')).to.deep.equal([0, 1, 2, 3]);
    expect(await sorted('output.items[0].price', 'desc')).to.deep.equal([1, 0, 2, 3]);
    expect(await sorted('input.city')).to.deep.equal([1, 3, 0, 2]);
    expect(await sorted('input.city', 'desc')).to.deep.equal([0, 3, 1, 2]);
  });

  it('group rows, and select the rows of a group', async () => {
    const { groups } = await served.groups('by=input.city&sort=key');
    expect(groups.map(({ key }: { key: string | null }) => key)).to.deep.equal([
      'Bonn',
      'Ulm',
      'Wien',
      null,
    ]);
    expect(await served.indices('group=input.city=Ulm')).to.deep.equal([3]);
  });

  it('are named in one way', async () => {
    const bad = [
      'field=error',
      'field=input..a',
      'sort=field:',
      'sort=field:metadata',
      Array(21).fill('field=input').join('&'),
    ];
    for (const query of bad) expect((await served.get(`rows?${query}`)).status).to.equal(400);
  });

  it('are listed as far as they lead to single values', async () => {
    const { body } = await served.get('rows/fields');
    expect(body.fields).to.deep.equal([
      { field: 'metadata.kind', results: 2, values: 1 },
      { field: 'metadata.tier', results: 1, values: 1 },
      { field: 'input.city', results: 3, values: 3 },
    ]);
  });
});
