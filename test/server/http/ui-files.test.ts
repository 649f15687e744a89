import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { request } from './raw-request.js';
import { folderOf, startServer } from './running-server.js';

const files = {
  'ui/index.html': '<!doctype html><title>UI</title>',
  'ui/assets/app-BxYz12_3.js': 'console.log(1)',
  'ui/assets/plain.js': 'plain',
  'ui/favicon.svg': '<svg/>',
  'ui/.env': 'SECRET=1',
  'outside.txt': 'SECRET=2',
  'ui-next/secret.txt': 'SECRET=3',
};

function uiServer() {
  const folder = folderOf(files);
  return startServer([], { ui: join(folder, 'ui') }).then((server) => ({ ...server, folder }));
}

describe('files of the web UI', () => {
  it('open at the start page, the page of a result and the comparison', async () => {
    const { port } = await uiServer();
    for (const path of [
      '/',
      '/runs/0123456789ab/results/3',
      '/runs/latest/results/0',
      '/compare?run=a',
    ]) {
      const answer = await request(port, `GET ${path}`);
      expect([answer.status, answer.body], path).to.deep.equal([200, files['ui/index.html']]);
      expect(answer.header('cache-control')).to.equal('no-cache');
      expect(answer.header('content-type')).to.match(/^text\/html;\s?charset=utf-8$/i);
    }
    for (const path of ['/runs', '/runs/a', '/compare/x', '/runs/a/results']) {
      expect((await request(port, `GET ${path}`)).status, path).to.equal(404);
    }
  });

  it('say in the browser that nothing is at an address, and nothing but that to programs', async () => {
    const { port } = await uiServer();
    for (const path of ['/runs', '/runs/a/results', '/nowhere']) {
      const page = await request(port, `GET ${path}`, ['Accept: text/html,*/*;q=0.8']);
      expect([page.status, page.body], path).to.deep.equal([404, files['ui/index.html']]);
      expect(page.header('content-type')).to.match(/^text\/html/);
      expect(page.header('content-security-policy')).to.be.a('string');
      const problem = await request(port, `GET ${path}`, ['Accept: */*']);
      expect(problem.header('content-type')).to.match(/^application\/problem\+json/);
    }
    const api = await request(port, 'GET /api/nowhere', ['Accept: text/html']);
    expect([api.status, api.header('content-type')]).to.deep.equal([
      404,
      'application/problem+json',
    ]);
  });

  it('are kept for ever when their names change with their content', async () => {
    const { port } = await uiServer();
    const asset = await request(port, 'GET /assets/app-BxYz12_3.js');
    expect(asset.header('cache-control')).to.equal('public, max-age=31536000, immutable');
    expect(asset.header('content-type')).to.match(/javascript/);
    for (const path of ['/assets/plain.js', '/favicon.svg', '/index.html']) {
      const answer = await request(port, `GET ${path}`);
      expect([answer.status, answer.header('cache-control')], path).to.deep.equal([
        200,
        'no-cache',
      ]);
    }
    const gone = await request(port, 'GET /assets/app-00000000.js');
    expect([gone.status, gone.header('cache-control')]).to.deep.equal([404, 'no-store']);
  });

  it('are asked about by their ETag', async () => {
    const { port } = await uiServer();
    const tag = (await request(port, 'GET /')).header('etag');
    const again = await request(port, 'GET /', [`If-None-Match: ${tag}`]);
    expect([again.status, again.body]).to.deep.equal([304, '']);
  });

  it('are all there is: nothing outside their folder, no hidden file, no folder', async () => {
    const { port } = await uiServer();
    const paths = [
      '/../outside.txt',
      '/assets/../../outside.txt',
      '/%2e%2e/outside.txt',
      '/%2e%2e%2foutside.txt',
      '/..%2foutside.txt',
      '/..%5coutside.txt',
      '/..\\outside.txt',
      '/%252e%252e%252foutside.txt',
      '/....//outside.txt',
      '/../ui-next/secret.txt',
      '//outside.txt',
      '/.env',
      '/%2eenv',
      '/assets',
      '/assets/',
      '/constructor',
      '/__proto__',
      '/index',
    ];
    for (const path of paths) {
      const answer = await request(port, `GET ${path}`);
      expect(answer.status, path).to.equal(404);
      expect(answer.body).not.to.contain('SECRET');
    }
    expect((await request(port, 'GET /.env%00.js')).status).to.equal(400);
  });

  it('are sent whole whatever range is asked for', async () => {
    const { port } = await uiServer();
    for (const range of ['bytes=5-2', 'bytes=-3', 'bytes=9999999-', 'bytes=0-1', 'x']) {
      const answer = await request(port, 'GET /favicon.svg', [`Range: ${range}`]);
      expect([answer.status, answer.body], range).to.deep.equal([200, '<svg/>']);
    }
  });

  it('may vanish while the server runs, which ends one answer and nothing else', async () => {
    const { port, folder } = await uiServer();
    unlinkSync(join(folder, 'ui/assets/plain.js'));
    expect((await request(port, 'GET /assets/plain.js')).body).to.equal('');
    expect((await request(port, 'GET /')).status).to.equal(200);
  });

  it('are only read', async () => {
    const { port } = await uiServer();
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect((await request(port, `${method} /favicon.svg`)).status, method).to.equal(404);
    }
    const head = await request(port, 'HEAD /favicon.svg');
    expect([head.status, head.body, head.header('content-length')]).to.deep.equal([200, '', '6']);
  });

  it('are replaced by a page that says that they are missing and where the API is', async () => {
    for (const ui of [folderOf({ 'other.txt': '1' }), '/no/such/folder', undefined]) {
      const { port } = await startServer([], ui === undefined ? {} : { ui });
      for (const path of ['/', '/compare', '/runs/latest/results/0']) {
        const answer = await request(port, `GET ${path}`);
        expect(answer.status, path).to.equal(200);
        expect(answer.body)
          .to.contain('href="/api/openapi.json"')
          .and.not.match(/<script|style/);
      }
      expect((await request(port, 'GET /other.txt')).status).to.equal(404);
    }
  });
});
