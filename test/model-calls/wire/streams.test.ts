import { expect } from 'chai';
import fc from 'fast-check';
import { type Json, type JsonObject, parseJson } from '../../../src/model/json.js';
import { firstTokenAt, readExchange } from '../../../src/model-calls/wire/read-exchange.js';
import { eventsIn } from '../../../src/model-calls/wire/streams.js';
import { type FakeAnswer, fakeAnswer } from '../../helpers/fake-answers.js';
import { patience, rounds } from '../../helpers/rounds.js';
import { firstTokenIn } from './seen.js';

const said = {
  text: 'Grüße aus Wien 👋,\r\n\n it is "21" °C.',
  reasoning: 'Hm.',
  toolCalls: [{ id: 'c1', name: 'weather', arguments: { city: 'Köln', brackets: '[{"\\' } }],
  usage: { input: 12, cacheRead: 10, cacheWrite: 1, output: 3, reasoning: 1 },
};

const requests: readonly [string, JsonObject][] = [
  ['/v1/chat/completions', { model: 'm', messages: [], stream: true }],
  ['/v1/responses', { model: 'm', input: 'a', stream: true }],
  ['/v1/messages', { model: 'm', messages: [], max_tokens: 5, stream: true }],
  ['/v1beta/models/m:streamGenerateContent', { contents: [] }],
  ['/v1beta/models/m:streamGenerateContent?alt=sse', { contents: [] }],
  ['/model/m/converse-stream', { messages: [] }],
  ['/model/m/invoke-with-response-stream', { messages: [], max_tokens: 5, anthropic_version: 'x' }],
  ['/api/chat', { model: 'm', messages: [] }],
  ['/api/generate', { model: 'm', prompt: 'a' }],
  ['/v1/completions', { model: 'm', prompt: 'a', stream: true }],
];

function streamed(path: string, body: object): FakeAnswer {
  const answer = fakeAnswer(path, body as Record<string, unknown>, 'm', said);
  if (answer === undefined) throw new Error(`no answer for ${path}`);
  return answer;
}

describe('streams that are cut at any byte', function () {
  this.timeout(patience);

  for (const [path, request] of requests) {
    const { type, pieces } = streamed(path, request);
    const body = Buffer.concat(pieces);

    it(`of ${path} have the same events, wherever they stop`, () => {
      const events = (length: number) => [...eventsIn(type, body.subarray(0, length))];
      const whole = events(body.length);
      expect(whole).to.have.length.greaterThan(3);
      fc.assert(
        fc.property(fc.nat(body.length), (length) => {
          const complete = whole.filter(({ end }) => end <= length);
          expect(events(length).slice(0, complete.length)).to.deep.equal(complete);
        }),
        rounds(50),
      );
    });

    it(`of ${path} tell their first token`, () => {
      expect(firstTokenIn(type, body, [])).to.equal(body.length);
      const byPiece = pieces.map((_, at) => Buffer.concat(pieces.slice(0, at + 1)).length);
      expect(firstTokenIn(type, body, byPiece)).to.be.lessThan(body.length / 1.5);
      fc.assert(
        fc.property(fc.array(fc.nat(body.length)), (cuts) => {
          expect(firstTokenIn(type, body, cuts)).to.be.within(1, body.length);
        }),
        rounds(50),
      );
    });

    it(`of ${path} are cut where they stop before their end`, () => {
      const at = (length: number, complete: boolean) =>
        readExchange(
          { method: 'POST', url: path, body: request },
          {
            status: 200,
            headers: { 'content-type': type },
            body: body.subarray(0, length),
            complete,
          },
        );
      for (const complete of [true, false]) {
        expect(at(body.length, complete))
          .to.include({ stream: true })
          .and.not.to.have.any.keys('cut', 'error');
      }
      expect(at(body.length / 2, false)).to.include({ stream: true, cut: true });
      fc.assert(
        fc.property(fc.integer({ min: 1, max: body.length }), (length) => {
          expect(at(length, false)?.error).to.equal(undefined);
        }),
        rounds(100),
      );
    });
  }
});

describe('the first token', () => {
  it('has the time of the chunk that brings it', () => {
    const { type, pieces } = streamed('/v1/messages', { stream: true });
    const at = (index: number) => 10 + index;
    const chunks = pieces.map((bytes, index) => ({ at: at(index), bytes }));
    const first = pieces.findIndex((bytes) => bytes.includes('content_block_delta'));
    expect(firstTokenAt(type, chunks)).to.equal(at(first));
    expect(firstTokenAt(type, chunks.slice(0, first))).to.equal(undefined);
    expect(firstTokenAt('application/json', [{ at: 1, bytes: Buffer.from('{"a":1}') }])).to.equal(
      undefined,
    );
  });
});

describe('what is no stream of a model', function () {
  this.timeout(patience);

  const types = fc.constantFrom(
    ...['text/event-stream', 'application/json', 'application/x-ndjson', 'text/html', ''],
    'application/vnd.amazon.eventstream',
  );
  const paths = fc.constantFrom(...requests.map(([path]) => path), '/model/m/invoke', '/x');
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.json().map((text) => Buffer.from(text)),
    fc.json().map((text) => Buffer.from(`data: ${text}\n\ndata: ${text}\n\n`)),
  );

  it('never throws', () => {
    fc.assert(
      fc.property(
        types,
        paths,
        bytes,
        bytes,
        fc.boolean(),
        fc.constantFrom(200, 404),
        (type, url, asked, body, complete, status) => {
          firstTokenAt(type, [{ at: 0, bytes: body }]);
          readExchange(
            { method: 'POST', url, body: parseJson(Buffer.from(asked).toString()) },
            { status, headers: { 'content-type': type }, body, complete },
          );
        },
      ),
      rounds(400),
    );
  });

  it('never throws where values are of other kinds than they should be', () => {
    const keys = [
      ...['choices', 'message', 'delta', 'content', 'tool_calls', 'function', 'arguments'],
      ...['usage', 'type', 'object', 'index'],
    ];
    const more = [
      ...['candidates', 'parts', 'text', 'output', 'item', 'response', 'error', 'done'],
      ...['messages', 'input', 'contents', 'model'],
    ];
    const words = [
      ...['message_start', 'content_block_delta', 'response.output_item.added'],
      ...['response.x.delta', 'message', 'function_call', 'tool_result', 'text'],
    ];
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom(null, 0, 1, -1, '', 'a', true, ...words),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...keys, ...more, '__proto__'), tie('value'), { maxKeys: 6 }),
      ),
    }));
    const object = fc.dictionary(fc.constantFrom(...keys, ...more), value, {
      minKeys: 2,
      maxKeys: 8,
    });
    fc.assert(
      fc.property(
        paths,
        object,
        fc.array(object, { maxLength: 4 }),
        fc.boolean(),
        (url, asked, events, isStream) => {
          const text = isStream
            ? events.map((e) => `data: ${JSON.stringify(e)}\n\n`).join('')
            : JSON.stringify(events[0] ?? null);
          const type = isStream ? 'text/event-stream' : 'application/json';
          const body = Buffer.from(text);
          firstTokenAt(type, [{ at: 0, bytes: body }]);
          readExchange(
            { method: 'POST', url, body: asked as Json },
            { status: 200, headers: { 'content-type': type }, body, complete: true },
          );
        },
      ),
      rounds(600),
    );
  });

  it('never throws for JSON that is nested deeply', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const asked = `{"model":"m","contents":[{"role":"model","parts":[{"functionCall":{"name":"f","args":${deep}}}]}]}`;
    const found = readExchange(
      { method: 'POST', url: '/models/m:generateContent', body: parseJson(asked) },
      { status: 200, headers: {}, body: Buffer.from(`{"candidates":${deep}}`), complete: true },
    );
    expect(found?.provider).to.equal('google');
  });
});
