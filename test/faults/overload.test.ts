import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { endServing, serve } from '../e2e/serve-process.js';
import { Project, removeProjects, until } from '../helpers/project.js';

const source = `
import { evaluation } from 'assay';
export const row = evaluation({}, (ctx) => { ctx.output = 'fine'; });
`;

const sockets: Socket[] = [];

async function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

function closeSockets(): void {
  for (const socket of sockets.splice(0)) socket.destroy();
}

/** GETs over one connection that stays open. */
function keptConnection(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return async (path: string): Promise<{ status: number; retryAfter?: string; detail: string }> => {
    const sent = request(`${url}${path}`, { agent }).end();
    const [response] = await once(sent, 'response');
    return {
      status: response.statusCode,
      retryAfter: response.headers['retry-after'],
      detail: await text(response),
    };
  };
}

function descriptorsOf(pid: number | undefined): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

describe('a server whose descriptors run out', () => {
  afterEach(() => {
    closeSockets();
    endServing();
    removeProjects();
  });

  it('answers 503 and says when to try again, and is well within five seconds of getting some back', async () => {
    const project = new Project({ 'a.eval.ts': source });
    const saved = await project.run();
    const { url, child, stderr } = await serve(project);
    const get = keptConnection(url);
    expect((await get('/api/health')).status).to.equal(200);
    const limit = descriptorsOf(child.pid) + 20;
    expect(spawnSync('prlimit', [`--pid=${child.pid}`, `--nofile=${limit}:`]).status).to.equal(0);
    // The last of them are not accepted any more.
    while (sockets.length < 40) await openSocket(url);
    await until(() => descriptorsOf(child.pid) >= limit - 2, 'all descriptors to be in use');

    const refused = await get(`/api/runs/${saved.run.run_id}/data`);
    expect(refused.status, refused.detail).to.equal(503);
    expect(refused.retryAfter).to.equal('5');
    expect(refused.detail).to.include('Too many files are open');

    closeSockets();
    const freedAt = performance.now();
    for (;;) {
      const { status } = await get(`/api/runs/${saved.run.run_id}/data`);
      if (status === 200) break;
      expect(status).to.equal(503);
      expect(performance.now() - freedAt, 'milliseconds').to.be.below(5000);
      await delay(50);
    }
    expect((await fetch(`${url}/api/health`)).status).to.equal(200);
    expect(stderr()).not.to.match(/^\s+at /m);
  });
});

describe('two hundred clients that send a byte now and then', () => {
  afterEach(() => {
    closeSockets();
    endServing();
    removeProjects();
  });

  it('do not slow a normal request', async () => {
    const { url } = await serve({ 'a.eval.ts': source });
    const { host } = new URL(url);
    const begun = [
      `GET /results HTTP/1.1\r\nHost: ${host}\r\nX-Slow: `,
      `PATCH /api/runs/latest/results/0 HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n{"`,
    ];
    const slow = await Promise.all(Array.from({ length: 200 }, () => openSocket(url)));
    for (const [at, socket] of slow.entries()) socket.write(begun[at % 2] ?? '');
    const dribble = setInterval(() => {
      for (const socket of slow) socket.write('x');
    }, 100);
    try {
      const times: number[] = [];
      for (let count = 0; count < 40; count += 1) {
        const start = performance.now();
        expect((await fetch(`${url}/results`)).status).to.equal(200);
        times.push(performance.now() - start);
        await delay(20);
      }
      times.sort((a, b) => a - b);
      expect(times[20], 'milliseconds, half of the requests').to.be.below(250);
      expect(times[39], 'milliseconds, the slowest').to.be.below(4000);
    } finally {
      clearInterval(dribble);
    }
  });
});
