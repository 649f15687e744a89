import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type { ExportOptions } from '../../../src/exporters/exporter.js';
import { otlpExporter } from '../../../src/exporters/otlp/otlp.js';
import type { Call, Span as DoneSpan } from '../../../src/model/calls/model-call.js';
import type { ResultEntry } from '../../../src/model/result.js';
import { buildEntry, buildRun, renderAll } from '../sample-run.js';
import { throughProtobuf, withoutEmptyLists } from './protobuf.js';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly events?: readonly { readonly name: string; readonly attributes: readonly Attribute[] }[];
  readonly links?: readonly { readonly spanId: string }[];
  readonly status: { readonly code?: number; readonly message?: string };
}
interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The spans of each line. */
async function readLines(
  entries: readonly ResultEntry[],
  options?: ExportOptions,
): Promise<Span[][]> {
  const text = await renderAll(otlpExporter, buildRun(entries), options);
  expect(text.endsWith('\n')).to.equal(true);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const data = JSON.parse(line);
      expect(throughProtobuf(data)).to.deep.equal(withoutEmptyLists(data));
      return data.resourceSpans[0].scopeSpans[0].spans;
    });
}

/** The spans of each trace. */
async function traces(entries: readonly ResultEntry[], options?: ExportOptions): Promise<Span[][]> {
  const byTrace = new Map<string, Span[]>();
  for (const span of (await readLines(entries, options)).flat()) {
    byTrace.set(span.traceId, [...(byTrace.get(span.traceId) ?? []), span]);
  }
  return [...byTrace.values()];
}

function withCalls(...calls: readonly Call[]): ResultEntry[] {
  return [{ ...entry, result: { ...entry.result, calls } }];
}

function valuesOf(attributes: readonly Attribute[] = []): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

const call: Call & { cost: number } = {
  number: 2,
  role: 'target',
  method: 'POST',
  url: 'http://127.0.0.1:4000/v1/chat/completions',
  status: 200,
  start: 0.5,
  first_token: 0.75,
  end: 1.25,
  retry_of: 1,
  cost: 0.0042,
  model_call: {
    provider: 'google',
    operation: 'chat',
    model: 'gemini-x',
    response_model: 'gemini-x-001',
    response_id: 'r1',
    messages: [
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: [{ type: 'text', text: 'Weather?' }] },
      {
        role: 'assistant',
        tool_calls: [{ id: 'c0', function: { name: 'time', arguments: '{"a":1}' } }],
      },
      { role: 'tool', tool_call_id: 'c0', content: 'noon' },
    ],
    answer: [{ role: 'assistant', content: 'secret-ish answer' }],
    tools: [{ name: 'time' }],
    parameters: {
      generationConfig: { temperature: 0, maxOutputTokens: 50, stopSequences: ['END'] },
    },
    finish_reason: 'stop',
    usage: { input: 12, cache_read: 10, cache_write: 1, output: 5, reasoning: 2 },
    stream: true,
  },
};
const refused: Call = {
  number: 1,
  role: 'target',
  method: 'POST',
  url: 'https://a.example/v1',
  status: 429,
  start: 0.1,
  end: 0.2,
};
const entry = buildEntry(
  { id: 'a.eval.ts::refund~2', trial: 2, trial_of: 'a.eval.ts::refund', labels: ['x', 'y'] },
  {
    latency: 1.5,
    scores: [
      { key: 'exact', passed: true, value: 1, notes: 'same' },
      { key: 'tone', value: 0.5 },
      { key: 'short', passed: false },
    ],
  },
);

const tool: DoneSpan = {
  kind: 'tool',
  id: 'c0',
  name: 'time',
  role: 'target',
  start: 1.25,
  end: 2.5,
  arguments: { a: 1 },
  result: 'noon',
};

describe('an export of traces', () => {
  it('has a span for each tool that ran, with what it did only when asked', async () => {
    const spans: DoneSpan[] = [
      tool,
      { ...tool, result: undefined as never, error: 'no clock' },
      { kind: 'span', id: '00f067aa0ba902b7', name: 'load', role: 'body', start: 3, end: 4 },
      {
        ...{ kind: 'span', id: '00f067aa0ba902b8', parent: '00f067aa0ba902b7', name: 'read' },
        ...{ role: 'body', start: 3, attributes: { path: 'a', lines: 3, tags: ['x'] } },
      },
    ] as DoneSpan[];
    const entries = [{ ...entry, result: { ...entry.result, calls: [], spans } }];
    const [found = []] = await traces(entries, { calls: true });
    const [root, ran, failed, outer, inner] = found;
    expect(found).to.have.lengthOf(5);
    expect(new Set(found.map(({ spanId }) => spanId)).size).to.equal(5);
    expect(BigInt(root?.endTimeUnixNano ?? 0) - BigInt(root?.startTimeUnixNano ?? 0)).to.equal(
      4_000_000_000n,
    );
    expect(ran).to.include({ name: 'execute_tool time', kind: 1, parentSpanId: root?.spanId });
    expect(valuesOf(ran?.attributes)).to.deep.equal({
      'assay.call.role': 'target',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'time',
      'gen_ai.tool.call.id': 'c0',
      'gen_ai.tool.call.arguments': '{"a":1}',
      'gen_ai.tool.call.result': '"noon"',
    });
    expect(failed?.status).to.deep.equal({ code: 2, message: 'no clock' });
    expect(outer?.parentSpanId).to.equal(root?.spanId);
    expect(inner?.parentSpanId).to.equal(outer?.spanId);
    expect(valuesOf(inner?.attributes)).to.deep.include({ path: 'a', lines: '3' });
    const without = (await traces(entries)).flat();
    expect(without).to.have.lengthOf(5);
    expect(JSON.stringify(without)).to.not.match(/noon|no clock|"path"/);
  });

  it('has a span for the result with its scores as events, and a span for each call', async () => {
    const [spans = []] = await traces(withCalls(refused, call));
    const [root, first, second] = spans;
    if (root === undefined || first === undefined || second === undefined)
      throw new Error('spans are missing');
    expect(spans).to.have.lengthOf(3);
    expect(root)
      .to.include({ name: 'a.eval.ts::refund~2', kind: 1 })
      .and.not.to.have.property('parentSpanId');
    expect(valuesOf(root.attributes)).to.deep.include({
      'test.case.name': 'a.eval.ts::refund~2',
      'test.case.result.status': 'fail',
      'assay.trial': '2',
    });
    expect(root.events?.map(({ name }) => name)).to.deep.equal(
      Array(3).fill('gen_ai.evaluation.result'),
    );
    expect(root.events?.map(({ attributes }) => valuesOf(attributes))).to.deep.equal([
      {
        'gen_ai.evaluation.name': 'exact',
        'gen_ai.evaluation.score.value': 1,
        'gen_ai.evaluation.score.label': 'pass',
        'gen_ai.evaluation.explanation': 'same',
        'gen_ai.response.id': 'r1',
      },
      {
        'gen_ai.evaluation.name': 'tone',
        'gen_ai.evaluation.score.value': 0.5,
        'gen_ai.response.id': 'r1',
      },
      {
        'gen_ai.evaluation.name': 'short',
        'gen_ai.evaluation.score.label': 'fail',
        'gen_ai.response.id': 'r1',
      },
    ]);
    expect([first.parentSpanId, second.parentSpanId]).to.deep.equal([root.spanId, root.spanId]);
    expect(new Set(spans.map(({ traceId }) => traceId))).to.have.lengthOf(1);
    expect(new Set(spans.map(({ spanId }) => spanId))).to.have.lengthOf(3);
    expect(first).to.deep.include({ name: 'POST', status: { code: 2, message: 'HTTP 429' } });
    expect(second.links).to.deep.equal([{ traceId: root.traceId, spanId: first.spanId }]);
    expect(second).to.deep.include({
      name: 'chat gemini-x',
      kind: 3,
      startTimeUnixNano: '1760000000500000000',
      endTimeUnixNano: '1760000001250000000',
      status: {},
    });
    expect(valuesOf(second.attributes)).to.deep.equal({
      'http.request.method': 'POST',
      'url.full': 'http://127.0.0.1:4000/v1/chat/completions',
      'server.address': '127.0.0.1',
      'server.port': '4000',
      'http.response.status_code': '200',
      'assay.call.role': 'target',
      'assay.call.cost': 0.0042,
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'gcp.gen_ai',
      'gen_ai.request.model': 'gemini-x',
      'gen_ai.request.stream': true,
      'gen_ai.request.temperature': 0,
      'gen_ai.request.max_tokens': '50',
      'gen_ai.response.model': 'gemini-x-001',
      'gen_ai.response.id': 'r1',
      'gen_ai.response.finish_reasons': { values: [{ stringValue: 'stop' }] },
      'gen_ai.response.time_to_first_chunk': 0.25,
      'gen_ai.usage.input_tokens': '12',
      'gen_ai.usage.cache_read.input_tokens': '10',
      'gen_ai.usage.cache_creation.input_tokens': '1',
      'gen_ai.usage.output_tokens': '5',
      'gen_ai.usage.reasoning.output_tokens': '2',
    });
  });

  it('has what was said only when that is asked for', async () => {
    const without = await traces(withCalls(call));
    expect(JSON.stringify(without)).not.to.match(/secret-ish|Weather|Be short/);
    const [spans = []] = await traces(withCalls(call), { calls: true });
    const said = valuesOf(spans[1]?.attributes);
    expect(JSON.parse(String(said['gen_ai.system_instructions']))).to.deep.equal([
      { type: 'text', content: 'Be short.' },
    ]);
    expect(JSON.parse(String(said['gen_ai.input.messages']))).to.deep.equal([
      { role: 'user', parts: [{ type: 'text', content: 'Weather?' }] },
      {
        role: 'assistant',
        parts: [{ type: 'tool_call', id: 'c0', name: 'time', arguments: { a: 1 } }],
      },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c0', result: 'noon' }] },
    ]);
    expect(JSON.parse(String(said['gen_ai.output.messages']))).to.deep.equal([
      {
        role: 'assistant',
        parts: [{ type: 'text', content: 'secret-ish answer' }],
        finish_reason: 'stop',
      },
    ]);
    expect(JSON.parse(String(said['gen_ai.tool.definitions']))).to.deep.equal([{ name: 'time' }]);
    expect(said['gen_ai.request.stop_sequences']).to.deep.equal({
      values: [{ stringValue: 'END' }],
    });
  });

  it('quotes the error of a provider only when texts are asked for', async () => {
    const error = 'invalid prompt: my secret question';
    const failed = withCalls({
      ...refused,
      model_call: { provider: 'openai', operation: 'chat', error },
    });
    const statusWith = async (options?: ExportOptions) =>
      (await traces(failed, options))[0]?.[1]?.status;
    expect(await statusWith()).to.deep.equal({ code: 2, message: 'HTTP 429' });
    expect(await statusWith({ calls: true })).to.deep.equal({ code: 2, message: error });
  });

  it('is taken by a receiver over HTTP, a line for a request', async () => {
    const received: unknown[] = [];
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        received.push(throughProtobuf(JSON.parse(body)));
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const many = Array.from({ length: 100 }, (_, at) => ({ ...call, number: at + 1 }));
      const rendered = await renderAll(otlpExporter, buildRun(withCalls(...many)), { calls: true });
      const lines = rendered.trimEnd().split('\n');
      for (const body of lines) {
        const headers = { 'content-type': 'application/json' };
        const url = `http://127.0.0.1:${port}/v1/traces`;
        expect((await fetch(url, { method: 'POST', headers, body })).status).to.equal(200);
      }
      expect(received).to.deep.equal(lines.map((line) => withoutEmptyLists(JSON.parse(line))));
      expect(received).to.have.length.greaterThan(1);
    } finally {
      server.close();
    }
  });

  it('has the times of results that say when they began', async () => {
    const calls = [{ ...call, start: 0.125, end: 0.25 }];
    const started_at = '2025-10-09T08:53:21.000Z';
    const [[root, made] = []] = await traces([
      { ...entry, result: { ...entry.result, started_at, latency: 0.5, calls } },
    ]);
    expect(root).to.include({
      startTimeUnixNano: '1760000001000000000',
      endTimeUnixNano: '1760000001500000000',
    });
    expect(made).to.include({
      startTimeUnixNano: '1760000001125000000',
      endTimeUnixNano: '1760000001250000000',
    });
  });

  it('has calls below the spans that they were made in', async () => {
    const spans: DoneSpan[] = [
      { kind: 'span', id: 'g1', name: 'generateText', role: 'target', start: 0.25, end: 2.5 },
      { ...tool, parent: 'g1' },
    ];
    const calls = [
      { ...call, parent: 'g1' },
      { ...call, number: 3, parent: 'c0' },
      { ...call, number: 4, parent: 'gone' },
    ];
    const [[root, inOperation, inTool, other, operation, ran] = []] = await traces([
      { ...entry, result: { ...entry.result, calls, spans } },
    ]);
    expect([operation, other].map((span) => span?.parentSpanId)).to.deep.equal(
      Array(2).fill(root?.spanId),
    );
    expect([inOperation, ran].map((span) => span?.parentSpanId)).to.deep.equal(
      Array(2).fill(operation?.spanId),
    );
    expect(inTool?.parentSpanId).to.equal(ran?.spanId);
  });

  it('has lines that a collector takes as requests, also where one result has many calls', async () => {
    const many = Array.from({ length: 400 }, (_, at) => ({ ...call, number: at + 1 }));
    const lines = await readLines([...withCalls(...many), entry]);
    expect(lines.length).to.be.within(4, 40);
    expect(lines.flat()).to.have.lengthOf(402);
    for (const line of lines) expect(JSON.stringify(line).length).to.be.below(66_000);
  });

  it('has a trace for each finished result, the same each time, with other ids for each', async () => {
    const entries = ['a', 'b', 'c'].map((name) =>
      buildEntry(
        { id: `x::${name}` },
        name === 'b' ? { status: 'error', error: 'Error: no\n  at x' } : {},
      ),
    );
    const waiting = buildEntry({ id: 'x::d' }, { status: 'pending' });
    const found = await traces([...entries, waiting]);
    expect(found.map(([root]) => root?.name)).to.deep.equal(['x::a', 'x::b', 'x::c']);
    expect(new Set(found.map(([root]) => root?.traceId))).to.have.lengthOf(3);
    expect(await traces([...entries, waiting])).to.deep.equal(found);
    expect(await traces([...entries, waiting], { indices: [2, 0] })).to.deep.equal([
      found[2],
      found[0],
    ]);
    expect(found[1]?.[0]?.status).to.deep.equal({ code: 2, message: 'Error: no' });
    expect(valuesOf(found[1]?.[0]?.attributes)).to.include({ 'test.case.result.status': 'fail' });
    expect(valuesOf(found[0]?.[0]?.attributes)).not.to.have.property('test.case.result.status');
  });

  it('says which verdict counts of a result that ran again, and what was taken over', async () => {
    const counted = { ...entry.result, scores: [{ key: 'a', passed: false }] };
    const origin = { kind: 'carried', run_id: 'r', run_name: 'before' } as const;
    const { result } = entry;
    const scores = [{ key: 'a', passed: true }];
    const [[root] = [], [, carried] = []] = await traces([
      { ...entry, counted, result: { ...result, scores } },
      { ...entry, id: 'other', result: { ...result, origin, calls: [{ ...call, cost: 0.5 }] } },
    ]);
    expect(valuesOf(root?.attributes)).to.include({
      'test.case.result.status': 'pass',
      'assay.counted.status': 'fail',
    });
    expect(valuesOf(carried?.attributes)).to.include({
      'assay.call.cost': 0,
      'assay.call.taken_cost': 0.5,
    });
  });
});
