import { expect } from 'chai';
import type { Call } from '../../../src/model/calls/model-call.js';
import type { ResultEntry } from '../../../src/model/result.js';
import { type FakeProvider, startFakeProvider } from '../../helpers/fake-provider.js';
import { Project } from '../../helpers/project.js';
import { linkPackages } from '../../helpers/project-folder.js';

/** Each client by its name; `silent` models never answer, and `-hold` ones stop in the middle. */
const evals = `
import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { BedrockRuntimeClient, ConverseCommand } from '@aws-sdk/client-bedrock-runtime';
import { GoogleGenAI } from '@google/genai';
import { generateText, streamText } from 'ai';
import { evaluation } from 'assay';
import OpenAI from 'openai';
import * as undici from 'undici';

const url = process.env.PROVIDER as string;
const baseURL = url + '/v1';
const messages = [{ role: 'user' as const, content: 'hello' }];
const json = (model: string) => ({ method: 'POST' as const, body: JSON.stringify({ model, messages }) });
/** One time for all of them, which no answer ever reaches. */
const timeout = 300;
const openai = (maxRetries: number) => new OpenAI({ baseURL, apiKey: 'k', timeout, maxRetries });
const anthropic = (maxRetries: number) => new Anthropic({ baseURL: url, apiKey: 'k', timeout, maxRetries });
const google = (attempts: number) =>
  new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: url, timeout, retryOptions: { attempts } } });
const bedrock = (maxAttempts: number) => new BedrockRuntimeClient({
  region: 'eu-central-1', endpoint: process.env.PROVIDER_HTTP2, maxAttempts, credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  requestHandler: { requestTimeout: timeout, sessionTimeout: 60_000 } as any,
});
const chat = createOpenAI({ baseURL, apiKey: 'k' }).chat;
const converse = (modelId: string) => new ConverseCommand({ modelId, messages: [{ role: 'user', content: [{ text: 'hello' }] }] });
const waits: Record<string, () => unknown> = {
  fetch: () => fetch(baseURL + '/chat/completions', { ...json('fetch-silent'), signal: AbortSignal.timeout(timeout) }),
  openai: () => openai(1).chat.completions.create({ model: 'openai-silent', messages }),
  anthropic: () => anthropic(1).messages.create({ model: 'anthropic-silent', max_tokens: 9, messages }),
  ai: () => generateText({ model: chat('ai-silent'), messages, abortSignal: AbortSignal.timeout(timeout) }),
  google: () => google(1).models.generateContent({ model: 'google-silent', contents: 'hello' }),
  bedrock: () => bedrock(2).send(converse('bedrock-silent')),
  undici: () => undici.request(baseURL + '/chat/completions', { ...json('undici-silent'), dispatcher: new undici.Agent(), signal: AbortSignal.timeout(timeout) }),
  undiciOwn: () => undici.request(baseURL + '/chat/completions', { ...json('undici-own-silent'), dispatcher: new undici.Agent({ headersTimeout: timeout }) }),
};
/** Aborts a stream at its first piece and reads on. */
async function leave(stream: AsyncIterable<unknown>, leaver: AbortController) {
  for await (const _ of stream) leaver.abort();
  return 'ended';
}
const aborts: Record<string, (leaver: AbortController) => unknown> = {
  fetch: async (leaver) => {
    const response = await fetch(baseURL + '/chat/completions', { method: 'POST', body: JSON.stringify({ model: 'fetch-fake-hold', stream: true, messages }), signal: leaver.signal });
    return leave(response.body as never, leaver);
  },
  openai: async (leaver) => leave(await openai(0).chat.completions.create({ model: 'openai-fake-hold', messages, stream: true }, { timeout: 60_000, signal: leaver.signal }), leaver),
  anthropic: async (leaver) => leave(await anthropic(0).messages.create({ model: 'anthropic-fake-hold', max_tokens: 9, messages, stream: true }, { timeout: 60_000, signal: leaver.signal }), leaver),
  ai: (leaver) => leave(streamText({ model: chat('ai-fake-hold'), messages, abortSignal: leaver.signal, onError() {} }).textStream, leaver),
  google: async (leaver) => {
    const config = { abortSignal: leaver.signal, httpOptions: { timeout: 60_000 } };
    return leave(await google(1).models.generateContentStream({ model: 'google-fake-hold', contents: 'hello', config }), leaver);
  },
  undici: async (leaver) => {
    const request = { method: 'POST' as const, body: JSON.stringify({ model: 'undici-fake-hold', stream: true, messages }) };
    const { body } = await undici.request(baseURL + '/chat/completions', { ...request, dispatcher: new undici.Agent(), signal: leaver.signal });
    return leave(body, leaver);
  },
};
const repeats: Record<string, () => unknown> = {
  openai: () => openai(2).withOptions({ timeout: 60_000 }).chat.completions.create({ model: 'openai-fake-busy-once', messages }),
  anthropic: () => anthropic(2).withOptions({ timeout: 60_000 }).messages.create({ model: 'anthropic-fake-busy-once', max_tokens: 9, messages }),
  ai: () => generateText({ model: chat('ai-fake-busy-once'), messages }),
  google: () => google(2).models.generateContent({ model: 'google-fake-busy-once', contents: 'hello', config: { httpOptions: { timeout: 60_000 } } }),
  bedrock: () => bedrock(2).send(converse('bedrock-fake-busy-once')),
};
/** What the code of a user finds. */
async function found(work: () => unknown) {
  try {
    const value = await work();
    return typeof value === 'string' ? value : 'answered';
  } catch (error) {
    const { name, message, constructor, cause } = error as Error;
    return { name, message, type: constructor.name, cause: String(cause) };
  }
}
const casesOf = (kinds: object) => Object.keys(kinds).map((id) => ({ id, input: id }));
export const waiting = evaluation({ cases: casesOf(waits), target: ({ input }) => found(() => waits[input]?.()) });
export const aborted = evaluation({ cases: casesOf(aborts), target: ({ input }) => found(() => aborts[input]?.(new AbortController())) });
export const repeated = evaluation({ cases: casesOf(repeats), target: ({ input }) => found(() => repeats[input]?.()) });

const retries = new undici.RetryAgent(new undici.Agent({ connections: 1 }), { methods: ['POST'], statusCodes: [429], minTimeout: 10, retryAfter: false });
const ask = async (model: string) => {
  const { body } = await undici.request(baseURL + '/chat/completions', { ...json(model), dispatcher: retries });
  return (await body.json() as any).id !== undefined;
};
export const opensConnection = evaluation({ target: () => ask('agent-opens') });
export const usesConnection = evaluation({ target: () => ask('agent-fake-busy-once') });
`;

describe('clients that give up or repeat', () => {
  let provider: FakeProvider;
  let project: Project;
  const seen = new Map<string, ResultEntry['result']>();

  before(async function () {
    this.timeout(240_000);
    const known = new Set<string>();
    let capture = 'off';
    provider = await startFakeProvider(({ model, json }) => {
      if (model.endsWith('silent')) return new Promise(() => undefined);
      // Each of the two runs has a first time of its own.
      const isFirst = model.endsWith('busy-once') && !known.has(`${capture} ${model}`);
      known.add(`${capture} ${model}`);
      if (isFirst) return { status: 429, retryAfter: 0 };
      return json.stream === true ? undefined : { text: 'yes' };
    });
    project = new Project({ 'clients.eval.ts': evals });
    linkPackages(project.folder, [
      ...['@ai-sdk/openai', '@anthropic-ai/sdk', '@aws-sdk/client-bedrock-runtime'],
      ...['@google/genai', 'ai', 'openai', 'undici'],
    ]);
    const env = { PROVIDER: provider.url, PROVIDER_HTTP2: provider.http2Url };
    const unseen = await project.run(['--concurrency', '1'], {
      env: { ...env, ASSAY_CAPTURE: 'off' },
    });
    capture = 'full';
    const { run } = await project.run(['--concurrency', '1'], { env });
    const { stdout } = await project.assay(['export', 'latest', '-f', 'json', '--calls']);
    for (const { function: name, result } of JSON.parse(stdout).results) seen.set(name, result);
    for (const [at, { function: name, result }] of run.results.entries()) {
      expect(result.output, name).to.deep.equal(unseen.run.results[at]?.result.output);
      expect(result.error, name).to.equal(null);
    }
  });

  const callsOf = (name: string): readonly Call[] => seen.get(name)?.calls ?? [];

  for (const [client, name, calls] of [
    ['fetch', 'TimeoutError', 1],
    ['openai', 'Error', 2],
    ['anthropic', 'APIConnectionTimeoutError', 2],
    ['ai', 'TimeoutError', 1],
    ['google', 'AbortError', 1],
    ['bedrock', 'TimeoutError', 2],
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

  for (const client of ['openai', 'anthropic', 'ai', 'google', 'bedrock']) {
    it(`lists what ${client} repeats as a call of its own`, () => {
      expect(seen.get(`repeated[${client}]`)?.output).to.equal('answered');
      const made = callsOf(`repeated[${client}]`);
      expect(made.map(({ status, retry_of }) => [status, retry_of])).to.deep.equal([
        [429, undefined],
        [200, 1],
      ]);
    });
  }

  it('lists what a RetryAgent of undici repeats in its own attempt', () => {
    expect(callsOf('opensConnection').map(({ status }) => status)).to.deep.equal([200]);
    expect(
      callsOf('usesConnection').map(({ status, retry_of }) => [status, retry_of]),
    ).to.deep.equal([
      [429, undefined],
      [200, 1],
    ]);
  });
});
