import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Call } from '../../../src/model/calls/model-call.js';
import type { ResultEntry } from '../../../src/model/result.js';
import { type FakeProvider, startFakeProvider } from '../../helpers/fake-provider.js';
import { Project } from '../../helpers/project.js';
import { linkPackages } from '../../helpers/project-folder.js';

const packages = [
  ...['@ai-sdk/openai', '@anthropic-ai/sdk', '@aws-sdk/client-bedrock-runtime', '@google/genai'],
  ...[
    '@langchain/openai',
    '@opentelemetry/sdk-trace-node',
    'ai',
    'ai6',
    'ai-sdk-openai-3',
    'axios',
  ],
  ...['got', 'node-fetch', 'ollama', 'openai', 'undici'],
];

/** A target for each client; all say hello to a model. */
const clients = `
import { evaluation } from 'assay';
import Anthropic from '@anthropic-ai/sdk';
import { createOpenAI } from '@ai-sdk/openai';
import { BedrockRuntimeClient, ConverseCommand } from '@aws-sdk/client-bedrock-runtime';
import { GoogleGenAI } from '@google/genai';
import { ChatOpenAI } from '@langchain/openai';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { generateText, streamText } from 'ai';
import { generateText as generateText6, streamText as streamText6 } from 'ai6';
import { createOpenAI as createOpenAI3 } from 'ai-sdk-openai-3';
import { Factuality } from 'autoevals';
import axios from 'axios';
import got from 'got';
import nodeFetch from 'node-fetch';
import http from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import OtherOpenAI from 'openai-copy';
import * as undici from 'undici';

const url = process.env.PROVIDER as string;
const baseURL = url + '/v1';
const openai = new OpenAI({ baseURL, apiKey: 'sk-canary-openai-key' });
const messages = [{ role: 'user' as const, content: 'hello' }];
const body = { model: 'gpt-5-mini', messages };

export const openaiChat = evaluation({
  target: async () => (await openai.chat.completions.create(body)).choices[0]?.message.content,
});
export const openaiStream = evaluation({
  target: async () => {
    let text = '';
    const stream = await openai.chat.completions.create({ ...body, stream: true, stream_options: { include_usage: true } });
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    return text;
  },
});
export const openaiResponses = evaluation({
  target: async () => (await openai.responses.create({ model: 'gpt-5-mini', input: 'hello' })).output_text,
});
export const openaiRetry = evaluation({
  target: async () => (await openai.chat.completions.create({ ...body, model: 'gpt-fake-busy-once' })).choices[0]?.message.content,
});
export const trajectory = evaluation({
  target: () => openai.chat.completions.create({ ...body, model: 'gpt-fake-tool' }),
  evaluators: [
    function inOrder({ toolCalls }) { return toolCalls.map((call) => call.name).join() === 'weather,time'; },
    function otherOrder({ toolCalls }) { return toolCalls.map((call) => call.name).join() === 'time,weather'; },
    function neverDelete({ toolCalls }) { return toolCalls.every((call) => call.name !== 'delete'); },
    function neverTime({ toolCalls }) { return toolCalls.every((call) => call.name !== 'time'); },
    function withArguments({ toolCalls }) { return isDeepStrictEqual(toolCalls[0]?.arguments, { city: 'Wien', days: [1, 2] }); },
    function otherArguments({ toolCalls }) { return isDeepStrictEqual(toolCalls[0]?.arguments, { city: 'Graz' }); },
    function oneCall({ calls }) { return calls.length <= 1; },
    function noCall({ calls }) { return calls.length <= 0; },
    function fewTokens({ usage }) { return (usage.input ?? 0) < 121; },
    function fewerTokens({ usage }) { return (usage.input ?? 0) < 120; },
    function noneFailed({ calls }) { return calls.every((call) => call.status === 200); },
    function tokens({ usage }) { return { key: 'tokens', value: (usage.input ?? 0) + (usage.output ?? 0) }; },
  ],
});
export const anthropic = evaluation({
  target: async () => {
    const client = new Anthropic({ baseURL: url, apiKey: 'sk-canary-anthropic-key' });
    const said = await client.messages.create({ model: 'claude-sonnet-4-5', max_tokens: 100, messages });
    return said.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  },
});
export const aiSdk = evaluation({
  target: async () => (await generateText({ model: createOpenAI({ baseURL, apiKey: 'k' }).chat('gpt-5-mini'), prompt: 'hello' })).text,
});
export const aiSdk6 = evaluation({
  target: async () => (await generateText6({ model: createOpenAI3({ baseURL, apiKey: 'k' }).chat('gpt-5-mini'), prompt: 'hello' })).text,
});
export const aiSdk6Stream = evaluation({
  target: () => streamText6({ model: createOpenAI3({ baseURL, apiKey: 'k' })('gpt-5-mini'), prompt: 'hello' }).textStream,
});
export const otherCopy = evaluation({
  target: async () => (await new OtherOpenAI({ baseURL, apiKey: 'k' }).chat.completions.create(body)).choices[0]?.message.content,
});
export const gotClient = evaluation({
  target: async () => (await got.post(baseURL + '/chat/completions', { json: body }).json<any>()).choices[0].message.content,
});
export const nodeFetchClient = evaluation({
  target: async () => {
    const response = await nodeFetch(baseURL + '/chat/completions', { method: 'POST', body: JSON.stringify(body) });
    return ((await response.json()) as any).choices[0].message.content;
  },
});
export const ownTelemetry = evaluation({
  target: async () => {
    const spans: string[] = [];
    const onEnd = (span: { name: string }) => { spans.push(span.name); };
    const provider = new NodeTracerProvider({ spanProcessors: [{ onStart() {}, onEnd, forceFlush: async () => {}, shutdown: async () => {} }] });
    provider.register();
    const model = createOpenAI({ baseURL, apiKey: 'k' }).chat('gpt-5-mini');
    const { text } = await generateText({ model, prompt: 'hello', experimental_telemetry: { isEnabled: true } });
    if (!spans.includes('ai.generateText')) throw new Error('spans: ' + spans);
    return text;
  },
});
export const patchedFetch = evaluation({
  target: async () => {
    const seen: string[] = [];
    const real = globalThis.fetch;
    globalThis.fetch = (input, init) => { seen.push(String(input)); return real(input, init); };
    try {
      return (await new OpenAI({ baseURL, apiKey: 'k' }).chat.completions.create(body)).choices[0]?.message.content;
    } finally {
      globalThis.fetch = real;
      if (seen.length === 0) throw new Error('saw no call');
    }
  },
});
export const fetchOverHttp = evaluation({
  target: async () => {
    const client = new OpenAI({ baseURL, apiKey: 'k', fetch: nodeFetch as any });
    return (await client.chat.completions.create(body)).choices[0]?.message.content;
  },
});
const select = { text: '', toolCalls: [{ id: 'call_1', name: 'select_choice', arguments: { reasons: 'same', choice: 'C' } }] };
export const judged = evaluation({
  target: () => 'hello',
  evaluators: [
    async function factuality({ output }) {
      const openAiDefaultHeaders = { 'x-fake': JSON.stringify(select) };
      return Factuality({ output: output as string, expected: 'hello', input: 'hello', model: 'gpt-5-mini', openAiApiKey: 'k', openAiBaseUrl: baseURL, openAiDefaultHeaders });
    },
  ],
});
export const aiSdkStream = evaluation({
  target: () => streamText({ model: createOpenAI({ baseURL, apiKey: 'k' }).chat('gpt-5-mini'), prompt: 'hello' }).textStream,
});
export const google = evaluation({
  target: async () => {
    const client = new GoogleGenAI({ apiKey: 'canary-google-key', httpOptions: { baseUrl: url } });
    return (await client.models.generateContent({ model: 'gemini-2.5-flash', contents: 'hello' })).text;
  },
});
export const bedrock = evaluation({
  target: async () => {
    const client = new BedrockRuntimeClient({ region: 'eu-central-1', endpoint: process.env.PROVIDER_HTTP2, credentials: { accessKeyId: 'a', secretAccessKey: 'b' } });
    const said = await client.send(new ConverseCommand({ modelId: 'anthropic.claude-sonnet-4-5', messages: [{ role: 'user', content: [{ text: 'hello' }] }] }));
    return said.output?.message?.content?.[0]?.text;
  },
});
export const langchain = evaluation({
  target: async () => (await new ChatOpenAI({ model: 'gpt-5-mini', apiKey: 'k', configuration: { baseURL } }).invoke('hello')).content,
});
export const ollama = evaluation({
  target: async () => (await new Ollama({ host: url }).chat({ model: 'llama3', messages })).message.content,
});
export const axiosClient = evaluation({
  target: async () => (await axios.post(baseURL + '/chat/completions', body)).data.choices[0].message.content,
});
export const axiosGzip = evaluation({
  target: async () => (await axios.post(baseURL + '/chat/completions', { ...body, model: 'gpt-fake-gzip' })).data.choices[0].message.content,
});
export const nodeHttp = evaluation({
  target: () => new Promise((resolve, reject) => {
    const request = http.request(baseURL + '/chat/completions', { method: 'POST', headers: { 'content-type': 'application/json' } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece) => { text += piece; });
      response.on('end', () => resolve(JSON.parse(text).choices[0].message.content));
    });
    request.on('error', reject);
    request.write(JSON.stringify(body).slice(0, 10));
    request.end(JSON.stringify(body).slice(10));
  }),
});
export const ownUndici = evaluation({
  target: async () => {
    const dispatcher = new undici.Agent();
    const response = await undici.fetch(baseURL + '/chat/completions', { method: 'POST', body: JSON.stringify(body), dispatcher });
    return ((await response.json()) as any).choices[0].message.content;
  },
});
export const sharedUndici = evaluation({
  target: async () => {
    // Once Node's own fetch has been used, copies of undici send their requests through it.
    await (await fetch(url)).text();
    const response = await undici.fetch(baseURL + '/chat/completions', { method: 'POST', body: JSON.stringify(body) });
    return ((await response.json()) as any).choices[0].message.content;
  },
});
export const plainFetch = evaluation({
  target: async () => {
    const response = await fetch(baseURL + '/chat/completions?key=canary-query-key&alt=json', { method: 'POST', headers: { authorization: 'Bearer canary-header-key' }, body: JSON.stringify(body) });
    return ((await response.json()) as any).choices[0].message.content;
  },
});
`;

describe('calls of real clients', () => {
  let provider: FakeProvider;
  let project: Project;
  const results = new Map<string, ResultEntry['result']>();

  before(async function () {
    this.timeout(240_000);
    provider = await startFakeProvider();
    project = new Project({ 'clients.eval.ts': clients });
    linkPackages(project.folder, packages);
    const from = new URL('../../../node_modules/openai', import.meta.url);
    cpSync(from, join(project.folder, 'node_modules/openai-copy'), { recursive: true });
    const env = { PROVIDER: provider.url, PROVIDER_HTTP2: provider.http2Url };
    await project.run([], { env });
    const { stdout } = await project.assay(['export', 'latest', '-f', 'json', '--calls']);
    for (const { function: name, result } of JSON.parse(stdout).results) results.set(name, result);
  });

  function resultOf(name: string) {
    const result = results.get(name);
    expect(result?.error, name).to.equal(null);
    return result as NonNullable<typeof result>;
  }

  const whole = [
    ...['openaiChat', 'openaiStream', 'openaiResponses', 'anthropic', 'aiSdk', 'aiSdkStream'],
    ...['google', 'bedrock', 'langchain', 'ollama', 'axiosClient', 'axiosGzip', 'nodeHttp'],
    ...['ownUndici', 'plainFetch', 'aiSdk6', 'aiSdk6Stream', 'otherCopy', 'gotClient'],
    ...['nodeFetchClient', 'ownTelemetry', 'patchedFetch', 'fetchOverHttp'],
  ];
  for (const name of whole) {
    it(`records the call of ${name}`, () => {
      const { output, calls = [], usage, trace_data } = resultOf(name);
      expect(output).to.equal('Grüße aus Wien 👋, it is 21 °C.');
      expect(calls).to.have.length(1);
      const [call] = calls as [Call];
      expect(call.role).to.equal('target');
      expect(call.status).to.equal(200);
      expect(call.end).to.be.greaterThan(call.start);
      expect(call.model_call?.messages?.at(-1)).to.deep.include({ role: 'user' });
      expect(JSON.stringify(call.model_call?.messages)).to.include('hello');
      expect(JSON.stringify(call.model_call?.answer)).to.include('21 °C');
      expect(call.model_call?.usage).to.deep.include({ output: 30 });
      expect(usage).to.deep.include({ calls: 1, input: 120, output: 30 });
      expect(trace_data.messages).to.have.length.at.least(2);
    });
  }

  it('records the call of an evaluator of autoevals', () => {
    const { calls = [], scores } = resultOf('judged');
    expect(scores).to.have.nested.property('[0].value', 1);
    expect(calls.map(({ role }) => role)).to.deep.equal(['evaluator:factuality']);
    expect(calls[0]?.model_call?.tool_calls?.[0]).to.deep.include({ name: 'select_choice' });
  });

  it('lets evaluators judge calls, tools and usage in one line', () => {
    const { scores } = resultOf('trajectory');
    expect(scores.map(({ key, passed, value }) => [key, passed ?? value])).to.deep.equal([
      ['inOrder', true],
      ['otherOrder', false],
      ['neverDelete', true],
      ['neverTime', false],
      ['withArguments', true],
      ['otherArguments', false],
      ['oneCall', true],
      ['noCall', false],
      ['fewTokens', true],
      ['fewerTokens', false],
      ['noneFailed', true],
      ['tokens', 150],
    ]);
    expect(resultOf('openaiRetry').calls?.every(({ status }) => status === 200)).to.equal(false);
  });

  it('links the retries of a client', () => {
    const { calls = [], usage } = resultOf('openaiRetry');
    expect(calls.map(({ status, retry_of }) => [status, retry_of])).to.deep.equal([
      [429, undefined],
      [200, 1],
    ]);
    expect(calls[0]?.headers).to.have.property('retry-after', '0');
    expect(usage?.calls).to.equal(2);
  });

  it('shows calls of a copy of undici, also where Node does not show their bodies', () => {
    // The agent of Node's own fetch publishes bodies from undici 7 on.
    const isWhole = Number.parseInt(process.versions.undici ?? '', 10) >= 7;
    const note = isWhole ? undefined : 'This copy of undici does not show its answers.';
    const { output, calls = [], usage } = resultOf('sharedUndici');
    expect(output).to.include('21 °C');
    expect(calls.map(({ method, status, note }) => [method, status, note])).to.deep.equal([
      ['GET', 404, undefined],
      ['POST', 200, note],
    ]);
    expect(usage).to.deep.include(
      isWhole
        ? { calls: 1, output: 30, other_calls: 1 }
        : { calls: 1, unknown_calls: 1, other_calls: 1 },
    );
  });

  it('keeps no secret of headers and addresses', () => {
    const [call] = resultOf('plainFetch').calls ?? [];
    expect(call?.url).to.match(/\/v1\/chat\/completions\?key=…&alt=json$/);
    expect(project.savedText()).not.to.match(/canary/);
  });
});
