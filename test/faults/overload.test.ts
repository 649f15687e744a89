import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { endServing, serve } from '../e2e/serve-process.js';
import { Project, removeProjects } from '../helpers/project.js';
import { keptConnection } from './kept-connection.js';

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

/** One more client that stays; false when the server has no descriptor for it. */
async function isLetIn(url: string): Promise<boolean> {
  const sent = request(`${url}/api/events`, { agent: false }).end();
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect(response.statusCode).to.equal(200);
    response.on('error', () => undefined);
    sockets.push(response.socket);
    return true;
  } catch (error) {
    expect(error).to.have.property('code', 'ECONNRESET');
    return false;
  }
}

describe('a server whose descriptors run out', () => {
  afterEach(async () => {
    closeSockets();
    await endServing();
    removeProjects();
  });

  it('answers 503 and says when to try again, and answers again when it gets some back', async () => {
    const project = new Project({ 'a.eval.ts': source });
    const saved = await project.run();
    const { url, child, stderr } = await serve(project);
    const ask = keptConnection(url);
    const get = (path: string) => ask('GET', path);
    expect((await get('/api/sessions')).status).to.equal(200);
    const limit = readdirSync(`/proc/${child.pid}/fd`).length + 20;
    expect(spawnSync('prlimit', [`--pid=${child.pid}`, `--nofile=${limit}:`]).status).to.equal(0);
    // A file that the server had open when it turned a client away, and has closed since, is room for one more.
    do {
      while (await isLetIn(url)) expect((await get('/api/health')).status).to.equal(200);
    } while ((await get('/api/sessions')).status === 200);

    const data = `/api/runs/${saved.run.run_id}/data`;
    for (const path of ['/api/sessions', data]) {
      const refused = await get(path);
      expect(refused.status, refused.body).to.equal(503);
      expect(refused.retryAfter).to.equal('5');
      expect(refused.body).to.include('Too many files are open');
    }

    closeSockets();
    let answer = await get(data);
    while (answer.status === 503) {
      await delay(50);
      answer = await get(data);
    }
    expect(answer.status, answer.body).to.equal(200);
    expect((await fetch(`${url}/api/health`)).status).to.equal(200);
    expect(stderr()).not.to.match(/^\s+at /m);
  });
});

describe('two hundred clients that send a byte now and then', () => {
  afterEach(async () => {
    closeSockets();
    await endServing();
    removeProjects();
  });

  it('keep no normal request waiting', async () => {
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
      for (let count = 0; count < 40; count += 1) {
        expect((await fetch(`${url}/results`)).status).to.equal(200);
        await delay(20);
      }
      // Those that send a body have half a minute: it was answered beside them, not after them.
      expect(slow.filter(({ closed }, at) => at % 2 === 1 && closed)).to.deep.equal([]);
    } finally {
      clearInterval(dribble);
    }
  });
});
