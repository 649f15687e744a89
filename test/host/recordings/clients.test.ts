import { expect } from 'chai';
import type { Call } from '../../../src/model/calls/model-call.js';
import type { UsageTotals } from '../../../src/model/calls/usage.js';
import type { ResultEntry } from '../../../src/model/result.js';
import { type FakeProvider, startFakeProvider } from '../../helpers/fake-provider.js';
import { type JsonRun, Project } from '../../helpers/project.js';
import { linkPackages } from '../../helpers/project-folder.js';
import { fewOf } from '../../helpers/rounds.js';

const packages = [
  ...['@ai-sdk/openai', '@anthropic-ai/sdk', '@aws-sdk/client-bedrock-runtime', '@google/genai'],
  ...['@langchain/openai', '@smithy/fetch-http-handler', '@smithy/node-http-handler', 'ai'],
  ...['ai6', 'ai-sdk-openai-3', 'axios', 'got', 'node-fetch', 'ollama', 'openai', 'undici'],
];

const shared = `
import { evaluation } from 'assay';
import http from 'node:http';

const apiKey = 'sk-canary-key-1234';
const url = process.env.PROVIDER as string;
const baseURL = url + '/v1';
const content = process.env.QUESTION as string;
const messages = [{ role: 'user' as const, content }];
const body = { model: 'gpt-5-mini', messages };
const posted = (model = 'gpt-5-mini') => ({
  method: 'POST',
  headers: { authorization: 'Bearer canary-header-key', 'content-type': 'application/json' },
  body: JSON.stringify({ ...body, model }),
});
const nova = { modelId: 'anthropic.claude-sonnet-4-5', messages: [{ role: 'user' as const, content: [{ text: content }] }] };

const said = (answer: any) => answer.choices[0].message.content;

/** The texts of a stream, one after the other. */
async function texts<T>(stream: AsyncIterable<T> | undefined, textOf: (chunk: T) => unknown): Promise<string> {
  let all = '';
  for await (const chunk of stream ?? []) all += textOf(chunk) ?? '';
  return all;
}
`;

interface Client {
  readonly setup: string;
  /** What it says when it is asked, by the name of an evaluation. */
  readonly targets: Readonly<Record<string, string>>;
}

/** Clients that ask again after a refusal, which tests below look at. */
const retrying: readonly Client[] = [
  {
    setup: `
import OpenAI from 'openai';
const openai = new OpenAI({ baseURL, apiKey });`,
    targets: {
      openaiChat: `(await openai.chat.completions.create(body)).choices[0]?.message.content`,
      openaiStream: `texts(await openai.chat.completions.create({ ...body, stream: true, stream_options: { include_usage: true } }), (chunk) => chunk.choices[0]?.delta.content)`,
      openaiResponses: `(await openai.responses.create({ model: 'gpt-5-mini', input: content })).output_text`,
      retried: `(await openai.chat.completions.create({ ...body, model: 'gpt-fake-busy-once' })).choices[0]?.message.content`,
    },
  },
  {
    setup: '',
    targets: {
      nodeHttp: `new Promise((resolve, reject) => {
    const { body, ...options } = posted();
    http.request(baseURL + '/chat/completions', options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece) => { text += piece; }).on('end', () => resolve(said(JSON.parse(text))));
    }).on('error', reject).end(body);
  }).catch((error) => { throw error; })`,
      plainFetch: `said(await (await fetch(baseURL + '/chat/completions?key=canary-query-key&alt=json', posted())).json())`,
      ownRetry: `(async () => {
    for (;;) {
      const response = await fetch(baseURL + '/chat/completions', posted('gpt-own-fake-busy-once'));
      // Its body is not read.
      if (response.status !== 429) return said(await response.json());
    }
  })()`,
    },
  },
];

/** Each takes long to load. */
const others: readonly Client[] = [
  {
    setup: `
import Anthropic from '@anthropic-ai/sdk';
const claude = { model: 'claude-sonnet-4-5', max_tokens: 100, messages };
const anthropic = new Anthropic({ baseURL: url, apiKey });`,
    targets: {
      anthropicChat: `(await anthropic.messages.create(claude)).content.map((part) => (part.type === 'text' ? part.text : '')).join('')`,
      anthropicStream: `anthropic.messages.stream(claude).finalText()`,
    },
  },
  {
    setup: `
import { createOpenAI as createOpenAI2 } from '@ai-sdk/openai';
import { generateText as generateText5, streamText as streamText5 } from 'ai';
const ask5 = { model: createOpenAI2({ baseURL, apiKey }).chat('gpt-5-mini'), prompt: content };`,
    targets: {
      aiSdk5: `(await generateText5(ask5)).text`,
      aiSdk5Stream: `texts(streamText5(ask5).textStream, (text) => text)`,
    },
  },
  {
    setup: `
import { createOpenAI } from 'ai-sdk-openai-3';
import { generateText, streamText } from 'ai6';
const ask = { model: createOpenAI({ baseURL, apiKey }).chat('gpt-5-mini'), prompt: content };`,
    targets: {
      aiSdk: `(await generateText(ask)).text`,
      aiSdkStream: `texts(streamText(ask).textStream, (text) => text)`,
    },
  },
  {
    setup: `
import { GoogleGenAI } from '@google/genai';
const gemini = { model: 'gemini-2.5-flash', contents: content };
const google = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } }).models;`,
    targets: {
      googleChat: `(await google.generateContent(gemini)).text`,
      googleStream: `texts(await google.generateContentStream(gemini), ({ text }) => text)`,
    },
  },
  {
    setup: `
import { ChatOpenAI } from '@langchain/openai';
const langchain = new ChatOpenAI({ model: 'gpt-5-mini', apiKey, configuration: { baseURL } });`,
    targets: {
      langchainChat: `(await langchain.invoke(content)).content`,
      langchainStream: `texts(await langchain.stream(content), ({ content }) => content)`,
    },
  },
  {
    setup: `
import { Ollama } from 'ollama';
const ollama = new Ollama({ host: url });`,
    targets: {
      ollamaChat: `(await ollama.chat({ model: 'llama3', messages })).message.content`,
      ollamaStream: `texts(await ollama.chat({ model: 'llama3', messages, stream: true }), ({ message }) => message.content)`,
    },
  },
  {
    setup: `
import { BedrockRuntimeClient, ConverseCommand, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime';
import { FetchHttpHandler } from '@smithy/fetch-http-handler';
import { NodeHttpHandler } from '@smithy/node-http-handler';
const bedrock = (requestHandler: FetchHttpHandler | NodeHttpHandler) =>
  new BedrockRuntimeClient({ region: 'eu-central-1', endpoint: url, credentials: { accessKeyId: 'a', secretAccessKey: 'canary-secret-access-key' }, requestHandler });`,
    targets: {
      bedrockFetch: `(await bedrock(new FetchHttpHandler()).send(new ConverseCommand(nova))).output?.message?.content?.[0]?.text`,
      bedrockHttp: `(await bedrock(new NodeHttpHandler()).send(new ConverseCommand(nova))).output?.message?.content?.[0]?.text`,
      bedrockStream: `texts((await bedrock(new NodeHttpHandler()).send(new ConverseStreamCommand(nova))).stream, (event) => event.contentBlockDelta?.delta?.text)`,
    },
  },
  {
    setup: `
import axios from 'axios';`,
    targets: {
      axiosChat: `said((await axios.post(baseURL + '/chat/completions', body)).data)`,
      axiosGzip: `said((await axios.post(baseURL + '/chat/completions', { ...body, model: 'gpt-fake-gzip' })).data)`,
    },
  },
  {
    setup: `
import got from 'got';`,
    targets: {
      gotChat: `said(await got.post(baseURL + '/chat/completions', { json: body }).json())`,
    },
  },
  {
    setup: `
import nodeFetch from 'node-fetch';`,
    targets: {
      nodeFetchChat: `said(await (await nodeFetch(baseURL + '/chat/completions', posted())).json())`,
    },
  },
];

const clients = [...retrying, ...fewOf(others, 2)];
const names = clients.flatMap(({ targets }) => Object.keys(targets));

const evals = clients
  .flatMap(({ setup, targets }) => [
    setup,
    ...Object.entries(targets).map(
      ([name, target]) =>
        `export const ${name}Eval = evaluation({ name: '${name}', target: async () => ${target} });`,
    ),
  ])
  .join('\n');

const judged = `
import { Factuality } from 'autoevals';
const select = JSON.stringify({ text: '', toolCalls: [{ id: 'call_1', name: 'select_choice', arguments: { reasons: 'same', choice: 'C' } }] });
export const judged = evaluation({
  target: () => content,
  evaluators: [({ output }) => Factuality({ output: String(output), expected: 'hello', input: 'hello', model: 'gpt-5-mini', openAiApiKey: apiKey, openAiBaseUrl: baseURL, openAiDefaultHeaders: { 'x-fake': select } })],
});
`;

/** Clients whose calls assay can see, but not answer. */
const unanswerable = `
${shared}
import { BedrockRuntimeClient, ConverseCommand } from '@aws-sdk/client-bedrock-runtime';
import * as undici from 'undici';

const http2 = () => new BedrockRuntimeClient({ region: 'eu-central-1', endpoint: process.env.PROVIDER_HTTP2, credentials: { accessKeyId: 'a', secretAccessKey: 'b' } });
const dispatcher = new undici.Agent();
export const bedrockHttp2 = evaluation({ target: async () => (await http2().send(new ConverseCommand(nova))).output?.message?.content?.[0]?.text });
export const ownUndici = evaluation({ target: async () => said(await (await undici.fetch(baseURL + '/chat/completions', { ...posted(), dispatcher })).json()) });
export const undiciRequest = evaluation({ target: async () => said(await (await undici.request(baseURL + '/chat/completions', { ...posted(), method: 'POST', dispatcher })).body.json()) });
export const continued = evaluation({ target: () => new Promise((resolve, reject) => {
  const { body, method } = posted();
  const request = http.request(baseURL + '/chat/completions', { method, headers: { expect: '100-continue' } }, (response) => response.resume().on('end', () => resolve(response.statusCode)));
  request.on('error', reject).on('continue', () => request.end(body));
}) });
export const headFirst = evaluation({ target: () => new Promise((resolve, reject) => {
  const { body, method } = posted();
  const request = http.request(baseURL + '/chat/completions', { method }, (response) => response.resume().on('end', () => resolve(response.statusCode)));
  request.on('error', reject).flushHeaders();
  request.end(body);
}) });
`;

/** A result without times and ids. */
function lasting({ id, result }: ResultEntry) {
  const { latency, started_at, trace_data, ...others } = result;
  const { messages } = trace_data;
  return { id, messages, ...others };
}

/** Makes every connection fail. */
const blocked = `
require('node:net').Socket.prototype.connect = () => { throw new Error('sockets are blocked'); };
`;

/** A result with its calls, without times and ids. */
function timeless(entry: ResultEntry) {
  const { calls = [], ...result } = lasting(entry) as ReturnType<typeof lasting> & {
    readonly calls?: readonly Call[];
  };
  return { ...result, calls: calls.map(({ start, end, first_token, ...call }) => call) };
}

/** A result without what marks it as recorded or replayed. */
function unmarked(entry: ResultEntry) {
  const {
    calls = [],
    usage,
    ...result
  } = lasting(entry) as ReturnType<typeof lasting> & {
    readonly calls?: readonly Call[];
  };
  const { by_role: roles = {}, unpriced_models: _, ...all } = usage ?? {};
  return {
    ...result,
    usage: [all as UsageTotals, ...Object.values(roles)].map(
      ({ cost, unpriced, without_price, replayed, replayed_cost, replayed_unpriced, ...counts }) =>
        counts,
    ),
    calls: calls.map(
      ({ start, end, first_token, replayed, recording, cost, headers = {}, ...call }) => ({
        ...call,
        headers: Object.entries(headers).filter(([name]) => !/request-?id$/.test(name)),
        url: new URL(call.url).pathname,
        hasEnded: end !== undefined,
        hasToken: first_token !== undefined,
      }),
    ),
  };
}

describe('recordings of real clients', () => {
  let provider: FakeProvider;
  let project: Project;
  let recorded: JsonRun;
  const offline: JsonRun[] = [];
  /** The recorded run and those offline, with calls. */
  const exports: (readonly ResultEntry[])[] = [];
  const env = () => ({ PROVIDER: provider.url, QUESTION: 'hello' });
  const count = names.length + 1;

  before(async function () {
    this.timeout(240_000);
    provider = await startFakeProvider();
    project = new Project({ 'clients.eval.ts': shared + evals + judged });
    linkPackages(project.folder, packages);
    const exported = async () => {
      const { stdout } = await project.assay(['export', 'latest', '-f', 'json', '--calls']);
      exports.push(JSON.parse(stdout).results);
    };
    recorded = await project.run(['--record'], { env: env() });
    await exported();
    await provider[Symbol.asyncDispose]();
    project.write('blocked.cjs', blocked);
    const options = `--require=${project.path('blocked.cjs')}`;
    for (let run = 0; run < 2; run += 1) {
      const blockedEnv = { ...env(), NODE_OPTIONS: options };
      offline.push(await project.run(['--offline'], { env: blockedEnv }));
      await exported();
    }
  });

  for (const name of names) {
    it(`answer ${name} offline`, () => {
      const was = recorded.result(name);
      expect(was.error).to.equal(null);
      expect(was.output).to.equal('Grüße aus Wien 👋, it is 21 °C.');
      for (const { result } of offline) {
        const { output, error, usage } = result(name);
        expect({ output, error }).to.deep.equal({ output: was.output, error: null });
        const { input, output: out, calls } = was.usage ?? {};
        expect(usage).to.deep.include({ calls, replayed: calls, input, output: out, cost: 0 });
      }
    });
  }

  it('give equal results and calls each time, without a socket', () => {
    const [first, second] = offline.map(({ run }) => run.results.map(lasting));
    expect(second).to.deep.equal(first);
    expect(first).to.have.length(count);
    const [, one, other] = exports.map((results) => results.map(timeless));
    expect(other).to.deep.equal(one);
  });

  it('give the results of the recorded run, and its calls, but for marks, times and costs', () => {
    const [live = [], ...replayed] = exports.map((results) => results.map(unmarked));
    expect(live).to.have.length(count);
    for (const [at, result] of live.entries()) {
      for (const results of replayed) expect(results[at], result.id).to.deep.equal(result);
    }
    for (const name of ['retried', 'ownRetry']) {
      const { calls = [] } = live.find(({ id }) => id.endsWith(`::${name}`)) ?? {};
      expect(calls.map(({ status }) => status)).to.deep.equal([429, 200]);
      expect(calls[1]).to.include({ retry_of: 1 });
    }
  });

  it('have no secret in them', () => {
    expect(project.savedText('.assay/recordings')).to.include('Grüße').and.not.include('canary');
  });

  it('are refused with a text that every client shows, and asks for once', async () => {
    const { result, stderr } = await project.run(['--offline'], {
      env: { ...env(), QUESTION: 'bye' },
    });
    for (const name of [...names, 'judged']) {
      const { error, latency } = result(name);
      expect(error, name).to.match(/^not recorded: POST 127\.0\.0\.1/);
      expect(error, name).to.match(/- .*hello[\s\S]*\n {2}\+ .*bye/);
      // Nothing was waited for that could say how long a target takes.
      expect(latency === null, name).to.equal(name !== 'judged');
    }
    // One request of each: no client repeats what was refused, and none waits to do so.
    expect(stderr).to.include(`${count} requests, 0 found: `);
  });

  it('of clients that cannot be answered warn, and are refused offline with what to do', async () => {
    await using live = await startFakeProvider();
    const other = new Project({ 'other.eval.ts': unanswerable });
    linkPackages(other.folder, packages);
    const more = { PROVIDER: live.url, PROVIDER_HTTP2: live.http2Url, QUESTION: 'hello' };
    const first = await other.run(['--record'], { env: more });
    const asked = live.exchanges.length;
    const refused = await other.run(['--offline'], { env: more });
    expect(live.exchanges).to.have.length(asked);
    expect(asked).to.equal(5);
    for (const [name, why] of Object.entries({
      bedrockHttp2: 'calls over HTTP/2 can be neither recorded nor answered: use HTTP/1.1',
      ownUndici: 'calls by a copy of undici can be neither recorded nor answered: use the fetch',
      undiciRequest: 'calls by a copy of undici can be neither recorded nor answered',
      continued: 'a request whose head is sent before its body',
      headFirst: 'a request whose head is sent before its body',
    })) {
      expect(first.result(name).error, name).to.equal(null);
      expect(first.stderr).to.include(`was not recorded: ${why}`);
      expect(refused.result(name).error, name).to.match(/^not recorded: POST 127\.0\.0\.1:\d+\//);
      expect(refused.result(name).error).to.include(`\n  ${why}`);
      expect(refused.result(name).latency).to.equal(null);
    }
  });
});
