import { expect } from 'chai';
import type { Call } from '../../../src/model/calls/model-call.js';
import type { ResultEntry } from '../../../src/model/result.js';
import { type FakeProvider, startFakeProvider } from '../../helpers/fake-provider.js';
import { gate } from '../../helpers/gate.js';
import { Project } from '../../helpers/project.js';
import { linkPackages } from '../../helpers/project-folder.js';

const packages = [
  ...['@ai-sdk/openai', '@anthropic-ai/sdk', '@aws-sdk/client-bedrock-runtime', '@google/genai'],
  ...['@langchain/openai', '@smithy/node-http-handler', 'ai'],
  ...['axios', 'got', 'node-fetch', 'ollama', 'openai', 'undici'],
];

const clients = `
import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { BedrockRuntimeClient, ConverseCommand } from '@aws-sdk/client-bedrock-runtime';
import { GoogleGenAI } from '@google/genai';
import { ChatOpenAI } from '@langchain/openai';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { generateText } from 'ai';
import axios from 'axios';
import got from 'got';
import nodeFetch from 'node-fetch';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import * as undici from 'undici';

export const url = process.env.PROVIDER as string;
export const baseURL = url + '/v1';
export const chatUrl = baseURL + '/chat/completions';
export const messages = [{ role: 'user' as const, content: 'hello' }];
export const bodyOf = (model: string) => JSON.stringify({ model, messages });
export const post = (model: string) => ({ method: 'POST' as const, body: bodyOf(model) });
export const said = (answer: any) => answer.choices[0].message.content;
export const chat = createOpenAI({ baseURL, apiKey: 'k' }).chat;
export interface Way { signal?: AbortSignal; timeout?: number; retries?: number }
const end = (request: http.ClientRequest, model: string) => void request.end(bodyOf(model));
export const plain = (model: string, options: http.RequestOptions, send = end) => new Promise((resolve, reject) => {
  const request = http.request(chatUrl, { method: 'POST', ...options }, (response) => resolve(text(response).then((body) => said(JSON.parse(body)))));
  request.on('timeout', () => request.destroy(new Error('the timeout of the request')));
  request.on('error', reject);
  send(request, model);
});
export const openai = ({ timeout, retries = 0 }: Way) => new OpenAI({ baseURL, apiKey: 'k', timeout, maxRetries: retries });
export const anthropic = ({ timeout, retries = 0 }: Way) => new Anthropic({ baseURL: url, apiKey: 'k', timeout, maxRetries: retries });
export const google = ({ timeout = 60_000, retries = 0 }: Way) =>
  new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: url, timeout, retryOptions: { attempts: retries + 1 } } }).models;
const region = { region: 'eu-central-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } };
const converse = async (client: BedrockRuntimeClient, modelId: string) =>
  (await client.send(new ConverseCommand({ modelId, messages: [{ role: 'user', content: [{ text: 'hello' }] }] }))).output?.message?.content?.[0]?.text;

/** Neither fetch nor a Request keeps the signal that it was made with: Node may collect it, and it never aborts. */
const kept: object[] = [];
const keep = <Kept extends object>(one: Kept) => {
  kept.push(one);
  return one;
};

/** Each says hello to a model. */
export const asks: Record<string, (model: string, way: Way) => unknown> = {
  fetch: async (model, { signal }) => said(await (await fetch(chatUrl, { ...post(model), signal })).json()),
  request: async (model, { signal }) => said(await (await fetch(keep(new Request(chatUrl, { ...post(model), signal })))).json()),
  openai: async (model, way) => said(await openai(way).chat.completions.create({ model, messages }, { signal: way.signal })),
  openaiStream: (model, way) => openai(way).chat.completions.create({ model, messages, stream: true }),
  anthropic: async (model, way) => ((await anthropic(way).messages.create({ model, max_tokens: 9, messages })).content[0] as any).text,
  ai: async (model, { signal, retries }) => (await generateText({ model: chat(model), messages, abortSignal: signal, maxRetries: retries })).text,
  google: async (model, way) => (await google(way).generateContent({ model, contents: 'hello' })).text,
  langchain: async (model, { timeout }) =>
    (await new ChatOpenAI({ model, apiKey: 'k', ...(timeout && { timeout }), maxRetries: 0, configuration: { baseURL } }).invoke('hello')).content,
  ollama: async (model, { signal }) =>
    (await new Ollama({ host: url, fetch: (input, init) => fetch(input, { ...init, signal }) }).chat({ model, messages })).message.content,
  axios: async (model, { signal, timeout }) => said((await axios.post(chatUrl, bodyOf(model), { signal, timeout })).data),
  got: async (model, { timeout }) => said(await got.post(chatUrl, { body: bodyOf(model), timeout: { request: timeout }, retry: { limit: 0 } }).json()),
  nodeFetch: async (model, { signal }) => said(await (await nodeFetch(chatUrl, { ...post(model), signal: signal as never })).json()),
  http: (model, { signal, timeout }) => plain(model, { signal, timeout }),
  bedrock: (model) => converse(new BedrockRuntimeClient({ ...region, endpoint: url, requestHandler: new NodeHttpHandler() }), model),
  bedrockHttp2: (model, { timeout, retries = 0 }) => {
    const requestHandler = { requestTimeout: timeout, sessionTimeout: 60_000 } as any;
    return converse(new BedrockRuntimeClient({ ...region, endpoint: process.env.PROVIDER_HTTP2, maxAttempts: retries + 1, requestHandler }), model);
  },
  undici: async (model, { signal, timeout }) => said(await (await undici.request(chatUrl, { ...post(model), dispatcher: new undici.Agent({ headersTimeout: timeout }), signal })).body.json()),
};

/** The models never answer; the second one is for clients that do other things between its start and their request. */
const timeout = 300;
const longer = 1500;
const signal = () => keep(AbortSignal.timeout(longer));
export const waits: Record<string, [client: string, way: () => Way]> = {
  fetch: ['fetch', () => ({ signal: signal() })],
  request: ['request', () => ({ signal: signal() })],
  openai: ['openai', () => ({ timeout, retries: 1 })],
  openaiStream: ['openaiStream', () => ({ timeout })],
  openaiSignal: ['openai', () => ({ signal: signal() })],
  anthropic: ['anthropic', () => ({ timeout, retries: 1 })],
  ai: ['ai', () => ({ signal: signal() })],
  google: ['google', () => ({ timeout: longer })],
  langchain: ['langchain', () => ({ timeout })],
  ollama: ['ollama', () => ({ signal: signal() })],
  axios: ['axios', () => ({ signal: signal() })],
  got: ['got', () => ({ timeout })],
  nodeFetch: ['nodeFetch', () => ({ signal: signal() })],
  http: ['http', () => ({ signal: signal() })],
  bedrockHttp2: ['bedrockHttp2', () => ({ timeout, retries: 1 })],
  undici: ['undici', () => ({ signal: signal() })],
  undiciOwn: ['undici', () => ({ timeout })],
};
export const giveUp = (name: string, model: string) => {
  const [client = '', way] = waits[name] ?? [];
  return found(() => asks[client]?.(model, way?.() ?? {}));
};
/** What the code of a user finds. */
export async function found(work: () => unknown) {
  try {
    return { value: await work() };
  } catch (error) {
    const { name, message, code, cause, constructor } = error as Error & { code?: unknown };
    return { name, message, code, cause: String(cause), type: constructor.name };
  }
}
export const casesOf = (kinds: object) => Object.keys(kinds).map((id) => ({ id, input: id }));
`;

/** Evaluations that run with capture and without it. */
const free = `
import { streamText } from 'ai';
import { evaluation } from 'assay';
import { anthropic, asks, baseURL, casesOf, chat, chatUrl, found, giveUp, google, messages, openai, waits } from './clients.js';
import * as undici from 'undici';

/** Aborts a stream at its first piece and reads on. */
async function leave(stream: AsyncIterable<unknown>, leaver: AbortController) {
  for await (const _ of stream) leaver.abort();
  return 'ended';
}
const streamed = (model: string) => ({ method: 'POST' as const, body: JSON.stringify({ model, stream: true, messages }) });
const aborts: Record<string, (leaver: AbortController, model: string) => unknown> = {
  fetch: async (leaver, model) => leave((await fetch(chatUrl, { ...streamed(model), signal: leaver.signal })).body as never, leaver),
  openai: async (leaver, model) => leave(await openai({}).chat.completions.create({ model, messages, stream: true }, { signal: leaver.signal }), leaver),
  anthropic: async (leaver, model) => leave(await anthropic({}).messages.create({ model, max_tokens: 9, messages, stream: true }, { signal: leaver.signal }), leaver),
  ai: (leaver, model) => leave(streamText({ model: chat(model), messages, abortSignal: leaver.signal, onError() {} }).textStream, leaver),
  google: async (leaver, model) => leave(await google({}).generateContentStream({ model, contents: 'hello', config: { abortSignal: leaver.signal } }), leaver),
  undici: async (leaver, model) => leave((await undici.request(chatUrl, { ...streamed(model), dispatcher: new undici.Agent(), signal: leaver.signal })).body, leaver),
};
export const aborted = evaluation({ cases: casesOf(aborts), target: ({ input }) => found(() => aborts[input]?.(new AbortController(), input + '-fake-hold')) });

/** Each run has a first time of its own. */
const busyOnce = (name: string) => process.env.RUN + '-' + name + '-fake-busy-once';
export const repeated = evaluation({
  cases: ['openai', 'anthropic', 'ai', 'google', 'bedrockHttp2'].map((id) => ({ id, input: id })),
  target: ({ input }) => found(() => asks[input]?.(busyOnce(input), { retries: 2 })),
});

const retries = new undici.RetryAgent(new undici.Agent({ connections: 1 }), { methods: ['POST'], statusCodes: [429], minTimeout: 10, retryAfter: false });
const ask = async (model: string) => {
  const { body } = await undici.request(chatUrl, { method: 'POST', body: JSON.stringify({ model, messages }), dispatcher: retries });
  return (await body.json() as any).id !== undefined;
};
let open = () => {};
const isOpen = new Promise<void>((resolve) => { open = resolve; });
export const opensConnection = evaluation({ target: () => ask('agent-opens').finally(() => open()) });
export const usesConnection = evaluation({ target: async () => { await isOpen; return ask(busyOnce('agent')); } });

/** Last, when the clients have made other requests. */
export const waiting = evaluation({ cases: casesOf(waits), target: ({ input }) => giveUp(input, input + '-silent') });
`;

/** Evaluations whose calls are held or refused. */
const held = `
import { evaluation } from 'assay';
import http2 from 'node:http2';
import net from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import * as undici from 'undici';
import { asks, bodyOf, casesOf, chatUrl, found, giveUp, plain, post, said, url, waits, type Way } from './clients.js';

const agent = new undici.Agent();
/** These are not held. */
const passes: Record<string, () => unknown> = {
  undiciRequest: async () => said(await (await undici.request(chatUrl, { ...post('held-passes'), dispatcher: agent })).body.json()),
  undiciStream: async () => {
    const answer = new PassThrough();
    await undici.stream(chatUrl, { ...post('held-passes'), dispatcher: agent }, () => answer);
    return said(JSON.parse(await text(answer)));
  },
  undiciPipeline: async () => {
    const sent = undici.pipeline(chatUrl, { method: 'POST', dispatcher: agent }, ({ body }) => body);
    return said(JSON.parse(await text(sent.end(bodyOf('held-passes')))));
  },
  undiciFetch: async () => said(await (await undici.fetch(chatUrl, { ...post('held-passes'), dispatcher: agent })).json()),
  streamedFetch: async () => {
    const { body } = new Response(bodyOf('held-passes'));
    return said(await (await fetch(chatUrl, { method: 'POST', body, duplex: 'half' } as never)).json());
  },
  http2: async () => {
    const session = http2.connect(process.env.PROVIDER_HTTP2 as string);
    const stream = session.request({ ':method': 'POST', ':path': '/v1/chat/completions' });
    return said(JSON.parse(await text(stream.end(bodyOf('held-passes')).on('end', () => session.close()))));
  },
  expectContinue: () => plain('held-passes', { headers: { expect: '100-continue' } }, (request, model) => void request.on('continue', () => request.end(bodyOf(model)))),
  flushedHead: () => plain('held-passes', {}, (request, model) => { request.flushHeaders(); request.end(bodyOf(model)); }),
  ownConnection: () => plain('held-passes', { createConnection: (options) => net.connect(options as never) }),
};
/** These are held until the model is free. */
const patient: Record<string, () => unknown> = {
  ...Object.fromEntries(['fetch', 'openai', 'got', 'bedrock'].map((name) => [name, () => asks[name]?.('held-waits', {})])),
  upload: () => plain('held-waits', {}, (request, model) => void Readable.from([bodyOf(model).slice(0, 9), bodyOf(model).slice(9)]).pipe(request)),
};
const all = async (names: readonly string[], work: (name: string) => unknown) =>
  Object.fromEntries(await Promise.all(names.map(async (name) => [name, await work(name)])));
const stateOf = async (path: string) => (await fetch(url + path)).text();

export const held = evaluation({
  target: async () => {
    const blocking = asks.fetch?.('held-blocks', {});
    await stateOf('/blocked');
    const passed = await all(Object.keys(passes), (name) => found(() => passes[name]?.()));
    const waited = all(Object.keys(patient), (name) => found(() => patient[name]?.()));
    // Their timeouts begin once they are sent: they would be over long before the others have given up.
    let isReleased = false;
    const late = all(['axios', 'http'], async (name) => {
      const { name: error } = await found(() => asks[name]?.('held-late', { timeout: 50 }));
      return { error, isReleased };
    });
    const givenUp = await all(Object.keys(waits).filter((name) => !/undici|Http2/.test(name)), (name) => giveUp(name, 'held-silent'));
    isReleased = true;
    await stateOf('/release');
    await blocking;
    return { passed, givenUp, waited: await waited, late: await late };
  },
});

/** The second call of each is refused. */
const refused: Record<string, Way> = { fetch: {}, openai: { retries: 1 }, anthropic: { retries: 1 }, ai: { retries: 0 }, google: {}, langchain: {} };
const counted: Record<string, () => unknown> = {
  request: async () => (await undici.request(chatUrl, { ...post('counted'), dispatcher: agent })).body.text(),
  stream: () => undici.stream(chatUrl, { ...post('counted'), dispatcher: agent }, () => new PassThrough().resume()),
  pipeline: () => text(undici.pipeline(chatUrl, { method: 'POST', dispatcher: agent }, ({ body }) => body).end(bodyOf('counted'))),
};
const twice = async (work: () => unknown) => {
  try {
    await work();
    await work();
    return 'answered';
  } catch (error) {
    for (let one = error as Error; ; one = one.cause as Error) {
      if (one.cause === undefined) return one.message;
    }
  }
};
export const limits = evaluation({ limits: { calls: 1 }, cases: casesOf(refused), target: ({ input }) => twice(() => asks[input]?.('limited', refused[input] ?? {})) });
export const undicis = evaluation({ limits: { calls: 1 }, cases: casesOf(counted), target: ({ input }) => twice(() => counted[input]?.()) });
`;

describe('clients that give up, repeat, are held or are refused', () => {
  let provider: FakeProvider;
  const seen = new Map<string, ResultEntry['result']>();

  before(async function () {
    this.timeout(240_000);
    const [blocked, released] = [gate(), gate()];
    provider = await startFakeProvider(async ({ model, request }) => {
      if (request.url === '/blocked') await blocked.opened;
      if (request.url === '/release') released.open();
      if (request.url === '/blocked' || request.url === '/release') return { raw: '' };
      if (/silent|late/.test(model)) return new Promise(() => undefined);
      if (model === 'held-blocks') {
        blocked.open();
        await released.opened;
      }
      return /-fake-/.test(model) ? undefined : { text: 'yes' };
    });
    const project = new Project({
      'clients.ts': clients,
      'free.eval.ts': free,
      'held.eval.ts': held,
      'held.yaml': 'rates:\n  held-*: { at_once: 1 }\n',
    });
    linkPackages(project.folder, packages);
    const env = { PROVIDER: provider.url, PROVIDER_HTTP2: provider.http2Url };
    const args = ['--workers', '1', '--concurrency', '12'];
    const off = { ...env, ASSAY_CAPTURE: 'off', RUN: 'off' };
    const unseen = await project.run(['free.eval.ts', ...args], { env: off });
    for (const run of [['free.eval.ts'], ['held.eval.ts', '--settings', 'held.yaml']]) {
      await project.run([...run, ...args], { env: { ...env, RUN: 'full' } });
      const { stdout } = await project.assay(['export', 'latest', '-f', 'json', '--calls']);
      for (const { function: name, result } of JSON.parse(stdout).results) seen.set(name, result);
    }
    for (const { function: name, result } of unseen.run.results) {
      expect(seen.get(name)?.output, name).to.deep.equal(result.output);
      expect(seen.get(name)?.error, name).to.equal(null);
    }
  });

  const callsOf = (name: string): readonly Call[] => seen.get(name)?.calls ?? [];
  const sent = (model: string) => provider.exchanges.filter((one) => one.model === model).length;

  for (const [client, name, calls] of [
    ['fetch', 'TimeoutError', 1],
    ['openai', 'Error', 2],
    ['anthropic', 'APIConnectionTimeoutError', 2],
    ['ai', 'TimeoutError', 1],
    ['google', 'AbortError', 1],
    ['bedrockHttp2', 'TimeoutError', 2],
    ['undici', 'TimeoutError', 1],
    ['undiciOwn', 'HeadersTimeoutError', 1],
  ] as const) {
    it(`gives the timeout of ${client} to its user, and lists each call with it`, () => {
      const result = seen.get(`waiting[${client}]`);
      expect(result?.output).to.have.property('name', name);
      const made = callsOf(`waiting[${client}]`);
      expect(made.map(({ retry_of }) => retry_of)).to.deep.equal([undefined, 1].slice(0, calls));
      for (const { error, end, model_call } of made) {
        expect(error).to.be.a('string').and.not.equal('');
        expect(end).to.be.a('number');
        expect(model_call?.usage).to.equal(undefined);
      }
      expect(result?.usage).to.deep.include({ calls, failed: calls });
    });
  }

  for (const client of ['fetch', 'openai', 'anthropic', 'ai', 'google', 'undici']) {
    it(`lists the stream that the user of ${client} has aborted, with what had come`, () => {
      const [call, ...more] = callsOf(`aborted[${client}]`);
      expect(more).to.deep.equal([]);
      expect(call).to.deep.include({ status: 200 });
      expect(call?.end).to.be.a('number');
      expect(call?.model_call).to.deep.include({ stream: true });
    });
  }

  for (const [name, output] of [
    ...['openai', 'anthropic', 'ai', 'google', 'bedrockHttp2'].map((client) => [
      `repeated[${client}]`,
      { value: 'Grüße aus Wien 👋, it is 21 °C.' },
    ]),
    // A RetryAgent of undici.
    ['usesConnection', true],
  ] as const) {
    it(`lists what is repeated as a call of its own, in its own attempt: ${name}`, () => {
      expect(seen.get(name as string)?.output).to.deep.equal(output);
      const made = callsOf(name as string);
      expect(made.map(({ status, retry_of }) => [status, retry_of])).to.deep.equal([
        [429, undefined],
        [200, 1],
      ]);
      expect(callsOf('opensConnection').map(({ status }) => status)).to.deep.equal([200]);
    });
  }

  it('lets held calls give up after their own timeouts, with the errors that they have otherwise', () => {
    const result = seen.get('held') as ResultEntry['result'];
    expect(result.error).to.equal(null);
    const { givenUp, passed, waited, late } = result.output as unknown as Held;
    expect(Object.keys(givenUp)).to.have.length(14);
    for (const [name, error] of Object.entries(givenUp)) {
      expect(error, name).to.deep.equal(seen.get(`waiting[${name}]`)?.output);
      expect(error, name).to.have.property('message').and.not.equal('');
    }
    expect(Object.values(passed)).to.deep.equal(Array(9).fill({ value: 'yes' }));
    expect(Object.values(waited)).to.deep.equal(Array(5).fill({ value: 'yes' }));
    expect(late).to.deep.equal({
      axios: { error: 'AxiosError', isReleased: true },
      http: { error: 'Error', isReleased: true },
    });
    // What was given up has never been sent, and holds nothing back.
    const models = ['held-silent', 'held-waits', 'held-passes'];
    expect(models.map(sent)).to.deep.equal([0, 5, 9]);
    const waits = (model: string) =>
      callsOf('held').flatMap((call) => (call.model_call?.model === model ? [call.waited] : []));
    for (const wait of waits('held-waits')) expect(wait).to.be.above(0);
    expect(waits('held-passes')).to.deep.equal(Array(9).fill(undefined));
  });

  it('passes on why a call is refused at a limit, or counts it afterwards', () => {
    const limited = [...seen].filter(([name]) => /^(limits|undicis)\b/.test(name));
    expect(limited).to.have.length(9);
    for (const [name, result] of limited) {
      const isCounted = name.startsWith('undicis');
      expect(result.error, name).to.equal('limit reached: 1 call');
      expect(result.output, name).to.equal(isCounted ? 'answered' : 'limit reached: 1 call');
      expect(result.usage?.calls, name).to.equal(isCounted ? 2 : 1);
    }
    expect([sent('limited'), sent('counted')]).to.deep.equal([6, 2 * 3]);
  });
});

interface Held {
  readonly givenUp: Readonly<Record<string, object>>;
  readonly passed: Readonly<Record<string, object>>;
  readonly waited: Readonly<Record<string, object>>;
  readonly late: object;
}
