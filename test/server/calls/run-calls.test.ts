import { expect } from 'chai';
import type { ModelExchange, Span } from '../../../src/model/calls/model-call.js';
import {
  type StoredCall,
  type StoredCalls,
  unpackCalls,
} from '../../../src/model/calls/stored-calls.js';
import { usageOf } from '../../../src/model/calls/usage.js';
import { type GivenResult, type ServedRuns, serveRuns } from '../compare/served-runs.js';

type Given = Partial<StoredCall> & { readonly said?: Partial<ModelExchange> };

const call = (number: number, { said = {}, ...given }: Given): StoredCall => {
  const { messages, answer, tools, ...exchange } = said;
  return {
    ...{ number, role: 'target', method: 'POST', url: 'http://m/chat', status: 200 },
    ...{ start: number, end: number + 1, cost: 0.01 },
    model_call: { provider: 'openai', operation: 'chat', model: 'large', ...exchange },
    ...given,
  };
};

const result = (
  name: string,
  calls: readonly StoredCall[],
  more: Partial<StoredCalls> & { readonly finish?: GivenResult['finish'] } = {},
): GivenResult => {
  const { finish, ...stored } = more;
  const all: StoredCalls = { calls, texts: [], ...stored };
  const usage = usageOf(unpackCalls(all).calls);
  return { name, finish: { calls: all, ...(usage && { usage }), ...finish } };
};

const usage = (input: number, output: number) => ({ usage: { input, output } });
const tool = (id: string, name: string, result: Span['result'] = {}): Span => ({
  ...{ kind: 'tool', id, name, role: 'target', start: 2, end: 2.5, result: result ?? null },
});

const given: readonly GivenResult[] = [
  result(
    'first',
    [
      call(1, {
        first_token: 1.25,
        cost: 0.02,
        said: { ...usage(100, 20), tool_calls: [{ id: 't', name: 'find', arguments: {} }] },
      }),
      call(2, { end: 6, cost: null, said: { ...usage(10, 1), model: 'tiny' } }),
      call(3, { role: 'evaluator:tone', cost: 0.05, said: { ...usage(300, 9), model: 'judge' } }),
    ],
    // A text with the names of the fields of the line is no field.
    {
      texts: [{ role: 'user', spans: [1], texts: [2] }],
      spans: [tool('t', 'find', { ok: false })],
    },
  ),
  result('second', [
    call(1, { status: 429, cost: 0, said: { error: 'rate limit' } }),
    call(2, {
      retry_of: 1,
      said: { ...usage(5, 800), finish_reason: 'length', parameters: { a: [1], texts: [[2]] } },
    }),
    call(3, { replayed: true, recorded_duration: 0.5, cost: 0.04, said: usage(7, 7) }),
    {
      number: 4,
      role: 'target',
      method: 'GET',
      url: 'http://shop/',
      start: 1,
      end: 2,
      status: 200,
    },
  ]),
  { name: 'none' },
];

describe('GET /api/runs/{run_id}/calls', () => {
  let served: ServedRuns;
  let path: string;

  // Stores are removed after each test.
  beforeEach(async () => {
    served = await serveRuns();
    const { run } = await served.run(given);
    path = `/api/runs/${run.runId}/calls`;
  });

  const ask = async (query: string) => served.ask(`${path}?${query}`);
  const names = async (query: string) =>
    (await ask(query)).calls.map((one: { function: string; number: number }) => {
      return `${one.function} ${one.number}`;
    });

  it('lists the calls that usage counts, with their results', async () => {
    const page = await ask('');
    expect(page).to.include({ total: 6, filtered: 6, results: 2, offset: 0 });
    const { id, ...first } = page.calls[0];
    expect(id).to.match(/::first$/);
    expect(first).to.deep.include({
      ...{ index: 0, function: 'first', attempt: 1, number: 1, role: 'target', model: 'large' },
      ...{ provider: 'openai', finish: 'tool call', failed: false, input: 100, output: 20 },
      ...{ tools: [{ name: 'find', time: 0.5, failed: true }], cost: 0.02, latency: 1 },
      to_first_token: 0.25,
    });
    expect(page.calls[1].cost).to.equal(null);
    expect(page.calls[5]).to.include({ taken: 'replayed', latency: 0.5, finish: '' });
    expect(page.summary.usage).to.include({ calls: 5, cost: 0.08, unpriced: 1, failed: 1 });
    expect(page.summary.taken).to.include({ calls: 1, cost: 0.04 });
    expect(page.summary.models.map((one: { model: string }) => one.model)).to.deep.equal([
      ...['judge', 'large', 'tiny'],
    ]);
    expect(page.summary.tools).to.deep.equal([
      { tool: 'find', calls: 1, timed: 1, time: 0.5, failed: 1, p50: 0.5, slowest: 0.5 },
    ]);
    expect(page.summary.slowest).to.include({ index: 0, number: 2 });
    expect(page.summary.run_usage).to.include({ calls: 5, cost: 0.08, other_calls: 1 });
  });

  it('sorts, with what is not known last in both directions', async () => {
    const cost = ['first 3', 'second 3', 'first 1', 'second 2', 'first 2', 'second 1'];
    const table = {
      'sort=cost&order=desc': cost,
      'sort=cost': [...cost.slice(0, 4).reverse(), 'first 2', 'second 1'],
      'sort=latency&order=desc&limit=1': ['first 2'],
      'sort=tokens&order=desc&offset=1&limit=1': ['first 3'],
      'sort=tokens&offset=5': ['second 1'],
      'sort=first_token&limit=1': ['first 1'],
    };
    for (const [query, expected] of Object.entries(table)) {
      expect(await names(query), query).to.deep.equal(expected);
    }
  });

  it('filters, and counts what each value would match', async () => {
    const table = {
      'role=evaluator:tone': ['first 3'],
      'model=tiny&model=judge': ['first 2', 'first 3'],
      'model=!large': ['first 2', 'first 3'],
      'tool=find': ['first 1'],
      'provider=other': [],
      'state=failed': ['second 1'],
      'state=at_limit': ['second 2'],
      'state=tool_failed': ['first 1'],
      'state=replayed': ['second 3'],
      'state=not_priced': ['first 2'],
      'state=slow': ['first 2'],
      'state=dear': ['first 3'],
      'search=second large': ['second 1', 'second 2', 'second 3'],
    };
    for (const [query, expected] of Object.entries(table)) {
      expect(await names(query), query).to.deep.equal(expected);
    }
    const { summary } = await ask('model=large');
    expect(summary.facets.model).to.deep.equal([
      { value: 'large', count: 4 },
      { value: 'tiny', count: 1 },
      { value: 'judge', count: 1 },
    ]);
    expect(summary.facets.role).to.deep.include({ value: 'evaluator:tone', count: 0 });
  });

  it('refuses unknown values', async () => {
    for (const query of ['sort=price', 'state=red', 'limit=501']) {
      expect((await served.get(`${path}?${query}`)).status, query).to.equal(400);
    }
  });
});
