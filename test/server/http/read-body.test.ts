import { expect } from 'chai';
import { z } from 'zod';
import { defineRoute, json } from '../../../src/server/http/route.js';
import {
  openSocket,
  parseAnswer,
  readToEnd,
  request,
  requestJson,
  sendRaw,
} from './raw-request.js';
import { echoRoute, startServer } from './running-server.js';

const mebibyte = 1024 * 1024;

function echoServer() {
  return startServer([echoRoute('/api/echo'), echoRoute('/api/large', 8 * mebibyte)]);
}

function text(length: number): string {
  return `"${'x'.repeat(length - 2)}"`;
}

function chunked(port: number, body: string): string {
  const chunks = (body.match(/[\s\S]{1,60000}/g) ?? []).map(
    (part) => `${part.length.toString(16)}\r\n${part}\r\n`,
  );
  return `POST /api/echo HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunks.join('')}0\r\n\r\n`;
}

describe('body of a request', () => {
  it('may be missing, which is {}', async () => {
    const { port } = await echoServer();
    expect((await request(port, 'POST /api/echo')).json()).to.deep.equal({ body: {} });
    expect((await requestJson(port, 'POST /api/echo', '')).json()).to.deep.equal({ body: {} });
    expect((await sendRaw(port, chunked(port, ''))).json()).to.deep.equal({ body: {} });
  });

  it('has at most 1 MiB, or what its route takes; more is 413', async () => {
    const { port } = await echoServer();
    expect((await requestJson(port, 'POST /api/echo', text(mebibyte))).status).to.equal(200);
    expect((await requestJson(port, 'POST /api/echo', text(mebibyte + 1))).status).to.equal(413);
    expect((await requestJson(port, 'POST /api/large', text(8 * mebibyte))).status).to.equal(200);
    expect((await requestJson(port, 'POST /api/large', text(8 * mebibyte + 1))).status).to.equal(
      413,
    );
  });

  it('is counted when it comes in chunks', async () => {
    const { port } = await echoServer();
    expect((await sendRaw(port, chunked(port, text(mebibyte)))).status).to.equal(200);
    expect((await sendRaw(port, chunked(port, text(mebibyte + 1)))).status).to.equal(413);
  });

  it('is refused by its announced length before any of it comes, and the connection closed', async () => {
    const { port } = await echoServer();
    const head = `POST /api/echo HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 999999999\r\n\r\n`;
    const answer = await sendRaw(port, head);
    expect(answer.status).to.equal(413);
    expect(answer.header('connection')).to.equal('close');
  });

  it('need not be sent by a client that asks first', async () => {
    const { port } = await echoServer();
    const head = (length: number) =>
      `POST /api/echo HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`;
    expect((await sendRaw(port, head(2 * mebibyte))).status).to.equal(413);

    const socket = await openSocket(port);
    const all = readToEnd(socket);
    socket.write(head(2));
    const consent = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
    expect(consent.toString()).to.equal('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('{}');
    expect(parseAnswer((await all).subarray(consent.length)).status).to.equal(200);
  });

  it('may be sent whole although it was refused, by a client that reads only then', async () => {
    const { port } = await echoServer();
    const body = text(20 * mebibyte);
    const socket = await openSocket(port);
    const all = readToEnd(socket);
    socket.pause();
    socket.write(
      `POST /api/echo HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    const failure = await new Promise((resolve) => socket.write(body, resolve));
    expect(failure).to.be.oneOf([null, undefined]);
    socket.resume();
    const answer = parseAnswer(await all);
    expect(answer.status).to.equal(413);
    expect(answer.json()).to.include({ status: 413, type: 'about:blank' });
  });

  it('must be JSON in UTF-8, else 400', async () => {
    const { port, bugs } = await echoServer();
    for (const body of ['{', 'hello', "{'a':1}", '{"a":1,}', '[1] 2', ' ', 'NaN', '\u0000']) {
      const answer = await requestJson(port, 'POST /api/echo', body);
      expect(answer.status, body).to.equal(400);
      expect(answer.json())
        .to.have.property('detail')
        .that.matches(/^The body is not JSON/);
    }
    const head = `POST /api/echo HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 4\r\n\r\n`;
    const broken = Buffer.concat([Buffer.from(head), Buffer.from([0x22, 0xc3, 0x28, 0x22])]);
    expect((await sendRaw(port, broken)).status).to.equal(400);
    expect(bugs).to.deep.equal([]);
  });

  it('is nested at most 64 deep, else 400, a hundred thousand deep too', async () => {
    const { port } = await echoServer();
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    for (const of of [nested, objects]) {
      expect((await requestJson(port, 'POST /api/echo', of(64))).status).to.equal(200);
      expect((await requestJson(port, 'POST /api/echo', of(65))).status).to.equal(400);
      expect((await requestJson(port, 'POST /api/echo', of(100_000))).status).to.equal(400);
    }
  });

  it('has no key that reaches a prototype, else 400 that points at it', async () => {
    const { port } = await echoServer();
    const bodies: [string, string][] = [
      ['{"__proto__":{"admin":true}}', '/__proto__'],
      ['{"a":[1,{"constructor":{"prototype":1}}]}', '/a/1/constructor'],
      ['{"a/b":{"~":{"prototype":1}}}', '/a~1b/~0/prototype'],
      ['{"\\u005f_proto__":1}', '/__proto__'],
    ];
    for (const [body, pointer] of bodies) {
      const answer = await requestJson(port, 'POST /api/echo', body);
      expect(answer.status, body).to.equal(400);
      expect(answer.json()).to.have.nested.property('errors[0].pointer', pointer);
    }
    expect(Object.hasOwn(Object.prototype, 'admin')).to.equal(false);
    const fine = await requestJson(port, 'POST /api/echo', '{"a":"__proto__","proto":1}');
    expect(fine.status).to.equal(200);
  });

  it('is answered with a pointer to each value that does not fit', async () => {
    const route = defineRoute({
      ...echoRoute('/api/echo'),
      body: z.strictObject({ name: z.string(), tags: z.array(z.int()).optional() }),
      handle: ({ body }) => json(body.name),
    });
    const { port } = await startServer([route]);
    const answer = await requestJson(port, 'POST /api/echo', '{"tags":[1,"x"],"a/b":1}');
    expect(answer.status).to.equal(400);
    const { errors, detail } = answer.json() as { errors: { pointer: string }[]; detail: string };
    expect(errors.map(({ pointer }) => pointer)).to.have.members(['/name', '/tags/1', '/a~1b']);
    expect(detail).to.equal('The body is not valid at /name: It is missing; it must be a text.');
    const wrong = JSON.stringify({ name: 'a', tags: Array.from({ length: 1000 }, () => 'x') });
    const many = await requestJson(port, 'POST /api/echo', wrong);
    expect(many.json()).to.have.property('errors').with.lengthOf(20);
  });

  it('has to be in order also where none is taken', async () => {
    const handle = () => json({ ok: true });
    const { port } = await startServer([{ ...echoRoute('/api/go'), body: undefined, handle }]);
    expect((await requestJson(port, 'POST /api/go', '{broken')).status).to.equal(400);
    expect((await requestJson(port, 'POST /api/go', '{"any":1}')).status).to.equal(200);
  });

  it('leaves the connection open when it was refused but is all there', async () => {
    const { port } = await echoServer();
    const socket = await openSocket(port);
    const all = readToEnd(socket);
    const head = `POST /api/echo HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n`;
    socket.write(`${head}\r\n{}`);
    const first = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
    expect(first.toString()).to.match(/^HTTP\/1.1 415/);
    socket.write(`${head}Connection: close\r\n\r\n{}`);
    expect((await all).toString().match(/HTTP\/1.1 415/g)).to.have.lengthOf(2);
  });
});
