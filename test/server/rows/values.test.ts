import { expect } from 'chai';
import { type GivenRow, serveRows } from './served-rows.js';

function asked(name: string) {
  return { id: 'x', type: 'function', function: { name, arguments: '{"a":1}' } };
}

const row = (tier: string, ...tools: string[]): GivenRow => ({
  plan: { metadata: { tier } },
  finish: { trace_data: { messages: [{ role: 'assistant', tool_calls: tools.map(asked) }] } },
});

/** Rows of three tiers, with what each called. */
const rows = [row('pro', 'hold', 'pay'), row('pro', 'hold'), row('free'), { plan: {}, finish: {} }];

describe('the values of a field of rows', () => {
  it('are counted over the rows that match, without conditions about the field itself', async () => {
    const { get } = await serveRows(rows);
    const values = async (query: string) => (await get(`rows/values?${query}`)).body;
    expect(await values('of=metadata.tier&where=metadata.tier=free')).to.deep.equal({
      field: 'metadata.tier',
      values: [
        { value: 'pro', results: 2 },
        { value: 'free', results: 1 },
      ],
      different: 2,
    });
    expect((await values('of=tool&where=metadata.tier=pro')).values).to.deep.equal([
      { value: 'hold', results: 2 },
      { value: 'pay', results: 1 },
    ]);
    expect((await values('of=tool&where=metadata.tier=free')).values).to.deep.equal([]);
    expect((await get('rows/values?of=latency')).status).to.equal(400);
  });

  it('are what conditions ask for, of which all must hold', async () => {
    const { indices } = await serveRows(rows);
    const expected = {
      'where=tool=hold': [0, 1],
      'where=tool!=hold': [2, 3],
      'where=tool=hold&where=tool=pay': [0],
      'where=tool=hold&where=!tool=pay': [1],
      'where=tool=': [2, 3],
      'where=model=': [0, 1, 2, 3],
      'where=metadata.tier=pro&where=metadata.tier=free': [],
    };
    for (const [query, found] of Object.entries(expected)) {
      expect(await indices(query), query).to.deep.equal(found);
    }
  });
});
