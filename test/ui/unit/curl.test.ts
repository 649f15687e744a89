import { execFile } from 'node:child_process';
import { expect } from 'chai';
import type { Call } from '../../../src/model/calls/model-call.js';
import { packCalls } from '../../../src/model/calls/stored-calls.js';
import { curlOf } from '../../../ui/src/result/calls/curl.js';
import { type FakeProvider, startFakeProvider } from '../../helpers/fake-provider.js';
import { Project } from '../../helpers/project.js';

const png = 'iVBORw0KGgo=';
const schema = { type: 'object', properties: { city: { type: 'string' } } };
const said = 'It\'s $HOME, `date`, "quoted" \\ and\nmore: 21 °C 👋';

/** Requests as clients send them, by address. */
const requests: readonly (readonly [path: string, body: object])[] = [
  [
    '/v1/chat/completions',
    {
      model: 'gpt-5-mini',
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: said },
            {
              type: 'image_url',
              image_url: { url: `data:image/png;base64,${png}`, detail: 'low' },
            },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'c1',
              type: 'function',
              function: { name: 'weather', arguments: '{"city":"Wien"}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: '{"ok":true}' },
      ],
      tools: [{ type: 'function', function: { name: 'weather', parameters: schema } }],
      temperature: 0.2,
      stream: true,
      stream_options: { include_usage: true },
    },
  ],
  [
    '/v1/chat/completions',
    {
      model: 'gpt-3.5-turbo',
      messages: [{ role: 'user', content: said }],
      functions: [{ name: 'weather', parameters: schema }],
    },
  ],
  ['/v1/completions', { model: 'gpt-3.5-turbo-instruct', prompt: said, max_tokens: 9 }],
  [
    '/v1/responses',
    {
      model: 'gpt-5-mini',
      instructions: 'Be brief.',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: said },
            { type: 'input_image', image_url: `data:image/png;base64,${png}`, detail: 'low' },
          ],
        },
        { type: 'reasoning', id: 'rs_1', encrypted_content: 'abc', summary: [] },
        { type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{"city":"Wien"}' },
        { type: 'function_call_output', call_id: 'c1', output: '{"ok":true}' },
      ],
      tools: [{ type: 'function', name: 'weather', parameters: schema }],
      reasoning: { effort: 'low' },
      stream: true,
    },
  ],
  ['/v1/embeddings', { model: 'text-embedding-3-small', input: [said, 'b'], dimensions: 8 }],
  ['/v1/embeddings', { model: 'text-embedding-3-small', input: said }],
  [
    '/v1/messages',
    {
      model: 'claude-sonnet-4-5',
      max_tokens: 2000,
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: said },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
            { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', signature: 'sig', thinking: 'The user wants the weather.' },
            { type: 'text', text: 'I look.' },
            { type: 'tool_use', id: 'c1', name: 'weather', input: { city: 'Wien' } },
            {
              ...{ type: 'tool_use', id: 'c2', name: 'weather', input: { city: 'Graz' } },
              cache_control: { type: 'ephemeral' },
            },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c1', content: '21 °C' },
            { type: 'tool_result', tool_use_id: 'c2', content: 'no such city', is_error: true },
          ],
        },
      ],
      tools: [{ name: 'weather', input_schema: schema }],
      thinking: { type: 'enabled', budget_tokens: 1024 },
      stream: true,
    },
  ],
  [
    '/v1beta/models/gemini-2.5-flash:generateContent?key=canary-secret',
    {
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [
        {
          role: 'user',
          parts: [{ text: said }, { inlineData: { mimeType: 'image/png', data: png } }],
        },
        {
          role: 'model',
          parts: [
            { text: 'The user wants the weather.', thought: true, thoughtSignature: 'sig' },
            { executableCode: { language: 'PYTHON', code: 'print(21)' } },
            { functionCall: { name: 'weather', args: { city: 'Wien' } }, thoughtSignature: 'sig' },
            { functionCall: { name: 'weather', args: { city: 'Graz' } } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { name: 'weather', response: { ok: true } } },
            { functionResponse: { name: 'weather', response: { ok: false } } },
          ],
        },
      ],
      tools: [{ functionDeclarations: [{ name: 'weather', parameters: schema }] }],
      generationConfig: { temperature: 0.2 },
    },
  ],
  [
    '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse&key=canary-secret',
    { contents: [{ role: 'user', parts: [{ text: said }] }] },
  ],
  [
    '/api/chat',
    {
      model: 'llama3.2',
      messages: [
        { role: 'user', content: said, images: [png] },
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ function: { name: 'weather', arguments: { city: 'Wien' } } }],
        },
        { role: 'tool', content: '{"ok":true}', tool_name: 'weather' },
      ],
      tools: [{ type: 'function', function: { name: 'weather', parameters: schema } }],
      options: { temperature: 0 },
      stream: false,
    },
  ],
  ['/api/chat', { model: 'llama3.2', messages: [{ role: 'user', content: said }], stream: true }],
  ['/api/generate', { model: 'llama3.2', system: 'Be brief.', prompt: said, stream: false }],
  ['/api/embed', { model: 'nomic-embed-text', input: [said, 'b'] }],
  ['/api/embeddings', { model: 'nomic-embed-text', prompt: said }],
  [
    '/openai/deployments/mine/chat/completions?api-version=2024-10-21&code=canary-secret',
    { model: 'gpt-5-mini', messages: [{ role: 'user', content: said }] },
  ],
];

const keys = {
  OPENAI_API_KEY: 'key-openai',
  ANTHROPIC_API_KEY: 'key-anthropic',
  GEMINI_API_KEY: 'key-gemini',
  CODE: 'canary-secret',
};

describe('a call copied as curl', () => {
  let provider: FakeProvider;
  let calls: readonly Call[];

  before(async () => {
    provider = await startFakeProvider();
    const project = new Project({
      'a.eval.ts': `
        import { evaluation } from 'assay';
        const requests = ${JSON.stringify(requests)};
        export const all = evaluation({ target: async () => {
          for (const [path, body] of requests) {
            const headers = { authorization: 'Bearer canary-secret', 'content-type': 'application/json' };
            await (await fetch(process.env.PROVIDER + path, { method: 'POST', headers, body: JSON.stringify(body) })).text();
          }
        } });`,
    });
    await project.assay(['run'], { env: { PROVIDER: provider.url } });
    const { stdout } = await project.assay(['export', 'latest', '-f', 'json', '--calls']);
    calls = JSON.parse(stdout).results[0].result.calls;
  });

  for (const [n, [path]] of requests.entries()) {
    it(`is the same request of ${path.replace(/\?.*/, '')} again (${n + 1})`, async () => {
      const stored = packCalls({ calls });
      const call = stored.calls[n];
      if (call === undefined) throw new Error('the call was not seen');
      const command = curlOf(stored, call) ?? '';
      expect(command)
        .to.match(/^curl /)
        .and.not.include('canary-secret');
      const before = provider.exchanges.length;
      await run(command);
      expect(provider.exchanges.length).to.equal(before + 1);
      const first = provider.exchanges[n];
      const again = provider.exchanges[before];
      expect(again?.request.method).to.equal('POST');
      expect(again?.answer.status).to.equal(200);
      expect(withoutKey(again?.request.url)).to.equal(withoutKey(first?.request.url));
      expect(withoutNulls(again?.json)).to.deep.equal(withoutNulls(first?.json));
      const { headers = {} } = again?.request ?? {};
      const sent = [headers.authorization, headers['x-api-key'], headers['x-goog-api-key']];
      const isFree = path.startsWith('/api/');
      expect(sent.filter((one) => one?.includes('key-'))).to.have.length(isFree ? 0 : 1);
    });
  }

  it('has the variable of its host, and is not offered where too little is kept', () => {
    const commandOf = (url: string, model_call: Call['model_call']) => {
      const stored = packCalls({
        calls: [{ number: 1, role: 'target', method: 'POST', url, start: 0, model_call } as Call],
      });
      return curlOf(stored, stored.calls[0] as never);
    };
    const messages = [{ role: 'user', content: 'hi' }];
    const call = { provider: 'openai', operation: 'chat', model: 'm', messages };
    const azure = 'https://mine.openai.azure.com/openai/deployments/d/chat/completions';
    expect(commandOf(azure, call)).to.include('-H "api-key: $AZURE_OPENAI_API_KEY"');
    const vertex = 'https://europe-west1-aiplatform.googleapis.com/v1/p/models/g:generateContent';
    expect(commandOf(vertex, call)).to.include('-H "Authorization: Bearer $GOOGLE_ACCESS_TOKEN"');
    expect(commandOf('https://b.amazonaws.com/model/m/converse', call)).to.equal(undefined);
    expect(commandOf('https://api.openai.com/v1/embeddings', { ...call, messages: [] })).to.equal(
      undefined,
    );
  });
});

/** Runs a command as someone would who pastes it; the words that a shell makes of it are sent by curl. */
async function run(command: string): Promise<void> {
  const env = { PATH: process.env.PATH, ...keys };
  await new Promise<void>((resolve, reject) => {
    execFile('sh', ['-c', command], { env }, (error) => (error ? reject(error) : resolve()));
  });
}

function withoutKey(url = ''): string {
  return url.replace(/[?&]key=canary-secret/, '');
}

/** What says nothing is not kept. */
function withoutNulls(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, field) => (field === null ? undefined : field));
}
