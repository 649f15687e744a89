import { brotliDecompressSync } from 'node:zlib';
import { expect } from 'chai';
import { json, type TextAnswer } from '../../../src/server/http/route.js';
import { openSocket, parseAnswer, readToEnd, request } from './raw-request.js';
import { getRoute, startServer } from './running-server.js';
import { pause, until } from './waiting.js';

function text(pieces: AsyncIterable<string>, more: Partial<TextAnswer> = {}): TextAnswer {
  return { kind: 'text', contentType: 'text/csv; charset=utf-8', pieces, ...more };
}

async function* noPieces(): AsyncGenerator<string> {}

describe('JSON answers', () => {
  it('are one document and a newline, not to be stored', async () => {
    const { port } = await startServer([getRoute('/results', () => json({ name: 'é' }))]);
    const answer = await request(port, 'GET /results');
    expect(answer.body).to.equal('{"name":"é"}\n');
    expect(answer.header('content-type')).to.equal('application/json');
    expect(answer.header('content-length')).to.equal('14');
    expect(answer.header('cache-control')).to.equal('no-store');
    expect(answer.header('etag')).to.equal(undefined);
  });

  it('with a version have an ETag, and are 304 for a client that has them', async () => {
    let version = 'one "quoted"\r\nX-Evil: 1';
    const { port } = await startServer([getRoute('/results', () => json({ a: 1 }, version))]);
    const first = await request(port, 'GET /results');
    const tag = first.header('etag') ?? '';
    expect(tag).to.match(/^W\/"[\w-]+"$/);
    expect(first.header('cache-control')).to.equal('private, no-cache');
    expect(first.header('x-evil')).to.equal(undefined);
    for (const known of [tag, tag.slice(2), `"other", ${tag}`, '*']) {
      const again = await request(port, 'GET /results', [`If-None-Match: ${known}`]);
      expect([again.status, again.body, again.header('etag')], known).to.deep.equal([304, '', tag]);
      expect(again.header('vary')).to.equal('Accept-Encoding');
    }
    version = 'two';
    const changed = await request(port, 'GET /results', [`If-None-Match: ${tag}`]);
    expect(changed.status).to.equal(200);
    expect(changed.header('etag')).not.to.equal(tag);
  });

  it('over 1 KiB are compressed for clients that take it', async () => {
    const { port } = await startServer([
      getRoute('/api/long', () => json('x'.repeat(2000))),
      getRoute('/api/short', () => json('x'.repeat(500))),
    ]);
    const url = `http://127.0.0.1:${port}`;
    const headers = { 'Accept-Encoding': 'br' };
    const long = await fetch(`${url}/api/long`, { headers });
    expect(long.headers.get('content-encoding')).to.equal('br');
    expect(long.headers.get('vary')).to.equal('Accept-Encoding');
    expect(await long.json()).to.have.lengthOf(2000);
    const short = await fetch(`${url}/api/short`, { headers });
    expect(short.headers.get('content-encoding')).to.equal(null);
    expect(short.headers.get('vary')).to.equal('Accept-Encoding');
    const plain = await request(port, 'GET /api/long');
    expect(plain.body).to.have.lengthOf(2003);
  });
});

describe('answers in pieces', () => {
  it('are offered for saving under their name, whatever is in it', async () => {
    const names: [string, string][] = [
      [
        '0123456789ab.csv',
        `attachment; filename="0123456789ab.csv"; filename*=UTF-8''0123456789ab.csv`,
      ],
      [
        'a"b/é\r\n.md',
        `attachment; filename="a_b____.md"; filename*=UTF-8''a%22b%2F%C3%A9%0D%0A.md`,
      ],
    ];
    for (const [fileName, header] of names) {
      const { port } = await startServer([
        getRoute('/api/f', () => text(noPieces(), { fileName })),
      ]);
      const answer = await request(port, 'GET /api/f');
      expect(answer.header('content-disposition')).to.equal(header);
      expect(answer.header('content-type')).to.equal('text/csv; charset=utf-8');
      expect(answer.body).to.equal('');
    }
  });

  it('begin with the first piece, compressed or not, while the rest is being made', async () => {
    let resume: () => void = () => {};
    async function* pieces(): AsyncGenerator<string> {
      yield 'first,';
      await new Promise<void>((resolve) => {
        resume = resolve;
      });
      yield 'second';
    }
    const { port } = await startServer([getRoute('/api/f', () => text(pieces()))]);
    for (const encoding of ['identity', 'gzip', 'br']) {
      const answer = await fetch(`http://127.0.0.1:${port}/api/f`, {
        headers: { 'Accept-Encoding': encoding },
      });
      const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
      expect((await reader?.read())?.value, encoding).to.equal('first,');
      resume();
      expect((await reader?.read())?.value, encoding).to.equal('second');
    }
  });

  it('arrive whole, many and small as they may be', async () => {
    async function* pieces(): AsyncGenerator<string> {
      for (let line = 0; line < 100_000; line++) yield `${line},é\n`;
    }
    const { port } = await startServer([getRoute('/api/f', () => text(pieces()))]);
    const plain = await request(port, 'GET /api/f');
    expect(plain.body.split('\n')).to.have.lengthOf(100_001);
    const socket = await openSocket(port);
    socket.write(`GET /api/f HTTP/1.0\r\nHost: 127.0.0.1:${port}\r\nAccept-Encoding: br\r\n\r\n`);
    const bytes = await readToEnd(socket);
    const body = bytes.subarray(bytes.indexOf('\r\n\r\n') + 4);
    expect(brotliDecompressSync(body).toString()).to.equal(plain.body);
  });

  it('are made no faster than the client reads', async () => {
    let made = 0;
    async function* pieces(): AsyncGenerator<string> {
      for (; made < 1000; made++) yield 'x'.repeat(100_000);
    }
    const { port } = await startServer([getRoute('/api/f', () => text(pieces()))]);
    const socket = await openSocket(port);
    socket.pause();
    socket.write(`GET /api/f HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
    let before = -1;
    while (before !== made) {
      before = made;
      await pause(100);
    }
    expect(made).to.be.within(1, 500);
    const all = readToEnd(socket);
    socket.resume();
    expect(parseAnswer(await all).body).to.have.lengthOf(100_000_000);
  });

  it('are no longer made when the client has gone', async () => {
    for (const encoding of ['identity', 'br']) {
      let isOver = false;
      let made = 0;
      async function* pieces(): AsyncGenerator<string> {
        try {
          for (;;) {
            made++;
            yield `${Math.random()}`.repeat(10_000);
          }
        } finally {
          isOver = true;
        }
      }
      const { port, bugs } = await startServer([getRoute('/api/f', () => text(pieces()))]);
      const socket = await openSocket(port);
      socket.write(
        `GET /api/f HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept-Encoding: ${encoding}\r\n\r\n`,
      );
      await new Promise((resolve) => socket.once('data', resolve));
      socket.destroy();
      await until(() => isOver);
      const count = made;
      await pause(30);
      expect(made).to.equal(count);
      expect(bugs).to.deep.equal([]);
    }
  });

  it('are not made for HEAD, nor for a client that has them', async () => {
    let asked = 0;
    async function* pieces(): AsyncGenerator<string> {
      asked++;
      yield 'x';
    }
    const { port } = await startServer([
      getRoute('/results', () => text(pieces(), { version: 'one', fileName: 'a.json' })),
    ]);
    const head = await request(port, 'HEAD /results');
    expect(head.header('content-disposition')).to.contain('a.json');
    const tag = head.header('etag');
    expect((await request(port, 'GET /results', [`If-None-Match: ${tag}`])).status).to.equal(304);
    expect(asked).to.equal(0);
  });

  it('become a problem document when the first piece fails', async () => {
    // biome-ignore lint/correctness/useYield: it fails before it could.
    async function* pieces(): AsyncGenerator<string> {
      throw new Error('secret');
    }
    const { port, bugs } = await startServer([
      getRoute('/api/f', () => text(pieces(), { fileName: 'a.csv', version: '1' })),
    ]);
    const answer = await request(port, 'GET /api/f');
    expect(answer.status).to.equal(500);
    expect(answer.header('content-disposition')).to.equal(undefined);
    expect(answer.header('etag')).to.equal(undefined);
    expect(bugs).to.have.lengthOf(1);
  });

  it('are cut off, not ended, when a later piece fails', async () => {
    let fail = () => {};
    async function* pieces(): AsyncGenerator<string> {
      yield 'first,';
      await new Promise<void>((resolve) => {
        fail = resolve;
      });
      throw new Error('disk');
    }
    const { port, bugs } = await startServer([getRoute('/api/f', () => text(pieces()))]);
    for (const encoding of ['identity', 'br']) {
      const answer = await fetch(`http://127.0.0.1:${port}/api/f`, {
        headers: { 'Accept-Encoding': encoding },
      });
      // The client has the head: a connection that is cut off takes with it what has not been read.
      fail();
      const failure = await answer.text().then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(failure, encoding).to.be.instanceOf(Error);
    }
    expect(bugs).to.have.lengthOf(2);
  });
});
