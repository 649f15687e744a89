import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEachFile } from './clean-up.js';
import { type FakeSaid, fakeAnswer, fakeStream } from './fake-answers.js';

/** How the fake provider answers a request; what is left out is a plain short answer. */
export interface FakeReply extends Partial<FakeSaid> {
  /** Anything but 200 answers an error. */
  readonly status?: number;
  /** Seconds, in the header of that name. */
  readonly retryAfter?: number;
  /** Milliseconds before the first byte of the body. */
  readonly delay?: number;
  readonly encoding?: 'gzip' | 'br';
  /** Cuts the connection after so many pieces of the body. */
  readonly cutAfter?: number;
  /** Sends so many pieces, then nothing more until the client has left. */
  readonly holdAfter?: number;
  /** Answers this body as it is, as JSON by its type. */
  readonly raw?: string;
  /** Streams these events as they are; those of Bedrock have their name as their only key. */
  readonly events?: readonly object[];
}

/** A request that came, and what was sent. */
export interface FakeExchange {
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Record<string, string>;
    readonly body: Buffer;
  };
  /** Body before compression. */
  readonly answer: {
    status: number;
    headers: Record<string, string>;
    body: Buffer;
    complete: boolean;
  };
  readonly httpVersion: string;
  /** The request's body as JSON. */
  readonly json: Record<string, unknown>;
  readonly model: string;
  /** How many requests for this model came before. */
  readonly repeat: number;
}

/** A server on loopback that speaks the APIs of models. */
export interface FakeProvider extends AsyncDisposable {
  /** Speaks HTTP/1.1. */
  readonly url: string;
  /** Speaks HTTP/2 without TLS. */
  readonly http2Url: string;
  readonly exchanges: readonly FakeExchange[];
  /** The next exchange, or one that is there already, that the client left before its end. */
  left(): Promise<FakeExchange>;
}

const plain: FakeSaid = {
  text: 'Grüße aus Wien 👋, it is 21 °C.',
  usage: { input: 120, cacheRead: 100, cacheWrite: 0, output: 30, reasoning: 10 },
};

const weatherCall = { id: 'call_1', name: 'weather', arguments: { city: 'Wien', days: [1, 2] } };
const timeCall = { id: 'call_2', name: 'time', arguments: {} };

/** Scripts by a word of the model's name: `any-model-fake-tool`. */
const scripts: Readonly<Record<string, (repeat: number) => FakeReply>> = {
  tool: () => ({ text: '', toolCalls: [weatherCall, timeCall] }),
  think: () => ({ reasoning: 'The user wants the weather.' }),
  busy: () => ({ status: 429, retryAfter: 1 }),
  'busy-once': (repeat) => (repeat === 0 ? { status: 429, retryAfter: 0 } : {}),
  broken: () => ({ status: 500 }),
  slow: () => ({ delay: 60 }),
  cut: () => ({ cutAfter: 3 }),
  hold: () => ({ holdAfter: 3 }),
  gzip: () => ({ encoding: 'gzip' }),
  br: () => ({ encoding: 'br' }),
  garbage: () => ({ raw: '{"choices": [{"mess' }),
  error: () => ({ raw: '{"error":{"message":"The model is overloaded","type":"server_error"}}' }),
  'stream-error': () => ({ streamError: 'Overloaded' }),
};

const providers = new Set<FakeProvider>();
afterEachFile('servers', async () => {
  for (const provider of providers) await provider[Symbol.asyncDispose]();
});

/** Starts a provider, which ends with the test file. It answers by the model's name (see `scripts`), by a header `x-fake` with a `FakeReply`, or by a handler. */
export async function startFakeProvider(
  handler?: (exchange: FakeExchange) => FakeReply | undefined | Promise<FakeReply | undefined>,
): Promise<FakeProvider> {
  const exchanges: FakeExchange[] = [];
  const leavers: FakeExchange[] = [];
  const waiting: ((exchange: FakeExchange) => void)[] = [];
  const onLeft = (exchange: FakeExchange) => {
    const waiter = waiting.shift();
    if (waiter === undefined) leavers.push(exchange);
    else waiter(exchange);
  };
  const listener = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const exchange = await readRequest(incoming, exchanges);
    exchanges.push(exchange);
    outgoing.on('close', () => {
      if (!exchange.answer.complete && !isCutByServer.has(exchange)) onLeft(exchange);
    });
    const { 'x-fake': script } = exchange.request.headers;
    const reply =
      (await handler?.(exchange)) ??
      (script === undefined
        ? scripts[scriptName(exchange.model)]?.(exchange.repeat)
        : JSON.parse(script)) ??
      {};
    await answer(exchange, reply, outgoing);
  };
  const server = createServer((req, res) => void listener(req, res));
  // The compatibility API of HTTP/2 has what is used here of requests and responses.
  const http2 = createHttp2Server(
    (req, res) =>
      void listener(req as unknown as IncomingMessage, res as unknown as ServerResponse),
  );
  const sessions = new Set<{ destroy(): void }>();
  http2.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
    session.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  http2.listen(0, '127.0.0.1');
  await Promise.all([once(server, 'listening'), once(http2, 'listening')]);
  const urlOf = (address: unknown) => `http://127.0.0.1:${(address as AddressInfo).port}`;
  const provider: FakeProvider = {
    url: urlOf(server.address()),
    http2Url: urlOf(http2.address()),
    exchanges,
    left: () => {
      const known = leavers.shift();
      return known === undefined
        ? new Promise((resolve) => waiting.push(resolve))
        : Promise.resolve(known);
    },
    [Symbol.asyncDispose]: async () => {
      providers.delete(provider);
      server.closeAllConnections();
      for (const session of sessions) session.destroy();
      await Promise.all([server, http2].map((s) => new Promise((resolve) => s.close(resolve))));
    },
  };
  providers.add(provider);
  return provider;
}

const isCutByServer = new WeakSet<FakeExchange>();

function scriptName(model: string): string {
  return /fake-([a-z-]+)/.exec(model)?.[1] ?? '';
}

async function readRequest(
  incoming: IncomingMessage,
  before: readonly FakeExchange[],
): Promise<FakeExchange> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const url = incoming.url ?? '';
  const json = parseJson(body.toString('utf8'));
  const model = String(
    json.model ?? decodeURIComponent(/\/models?\/([^/:]+)/.exec(url)?.[1] ?? ''),
  );
  return {
    request: { method: incoming.method ?? '', url, headers: plainHeaders(incoming.headers), body },
    answer: { status: 0, headers: {}, body: Buffer.alloc(0), complete: false },
    httpVersion: incoming.httpVersion,
    json,
    model,
    repeat: before.filter((exchange) => exchange.model === model).length,
  };
}

function parseJson(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function plainHeaders(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

async function answer(
  exchange: FakeExchange,
  reply: FakeReply,
  outgoing: ServerResponse,
): Promise<void> {
  const { status, type, pieces, headers } = render(exchange, reply);
  const told: Record<string, string> = {
    'content-type': type,
    'x-request-id': 'req_1',
    'x-amzn-requestid': 'amzn_1',
    ...headers,
  };
  Object.assign(exchange.answer, { status, headers: told });
  if (reply.encoding !== undefined) {
    const compress = reply.encoding === 'gzip' ? gzipSync : brotliCompressSync;
    outgoing.writeHead(status, { ...told, 'content-encoding': reply.encoding });
    outgoing.end(compress(Buffer.concat(pieces)), () => finish(exchange, pieces));
    return;
  }
  outgoing.writeHead(status, told);
  if (reply.delay !== undefined) {
    outgoing.flushHeaders?.();
    await sleep(reply.delay);
  }
  const stop = reply.cutAfter ?? reply.holdAfter ?? pieces.length;
  for (const piece of pieces.slice(0, stop)) {
    if (outgoing.destroyed) return;
    outgoing.write(piece);
    exchange.answer.body = Buffer.concat([exchange.answer.body, piece]);
    await nextTurn();
  }
  if (reply.cutAfter !== undefined) {
    isCutByServer.add(exchange);
    // After what was written has gone out.
    await new Promise((resolve) => outgoing.write('', resolve));
    await sleep(20);
    outgoing.destroy();
  } else if (reply.holdAfter === undefined) {
    outgoing.end(() => finish(exchange, pieces));
  }
}

function finish(exchange: FakeExchange, pieces: readonly Buffer[]): void {
  Object.assign(exchange.answer, { body: Buffer.concat(pieces), complete: true });
}

function render(exchange: FakeExchange, reply: FakeReply) {
  const { request, json, model } = exchange;
  const { status = 200, retryAfter, raw, events } = reply;
  const headers: Record<string, string> =
    retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  if (raw !== undefined) {
    return { status, type: 'application/json', pieces: [Buffer.from(raw)], headers };
  }
  if (events !== undefined) {
    const { type, pieces } = fakeStream(request.url.replace(/\?.*$/, ''), events);
    return { status, type, pieces, headers };
  }
  if (status !== 200) {
    const kind = status === 429 ? 'rate_limit_error' : 'api_error';
    const message = status === 429 ? 'Too many requests, slow down' : 'Internal failure';
    const error = { type: 'error', message, error: { type: kind, message } };
    return {
      status,
      type: 'application/json',
      pieces: [Buffer.from(JSON.stringify(error))],
      headers,
    };
  }
  const path = request.url.replace(/\?(?!alt=sse$).*$/, '');
  const rendered = fakeAnswer(path, json, model, { ...plain, ...reply });
  if (rendered === undefined) {
    return { status: 404, type: 'text/plain', pieces: [Buffer.from('Not found')], headers };
  }
  return { status, type: rendered.type, pieces: rendered.pieces, headers };
}
