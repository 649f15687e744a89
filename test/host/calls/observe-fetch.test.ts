import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { AttemptCalls } from '../../../src/host/calls/attempt-calls.js';
import { observeFetch } from '../../../src/host/calls/fetch.js';
import type { Call } from '../../../src/model/calls/model-call.js';
import type { StoredCalls } from '../../../src/model/calls/stored-calls.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

describe('observeFetch', () => {
  let server: Server;
  let url: string;
  let handle: Handler;
  let calls: AttemptCalls;

  const observed = (...given: Parameters<typeof fetch>) =>
    observeFetch(
      fetch,
      given,
      (start) => calls.begin({ ...start, role: 'target' }),
      (work) => work(),
    );
  const last = () => calls.list().at(-1) as Call;

  before(async () => {
    server = createServer((request, response) => handle(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });

  beforeEach(() => {
    handle = echo;
    calls = callsTold(() => undefined);
  });

  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('answers what fetch answers, also in clones', async () => {
    handle = (request, response) => {
      if (request.url === '/old') response.writeHead(302, { location: '/new' }).end();
      else response.writeHead(200, 'Fine', { 'set-cookie': ['a=1', 'b=2'] }).end('text');
    };
    const bare = await fetch(`${url}old`);
    const seen = await observed(`${url}old`);
    for (const one of [seen, seen.clone()]) {
      expect(one).to.be.instanceOf(Response);
      for (const name of ['url', 'redirected', 'type', 'status', 'statusText', 'ok'] as const) {
        expect(one[name], name).to.equal(bare[name]);
      }
      expect(one.headers.getSetCookie()).to.deep.equal(['a=1', 'b=2']);
      expect(one.bodyUsed).to.equal(false);
      expect(await one.text()).to.equal('text');
      expect(one.bodyUsed).to.equal(true);
    }
    expect(last()).to.deep.include({ method: 'GET', status: 200, response_size: 4 });
  });

  it('keeps answers without a body, and sizes of those with one', async () => {
    handle = (_, response) => response.writeHead(204).end();
    const seen = await observed(url);
    expect([seen.body, seen.status, await seen.text()]).to.deep.equal([null, 204, '']);
    expect(last().end).to.be.a('number');
    handle = (_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(5000)));
    expect(await (await observed(url)).text()).to.have.length(5000);
    expect(last().response_size).to.equal(5000);
  });

  const text = '{"model":"m"}';
  const bytes = new TextEncoder().encode(text);
  const stream = () => new Blob([bytes]).stream();
  const bodies: readonly (readonly [string, () => [Parameters<typeof fetch>[0], object?]])[] = [
    ['text', () => [url, { body: text }]],
    ['bytes', () => [url, { body: bytes }]],
    ['a buffer', () => [url, { body: bytes.buffer }]],
    ['a part of a buffer', () => [url, { body: new Uint8Array(bytes.buffer, 0, bytes.length) }]],
    ['a blob', () => [url, { body: new Blob([text]) }]],
    ['a stream', () => [url, { body: stream(), duplex: 'half' }]],
    ['an iterable', () => [url, { body: pieces(text), duplex: 'half' }]],
    ['a request', () => [new Request(url, { method: 'POST', body: text })]],
    ['a request and options', () => [new Request(url, { method: 'POST' }), { body: text }]],
  ];
  for (const [what, given] of bodies) {
    it(`sends and captures a body that is ${what}`, async () => {
      const [input, init] = given();
      const options = init && { method: 'POST', ...init };
      const response = await observed(input, options as RequestInit);
      expect(await response.text()).to.equal(`POST ${text}`);
      expect(last()).to.deep.include({ method: 'POST', request_size: text.length });
    });
  }

  it('captures forms', async () => {
    const body = new FormData();
    body.append('model', 'whisper-1');
    const response = await observed(url, { method: 'POST', body });
    expect(await response.text()).to.include('name="model"');
    expect(last().request_size).to.be.greaterThan(20);
  });

  it('does not change options, which may be made by a class', async () => {
    class Options {
      readonly method = 'POST';
      readonly body = stream();
      get duplex(): string {
        return 'half';
      }
    }
    const options = new Options();
    const { body } = options;
    const response = await observed(url, options as unknown as RequestInit);
    expect(await response.text()).to.equal(`POST ${text}`);
    expect(options.body).to.equal(body);
  });

  it('refuses what fetch refuses, with the same error', async () => {
    for (const given of [
      ['no address'],
      [url, { body: 'x' }],
      [`${url}?`, { method: 'CON NECT' }],
    ] as Parameters<typeof fetch>[]) {
      const [bare, seen] = await Promise.allSettled([fetch(...given), observed(...given)]);
      expect(bare).to.have.nested.property('reason.message');
      expect((seen as PromiseRejectedResult).reason.message).to.equal(
        (bare as PromiseRejectedResult).reason.message,
      );
    }
  });

  it('says why no answer came', async () => {
    handle = (request) => request.socket.destroy();
    const error = await observed(url).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(TypeError);
    expect(last()).to.not.have.property('status');
    expect(last().error).to.match(/^fetch failed: other side closed/);
  });

  it('lets a client leave a stream, so that the server hears of it', async () => {
    const closed = new Promise((resolve) => {
      handle = (_, response) => {
        response.on('close', resolve);
        response.write('first');
      };
    });
    const response = await observed(url);
    for await (const piece of response.body ?? []) {
      expect(Buffer.from(piece).toString()).to.equal('first');
      break;
    }
    await closed;
    expect(last().end).to.be.a('number');
    expect(last()).to.not.have.property('error');
  });

  it('aborts before the answer and while it is read', async () => {
    for (const head of [false, true]) {
      const closed = new Promise((resolve) => {
        handle = (_, response) => {
          response.on('close', resolve);
          if (head) response.write('first');
        };
      });
      const controller = new AbortController();
      const reason = new Error('enough');
      const work = observed(url, { signal: controller.signal }).then((one) => one.text());
      setTimeout(() => controller.abort(reason), 30);
      expect(await work.catch((error: unknown) => error)).to.equal(reason);
      await closed;
      expect(last().error).to.equal('enough');
    }
  });

  it('hands on the error of an answer that is cut', async () => {
    handle = (_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('first');
      setTimeout(() => response.destroy(), 20);
    };
    const error = await (await observed(url)).text().catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(TypeError).with.property('message', 'terminated');
    expect(last()).to.deep.include({ status: 200, response_size: 5 });
    expect(last().error).to.match(/^terminated/);
  });

  it('reads no faster than its reader', async () => {
    let written = 0;
    handle = (_, response) => {
      const piece = Buffer.alloc(256 * 1024);
      const write = () => {
        while (written < 200 && !response.destroyed) {
          written += 1;
          if (!response.write(piece)) return void response.once('drain', write);
        }
      };
      write();
    };
    const response = await observed(url);
    const reader = response.body?.getReader();
    await reader?.read();
    await delay(200);
    const size = last().response_size as number;
    expect(size).to.be.lessThan(1024 * 1024);
    expect(written).to.be.lessThan(100);
    await reader?.cancel();
  });

  it('serves readers with buffers of their own', async () => {
    const response = await observed(url, { method: 'POST', body: text });
    const reader = response.body?.getReader({ mode: 'byob' });
    let read = '';
    for (;;) {
      const { done, value } = (await reader?.read(new Uint8Array(4))) ?? { done: true };
      read += Buffer.from(value ?? []).toString();
      if (done) break;
    }
    expect(read).to.equal(`POST ${text}`);
  });

  it('measures bodies that are too long to be kept', async () => {
    const body = 'x'.repeat(17 * 1024 * 1024);
    const response = await observed(url, { method: 'POST', body });
    expect(await response.text()).to.have.length(body.length + 5);
    expect(last()).to.deep.include({
      request_size: body.length,
      note: 'The request and the answer had more than 16 MiB and were not read.',
    });
  });

  it('passes on a response that is not one of fetch', async () => {
    const fake = { status: 200, json: () => 1 } as unknown as Response;
    const response = await observeFetch(
      () => Promise.resolve(fake),
      [url],
      (start) => calls.begin({ ...start, role: 'target' }),
      (work) => work(),
    );
    expect(response).to.equal(fake);
  });

  it('reports calls in a moment, as they are then, unless they are stored before', async () => {
    const reports: unknown[] = [];
    const due: (() => void)[] = [];
    calls = callsTold(
      (stored) => reports.push(stored.calls),
      (work) => due.push(work),
    );
    await (await observed(url)).text();
    const response = await observed(url);
    expect(reports).to.have.length(0);
    for (const work of due.splice(0)) work();
    expect(reports).to.have.length(1);
    expect(reports[0]).to.have.length(2);
    expect((reports[0] as Call[]).map(({ end }) => end !== undefined)).to.deep.equal([true, false]);
    await response.text();
    expect(calls.store().calls[1]).to.have.property('end');
    for (const work of due.splice(0)) work();
    expect(reports).to.have.length(1);
  });

  it('reports calls that end after they were stored', async () => {
    const late: unknown[] = [];
    calls = callsTold((stored) => late.push(...stored.calls));
    const response = await observed(url);
    const [stored] = calls.store().calls;
    late.length = 0;
    expect(stored).to.not.have.property('end');
    await response.text();
    expect(late).to.have.length(1);
    expect(late[0]).to.deep.include({ number: 1, late: true, response_size: 4 });
  });
});

function callsTold(
  onCalled: (calls: StoredCalls) => void,
  later = (work: () => void): unknown => work(),
): AttemptCalls {
  const now = () => performance.now() / 1000;
  const sanitizer = { text: (one: string) => one, callText: <T>(one: T) => one as never };
  return new AttemptCalls({
    now,
    earlier: { calls: [] },
    settings: { capture: 'full' },
    sanitizer: () => sanitizer,
    secondsBetweenReports: 0,
    later,
    onCalled,
  });
}

function echo(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => response.end(`${request.method} ${Buffer.concat(chunks)}`));
}

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  for (const character of text) yield Buffer.from(character);
}
