import { expect } from 'chai';
import { unknownModelCall } from '../../../src/calls/wire/looks-like-model-call.js';
import { mcpRequest } from '../../../src/calls/wire/mcp-request.js';
import { isModelAddress } from '../../../src/calls/wire/read-exchange.js';
import type { Json } from '../../../src/model/json.js';

const form = (field: string) =>
  `--x\r\nContent-Disposition: form-data; name="${field}"\r\n\r\nwhisper-1\r\n--x--\r\n`;

function asked(path: string, body: Json | string | undefined, method = 'POST') {
  const url = `https://api.example.com${path}`;
  return unknownModelCall({
    ...{ method, url, isKnownAddress: isModelAddress({ method, url }) },
    json: typeof body === 'string' ? undefined : body,
    bytes: () => Buffer.from(typeof body === 'string' ? body : JSON.stringify(body ?? '')),
  });
}

describe('a request that looks like a model call', () => {
  it('has a model, in its body or address or form, and something to ask it', () => {
    for (const key of ['messages', 'message', 'prompt', 'input', 'query', 'contents']) {
      expect(asked('/ask', { model: 'm', [key]: ['hi'] }), key).to.deep.equal({ model: 'm' });
    }
    expect([
      asked('/text/generation', { model_id: 'granite', input: 'hi' }),
      asked('/v1/models/text-bison:predict', { instances: [{}] }),
      asked('/model/titan/invoke-other', { inputText: 'x', prompt: 'hi' }),
      asked('/openai/deployments/gpt/images/generations', { prompt: 'a cat' }),
      asked('/client/v4/accounts/1/ai/run/@cf/meta/llama-3', { prompt: 'hi' }),
      asked('/models/org/name', { inputs: 'hi' }),
      asked('/endpoints/mine/invocations', { inputs: 'hi' }),
      asked('/v1/audio/transcriptions', form('model')),
      asked('/v1/threads/t1/runs', { assistant_id: 'a' }),
      asked('/v1/ai/language-model', { prompt: [] }),
      asked('/v1/chat/completions', undefined),
    ]).to.deep.equal([
      ...[{ model: 'granite' }, { model: 'text-bison' }, { model: 'titan' }, { model: 'gpt' }],
      ...[{ model: '@cf/meta/llama-3' }, { model: 'org/name' }, { model: 'mine' }],
      ...[{ model: 'whisper-1' }, {}, {}, {}],
    ]);
  });

  it('is none without them, and where it only counts, stores or tunes', () => {
    const both = { model: 'm', messages: [], input: 'x' };
    expect(
      [
        asked('/search', { query: 'hi' }),
        asked('/cars', { model: 'Corsa', year: 1999 }),
        asked('/ask', { model: '', prompt: 'hi' }),
        asked('/ask', [both]),
        asked('/upload', form('file')),
        asked('/upload', 'plain text'),
        asked('/ask', both, 'PUT'),
        asked('/v1/messages/count_tokens', both),
        asked('/v1beta/models/gemini:countTokens', { contents: [] }),
        asked('/v1/tokenize', both),
        asked('/v1/fine_tuning/jobs', both),
        asked('/api/models/5/comments/7', { text: 'nice' }),
      ].filter((found) => found !== undefined),
    ).to.deep.equal([]);
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
