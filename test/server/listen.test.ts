import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { expect } from 'chai';
import { createApp } from '../../src/server/app.js';
import { ownNames } from '../../src/server/http/host-names.js';
import { json } from '../../src/server/http/route.js';
import { isLoopback, listen } from '../../src/server/listen.js';
import { ownAddress } from '../helpers/own-address.js';
import { refusal } from '../store/builders.js';
import { openSocket, parseAnswer, readToEnd, request } from './http/raw-request.js';
import { echoRoute, getRoute, startServer } from './http/running-server.js';
import { pause, until } from './http/waiting.js';

const health = getRoute('/api/health', () => json({ ok: true }));

function app(token?: string) {
  const names = ownNames('127.0.0.1');
  return createApp({ routes: [health], names, onBug: () => {}, ...(token ? { token } : {}) });
}

async function occupied(port: number, use: (port: number) => Promise<void>): Promise<void> {
  const other = createServer();
  await new Promise<void>((resolve, reject) => {
    other.once('error', reject);
    other.listen({ host: '127.0.0.1', port }, resolve);
  });
  try {
    await use((other.address() as AddressInfo).port);
  } finally {
    await new Promise((resolve) => other.close(resolve));
  }
}

describe('listening', () => {
  it('is at 127.0.0.1 alone, at a free port for 0, and says where', async () => {
    const { url, port } = await startServer([health]);
    expect(url).to.equal(`http://127.0.0.1:${port}`);
    expect(await (await fetch(`${url}/api/health`)).json()).to.deep.equal({ ok: true });
    // The other addresses of this machine are still free at that port.
    const other: Server = createServer();
    await new Promise<void>((resolve, reject) => {
      other.once('error', reject).listen({ host: '127.0.0.2', port }, resolve);
    });
    await new Promise((resolve) => other.close(resolve));
  });

  it('refuses a port that is in use with what to do about it', async () => {
    await occupied(0, async (port) => {
      const error = await refusal(() => listen(app(), { port }));
      expect(error.code).to.equal('port-in-use');
      expect(error.message).to.equal(`Port ${port} is in use.`);
      expect(error.hints.join()).to.contain('--port 0');
    });
  });

  it('takes 8000 or the next free port when none is given', async () => {
    const one = await listen(app(), { host: ownAddress });
    const two = await listen(app(), { host: ownAddress });
    try {
      expect(one.port).to.be.within(8000, 8009);
      expect(two.port).to.be.within(one.port + 1, 8009);
    } finally {
      await Promise.all([one.close(), two.close()]);
    }
  });

  it('refuses addresses that others can reach unless there is a token', async () => {
    for (const host of ['0.0.0.0', '::', '192.0.2.1', '::ffff:127.0.0.1']) {
      const error = await refusal(() => listen(app(), { host, port: 0 }));
      expect([error.code, error.hints.length], host).to.deep.equal(['usage', 1]);
    }
    const open = await listen(app('a-secret-of-more'), { host: '0.0.0.0', port: 0 });
    expect(open.url).to.equal(`http://127.0.0.1:${open.port}`);
    expect((await request(open.port, 'GET /api/health')).status).to.equal(401);
    await open.close();
  });

  it('refuses names, addresses that are not here, and ports that are none', async () => {
    for (const host of ['localhost', 'example.com', '', '127.1']) {
      expect(
        (await refusal(() => listen(app('a-secret-of-more'), { host, port: 0 }))).code,
      ).to.equal('usage');
    }
    const elsewhere = await refusal(() =>
      listen(app('a-secret-of-more'), { host: '192.0.2.1', port: 0 }),
    );
    expect(elsewhere.message).to.equal('This machine has no address 192.0.2.1.');
    for (const port of [-1, 65_536, 1.5, Number.NaN]) {
      expect((await refusal(() => listen(app(), { port }))).code).to.equal('usage');
    }
  });

  it('knows addresses of this machine alone', () => {
    expect(['127.0.0.1', '127.9.9.9', '::1'].every(isLoopback)).to.equal(true);
    expect(
      ['0.0.0.0', '::', '10.0.0.1', '127.evil.example', '128.0.0.1'].some(isLoopback),
    ).to.equal(false);
  });
});

describe('deadlines', () => {
  const deadlines = { headers: 100, request: 250, check: 20 };

  it('end a request whose headers come too slowly with 408', async () => {
    const { port } = await startServer([health], {}, { deadlines });
    for (const begun of [
      '',
      'GET /api/',
      `GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`,
    ]) {
      const socket = await openSocket(port);
      const all = readToEnd(socket);
      socket.write(begun);
      expect(parseAnswer(await all).status, begun).to.equal(408);
    }
  });

  it('end a request whose body comes too slowly with 408, drop by drop too', async () => {
    const { port, bugs } = await startServer([echoRoute('/api/echo')], {}, { deadlines });
    const socket = await openSocket(port);
    const all = readToEnd(socket);
    socket.write(
      `POST /api/echo HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n"`,
    );
    const drip = setInterval(() => socket.write('x'), 20);
    const answer = parseAnswer(await all);
    clearInterval(drip);
    expect(answer.status).to.equal(408);
    expect(bugs).to.deep.equal([]);
  });

  it('do not end an answer that takes long', async () => {
    const slow = getRoute('/api/slow', async () => {
      await pause(1200);
      return json({ ok: true });
    });
    const patient = { headers: 900, request: 1000, check: 20 };
    const { port } = await startServer([slow], {}, { deadlines: patient });
    expect((await request(port, 'GET /api/slow')).status).to.equal(200);
  });

  it('and mistakes write nothing into an answer that has begun on the same connection', async () => {
    let resume: () => void = () => {};
    async function* pieces(): AsyncGenerator<string> {
      yield 'begun';
      await new Promise<void>((resolve) => {
        resume = resolve;
      });
      yield ' and ended';
    }
    const route = getRoute('/api/f', () => ({
      kind: 'text',
      contentType: 'text/csv',
      pieces: pieces(),
    }));
    const { port } = await startServer([route], {}, { deadlines });
    const socket = await openSocket(port);
    const all = readToEnd(socket);
    socket.write(`GET /api/f HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    await new Promise((resolve) => socket.once('data', resolve));
    socket.write('nonsense\r\n\r\n');
    await pause(50);
    resume();
    expect((await all).toString()).not.to.contain('HTTP/1.1 400');
  });

  it('let 200 slow sockets wait while other requests are answered', async () => {
    const { port } = await startServer([health, echoRoute('/api/echo')]);
    const starts = [
      '',
      'G',
      `GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Slow: `,
      `POST /api/echo HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    ];
    const sockets = await Promise.all(Array.from({ length: 200 }, () => openSocket(port)));
    for (const [index, socket] of sockets.entries()) socket.write(starts[index % 4] ?? '');
    for (let count = 0; count < 20; count++) {
      expect((await request(port, 'GET /api/health')).status).to.equal(200);
    }
    expect(sockets.filter(({ closed }) => closed)).to.deep.equal([]);
    for (const socket of sockets) socket.destroy();
  });
});

describe('closing', () => {
  it('ends idle and silent connections at once', async () => {
    const server = await startServer([health], {}, { deadlines: { close: 3_600_000 } });
    const silent = await openSocket(server.port);
    const idle = await openSocket(server.port);
    idle.write(`GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`);
    await new Promise((resolve) => idle.once('data', resolve));
    await Promise.all([server.close(), readToEnd(silent), readToEnd(idle)]);
  });

  it('lets an answer that is under way arrive', async () => {
    let finish: (() => void) | undefined;
    const slow = getRoute('/api/slow', async () => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return json({ done: true });
    });
    const server = await startServer([slow], {}, { deadlines: { close: 3_600_000 } });
    const answer = fetch(`${server.url}/api/slow`);
    await until(() => finish !== undefined);
    const closed = server.close();
    finish?.();
    await closed;
    expect(await (await answer).json()).to.deep.equal({ done: true });
  });

  it('ends what takes longer at the deadline, and aborts its handler', async () => {
    let isAborted = false;
    let begun = false;
    const stuck = getRoute('/api/stuck', ({ signal }) => {
      begun = true;
      signal.addEventListener('abort', () => {
        isAborted = true;
      });
      return new Promise(() => {});
    });
    const server = await startServer([stuck], {}, { deadlines: { close: 100 } });
    const answer = fetch(`${server.url}/api/stuck`).then(
      () => 'answered',
      () => 'cut off',
    );
    await until(() => begun);
    await server.close();
    expect(await answer).to.equal('cut off');
    await until(() => isAborted);
  });

  it('may be asked for twice', async () => {
    const server = await startServer([health]);
    await Promise.all([server.close(), server.close()]);
    await server.close();
  });
});
