import { expect } from 'chai';
import type { ResultEntry } from '../../../src/model/result.js';
import { type FakeProvider, startFakeProvider } from '../../helpers/fake-provider.js';
import { type JsonRun, Project, removeProjects } from '../../helpers/project.js';
import { linkPackages } from '../../helpers/project-folder.js';

const packages = [
  ...['@anthropic-ai/sdk', '@aws-sdk/client-bedrock-runtime', '@google/genai', '@langchain/openai'],
  ...['@smithy/fetch-http-handler', '@smithy/node-http-handler', 'ai6', 'ai-sdk-openai-3'],
  ...['axios', 'got', 'ollama', 'openai'],
];

const head = `
import { evaluation } from 'assay';
import Anthropic from '@anthropic-ai/sdk';
import { BedrockRuntimeClient, ConverseCommand, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime';
import { GoogleGenAI } from '@google/genai';
import { ChatOpenAI } from '@langchain/openai';
import { FetchHttpHandler } from '@smithy/fetch-http-handler';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { createOpenAI } from 'ai-sdk-openai-3';
import { generateText, streamText } from 'ai6';
import axios from 'axios';
import got from 'got';
import { Ollama } from 'ollama';
import OpenAI from 'openai';

const url = process.env.PROVIDER as string;
const baseURL = url + '/v1';
const content = process.env.QUESTION as string;
const messages = [{ role: 'user' as const, content }];
const body = { model: 'gpt-5-mini', messages };
const openai = new OpenAI({ baseURL, apiKey: 'k' });
const claude = { model: 'claude-sonnet-4-5', max_tokens: 100, messages };
const anthropic = new Anthropic({ baseURL: url, apiKey: 'k' });
const ask = { model: createOpenAI({ baseURL, apiKey: 'k' }).chat('gpt-5-mini'), prompt: content };
const gemini = { model: 'gemini-2.5-flash', contents: content };
const google = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: url } }).models;
const langchain = new ChatOpenAI({ model: 'gpt-5-mini', apiKey: 'k', configuration: { baseURL } });
const ollama = new Ollama({ host: url });
const nova = { modelId: 'anthropic.claude-sonnet-4-5', messages: [{ role: 'user' as const, content: [{ text: content }] }] };
const bedrock = (requestHandler: FetchHttpHandler | NodeHttpHandler) =>
  new BedrockRuntimeClient({ region: 'eu-central-1', endpoint: url, credentials: { accessKeyId: 'a', secretAccessKey: 'b' }, requestHandler });

/** The texts of a stream, one after the other. */
async function texts<T>(stream: AsyncIterable<T> | undefined, textOf: (chunk: T) => unknown): Promise<string> {
  let all = '';
  for await (const chunk of stream ?? []) all += textOf(chunk) ?? '';
  return all;
}
`;

/** What each client says when it is asked, by the name of an evaluation. */
const targets = {
  openaiChat: `(await openai.chat.completions.create(body)).choices[0]?.message.content`,
  openaiStream: `texts(await openai.chat.completions.create({ ...body, stream: true, stream_options: { include_usage: true } }), (chunk) => chunk.choices[0]?.delta.content)`,
  openaiResponses: `(await openai.responses.create({ model: 'gpt-5-mini', input: content })).output_text`,
  anthropicChat: `(await anthropic.messages.create(claude)).content.map((part) => (part.type === 'text' ? part.text : '')).join('')`,
  anthropicStream: `anthropic.messages.stream(claude).finalText()`,
  aiSdk: `(await generateText(ask)).text`,
  aiSdkStream: `texts(streamText(ask).textStream, (text) => text)`,
  googleChat: `(await google.generateContent(gemini)).text`,
  googleStream: `texts(await google.generateContentStream(gemini), ({ text }) => text)`,
  langchainChat: `(await langchain.invoke(content)).content`,
  langchainStream: `texts(await langchain.stream(content), ({ content }) => content)`,
  ollamaChat: `(await ollama.chat({ model: 'llama3', messages })).message.content`,
  ollamaStream: `texts(await ollama.chat({ model: 'llama3', messages, stream: true }), ({ message }) => message.content)`,
  bedrockFetch: `(await bedrock(new FetchHttpHandler()).send(new ConverseCommand(nova))).output?.message?.content?.[0]?.text`,
  bedrockHttp: `(await bedrock(new NodeHttpHandler()).send(new ConverseCommand(nova))).output?.message?.content?.[0]?.text`,
  bedrockStream: `texts((await bedrock(new NodeHttpHandler()).send(new ConverseStreamCommand(nova))).stream, (event) => event.contentBlockDelta?.delta?.text)`,
  axiosChat: `(await axios.post(baseURL + '/chat/completions', body)).data.choices[0].message.content`,
  gotChat: `(await got.post(baseURL + '/chat/completions', { json: body }).json<any>()).choices[0].message.content`,
  retried: `(await openai.chat.completions.create({ ...body, model: 'gpt-fake-busy-once' })).choices[0]?.message.content`,
};

const evals = Object.entries(targets).map(
  ([name, target]) =>
    `export const ${name}Eval = evaluation({ name: '${name}', target: async () => ${target} });\n`,
);

/** A result without times and ids. */
function lasting({ id, result }: ResultEntry) {
  const { latency, trace_data, ...others } = result;
  const { messages } = trace_data;
  return { id, messages, ...others };
}

describe('recordings of real clients', () => {
  let provider: FakeProvider;
  let project: Project;
  let recorded: JsonRun;
  const offline: JsonRun[] = [];
  const env = () => ({ PROVIDER: provider.url, QUESTION: 'hello' });

  before(async function () {
    this.timeout(120_000);
    provider = await startFakeProvider();
    project = new Project({ 'clients.eval.ts': head + evals.join('') });
    linkPackages(project.folder, packages);
    recorded = await project.run(['--record'], { env: env() });
    await provider[Symbol.asyncDispose]();
    for (let run = 0; run < 2; run += 1) {
      offline.push(await project.run(['--offline'], { env: env() }));
    }
  });

  after(removeProjects);

  for (const name of Object.keys(targets)) {
    it(`answer ${name} offline`, () => {
      const was = recorded.result(name);
      expect(was.error).to.equal(null);
      expect(was.output).to.equal('Grüße aus Wien 👋, it is 21 °C.');
      for (const { result } of offline) {
        const { output, error, usage } = result(name);
        expect({ output, error }).to.deep.equal({ output: was.output, error: null });
        const { input, output: out } = was.usage ?? {};
        expect(usage).to.deep.include({ calls: 1, replayed: 1, input, output: out, cost: 0 });
      }
    });
  }

  it('give equal results each time', () => {
    const [first, second] = offline.map(({ run }) => run.results.map(lasting));
    expect(second).to.deep.equal(first);
  });

  it('are refused with a text that every client shows, and asks for once', async () => {
    const { result } = await project.run(['--offline'], { env: { ...env(), QUESTION: 'bye' } });
    for (const name of Object.keys(targets)) {
      const { error } = result(name);
      expect(error, name).to.match(/^not recorded: POST 127\.0\.0\.1/);
      expect(error, name).to.match(/- hello\n {2}\+ bye/);
    }
  });
});
