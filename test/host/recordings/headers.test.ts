import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { Project } from '../../helpers/project.js';
import { onlyRecording } from '../../helpers/recordings.js';

const secret = 'canary-1234567890';

/** What code may read of an answer. */
const kept = {
  'content-type': 'application/json',
  'x-amzn-errortype': 'ValidationException',
  'x-amzn-bedrock-input-token-count': '12',
  'retry-after': '3',
  'retry-after-ms': '3000',
  link: '<https://example.com/models?page=2>; rel="next"',
  location: 'https://example.com/operations/7?api-version=1',
  'content-range': 'bytes 0-9/100',
  etag: '"v1"',
  'x-total-count': '42',
  'x-next-page': '2',
  'content-language': 'de',
};
const dropped = {
  'request-id': 'req_1',
  'x-request-id': 'req_2',
  'x-amzn-requestid': 'req_3',
  'x-ratelimit-remaining-requests': '9',
  'anthropic-ratelimit-tokens-limit': '100',
  'set-cookie': `session=${secret}`,
  'x-api-key': secret,
  'openai-organization': 'org-canary',
  server: 'canary',
  'cf-ray': 'canary',
  'x-session-id': 'canary',
  'openai-processing-ms': '12',
  date: 'Sat, 28 Nov 2026 12:00:00 GMT',
};

const evals = `
import { evaluation } from 'assay';
import http from 'node:http';
const url = process.env.PROVIDER + '/v1/chat/completions';
const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] });
export const by_fetch = evaluation({ target: async () => {
  const response = await fetch(url, { method: 'POST', body });
  const { status, statusText, ok, redirected, type, headers } = response;
  return { status, statusText, ok, redirected, type, text: await response.text(), headers: Object.fromEntries(headers) };
} });
export const by_http = evaluation({ target: () => new Promise((resolve, reject) => {
  http.request(url, { method: 'POST', headers: { 'accept-encoding': 'gzip' } }, async (response) => {
    const { statusCode: status, statusMessage: statusText, headers } = response;
    const chunks = [];
    for await (const chunk of response) chunks.push(chunk);
    resolve({ status, statusText, size: Buffer.concat(chunks).length > 0, headers });
  }).on('error', reject).end(body);
}) });
`;

describe('headers of recorded answers', () => {
  it('are the same in a replay, but for secrets and what differs from call to call', async () => {
    const server = createServer((request, response) => {
      const link = `${kept.link}; title="${secret}"`;
      const head = { ...kept, ...dropped, link, 'content-encoding': 'gzip' };
      request
        .resume()
        .on('end', () => response.writeHead(404, head).end(gzipSync('{"error":"no such model"}')));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const env = {
      PROVIDER: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      OTHER_API_KEY: secret,
    };
    const project = new Project({ 'a.eval.ts': evals });
    const recorded = await project.run(['--record'], { env });
    server.closeAllConnections();
    server.close();
    const offline = await project.run(['--offline'], { env });
    for (const name of ['by_fetch', 'by_http']) {
      const { headers: before, ...answer } = recorded.result(name).output as unknown as Answer;
      const { headers: after, ...replayed } = offline.result(name).output as unknown as Answer;
      expect(replayed, name).to.deep.equal(answer);
      for (const header of Object.keys(kept)) {
        expect(after[header], `${name} ${header}`).to.equal(before[header]);
      }
      expect(after, name).not.to.have.any.keys(...Object.keys(dropped));
      // The body is stored without its compression.
      expect(after, name).not.to.have.property('content-encoding');
      const file = project.read(onlyRecording(project, `a.eval.ts/${name}/1`));
      const { headers } = JSON.parse(file).response;
      expect(headers, name).to.have.all.keys(...Object.keys(kept));
      expect(file).to.include('[redacted:OTHER_API_KEY]').and.not.to.include('canary');
    }
  });

  it('give the address after redirects back, without secrets', async () => {
    const redirects = `
      import { evaluation } from 'assay';
      const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] });
      const ask = (path: string) => evaluation({ target: async () => {
        const given = await fetch(process.env.PROVIDER + path, { method: 'POST', body });
        const { url, redirected } = given;
        await given.text();
        return { url: url.replace(process.env.PROVIDER!, ''), redirected };
      } });
      export const plain = ask('/v1/chat/completions?b=1&a=2#part');
      export const moved = ask('/old/v1/chat/completions');
      export const secret = ask('/keyed/v1/chat/completions');
      export const searched = ask('/v1/chat/completions?q=' + process.env.QUERY);
    `;
    const places: Record<string, string> = {
      '/old/v1/chat/completions': '/v1/chat/completions?api-version=1',
      '/keyed/v1/chat/completions': `/v1/chat/completions?key=${secret}`,
    };
    const server = createServer((request, response) => {
      const location = places[request.url ?? ''];
      request.resume().on('end', () => {
        if (location === undefined)
          response.setHeader('content-type', 'application/json').end('{}');
        else response.writeHead(307, { location }).end();
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const PROVIDER = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const project = new Project({ 'a.eval.ts': redirects });
    const recorded = await project.run(['--record'], { env: { PROVIDER, QUERY: 'rain' } });
    server.closeAllConnections();
    server.close();
    // Addresses on this machine often have another port in the next run.
    const moved = { PROVIDER: 'http://127.0.0.1:45001' };
    const offline = await project.run(['--offline'], { env: { ...moved, QUERY: 'rain' } });
    const outputOf = (run: typeof offline, name: string) => run.result(name).output;
    for (const name of ['plain', 'moved', 'searched']) {
      expect(outputOf(offline, name), name).to.deep.equal(outputOf(recorded, name));
    }
    expect(outputOf(offline, 'moved')).to.deep.equal({
      url: '/v1/chat/completions?api-version=1',
      redirected: true,
    });
    const key = encodeURIComponent('…');
    const url = `/v1/chat/completions?key=${key}`;
    expect(outputOf(offline, 'secret')).to.deep.equal({ url, redirected: true });
    const fileOf = (name: string) => project.read(onlyRecording(project, `a.eval.ts/${name}/1`));
    expect(fileOf('secret')).not.to.include('canary');
    expect(fileOf('searched')).to.match(/\?q=…[0-9a-f]{8}"/);
    const other = ['a.eval.ts::searched', '--offline'];
    const changed = await project.run(other, { env: { ...moved, QUERY: 'snow' } });
    expect(changed.result('searched').error).to.match(/not recorded/);
    expect(JSON.parse(fileOf('plain')).response).not.to.have.property('url');
  });
});

interface Answer {
  readonly headers: Readonly<Record<string, unknown>>;
}
