import { expect } from 'chai';
import type { Call } from '../../../src/model/calls/model-call.js';
import type { ResultEntry } from '../../../src/model/result.js';
import { startFakeProvider } from '../../helpers/fake-provider.js';
import { Project } from '../../helpers/project.js';
import { linkPackages } from '../../helpers/project-folder.js';

const packages = [
  ...['@ai-sdk/openai', '@anthropic-ai/sdk', '@aws-sdk/client-bedrock-runtime', '@google/genai'],
  ...['@langchain/openai', '@smithy/node-http-handler', 'ai'],
  ...['axios', 'got', 'node-fetch', 'ollama', 'openai', 'undici'],
];

const head = `
import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { BedrockRuntimeClient, ConverseCommand } from '@aws-sdk/client-bedrock-runtime';
import { GoogleGenAI } from '@google/genai';
import { ChatOpenAI } from '@langchain/openai';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { generateText } from 'ai';
import { evaluation } from 'assay';
import axios from 'axios';
import got from 'got';
import nodeFetch from 'node-fetch';
import http from 'node:http';
import http2 from 'node:http2';
import net from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import * as undici from 'undici';

const url = process.env.PROVIDER as string;
const baseURL = url + '/v1';
const chatUrl = baseURL + '/chat/completions';
const messages = [{ role: 'user' as const, content: 'hello' }];
const bodyOf = (model: string) => JSON.stringify({ model, messages });
const post = (model: string) => ({ method: 'POST' as const, body: bodyOf(model) });
const said = (answer: any) => answer.choices[0].message.content;
const openai = (timeout = 600_000, maxRetries = 0) => new OpenAI({ baseURL, apiKey: 'k', timeout, maxRetries });
const anthropic = (timeout = 600_000, maxRetries = 0) => new Anthropic({ baseURL: url, apiKey: 'k', timeout, maxRetries });
const google = (timeout = 600_000) => new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: url, timeout, retryOptions: { attempts: 1 } } });
const chat = createOpenAI({ baseURL, apiKey: 'k' }).chat;
const langchain = (model: string, timeout?: number) =>
  new ChatOpenAI({ model, apiKey: 'k', ...(timeout && { timeout }), maxRetries: 0, configuration: { baseURL } }).invoke('hello');
const ollama = (signal: AbortSignal) =>
  new Ollama({ host: url, fetch: (input, init) => fetch(input, { ...init, signal }) }).chat({ model: 'given-up', messages });
const end = (request: http.ClientRequest, model: string) => void request.end(bodyOf(model));
const plain = (model: string, options: http.RequestOptions, send = end) => new Promise((resolve, reject) => {
  const request = http.request(chatUrl, { method: 'POST', ...options }, (response) => resolve(text(response).then((body) => said(JSON.parse(body)))));
  request.on('timeout', () => request.destroy(new Error('the timeout of the request')));
  request.on('error', reject);
  send(request, model);
});
const after = () => AbortSignal.timeout(1000);
`;

const timeouts = `
/** Each has a timeout that expires while its call is held, or is not answered. */
const givesUp: Record<string, () => unknown> = {
  fetch: () => fetch(chatUrl, { ...post('given-up'), signal: after() }),
  request: () => fetch(new Request(chatUrl, { ...post('given-up'), signal: after() })),
  openai: () => openai(1000, 1).chat.completions.create({ model: 'given-up', messages }),
  openaiStream: () => openai(1000).chat.completions.create({ model: 'given-up', messages, stream: true }),
  openaiSignal: () => openai().chat.completions.create({ model: 'given-up', messages }, { signal: after() }),
  anthropic: () => anthropic(1000, 1).messages.create({ model: 'given-up', max_tokens: 9, messages }),
  ai: () => generateText({ model: chat('given-up'), messages, abortSignal: after() }),
  google: () => google(1000).models.generateContent({ model: 'given-up', contents: 'hello' }),
  langchain: () => langchain('given-up', 1000),
  ollama: () => ollama(after()),
  axios: () => axios.post(chatUrl, bodyOf('given-up'), { signal: after() }),
  got: () => got.post(chatUrl, { body: bodyOf('given-up'), timeout: { request: 1000 }, retry: { limit: 0 } }).json(),
  nodeFetch: () => nodeFetch(chatUrl, { ...post('given-up'), signal: after() as never }),
  http: () => plain('given-up', { signal: after() }),
};
/** The timeouts of these begin after the wait. */
const waits: Record<string, () => unknown> = {
  axios: async () => said((await axios.post(chatUrl, bodyOf('waits'), { timeout: 2500 })).data),
  http: () => plain('waits', { timeout: 2500 }),
  fetch: async () => said(await (await fetch(chatUrl, post('waits'))).json()),
  openai: async () => said(await openai().chat.completions.create({ model: 'waits', messages })),
  got: async () => said(await got.post(chatUrl, { body: bodyOf('waits'), timeout: { request: 600_000 } }).json()),
  upload: () => plain('waits', {}, (request, model) => void Readable.from([bodyOf(model).slice(0, 9), bodyOf(model).slice(9)]).pipe(request)),
  bedrock: async () => {
    const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
    const client = new BedrockRuntimeClient({ region: 'eu-central-1', endpoint: url, credentials, requestHandler: new NodeHttpHandler() });
    const { output } = await client.send(new ConverseCommand({ modelId: 'waits', messages: [{ role: 'user', content: [{ text: 'hello' }] }] }));
    return output?.message?.content?.[0]?.text;
  },
};
/** These are not held. */
const agent = new undici.Agent();
const passes: Record<string, () => unknown> = {
  undiciRequest: async () => said(await (await undici.request(chatUrl, { ...post('passes'), dispatcher: agent })).body.json()),
  undiciStream: async () => {
    const answer = new PassThrough();
    await undici.stream(chatUrl, { ...post('passes'), dispatcher: agent }, () => answer);
    return said(JSON.parse(await text(answer)));
  },
  undiciPipeline: async () => {
    const sent = undici.pipeline(chatUrl, { method: 'POST', dispatcher: agent }, ({ body }) => body);
    return said(JSON.parse(await text(sent.end(bodyOf('passes')))));
  },
  undiciFetch: async () => said(await (await undici.fetch(chatUrl, { ...post('passes'), dispatcher: agent })).json()),
  streamedFetch: async () => {
    const { body } = new Response(bodyOf('passes'));
    return said(await (await fetch(chatUrl, { method: 'POST', body, duplex: 'half' } as never)).json());
  },
  http2: async () => {
    const session = http2.connect(process.env.PROVIDER2 as string);
    const stream = session.request({ ':method': 'POST', ':path': '/v1/chat/completions' });
    return said(JSON.parse(await text(stream.end(bodyOf('passes')).on('end', () => session.close()))));
  },
  expectContinue: () => plain('passes', { headers: { expect: '100-continue' } }, (request, model) => void request.on('continue', () => end(request, model))),
  flushedHead: () => plain('passes', {}, (request, model) => { request.flushHeaders(); end(request, model); }),
  ownConnection: () => plain('passes', { createConnection: (options) => net.connect(options as never) }),
};
async function found(work: () => unknown) {
  try {
    return { value: await work() };
  } catch (error) {
    const { name, message, code, cause, constructor } = error as Error & { code?: unknown };
    return { name, message, code, cause: String(cause), type: constructor.name };
  }
}
const all = async (works: Record<string, () => unknown>) =>
  Object.fromEntries(await Promise.all(Object.entries(works).map(async ([name, work]) => [name, await found(work)])));
const stateOf = async (path: string) => (await fetch(url + path)).text();

export const held = evaluation({
  target: async () => {
    const blocking = fetch(chatUrl, post('blocks')).then((response) => response.text());
    while ((await stateOf('/blocked')) !== 'true') await sleep(20);
    const passed = await all(passes);
    const waiting = all(waits);
    const [givenUp] = await Promise.all([all(givesUp), sleep(3000)]);
    await stateOf('/release');
    await blocking;
    return { passed, givenUp, waited: await waiting };
  },
});
`;

const limited = `
const twice = (ask: (at: number) => unknown) => async () => { await ask(0); await ask(1); };
/** The second call of each is refused. */
const refused: Record<string, () => unknown> = {
  fetch: twice(async () => (await fetch(chatUrl, post('limited'))).text()),
  openai: twice(() => openai(600_000, 1).chat.completions.create({ model: 'limited', messages })),
  anthropic: twice(() => anthropic(600_000, 1).messages.create({ model: 'limited', max_tokens: 9, messages })),
  ai: twice(() => generateText({ model: chat('limited'), messages, maxRetries: 0 })),
  google: twice(() => google().models.generateContent({ model: 'limited', contents: 'hello' })),
  langchain: twice(() => langchain('limited')),
};
const agent = new undici.Agent();
const counted: Record<string, () => unknown> = {
  request: twice(async () => (await undici.request(chatUrl, { ...post('counted'), dispatcher: agent })).body.text()),
  stream: twice(async () => { await undici.stream(chatUrl, { ...post('counted'), dispatcher: agent }, () => new PassThrough().resume()); }),
  pipeline: twice(() => text(undici.pipeline(chatUrl, { method: 'POST', dispatcher: agent }, ({ body }) => body).end(bodyOf('counted')))),
};
const casesOf = (kinds: object) => Object.keys(kinds).map((id) => ({ id, input: id }));
const caught = async (work: (() => unknown) | undefined) => {
  try {
    await work?.();
    return 'answered';
  } catch (error) {
    for (let one = error as Error; ; one = one.cause as Error) {
      if (one.cause === undefined) return one.message;
    }
  }
};
export const limits = evaluation({ limits: { calls: 1 }, cases: casesOf(refused), target: ({ input }) => caught(refused[input]) });
export const undicis = evaluation({ limits: { calls: 1 }, cases: casesOf(counted), target: ({ input }) => caught(counted[input]) });
`;

describe('clients whose calls are held', () => {
  const project = (evals: string, settings: string) => {
    const made = new Project({ 'a.eval.ts': head + evals, 'assay.yaml': settings });
    linkPackages(made.folder, packages);
    return made;
  };
  const resultsOf = async (made: Project): Promise<ResultEntry[]> => {
    const { stdout } = await made.assay(['export', 'latest', '-f', 'json', '--calls']);
    return JSON.parse(stdout).results as ResultEntry[];
  };

  /** Runs the evaluation with a model that answers `blocks` and `given-up` only once it is released. */
  async function runHeld(settings: string) {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isBlocked = false;
    await using provider = await startFakeProvider(async ({ model, request }) => {
      if (request.url === '/blocked') return { raw: String(isBlocked) };
      if (request.url === '/release') {
        release();
        return { raw: '' };
      }
      if (model === 'blocks') isBlocked = true;
      if (model === 'blocks' || model === 'given-up') await released;
      return { text: 'yes' };
    });
    const made = project(timeouts, settings);
    const { stderr } = await made.assay(['run'], {
      env: { PROVIDER: provider.url, PROVIDER2: provider.http2Url },
    });
    const [entry] = await resultsOf(made);
    expect(entry?.result.error, stderr).to.equal(null);
    const { output, calls = [] } = entry?.result ?? {};
    const answers = Object.values((output as { waited: object }).waited);
    expect(answers).to.deep.equal(Array(7).fill({ value: 'yes' }));
    const asked = provider.exchanges.map(({ model }) => model).filter((model) => model !== '');
    return { output: output as Record<string, Record<string, object>>, calls, asked };
  }

  it('give up after their own timeouts, with the errors that they have without assay', async () => {
    // The host whose calls are held is not that of the model.
    const plain = await runHeld('rates:\n  other.test: { at_once: 1 }\n');
    const held = await runHeld('rates:\n  127.0.0.1: { at_once: 1 }\n');
    expect(held.output).to.deep.equal(plain.output);
    const { givenUp = {}, passed = {} } = held.output;
    expect(Object.keys(givenUp)).to.have.length(14);
    for (const [name, error] of Object.entries(givenUp)) {
      expect(error, name).to.have.property('message').and.not.equal('');
    }
    expect(Object.values(passed)).to.deep.equal(Array(9).fill({ value: 'yes' }));
    // What was given up has never been sent, and holds nothing back.
    const sent = (asked: readonly string[], model: string) =>
      asked.filter((one) => one === model).length;
    expect(sent(held.asked, 'given-up')).to.equal(0);
    expect(sent(held.asked, 'waits')).to.equal(7);
    expect(sent(held.asked, 'passes')).to.equal(9);
    const waits = (model: string) =>
      held.calls.flatMap((call: Call) =>
        call.model_call?.model === model ? [call.waited ?? 0] : [],
      );
    expect(Math.min(...waits('waits'))).to.be.above(2.5);
    expect(waits('passes')).to.deep.equal(Array(9).fill(0));
  }).timeout(120_000);

  it('pass on why a call is refused at a limit, or count it afterwards', async () => {
    await using provider = await startFakeProvider();
    const made = project(limited, '');
    await made.assay(['run'], { env: { PROVIDER: provider.url } });
    const results = await resultsOf(made);
    expect(results).to.have.length(9);
    for (const { function: name, result } of results) {
      const isCounted = name.startsWith('undicis');
      expect(result.error, name).to.equal('limit reached: 1 call');
      expect(result.output, name).to.equal(isCounted ? 'answered' : 'limit reached: 1 call');
      expect(result.usage?.calls, name).to.equal(isCounted ? 2 : 1);
    }
    expect(provider.exchanges).to.have.length(6 + 2 * 3);
  }).timeout(120_000);
});
