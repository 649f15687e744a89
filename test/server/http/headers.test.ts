import { expect } from 'chai';
import { json } from '../../../src/server/http/route.js';
import {
  openSocket,
  parseAnswer,
  type RawAnswer,
  request,
  requestJson,
  sendRaw,
} from './raw-request.js';
import { echoRoute, folderOf, getRoute, startServer } from './running-server.js';

async function* pieces(): AsyncGenerator<string> {
  yield 'a,b\n';
}

async function fullServer(token?: string, deadlines = {}) {
  const ui = folderOf({ 'index.html': 'page', 'assets/app-abcdef12.js': 'code' });
  const routes = [
    getRoute('/results', () => json({ a: 1 }, 'version')),
    getRoute('/api/text', () => ({ kind: 'text', contentType: 'text/csv', pieces: pieces() })),
    getRoute('/api/events', () => ({ kind: 'events', subscribe: () => () => {} })),
    getRoute('/api/bug', () => {
      throw new Error('bug');
    }),
    echoRoute('/api/echo'),
  ];
  return startServer(routes, { ui, ...(token === undefined ? {} : { token }) }, { deadlines });
}

function check(answer: RawAnswer, what: string): void {
  const once = (name: string) => {
    expect(answer.all(name), `${name} of ${what}`).to.have.lengthOf(1);
    return answer.header(name);
  };
  expect(once('x-content-type-options'), what).to.equal('nosniff');
  expect(once('cross-origin-resource-policy'), what).to.equal('same-origin');
  expect(once('referrer-policy'), what).to.equal('no-referrer');
  expect(once('content-security-policy'), what).to.equal(
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  expect(once('cache-control'), what).to.match(/no-store|no-cache|immutable/);
  expect(answer.head.join('\n'), what).not.to.match(/^(?:access-control|x-powered-by|server)/im);
}

describe('headers', () => {
  it('guard every answer of the router, whatever its status', async () => {
    const { port } = await fullServer();
    const tag = (await request(port, 'GET /results')).header('etag');
    const cases: [number, string, string[]][] = [
      [200, 'GET /results', ['Origin: http://evil.example']],
      [200, 'HEAD /results', []],
      [304, 'GET /results', [`If-None-Match: ${tag}`]],
      [200, 'GET /api/text', []],
      [200, 'GET /', []],
      [200, 'GET /assets/app-abcdef12.js', []],
      [200, 'POST /api/echo', []],
      [400, 'GET /%', []],
      [403, 'GET /results', ['Host: evil.example']],
      [403, 'POST /api/echo', ['Origin: null']],
      [404, 'GET /nothing', []],
      [
        405,
        'OPTIONS /results',
        ['Access-Control-Request-Method: PUT', 'Origin: http://evil.example'],
      ],
      [414, `GET /${'x'.repeat(8192)}`, []],
      [500, 'GET /api/bug', []],
    ];
    for (const [status, line, headers] of cases) {
      const answer = await request(port, line, headers);
      expect(answer.status, line).to.equal(status);
      check(answer, `${status} ${line.slice(0, 40)}`);
    }
    const wrong = await requestJson(port, 'POST /api/echo', '{');
    expect(wrong.status).to.equal(400);
    check(wrong, 'wrong JSON');
    const tooLarge = await requestJson(port, 'POST /api/echo', ' '.repeat(1024 * 1024 + 1));
    expect(tooLarge.status).to.equal(413);
    check(tooLarge, 'too large');
  });

  it('guard answers about the token and the link', async () => {
    const { port, app } = await fullServer('a-secret-of-more');
    const refused = await request(port, 'GET /');
    expect(refused.status).to.equal(401);
    check(refused, '401');
    const led = await request(port, `GET ${app.makeLink()}`);
    expect(led.status).to.equal(303);
    check(led, '303');
  });

  it('guard event streams', async () => {
    const { port } = await fullServer();
    const socket = await openSocket(port);
    socket.write(`GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    const first = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
    check(parseAnswer(first), 'event stream');
    socket.destroy();
  });

  it('guard answers to what never became a request', async () => {
    const deadlines = { headers: 150, request: 300, check: 20 };
    const patient = await fullServer();
    const hasty = await fullServer(undefined, deadlines);
    const own = `Host: 127.0.0.1:${patient.port}\r\n`;
    const cases: [number, string][] = [
      [400, 'hello\r\n\r\n'],
      [400, `GET / HTTP/9.9\r\n${own}\r\n`],
      [400, `GET / HTTP/1.1\r\n${own}Bad\x01: 1\r\n\r\n`],
      [400, `POST / HTTP/1.1\r\n${own}Content-Length: x\r\n\r\n`],
      [400, `POST / HTTP/1.1\r\n${own}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
      [
        400,
        `POST / HTTP/1.1\r\n${own}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      ],
      [431, `GET / HTTP/1.1\r\n${own}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
      [414, `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${own}\r\n`],
      [408, `GET / HTTP/1.1\r\n${own}`],
      [
        408,
        `POST /api/echo HTTP/1.1\r\n${own}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
      ],
    ];
    for (const [status, bytes] of cases) {
      const { port } = status === 408 ? hasty : patient;
      const answer = await sendRaw(port, bytes.replace(`:${patient.port}`, `:${port}`));
      const what = `${status} for ${bytes.slice(0, 30)}`;
      expect(answer.status, what).to.equal(status);
      expect(answer.header('content-type'), what).to.equal('application/problem+json');
      expect(answer.header('connection'), what).to.equal('close');
      expect(answer.json(), what).to.include({ status, type: 'about:blank' });
      check(answer, what);
    }
  });
});
