import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { expect } from 'chai';
import type { ResultEntry } from '../../../src/model/result.js';
import { type FakeProvider, startFakeProvider } from '../../helpers/fake-provider.js';
import { Project } from '../../helpers/project.js';
import { linkPackages } from '../../helpers/project-folder.js';

const head = `
import { evaluation } from 'assay';
import axios from 'axios';
import OpenAI from 'openai';
import * as undici from 'undici';

const baseURL = process.env.PROVIDER + '/v1';
const messages = [{ role: 'user' as const, content: 'hello' }];
const body = { model: 'gpt-5-mini', messages };
const request = { method: 'POST' as const, body: JSON.stringify(body) };
const openai = async () => (await new OpenAI({ baseURL, apiKey: 'k' }).chat.completions.create(body)).id;
`;

const projects: Readonly<Record<string, string>> = {
  'instrumentations of OpenTelemetry': `
    import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
    import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
    import { registerInstrumentations } from '@opentelemetry/instrumentation';
    import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
    import { spanProcessor } from 'assay/otel';
    import { createRequire } from 'node:module';

    const made: string[] = [];
    const recorder = { ...spanProcessor, onStart: (span: any) => { made.push(span.name); spanProcessor.onStart(span); } };
    const provider = new NodeTracerProvider({ spanProcessors: [recorder] });
    provider.register();
    registerInstrumentations({ instrumentations: [new HttpInstrumentation(), new UndiciInstrumentation()] });
    const tracer = provider.getTracer('app');
    /** In a span of the app; fails if the instrumentations have made none of their own. */
    const traced = (work: () => Promise<unknown>) => tracer.startActiveSpan('app', async (span) => {
      const before = made.length;
      await work();
      span.end();
      if (made.length === before) throw new Error('no span of the request');
    });
    const http = createRequire(import.meta.url)('http');
    const adapter: any = axios.create({ transport: http } as any);

    export const byFetch = evaluation({ target: () => traced(openai) });
    export const byHttp = evaluation({ target: () => traced(() => adapter.post(baseURL + '/chat/completions', body)) });
    export const byUndici = evaluation({
      target: () => traced(async () => {
        const { body } = await undici.request(baseURL + '/chat/completions', { ...request, dispatcher: new undici.Agent() });
        await body.json();
      }),
    });
  `,
  'proxies, tunnels, HTTP/2, and copies of undici': `
    import got from 'got';
    import http from 'node:http';
    const dispatcher = new undici.ProxyAgent({ uri: process.env.PROXY as string, proxyTunnel: true });
    export const byFetch = evaluation({ target: async () => { await (await fetch(baseURL + '/chat/completions', { ...request, dispatcher } as any)).json(); } });
    export const byUndici = evaluation({
      target: async () => { await (await undici.request(baseURL + '/chat/completions', { ...request, dispatcher })).body.json(); },
    });
    const tunnel = (path: string) => new Promise<any>((resolve, reject) => {
      const { port } = new URL(process.env.PROXY as string);
      http.request({ host: '127.0.0.1', port, method: 'CONNECT', path })
        .on('connect', (_, socket) => resolve(socket)).on('error', reject).end();
    });
    export const byHttp = evaluation({
      target: async () => {
        const socket = await tunnel(new URL(baseURL).host);
        const agent = new http.Agent();
        (agent as any).createConnection = () => socket;
        await axios.post(baseURL + '/chat/completions', body, { httpAgent: agent });
        socket.destroy();
      },
    });
    const options = { json: body, http2: true, https: { rejectUnauthorized: false } };
    const ask = async () => (await got.post(process.env.PROVIDER_TLS + '/v1/chat/completions', options)).request.response?.httpVersion;
    export const byGot = evaluation({ target: ask });
    // From here on for all.
    export const byDispatcher = evaluation({
      target: () => { undici.setGlobalDispatcher(new undici.Agent()); return openai(); },
    });
    export const byUndiciFetch = evaluation({
      target: async () => { await (await undici.fetch(baseURL + '/chat/completions', request)).json(); },
    });
    export const byUndiciRequest = evaluation({
      target: async () => { await (await undici.request(baseURL + '/chat/completions', request)).body.json(); },
    });
    export const byInstalled = evaluation({ target: () => { undici.install(); return openai(); } });
  `,
};

describe('a request is one call with', () => {
  let provider: FakeProvider;
  const servers: Server[] = [];

  async function listen(server: Server): Promise<number> {
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  let env: Record<string, string>;

  before(async () => {
    provider = await startFakeProvider();
    const [PROVIDER_TLS, PROXY] = await Promise.all([startTls(), startProxy()]);
    env = { PROVIDER: provider.url, PROVIDER_TLS, PROXY };
  });

  after(() => {
    for (const server of servers) server.close();
  });

  /** A server with TLS that offers HTTP/2. */
  async function startTls(): Promise<string> {
    const pem = readFileSync(new URL('../../fixtures/tls/localhost.pem', import.meta.url));
    const { port } = new URL(provider.http2Url);
    const server = createTlsServer({ key: pem, cert: pem, ALPNProtocols: ['h2'] }, (socket) => {
      const behind = connect(Number(port), '127.0.0.1');
      socket.pipe(behind).pipe(socket);
      for (const end of [socket, behind]) end.on('error', () => undefined);
    });
    return `https://127.0.0.1:${await listen(server)}`;
  }

  async function startProxy(): Promise<string> {
    const server = createServer().on('connect', (request, socket) => {
      const [host = '', port = ''] = (request.url ?? '').split(':');
      const behind = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        socket.pipe(behind).pipe(socket);
      });
      for (const end of [socket, behind]) end.on('error', () => undefined);
    });
    return `http://127.0.0.1:${await listen(server)}`;
  }

  for (const [name, evals] of Object.entries(projects)) {
    it(name, async () => {
      const project = new Project({ 'app.eval.ts': head + evals });
      const telemetry = ['', '-http', '-undici'].map((n) => `@opentelemetry/instrumentation${n}`);
      linkPackages(project.folder, [
        ...['axios', 'got', 'openai', 'undici', '@opentelemetry/sdk-trace-node'],
        ...telemetry,
      ]);
      await project.run(['--workers', '1', '--concurrency', '1'], { env });
      const { stdout } = await project.assay(['export', 'latest', '-f', 'json', '--calls']);
      const { results } = JSON.parse(stdout) as { results: readonly ResultEntry[] };
      for (const { function: target, result } of results) {
        const { error, calls = [], spans = [], usage } = result;
        expect(error, target).to.equal(null);
        const seen = calls.map(({ method, status, note }) => [method, status, note]);
        expect(seen, target).to.deep.equal([['POST', 200, undefined]]);
        expect(usage, target).to.deep.include({ calls: 1, input: 120, output: 30 });
        expect(spans.map(({ name }) => name).filter((n) => n !== 'app')).to.deep.equal([]);
        expect(calls[0]?.parent, target).to.equal(spans[0]?.id);
      }
    });
  }
});
