import { expect } from 'chai';
import { z } from 'zod';
import { AssayError, type ErrorCode } from '../../src/errors.js';
import { ProblemError } from '../../src/server/http/problem.js';
import { defineRoute, json, type Route } from '../../src/server/http/route.js';
import { openSocket, request } from './http/raw-request.js';
import { countingRoute, echoRoute, getRoute, startServer } from './http/running-server.js';

function sessionRoute(path: string): Route {
  return defineRoute({
    ...getRoute(path, () => json(null)),
    params: z.object({ name: z.string().max(20) }),
    handle: ({ params }) => json(params),
  });
}

async function statusOf(
  error: unknown,
): Promise<{ status: number; body: string; bugs: unknown[] }> {
  const route = getRoute('/api/fail', () => {
    throw error;
  });
  const { port, bugs } = await startServer([route]);
  const { status, body } = await request(port, 'GET /api/fail');
  return { status, body, bugs };
}

describe('app: finding the route', () => {
  it('answers 404 where there is nothing, for every method', async () => {
    const { port } = await startServer([getRoute('/results', () => json({}))]);
    for (const line of ['GET /nothing', 'POST /api/nothing', 'DELETE /x', 'OPTIONS /api/y']) {
      const answer = await request(port, line);
      expect(answer.status, line).to.equal(404);
      expect(answer.json()).to.deep.equal({
        type: 'about:blank',
        title: 'Not Found',
        status: 404,
        detail: `There is nothing at ${line.split(' ')[1]}.`,
      });
    }
  });

  it('answers 405 with Allow at a known path, the pages among them', async () => {
    const { route } = countingRoute('/api/runs/{run_id}');
    const { port } = await startServer([route, getRoute('/api/runs/{run_id}', () => json({}))]);
    const deleted = await request(port, 'DELETE /api/runs/latest');
    expect([deleted.status, deleted.header('allow')]).to.deep.equal([405, 'GET, HEAD, POST']);
    const posted = await request(port, 'POST /');
    expect([posted.status, posted.header('allow')]).to.deep.equal([405, 'GET, HEAD']);
    expect((await request(port, 'TRACE /api/runs/latest')).status).to.equal(405);
  });

  it('answers HEAD like GET, without the body', async () => {
    const { port } = await startServer([getRoute('/results', () => json({ a: 1 }))]);
    const answer = await request(port, 'HEAD /results');
    expect(answer.status).to.equal(200);
    expect(answer.header('content-length')).to.equal('8');
    expect(answer.body).to.equal('');
  });

  it('takes paths as they are written: case, slashes and dots', async () => {
    const { port } = await startServer([getRoute('/api/health', () => json({}))]);
    for (const path of [
      '/API/health',
      '/api/health/',
      '/api//health',
      '/api/./health',
      '/apixhealth',
    ]) {
      expect((await request(port, `GET ${path}`)).status, path).to.equal(404);
    }
  });

  it('prefers what is written out to a parameter, whatever the order', async () => {
    const { port } = await startServer([
      sessionRoute('/api/x/{name}'),
      getRoute('/api/x/all', () => json('all')),
    ]);
    expect((await request(port, 'GET /api/x/all')).json()).to.equal('all');
    expect((await request(port, 'GET /api/x/one')).json()).to.deep.equal({ name: 'one' });
  });
});

describe('app: parameters', () => {
  it('decodes each segment after matching, so that a slash may be part of a name', async () => {
    const { port } = await startServer([sessionRoute('/api/sessions/{name}/runs')]);
    const names: [string, string][] = [
      ['a%2Fb', 'a/b'],
      ['%E6%97%A5', '日'],
      ['%252F', '%2F'],
      ['..', '..'],
      ['%2e%2e%2f', '../'],
      ['a+b', 'a+b'],
      ['__proto__', '__proto__'],
    ];
    for (const [path, name] of names) {
      const answer = await request(port, `GET /api/sessions/${path}/runs`);
      expect(answer.json(), path).to.deep.equal({ name });
    }
  });

  it('answers 404 for a path parameter that fits nothing', async () => {
    const { port } = await startServer([sessionRoute('/api/sessions/{name}')]);
    const answer = await request(port, `GET /api/sessions/${'x'.repeat(21)}`);
    expect(answer.status).to.equal(404);
  });

  it('answers 400 for wrong percent-encoding and NUL', async () => {
    const { port, bugs } = await startServer([sessionRoute('/api/sessions/{name}')]);
    for (const path of [
      '/api/sessions/%',
      '/api/sessions/%zz',
      '/%ff',
      '/%00',
      '/api/sessions/a%00b',
    ]) {
      expect((await request(port, `GET ${path}`)).status, path).to.equal(400);
    }
    expect((await request(port, 'GET /api/sessions/a?b=%')).status).to.equal(400);
    expect((await request(port, 'GET ftp://127.0.0.1/api/sessions/a')).status).to.equal(400);
    expect(bugs).to.deep.equal([]);
  });

  it('hands each parameter after ? over as all its values', async () => {
    const { port } = await startServer([
      defineRoute({
        ...getRoute('/api/rows', () => json(null)),
        query: z.object({
          label: z.array(z.string()).optional(),
          limit: z.array(z.coerce.number()).optional(),
        }),
        handle: ({ query }) => json(query),
      }),
    ]);
    const answer = await request(port, 'GET /api/rows?label=a+b&label=%21c&limit=3&__proto__=1');
    expect(answer.json()).to.deep.equal({ label: ['a b', '!c'], limit: [3] });
    const wrong = await request(port, 'GET /api/rows?limit=x');
    expect(wrong.status).to.equal(400);
    expect(wrong.json()).to.have.nested.property('errors[0].pointer', 'limit');
  });

  it('answers 414 for a URL over 8 KiB', async () => {
    const { port } = await startServer([getRoute('/results', () => json({}))]);
    const url = (length: number) => `/results?${'x'.repeat(length - 9)}`;
    expect((await request(port, `GET ${url(8192)}`)).status).to.equal(200);
    expect((await request(port, `GET ${url(8193)}`)).status).to.equal(414);
  });
});

describe('app: errors', () => {
  it('answers known errors with their status and sentence', async () => {
    const wanted: [ErrorCode, number][] = [
      ['bad-request', 400],
      ['usage', 400],
      ['no-such-run', 404],
      ['no-such-result', 404],
      ['busy', 409],
      ['view-only', 409],
      ['not-in-progress', 409],
      ['storage-full', 507],
      ['unreadable-run', 404],
    ];
    for (const [code, status] of wanted) {
      const answer = await statusOf(new AssayError(code, 'This is wrong', { hints: ['Do that.'] }));
      expect(answer.status, code).to.equal(status);
      expect(answer.body).to.contain('"detail":"This is wrong. Do that."');
      expect(answer.bugs).to.deep.equal([]);
    }
  });

  it('answers with the status and headers a handler asks for', async () => {
    const answer = await statusOf(new ProblemError(418, 'No coffee.'));
    expect(answer.status).to.equal(418);
  });

  it('answers 503 when descriptors have run out and 507 when the disk is full', async () => {
    const system = (code: string) => Object.assign(new Error(`${code}: /home/secret`), { code });
    expect((await statusOf(system('EMFILE'))).status).to.equal(503);
    const cause = system('ENFILE');
    expect((await statusOf(new AssayError('storage-unusable', 'No.', { cause }))).status).to.equal(
      503,
    );
    const full = await statusOf(system('ENOSPC'));
    expect(full.status).to.equal(507);
    expect(full.body).not.to.contain('secret');
  });

  it('answers 500 without a word of what a bug says, and passes the bug on', async () => {
    for (const bug of [
      new Error('at /home/secret/x.ts'),
      'secret',
      undefined,
      { status: 200, message: 'secret' },
    ]) {
      const { status, body, bugs } = await statusOf(bug);
      expect(status).to.equal(500);
      expect(body).not.to.contain('secret');
      expect(bugs).to.deep.equal([bug]);
    }
  });

  it('tells a handler when the client has gone, and takes what it then throws for no bug', async () => {
    let wasTold: () => void = () => {};
    const told = new Promise<void>((resolve) => {
      wasTold = resolve;
    });
    const client = new AbortController();
    const { port, bugs } = await startServer([
      getRoute('/api/slow', async ({ signal }) => {
        client.abort();
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        wasTold();
        throw new Error('aborted');
      }),
    ]);
    await fetch(`http://127.0.0.1:${port}/api/slow`, { signal: client.signal }).catch(() => {});
    await told;
    expect((await request(port, 'GET /nothing')).status).to.equal(404);
    expect(bugs).to.deep.equal([]);
  });

  it('stays up whatever the body of a client that goes in the middle', async () => {
    const { port, bugs } = await startServer([echoRoute('/api/echo')]);
    const socket = await openSocket(port);
    socket.write(
      `POST /api/echo HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 50\r\n\r\n`,
    );
    // It is told to go on when the server has begun to read.
    await new Promise((resolve) => socket.once('data', resolve));
    await new Promise((resolve) => socket.write('{', resolve));
    socket.destroy();
    expect((await request(port, 'POST /api/echo')).status).to.equal(200);
    expect(bugs).to.deep.equal([]);
  });
});
