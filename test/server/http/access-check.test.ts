import { expect } from 'chai';
import { ownNames } from '../../../src/server/http/host-names.js';
import { json } from '../../../src/server/http/route.js';
import { refusal } from '../../store/builders.js';
import { request, sendRaw } from './raw-request.js';
import { countingRoute, echoRoute, folderOf, getRoute, startServer } from './running-server.js';

const read = getRoute('/results', () => json({ secret: 1 }));

describe('access: the name of the server', () => {
  it('lets in 127.0.0.1 and localhost with the bound port, in any case', async () => {
    const { port } = await startServer([read]);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LocalHost:${port}`]) {
      expect((await request(port, 'GET /results', [`Host: ${host}`])).status, host).to.equal(200);
    }
  });

  it('refuses every other name with 403, for the API, pages and files', async () => {
    const ui = folderOf({ 'index.html': 'page', 'assets/app-abcdef12.js': 'code' });
    const { port } = await startServer([read], { ui });
    const hosts = [
      'evil.example',
      `evil.example:${port}`,
      'localhost',
      '127.0.0.1',
      `localhost:${port + 1}`,
      `localhost.:${port}`,
      `127.0.0.1.nip.io:${port}`,
      `0.0.0.0:${port}`,
      `127.1:${port}`,
      `[::1]:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
    ];
    for (const host of hosts) {
      for (const path of ['/results', '/api/nothing', '/', '/assets/app-abcdef12.js', '/no']) {
        const answer = await request(port, `GET ${path}`, [`Host: ${host}`]);
        expect(answer.status, `${host} ${path}`).to.equal(403);
        expect(answer.body).not.to.match(/secret|code/);
      }
    }
  });

  it('takes the name from a URL in absolute form, where the Host header counts for nothing', async () => {
    const { port } = await startServer([getRoute('/api/echo/{name}', () => json({}))]);
    const own = `127.0.0.1:${port}`;
    const status = async (url: string, host = own) =>
      (await request(port, `GET ${url}`, [`Host: ${host}`])).status;
    expect(await status(`http://${own}/api/echo/a?b=1`)).to.equal(200);
    expect(await status(`HTTP://LocalHost:${port}/api/echo/a`)).to.equal(200);
    expect(await status(`http://${own}/api/echo/a`, 'evil.example')).to.equal(200);
    expect(await status(`http://evil.example/api/echo/a`)).to.equal(403);
    expect(await status(`http://127.0.0.1/api/echo/a`)).to.equal(403);
    for (const authority of [`user@${own}`, '', `${own}\\`, '[::1', `${own}:1`]) {
      expect(await status(`http://${authority}/api/echo/a`), authority).to.equal(400);
    }
    expect(await status(`http://${own}?b=1`)).to.equal(200);
    expect(await status(`ftp://${own}/api/echo/a`)).to.equal(400);
    const missing = await sendRaw(port, `GET http://${own}/api/echo/a HTTP/1.1\r\n\r\n`);
    expect(missing.status).to.equal(400);
  });

  it('refuses a Host header that is missing, doubled or malformed with 400', async () => {
    const { port } = await startServer([read]);
    const own = `127.0.0.1:${port}`;
    const heads = [
      '',
      'Host:\r\n',
      `Host: ${own}\r\nHost: ${own}\r\n`,
      `Host: ${own}\r\nHost: evil.example\r\n`,
      `Host: ${own}, evil.example\r\n`,
      `Host: user@${own}\r\n`,
      `Host: http://${own}\r\n`,
      `Host: ${own}/\r\n`,
      `Host: ${own}0000000\r\n`,
      'Host: local host\r\n',
    ];
    for (const head of heads) {
      const answer = await sendRaw(
        port,
        `GET /results HTTP/1.1\r\n${head}Connection: close\r\n\r\n`,
      );
      expect(answer.status, head).to.equal(400);
      expect(answer.header('content-type'), head).to.equal('application/problem+json');
    }
    const old = await sendRaw(port, 'GET /results HTTP/1.0\r\n\r\n');
    expect(old.status).to.equal(400);
  });

  it('lets in what --allowed-host names, with the bound port or none, and pages of it', async () => {
    const { route } = countingRoute('/api/go');
    const names = ownNames('127.0.0.1', ['evals.example', 'other.example:99']);
    const { port } = await startServer([route], { names });
    for (const host of ['evals.example', `evals.example:${port}`, 'other.example:99']) {
      const headers = [`Host: ${host}`, `Origin: https://${host}`];
      expect((await request(port, 'POST /api/go', headers)).status, host).to.equal(200);
    }
    for (const host of ['evals.example:1', 'other.example', 'x.evals.example']) {
      expect((await request(port, 'POST /api/go', [`Host: ${host}`])).status, host).to.equal(403);
    }
  });

  it('refuses an --allowed-host that no Host header can be', async () => {
    for (const wrong of ['', '*', 'http://evals.example', 'evals.example/', '*.evals.example']) {
      const error = await refusal(() => ownNames('127.0.0.1', [wrong]));
      expect(error.code, wrong).to.equal('usage');
    }
    expect(ownNames('127.0.0.1', ['[fd00::7]']).hosts(80)).to.include('[fd00::7]');
  });

  it('knows the address it is bound to by every way of writing it down in a browser', () => {
    expect(ownNames('::1').hosts(8000)).to.include('[::1]:8000');
    expect(ownNames('0.0.0.0').hosts(8000)).to.deep.equal(['127.0.0.1:8000', 'localhost:8000']);
    expect(ownNames('10.0.0.7').hosts(8000)).to.include('10.0.0.7:8000');
    expect(ownNames('127.0.0.1').hosts(80)).to.include('localhost');
  });
});

describe('access: a web page that writes', () => {
  it('lets in clients that say no origin, and pages of the server itself', async () => {
    const { route, count } = countingRoute('/api/go');
    const { port } = await startServer([route]);
    const fine = [
      [],
      [`Origin: http://127.0.0.1:${port}`],
      [`Origin: http://localhost:${port}`],
      ['Sec-Fetch-Site: same-origin'],
      ['Sec-Fetch-Site: none'],
      ['Content-Length: 0'],
    ];
    for (const headers of fine) {
      expect((await request(port, 'POST /api/go', headers)).status).to.equal(200);
    }
    expect(count()).to.equal(fine.length);
  });

  it('refuses a foreign or null origin and a foreign site with 403, without a body too', async () => {
    const { route, count } = countingRoute('/api/go');
    const { port } = await startServer([route]);
    const refused = [
      ['Origin: http://evil.example'],
      ['Origin: null'],
      ['Origin:'],
      [`Origin: https://127.0.0.1:${port}`],
      [`Origin: http://127.0.0.1:${port + 1}`],
      ['Origin: http://localhost'],
      [`Origin: http://127.0.0.1:${port}`, 'Origin: http://evil.example'],
      [`Origin: http://127.0.0.1:${port}.evil.example`],
      ['Sec-Fetch-Site: cross-site'],
      ['Sec-Fetch-Site: same-site'],
      [`Origin: http://127.0.0.1:${port}`, 'Sec-Fetch-Site: cross-site'],
      ['Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: cross-site'],
    ];
    for (const headers of refused) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await request(port, `${method} /api/go`, headers);
        expect(answer.status, `${method} ${headers.join(', ')}`).to.equal(403);
      }
    }
    expect(count()).to.equal(0);
  });

  it('refuses a body that is not said to be JSON with 415, wherever it is sent', async () => {
    const { route, count } = countingRoute('/api/go');
    const { port } = await startServer([route, echoRoute('/api/echo')]);
    const types = [
      [],
      ['Content-Type: text/plain'],
      ['Content-Type: application/x-www-form-urlencoded'],
      ['Content-Type: multipart/form-data; boundary=x'],
      ['Content-Type: text/plain; application/json'],
      ['Content-Type: text/plain, application/json'],
      ['Content-Type: application/jsonx'],
      ['Content-Type: application/json; charset=utf-16'],
      ['Content-Type: application/json', 'Content-Encoding: gzip'],
    ];
    for (const headers of types) {
      for (const path of ['/api/go', '/api/echo', '/nothing']) {
        const answer = await request(port, `POST ${path}`, headers, '{}');
        expect(answer.status, `${path} ${headers.join(', ')}`).to.equal(415);
      }
    }
    expect(count()).to.equal(0);
  });

  it('takes JSON by each of its names', async () => {
    const { port } = await startServer([echoRoute('/api/echo')]);
    const types = [
      'application/json',
      'Application/JSON; charset=UTF-8',
      'application/json;charset="utf-8"',
      'application/merge-patch+json',
    ];
    for (const type of types) {
      const answer = await request(port, 'POST /api/echo', [`Content-Type: ${type}`], '[1]');
      expect(answer.json(), type).to.deep.equal({ body: [1] });
    }
  });
});

describe('access: a web page that reads', () => {
  it('refuses reads of the API from another site with 403, however the path is written', async () => {
    const { port } = await startServer([read, getRoute('/api/health', () => json({}))]);
    for (const site of ['cross-site', 'same-site', 'something-new']) {
      for (const line of ['GET /results', 'HEAD /results', 'GET /api/health', 'GET /api/nothing']) {
        const answer = await request(port, line, [`Sec-Fetch-Site: ${site}`]);
        expect(answer.status, `${site} ${line}`).to.equal(403);
      }
      for (const path of ['/RESULTS', '/results/', '//results', '/./results', '/%72esults']) {
        const answer = await request(port, `GET ${path}`, [`Sec-Fetch-Site: ${site}`]);
        expect(answer.body, path).not.to.contain('secret');
      }
    }
  });

  it('lets pages be opened from a link elsewhere', async () => {
    const { port } = await startServer([read]);
    const answer = await request(port, 'GET /', ['Sec-Fetch-Site: cross-site']);
    expect(answer.status).to.equal(200);
  });

  it('answers a preflight with no permission', async () => {
    const { port } = await startServer([read]);
    const answer = await request(port, 'OPTIONS /results', [
      'Origin: http://evil.example',
      'Access-Control-Request-Method: GET',
    ]);
    expect(answer.status).to.equal(405);
    expect(answer.head.join('\n')).not.to.match(/access-control/i);
  });
});
