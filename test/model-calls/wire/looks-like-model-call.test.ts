import { expect } from 'chai';
import type { Json } from '../../../src/model/json.js';
import {
  mcpRequest,
  type SeenRequest,
  unknownModelCall,
} from '../../../src/model-calls/recognise.js';

const form = (...fields: readonly string[]) =>
  `${fields.map((field) => `--x\r\nContent-Disposition: form-data; name="${field}"\r\n\r\nwhisper-1\r\n`).join('')}--x--\r\n`;

const hi = [{ role: 'user', content: 'hi' }];
const both = { model: 'm', messages: [], input: 'x' };
const sql = 'SELECT 1';
const graphql = 'query Search($text: String) { search(text: $text) { id } }';

/** Requests by the name of what takes them: address, body (a text is no JSON), and what is said of it; `undefined`: nothing. */
type Row = readonly [name: string, path: string, body: Json | string | undefined, said?: object];

const ofModels: readonly Row[] = [
  ...['messages', 'message', 'prompt', 'input', 'query', 'contents'].map(
    (key): Row => [`a model and ${key}`, '/ask', { model: 'm', [key]: ['hi'] }, { model: 'm' }],
  ),
  ['watsonx', '/text/generation', { model_id: 'granite', input: 'hi' }, { model: 'granite' }],
  ['Vertex', '/v1/models/bison:predict', { instances: [{}] }, { model: 'bison' }],
  ['Bedrock', '/model/titan/invoke-other', { inputText: 'x' }, { model: 'titan' }],
  ['Azure', '/openai/deployments/gpt/images/generations', { prompt: 'cat' }, { model: 'gpt' }],
  [
    'Cloudflare',
    '/client/v4/accounts/1/ai/run/@cf/llama',
    { prompt: 'hi' },
    { model: '@cf/llama' },
  ],
  ['Hugging Face', '/models/org/name', { inputs: 'hi' }, { model: 'org/name' }],
  ['Hugging Face, old name', '/models/gpt2', { inputs: 'hi' }],
  [
    'Hugging Face, features',
    '/pipeline/feature-extraction/org/e5',
    { inputs: ['hi'] },
    { model: 'org/e5' },
  ],
  ['SageMaker', '/endpoints/mine/invocations', { inputs: 'hi' }, { model: 'mine' }],
  ['Replicate', '/v1/predictions', { version: 'a1', input: { prompt: 'hi' } }],
  [
    'Replicate, by name',
    '/v1/models/meta/llama/predictions',
    { input: {} },
    { model: 'meta/llama' },
  ],
  ['Replicate, deployment', '/v1/deployments/a/b/predictions', { input: {} }, { model: 'a/b' }],
  ['fal', '/fal-ai/flux/dev', { prompt: 'a cat' }],
  ['images', '/v1/images/generations', { prompt: 'a cat' }],
  ['images, edited', '/v1/images/edits', form('image', 'prompt')],
  ['images, varied', '/v1/images/variations', form('image')],
  ['Stability', '/v2beta/stable-image/generate/core', form('prompt', 'output_format')],
  ['speech', '/v1/audio/speech', { input: 'hi', voice: 'a' }],
  ['transcription', '/v1/audio/transcriptions', form('model'), { model: 'whisper-1' }],
  ['translation', '/v1/audio/translations', form('file')],
  ['ElevenLabs', '/v1/text-to-speech/voice-1', { text: 'hi' }],
  ['Deepgram', '/v1/listen', 'RIFF'],
  ['batch', '/v1/batches', { input_file_id: 'f', endpoint: '/v1/responses' }],
  ['batch of Anthropic', '/v1/messages/batches', { requests: [{ params: both }] }],
  ['TEI', '/embed', { inputs: 'hi' }],
  ['Voyage', '/v1/multimodalembeddings', { inputs: [{}], model: 'v' }, { model: 'v' }],
  ['llama.cpp', '/completion', { prompt: 'hi', n_predict: 8 }],
  ['llama.cpp, embedding', '/embedding', { content: 'hi' }],
  ['TGI', '/generate', { inputs: 'hi' }],
  ['TGI, stream', '/generate_stream', { inputs: 'hi' }],
  ['Ollama', '/api/generate', { model: 'm', prompt: 'hi' }, { model: 'm' }],
  ['Dify', '/v1/chat-messages', { inputs: {}, query: 'hi', user: 'u' }],
  ['Dify, workflow', '/v1/workflows/run', { inputs: {}, user: 'u' }],
  ['LangServe', '/chain/invoke', { input: { topic: 'x' } }],
  ['LangServe, batch', '/chain/batch', { inputs: [1] }],
  ['LangServe, stream', '/chain/stream_log', { input: 'hi' }],
  ['LangGraph', '/threads/t/runs/stream', { assistant_id: 'a' }],
  ['Flowise', '/api/v1/prediction/f1', { question: 'hi' }],
  ['Langflow', '/api/v1/run/flow', { input_value: 'hi' }],
  ['Elastic', '/_inference/completion/e', { input: 'hi' }],
  ['assistants', '/v1/threads/t1/runs', { assistant_id: 'a' }],
  ['AI gateway', '/v1/ai/language-model', { prompt: [] }],
  ['a known address', '/v1/chat/completions', undefined],
  ['an app that chats', '/api/chat', { message: 'hi' }],
  ['an app that takes a conversation', '/chat', { messages: hi }],
  ['an agent', '/agent', { messages: hi }],
  ['an agent with parts', '/agent', { contents: [{ parts: [] }] }],
  ['a question with sampling', '/ask', { question: 'hi', temperature: 0 }],
];

const ofOthers: readonly Row[] = [
  ['a search', '/search', { query: 'hi' }],
  ['a car', '/cars', { model: 'Corsa', year: 1999 }],
  ['no model', '/ask', { model: '', input: 'hi' }],
  ['a list', '/ask', [both]],
  ['a file', '/upload', form('file')],
  ['text', '/upload', 'plain text'],
  ['counting', '/v1/messages/count_tokens', both],
  ['counting of Google', '/v1beta/models/gemini:countTokens', { contents: [] }],
  ['tokenizing', '/v1/tokenize', both],
  ['tuning', '/v1/fine_tuning/jobs', both],
  ['the end of a batch', '/v1/batches/b1/cancel', {}],
  ['a stored prompt', '/api/public/v2/prompts', { name: 'a', prompt: 'hi' }],
  ['comments', '/api/models/5/comments/7', { text: 'nice' }],
  ['a pulled model', '/api/pull', { model: 'm' }],
  ['Prisma', '/', { modelName: 'User', action: 'findMany', query: { arguments: {} } }],
  ['GraphQL', '/graphql', { query: graphql, variables: { text: 'hi' } }],
  ['GraphQL with a model', '/graphql', { query: '{ cars { id } }', model: 'x' }],
  ['Neon', '/sql', { query: sql, params: [] }],
  ['Elasticsearch', '/products/_search', { query: { match: { text: 'hi' } }, size: 3 }],
  ['Algolia', '/1/indexes/*/queries', { requests: [{ indexName: 'a', query: 'hi' }] }],
  ['Algolia, batch', '/1/indexes/a/batch', { requests: [{ action: 'addObject', body: {} }] }],
  ['Sentry', '/api/1/store/', { message: 'failed', level: 'error' }],
  ['Sentry, envelope', '/api/1/envelope/', '{"event_id":"a"}\n{"type":"event"}\n{"message":"x"}'],
  ['PostHog', '/batch', { api_key: 'k', batch: [{ event: '$ai_generation', properties: {} }] }],
  ['Segment', '/v1/batch', { batch: [{ type: 'track' }] }],
  ['Pinecone', '/query', { vector: [0.1], topK: 3, includeMetadata: true }],
  ['Pinecone, records', '/records/namespaces/n/search', { query: { inputs: { text: 'hi' } } }],
  ['Qdrant', '/collections/a/points/search', { vector: [0.1], limit: 3 }],
  ['Qdrant, query', '/collections/a/points/query', { query: [0.1, 0.2], limit: 3 }],
  ['Weaviate', '/v1/graphql', { query: '{ Get { Doc { text } } }' }],
  ['Chroma', '/api/v1/collections/a/query', { query_texts: ['hi'], n_results: 3 }],
  ['Supabase', '/rest/v1/rpc/match_documents', { query_embedding: [0.1], match_count: 3 }],
  ['Slack', '/api/chat.postMessage', { channel: 'c', text: 'hi' }],
  ['Discord', '/api/webhooks/1/t', { content: 'hi' }],
  ['Pub/Sub', '/v1/projects/p/topics/t:publish', { messages: [{ data: 'aGk=' }] }],
  ['Firebase', '/v1/projects/p/messages:send', { message: { token: 't', notification: {} } }],
  ['LangSmith', '/runs', { run_type: 'llm', inputs: { messages: hi } }],
  ['Langfuse', '/api/public/ingestion', { batch: [{ type: 'generation-create', body: both }] }],
  ['OpenTelemetry', '/v1/traces', { resourceSpans: [] }],
  ['Tavily', '/search', { query: 'hi', search_depth: 'basic' }],
];

function said([, path, body]: Row, host = 'api.example.com', more: Partial<SeenRequest> = {}) {
  const url = `https://${host}${path}`;
  return unknownModelCall({
    ...{ method: 'POST', url },
    body: {
      json: () => (typeof body === 'string' ? undefined : body),
      bytes: () => Buffer.from(typeof body === 'string' ? body : JSON.stringify(body ?? '')),
    },
    ...more,
  });
}

const answered = (body: string, contentType = 'application/json') => ({
  answer: { headers: { 'content-type': contentType }, body: Buffer.from(body) },
});

describe('a request that looks like a model call', () => {
  for (const row of ofModels) {
    it(`is that of ${row[0]}`, () => expect(said(row)).to.deep.equal(row[3] ?? {}));
  }
  for (const row of ofOthers) {
    it(`is not that of ${row[0]}`, () => expect(said(row)).to.equal(undefined));
  }

  it('is one on this machine where its address or a model says so, not by its prompt alone', () => {
    const found = ofModels.filter((row) => said(row, 'localhost:3000') === undefined);
    expect(found.map(([name]) => name)).to.deep.equal([
      ...['fal', 'an agent', 'an agent with parts', 'a question with sampling'],
    ]);
    for (const row of ofOthers) expect(said(row, '127.0.0.1:99'), row[0]).to.equal(undefined);
  });

  it('is only one that is posted', () => {
    for (const row of ofModels) {
      expect(said(row, undefined, { method: 'PUT' }), row[0]).to.equal(undefined);
    }
  });

  it('is one whose answer counts tokens, wherever in it, or streams what was asked', () => {
    const task: Row = ['', '/agent', { task: 'x' }];
    const long = `{"text":"${'x'.repeat(300_000)}","usage":{"outputTokens":7}}`;
    for (const body of [
      ...['{"usage":{"input_tokens":3}}', '{"prompt_eval_count" : 2}', long],
      ...['data: {"usageMetadata":{"promptTokenCount":1}}\n\n', '{"generated_text":"a"}'],
    ]) {
      expect(said(task, 'localhost', answered(body)), body.slice(0, 80)).to.deep.equal({
        counts_tokens: true,
      });
    }
    for (const body of [
      ...['{"hits":[]}', '{"text":"{\\"input_tokens\\":3}"}', '{"input_tokens":"many"}', ''],
    ]) {
      expect(said(task, undefined, answered(body)), body).to.equal(undefined);
    }
    const stream = answered('data: a\n\n', 'text/event-stream; charset=utf-8');
    expect(said(['', '/ask', { question: 'x' }], undefined, stream)).to.deep.equal({});
    expect(said(['', '/graphql', { query: graphql }], undefined, stream)).to.equal(undefined);
    expect(
      said(['', '/v1/messages/count_tokens', both], undefined, answered('{"input_tokens":3}')),
    ).to.equal(undefined);
  });
});

describe('a request of MCP', () => {
  it('has its method, and the tool that it names', () => {
    const request = (method: string, params: Json) => ({ jsonrpc: '2.0', id: 1, method, params });
    expect([
      mcpRequest(request('tools/call', { name: 'search', arguments: {} })),
      mcpRequest([request('tools/call', { name: 'search' })]),
      mcpRequest(request('resources/read', { uri: 'file:///a' })),
      mcpRequest(request('initialize', {})),
      mcpRequest(request('eth_call', {})),
      mcpRequest({ method: 'tools/call' }),
    ]).to.deep.equal([
      { method: 'tools/call', name: 'search' },
      { method: 'tools/call', name: 'search' },
      { method: 'resources/read', name: 'file:///a' },
      ...[{ method: 'initialize' }, undefined, undefined],
    ]);
  });
});
