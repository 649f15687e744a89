import { expect } from 'chai';
import type { EventsAnswer } from '../../../src/server/http/route.js';
import { openSocket, readToEnd, request } from './raw-request.js';
import { getRoute, startServer } from './running-server.js';
import { pause, until } from './waiting.js';

/** A source of events that knows its listeners. */
function eventSource() {
  const listeners = new Set<(block: string) => void>();
  const answer: EventsAnswer = {
    kind: 'events',
    subscribe: (send) => {
      listeners.add(send);
      return () => listeners.delete(send);
    },
  };
  return {
    route: getRoute('/api/events', () => answer),
    count: () => listeners.size,
    send: (block: string) => {
      for (const listener of listeners) listener(block);
    },
  };
}

async function openStream(port: number) {
  const socket = await openSocket(port);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.write(
    `GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept-Encoding: gzip, br\r\n\r\n`,
  );
  const has = async (part: string) => {
    while (!text.includes(part)) await pause(2);
  };
  return { socket, has, text: () => text };
}

describe('event streams', () => {
  it('say hello at once and pass blocks on as they are, uncompressed', async () => {
    const source = eventSource();
    const { port } = await startServer([source.route]);
    const stream = await openStream(port);
    await stream.has(': hello\n\n');
    source.send('event: run\ndata: {"a":1}\n\n');
    await stream.has('event: run\ndata: {"a":1}\n\n');
    expect(stream.text()).to.match(/^HTTP\/1\.1 200 OK/);
    expect(stream.text()).to.match(/^content-type: text\/event-stream\r$/im);
    expect(stream.text()).to.match(/^cache-control: no-store\r$/im);
    expect(stream.text()).not.to.match(/content-encoding/i);
  });

  it('have a comment now and then, so that a dead connection is noticed', async () => {
    const source = eventSource();
    const { port } = await startServer([source.route], { limits: { heartbeat: 10 } });
    const stream = await openStream(port);
    await stream.has(': still here\n\n');
  });

  it('end their subscription when the client goes', async () => {
    const source = eventSource();
    const { port } = await startServer([source.route]);
    const stream = await openStream(port);
    await stream.has(': hello');
    expect(source.count()).to.equal(1);
    stream.socket.destroy();
    await until(() => source.count() === 0);
  });

  it('are at most 32; one more is 503, until one has ended', async () => {
    const source = eventSource();
    const { port } = await startServer([source.route]);
    const streams = await Promise.all(Array.from({ length: 32 }, () => openStream(port)));
    await Promise.all(streams.map((stream) => stream.has(': hello')));
    const refused = await request(port, 'GET /api/events');
    expect(refused.status).to.equal(503);
    expect(refused.header('content-type')).to.equal('application/problem+json');
    expect(refused.header('retry-after')).to.equal('5');
    streams[0]?.socket.destroy();
    await until(() => source.count() === 31);
    const next = await openStream(port);
    await next.has(': hello');
  });

  it('are not opened by HEAD', async () => {
    const source = eventSource();
    const { port } = await startServer([source.route]);
    const answer = await request(port, 'HEAD /api/events');
    expect(answer.header('content-type')).to.equal('text/event-stream');
    expect(source.count()).to.equal(0);
  });

  it('drop a reader that is more than 1 MiB behind, and no other', async () => {
    const source = eventSource();
    const { port } = await startServer([source.route]);
    const good = await openStream(port);
    const slow = await openStream(port);
    await Promise.all([good.has(': hello'), slow.has(': hello')]);
    slow.socket.pause();
    const block = `data: ${'x'.repeat(100_000)}\n\n`;
    for (let sent = 0; source.count() === 2 && sent < 500; sent++) {
      source.send(block);
      await pause(1);
    }
    expect(source.count()).to.equal(1);
    source.send('data: last\n\n');
    await good.has('data: last');
  });

  it('end when the server closes', async () => {
    const source = eventSource();
    const server = await startServer([source.route]);
    const stream = await openStream(server.port);
    await stream.has(': hello');
    const end = readToEnd(stream.socket);
    await server.close();
    await end;
    expect(stream.text().endsWith('0\r\n\r\n')).to.equal(true);
    expect(source.count()).to.equal(0);
  });

  it('let go of their place when subscribing fails', async () => {
    const failing: EventsAnswer = {
      kind: 'events',
      subscribe: () => {
        throw new Error('no feed');
      },
    };
    const { port, bugs } = await startServer([getRoute('/api/events', () => failing)], {
      limits: { eventStreams: 1 },
    });
    for (let attempt = 0; attempt < 3; attempt++) {
      expect((await request(port, 'GET /api/events')).status).to.be.oneOf([0, 200, 500]);
      await pause(5);
    }
    expect(bugs).to.have.lengthOf(3);
  });
});
