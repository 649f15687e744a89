import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Call } from '../../../src/model/calls/model-call.js';
import { type FakeProvider, startFakeProvider } from '../../helpers/fake-provider.js';
import { gate } from '../../helpers/gate.js';
import { Project } from '../../helpers/project.js';
import { linkPackages } from '../../helpers/project-folder.js';

const packages = ['axios', 'got', 'msw', 'node-fetch'];

const head = `
import { evaluation } from 'assay';
import axios from 'axios';
import got from 'got';
import nodeFetch from 'node-fetch';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import tls from 'node:tls';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const url = process.env.PROVIDER + '/v1/chat/completions';
const body = (model = 'small', more = {}) => ({ model, messages: [{ role: 'user', content: 'hi' }], ...more });
const postJson = (client: string, data: unknown) => {
  if (client === 'axios') return axios.post(url, data).then((response) => response.data);
  if (client === 'got') return got.post(url, { json: data, retry: { limit: 0 } }).json<any>();
  return nodeFetch(url, { method: 'POST', body: JSON.stringify(data) }).then((response) => response.json() as any);
};
const ask = async (client: string, model?: string) =>
  (await postJson(client, body(model))).choices[0].message.content;
const cases = ['axios', 'got', 'node-fetch'].map((id) => ({ id, input: id }));
`;

/** What the code of a user finds, by case: the same whether its requests are held or not. */
const unharmed = `
/** A server for one attempt. */
async function served(handler: http.RequestListener, work: (url: string, server: http.Server) => unknown) {
  const server = http.createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await work('http://127.0.0.1:' + (server.address() as net.AddressInfo).port, server);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
async function found(work: () => unknown) {
  try {
    return { value: await work() };
  } catch (error) {
    const { name, message, code } = error as Error & { code: string };
    return { name, message: message.replace(/:\\d+/g, ':port'), code };
  }
}
const echo: http.RequestListener = async (request, response) => {
  const got = await text(request);
  const { 'content-length': size, 'transfer-encoding': coding } = request.headers;
  response.end(JSON.stringify({ method: request.method, length: got.length, start: got.slice(0, 20), size, coding }));
};
const cut: http.RequestListener = (request, response) => {
  request.resume();
  response.writeHead(200);
  response.write('one');
  setTimeout(() => response.destroy(), 50);
};
const holds: http.RequestListener = (request, response) => {
  request.resume();
  response.writeHead(200);
  response.write('one');
};
const silent: http.RequestListener = (request) => void request.resume();
/** A plain request to its end, with the names of its events. */
function events(url: string, options: http.RequestOptions, use: (request: http.ClientRequest) => void, seen: string[] = []) {
  return new Promise((resolve) => {
    const request = http.request(url, options);
    for (const name of ['socket', 'continue', 'finish', 'abort', 'timeout']) request.on(name, () => seen.push(name));
    request.on('error', (error: NodeJS.ErrnoException) => seen.push('error ' + error.message.replace(/:\\d+/g, ':port')));
    request.on('response', (response) => {
      seen.push('response');
      response.on('error', (error) => seen.push('response error ' + error.message));
      response.on('data', (data) => seen.push('data ' + data));
      response.on('close', () => seen.push('response close ' + response.complete));
    });
    request.on('close', () => setImmediate(() => resolve({ seen, destroyed: request.destroyed })));
    use(request);
  });
}
async function* letters(count: number, size = 1) {
  for (let at = 0; at < count; at += 1) {
    yield Buffer.alloc(size, 'x');
    await sleep(1);
  }
}
class OldAgent {
  addRequest(request: any, options: any) {
    const socket = net.connect(options.port, options.host);
    socket.once('connect', () => request.onSocket(socket));
  }
}
const post = { method: 'POST', headers: { 'content-type': 'application/json' } };
const json = JSON.stringify(body());
const kinds: Record<string, () => unknown> = {
  cutPlain: () => served(cut, (url) => events(url, post, (request) => request.end(json))),
  cutAxios: () => served(cut, (url) => axios.post(url, body()).then(({ data }) => data)),
  cutAxiosStream: () => served(cut, async (url) => text((await axios.post(url, body(), { responseType: 'stream' })).data)),
  cutGot: () => served(cut, (url) => got.post(url, { json: body(), retry: { limit: 0 } }).text()),
  cutNodeFetch: () => served(cut, async (url) => (await nodeFetch(url, { method: 'POST', body: json })).text()),
  earlyLeave: () => served(holds, async (url, server) => {
    const left = once(server, 'request').then(([request]) => once(request, 'close'));
    const { data } = await axios.post(url, body(), { responseType: 'stream' });
    for await (const piece of data) { data.destroy(); await left; return String(piece); }
  }),
  abortHeld: () => served(silent, (url) => events(url, post, (request) => { request.end(json); request.abort(); })),
  destroyHeld: () => served(silent, (url) => events(url, post, (request) => { request.end(json); request.destroy(new Error('mine')); })),
  destroyUnwritten: () => served(silent, (url) => events(url, post, (request) => { request.destroy(); })),
  abortWaiting: () => {
    const abort = new AbortController();
    return served(() => abort.abort(), (url) => axios.post(url, body(), { signal: abort.signal }));
  },
  abortedBefore: () => served(silent, (url) => nodeFetch(url, { method: 'POST', body: json, signal: AbortSignal.abort() as never })),
  axiosTimeout: () => served(silent, (url) => axios.post(url, body(), { timeout: 300 })),
  gotTimeout: () => served(silent, (url) => got.post(url, { json: body(), timeout: { response: 300 }, retry: { limit: 0 } })),
  plainTimeout: () => served(silent, (url) => events(url, { ...post, timeout: 200 }, (request) => { request.on('timeout', () => request.destroy()); request.end(json); })),
  keepAlive: () => served(echo, async (url) => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const sockets = new Set();
    for (let at = 0; at < 3; at += 1) {
      const { request } = await axios.post(url, body(), { httpAgent: agent });
      sockets.add(request.socket.localPort);
    }
    const together = await Promise.all([1, 2, 3].map((at) => axios.post(url, 'x'.repeat(at), { httpAgent: agent })));
    agent.destroy();
    return { sockets: sockets.size, together: together.map(({ data }) => data.length) };
  }),
  pipedUpload: () => served(echo, (url) => events(url, post, (request) => void Readable.from(letters(30, 20_000)).pipe(request))),
  pipelineUpload: () => served(echo, (url) => events(url, post, (request) => void pipeline(letters(30, 20_000), request))),
  axiosUpload: () => served(echo, async (url) => (await axios.post(url, Readable.from(letters(30, 20_000)))).data),
  gotUpload: () => served(echo, (url) => got.post(url, { body: Readable.from(letters(30, 20_000)) }).json()),
  gotStream: () => served(echo, (url) => { const stream = got.stream.post(url); Readable.from(letters(30, 20_000)).pipe(stream); return text(stream); }),
  nodeFetchUpload: () => served(echo, async (url) => (await nodeFetch(url, { method: 'POST', body: Readable.from(letters(30, 20_000)) })).json()),
  callbacks: () => served(echo, (url) => events(url, post, async (request) => {
    await new Promise((resolve) => request.write('{"a":', resolve));
    await new Promise((resolve) => request.write('1', 'utf8', resolve as never));
    request.end('}');
  })),
  hugeUpload: () => served(echo, (url) => events(url, post, (request) => void Readable.from(letters(20, 1_000_000)).pipe(request))),
  huge: () => served(echo, async (url) => (await axios.post(url, 'y'.repeat(20_000_000))).data),
  hugeAnswer: () => served((request, response) => { request.resume(); response.end('z'.repeat(20_000_000)); }, async (url) => (await got.post(url, { json: body() }).text()).length),
  expectContinue: () => served(echo, (url) => events(url, { ...post, headers: { expect: '100-continue' } }, (request) => { request.once('continue', () => request.end('now')); })),
  headFirst: () => served(async (request, response) => { response.write('go'); response.end(await text(request)); }, (url) =>
    events(url, post, (request) => { request.flushHeaders(); request.on('response', () => request.end('late')); })),
  bodyInAnswer: () => served(echo, (url) => events(url, { method: 'GET' }, (request) => request.end())),
  headRequest: () => served(echo, (url) => axios.head(url).then(({ status }) => status)),
  upgrade: () => served(() => {}, (url, server) => new Promise((resolve) => {
    server.on('upgrade', (_, socket) => socket.end('HTTP/1.1 101 Switching Protocols\\r\\nupgrade: x\\r\\nconnection: upgrade\\r\\n\\r\\n'));
    http.get(url, { headers: { upgrade: 'x', connection: 'upgrade' } }).on('upgrade', (response) => resolve(response.statusCode));
  })),
  refusedPort: () => axios.post('http://127.0.0.1:1/v1', body()),
  badPort: () => events('http://127.0.0.1', { port: 99999 } as never, (request) => request.end()),
  ownAgent: () => served(echo, (url) => events(url, { ...post, agent: new OldAgent() as never }, (request) => request.end(json))),
  ownConnection: () => served(echo, (url) => events(url, { ...post, createConnection: (options) => net.connect(options as never) }, (request) => request.end(json))),
  noAgent: () => served(echo, (url) => events(url, { ...post, agent: false }, (request) => request.end(json))),
  noListener: () => served(echo, (url) => new Promise((resolve) => http.request(url, post).on('close', () => resolve('closed')).end(json))),
  redirect: () => served((request, response) => request.url === '/' ? response.writeHead(307, { location: '/there' }).end() : void echo(request, response), async (url) => (await axios.post(url, body())).data),
  https: async () => {
    const key = Buffer.alloc(32, 1);
    const server = tls.createServer({ ciphers: 'PSK-AES256-GCM-SHA384', maxVersion: 'TLSv1.2', pskCallback: () => key }, (socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\\r\\ncontent-length: 2\\r\\n\\r\\nhi'));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const options = { ...post, ciphers: 'PSK-AES256-GCM-SHA384', maxVersion: 'TLSv1.2' as const, pskCallback: () => ({ psk: key, identity: 'me' }), checkServerIdentity: () => undefined };
    try {
      return await new Promise((resolve, reject) =>
        https.request('https://127.0.0.1:' + (server.address() as net.AddressInfo).port, options as never, (response) => resolve(text(response))).on('error', reject).end(json));
    } finally {
      server.close();
    }
  },
};
export const kind = evaluation({
  cases: Object.keys(kinds).map((id) => ({ id, input: id })),
  target: ({ input }) => found(kinds[input]),
});
`;

type Results = readonly {
  readonly id: string;
  readonly function: string;
  readonly result: {
    readonly output: unknown;
    readonly error: string | null;
    readonly calls?: readonly Call[];
  };
}[];

describe('calls of node:http that are held', () => {
  let provider: FakeProvider;

  before(async () => {
    provider = await startFakeProvider();
  });

  const project = (evals: string, settings: string) => {
    const made = new Project({ 'a.eval.ts': head + evals, 'assay.yaml': settings });
    linkPackages(made.folder, packages);
    return made;
  };
  const resultsOf = async (made: Project): Promise<Results> => {
    const { stdout } = await made.assay(['export', 'latest', '-f', 'json', '--calls']);
    return JSON.parse(stdout).results as Results;
  };

  it('are as they would be to whoever makes them', async () => {
    const found = [];
    for (const settings of ['', 'rates:\n  "*": { at_once: 100 }\n']) {
      const made = project(unharmed, settings);
      const { stderr } = await made.assay(['run', '--concurrency', '8'], {
        env: { PROVIDER: provider.url },
      });
      const results = await resultsOf(made);
      expect(results.length, stderr).to.be.above(30);
      found.push(
        Object.fromEntries(
          results.map(({ function: name, result: { output, error, calls = [] } }) => {
            const kept = calls.map(({ method, status, request_size, response_size, note }) => {
              return { method, status, request_size, response_size, note };
            });
            return [name, { output, error, calls: kept }];
          }),
        ),
      );
    }
    const [plain = {}, held = {}] = found;
    // Never made, and so no calls.
    for (const name of ['kind[abortHeld]', 'kind[destroyHeld]']) {
      expect(held[name], name).to.deep.equal({ ...plain[name], calls: [] });
      delete plain[name];
    }
    // What the constructor of a request throws comes as the error of the request.
    const error = 'error Port should be >= 0 and < 65536. Received type number (99999).';
    expect(held['kind[badPort]']?.output).to.deep.equal({
      value: { seen: [error], destroyed: true },
    });
    delete plain['kind[badPort]'];
    for (const [name, result] of Object.entries(plain)) {
      expect(held[name], name).to.deep.equal(result);
    }
  }).timeout(120_000);

  it('wait for their turn, and are recorded once with true times', async () => {
    const most: Record<string, number> = {};
    const now: Record<string, number> = {};
    let begun = 0;
    const allBegun = gate();
    const twoLarge = gate();
    await using counting = await startFakeProvider(async ({ model, request }) => {
      if (request.url === '/begun') {
        begun += 1;
        if (begun === 9) allBegun.open();
        return undefined;
      }
      if (model === 'slow') return new Promise(() => undefined);
      now[model] = (now[model] ?? 0) + 1;
      most[model] = Math.max(most[model] ?? 0, now[model]);
      if (model === 'small') await allBegun.opened;
      if (model === 'large' && now[model] === 2) twoLarge.open();
      if (model === 'large') await twoLarge.opened;
      await sleep(50);
      now[model] -= 1;
      return model === 'cut' ? { cutAfter: 2 } : undefined;
    });
    const clients = project(
      `const begin = () => void fetch(process.env.PROVIDER + '/begun').then((response) => response.text());
       export const asks = evaluation({ cases: cases.flatMap(({ id, input }) => [1, 2, 3].map((at) => ({ id: id + at, input }))), target: ({ input }) => { begin(); return ask(input); } });
       export const free = evaluation({ cases, target: ({ input }) => Promise.all([ask(input, 'large'), ask(input, 'large')]) });
       export const cut = evaluation({ cases: [{ id: '1' }, { id: '2' }, { id: '3' }], target: async () => {
         const { data } = await axios.post(url, body('cut', { stream: true }), { responseType: 'stream' });
         return text(data).catch((error) => error.message);
       } });
       export const leaves = evaluation({ cases: [{ id: '1' }, { id: '2' }], target: async () => {
         const { data } = await axios.post(url, body('left', { stream: true }), { responseType: 'stream', headers: { 'x-fake': JSON.stringify({ holdAfter: 2 }) } });
         for await (const piece of data) return piece.length > 0;
       } });
       export const givesUp = evaluation({ cases: [{ id: '1' }, { id: '2' }, { id: '3' }], target: () =>
         got.post(url, { json: body('slow'), timeout: { request: 300 }, retry: { limit: 0 } }).then(() => 'answered', (error) => error.name) });
       export const limited = evaluation({ limits: { calls: 2 }, cases, target: async ({ input }) => {
         for (let at = 0; at < 3; at += 1) await ask(input, 'limited').catch((error) => { throw new Error('client: ' + error.message); });
       } });`,
      'rates:\n  small: { at_once: 1 }\n  cut: { at_once: 1 }\n  left: { at_once: 1 }\n  slow: { at_once: 1 }\n',
    );
    const { run, stderr } = await clients.run(['--workers', '2', '--concurrency', '24'], {
      env: { PROVIDER: counting.url },
    });
    const results = await resultsOf(clients);
    const of = (name: string) => results.filter(({ function: one }) => one.startsWith(name));
    const asked = (name: string) => counting.exchanges.filter(({ model }) => model === name).length;
    // An error of the limit, whatever the client makes of it.
    for (const { result } of run.results.slice(20)) {
      expect(result.error).to.equal('limit reached: 2 calls');
      expect(result.usage?.calls).to.equal(2);
    }
    expect(asked('limited')).to.equal(6);
    const errors = run.results.slice(0, 20).map(({ result }) => result.error);
    expect(errors).to.deep.equal(Array(20).fill(null));
    expect(most).to.include({ small: 1, cut: 1, left: 1 });
    expect(stderr).to.match(/waited \d+\.\d s for/);
    const small = of('asks').map(({ result }) => {
      return (result.calls ?? []).filter(({ model_call }) => model_call !== undefined);
    });
    expect(small.map((calls) => calls.length)).to.deep.equal(Array(9).fill(1));
    const waits = small.map(([call]) => call?.waited ?? 0).sort((a, b) => a - b);
    expect(waits[0]).to.equal(0);
    // Each of the others before it took 50 ms.
    expect(waits.at(-1)).to.be.above(7 * 0.049);
    for (const [call] of small) {
      const { start = 0, end = 0, waited = 0, model_call } = call ?? {};
      expect(start).to.be.at.least(waited - 0.01);
      expect(end - start).to.be.at.least(0.049);
      expect(model_call).to.include({ model: 'small' });
    }
    expect(of('cut').map(({ result }) => result.output)).to.deep.equal(Array(3).fill('aborted'));
    expect(of('leaves').map(({ result }) => result.output)).to.deep.equal([true, true]);
    expect(of('givesUp').map(({ result }) => result.output)).to.deep.equal(
      Array(3).fill('TimeoutError'),
    );
    const made = of('givesUp').flatMap(({ result }) => result.calls ?? []);
    expect(made.length).to.be.at.least(asked('slow'));
  });

  it('are recorded, also beside the MSW of a user, and answered from recordings without a server', async () => {
    const model = await startFakeProvider();
    const made = project(
      `import { http as mocks, HttpResponse } from 'msw';
       import { setupServer } from 'msw/node';
       export const asks = evaluation({ cases, target: ({ input }) => ask(input) });
       export const streams = evaluation({ target: async () => {
         const { data, status, headers } = await axios.post(url, body('small', { stream: true }), { responseType: 'stream' });
         return [status, headers['content-type'], await text(data)];
       } });
       export const zipped = evaluation({ cases, target: async ({ input }) => {
         return [await ask(input, 'fake-gzip'), await ask(input, 'fake-gzip')];
       } });`,
      '',
    );
    const env = { PROVIDER: model.url };
    const first = await made.run(['--record', '--workers', '1'], { env });
    const recorded = await resultsOf(made);
    expect(recorded.map(({ result }) => result.error)).to.deep.equal(Array(7).fill(null));
    await model[Symbol.asyncDispose]();
    const second = await made.run(['--offline', '--max-cost', '5', '--workers', '1'], { env });
    expect(second.code, first.stderr + second.stderr).to.equal(0);
    const replayed = await resultsOf(made);
    expect(replayed.map(({ result }) => result.output)).to.deep.equal(
      recorded.map(({ result }) => result.output),
    );
    for (const [at, { result }] of replayed.entries()) {
      const { calls = [] } = result;
      expect(calls.length).to.be.above(0);
      expect(calls.every((call) => call.replayed)).to.equal(true);
      const before = recorded[at]?.result.calls?.map(({ model_call }) => model_call);
      expect(calls.map(({ model_call }) => model_call)).to.deep.equal(before);
    }
  });
});
