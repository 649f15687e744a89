import { expect } from 'chai';
import { type Json, parseJson } from '../../../src/model/json.js';
import { type ExchangeAnswer, readExchange } from '../../../src/model-calls/wire/read-exchange.js';
import { frame } from '../../helpers/fake-answers.js';

const messages = [{ role: 'user', content: 'Weather?' }];
const bytes = (text: string) => new TextEncoder().encode(text);

interface Given {
  readonly url?: string;
  readonly method?: string;
  readonly asked?: unknown;
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Record<string, string>;
  readonly complete?: boolean;
  /** Text, or a value that becomes JSON; a list becomes events of a stream. */
  readonly answer?: unknown;
}

function read(given: Given) {
  const {
    url = '/v1/chat/completions',
    method = 'POST',
    status = 200,
    answer,
    complete = true,
  } = given;
  const asked = given.asked ?? { model: 'm', messages };
  const isStream = Array.isArray(answer);
  const body = isStream
    ? answer
        .map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
        .join('')
    : typeof answer === 'string'
      ? answer
      : JSON.stringify(answer);
  const type = given.type ?? (isStream ? 'text/event-stream' : 'application/json');
  const answered: ExchangeAnswer | undefined =
    answer === undefined
      ? undefined
      : {
          status,
          headers: { 'content-type': type, ...given.headers },
          body: bytes(body),
          complete,
        };
  const request = typeof asked === 'string' ? parseJson(asked) : (asked as Json);
  return readExchange({ method, url: `http://127.0.0.1:9${url}`, body: request }, answered);
}

const completion = {
  object: 'chat.completion',
  choices: [{ message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
};
const message = {
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text: 'Hi' }],
};

describe('the shape of an exchange', () => {
  it('is told by request and answer, wherever the server is', () => {
    const cases: [string, Json, Json, string, string][] = [
      ['/ask', { messages }, completion, 'openai', 'chat'],
      ['/ask', { model: 'm', messages, max_tokens: 5 }, message, 'anthropic', 'chat'],
      ['/ask', { model: 'm', messages, max_tokens: 5 }, completion, 'openai', 'chat'],
      [
        '/ask',
        { model: 'm', messages },
        { model: 'm', message: { role: 'assistant', content: 'Hi' }, done: true },
        'ollama',
        'chat',
      ],
      ['/api/chat', { model: 'm', messages }, completion, 'openai', 'chat'],
      ['/ask', { model: 'm', input: 'a' }, { object: 'response', output: [] }, 'openai', 'chat'],
      ['/ask', { model: 'm', input: 'a' }, { object: 'list', data: [] }, 'openai', 'embeddings'],
      [
        '/ask',
        { model: 'm', prompt: 'a' },
        { choices: [{ text: 'b' }] },
        'openai',
        'text_completion',
      ],
      ['/ask', { contents: [] }, { candidates: [] }, 'google', 'generate_content'],
      [
        '/v1/projects/p/locations/eu/publishers/anthropic/models/claude-x@2026:rawPredict',
        { messages, anthropic_version: 'vertex-2023-10-16', max_tokens: 5 },
        message,
        'anthropic',
        'chat',
      ],
    ];
    for (const [url, asked, answer, provider, operation] of cases) {
      expect(read({ url, asked, answer }), JSON.stringify([url, answer])).to.include({
        provider,
        operation,
      });
    }
    const last = cases.at(-1);
    expect(read({ url: last?.[0] ?? '', asked: last?.[1], answer: message })?.model).to.equal(
      'claude-x@2026',
    );
  });

  it('is told by the address when no answer came, or an error', () => {
    expect(read({})).to.deep.equal({ provider: 'openai', operation: 'chat', model: 'm', messages });
    expect(
      read({ status: 502, answer: '<html>\n<h1>Bad Gateway</h1>', type: 'text/html' })?.error,
    ).to.equal('HTTP 502: <html> <h1>Bad Gateway</h1>');
    expect(
      read({ status: 500, answer: '', url: '/v1/messages', asked: { messages, max_tokens: 5 } }),
    ).to.include({ provider: 'anthropic', error: 'HTTP 500' });
    const denied = { message: 'User is not allowed' };
    const headers = { 'x-amzn-errortype': 'AccessDeniedException:http://internal' };
    expect(
      read({
        url: '/model/m/converse',
        asked: { messages: [] },
        status: 403,
        answer: denied,
        headers,
      })?.error,
    ).to.equal('AccessDeniedException: User is not allowed');
    const limit = [{ error: { code: 429, message: 'Quota', status: 'RESOURCE_EXHAUSTED' } }];
    expect(
      read({
        url: '/v1beta/models/g:streamGenerateContent',
        asked: { contents: [] },
        status: 429,
        answer: JSON.stringify(limit),
      })?.error,
    ).to.equal('RESOURCE_EXHAUSTED: Quota');
    expect(read({ url: '/ask', status: 500, answer: 'no' })).to.equal(undefined);
    const spent = { error: { message: 'cut' }, usage: { prompt_tokens: 7, completion_tokens: 0 } };
    expect(read({ status: 500, answer: spent })).to.deep.include({
      ...{ error: 'cut', usage: { input: 7, output: 0 } },
    });
  });

  it('is none for other requests', () => {
    expect(read({ method: 'GET', answer: completion })).to.equal(undefined);
    expect(read({ asked: 'not JSON', answer: completion })).to.equal(undefined);
    expect(read({ asked: [messages], answer: completion })).to.equal(undefined);
    expect(read({ asked: { name: 'x' }, answer: { id: 1 } })).to.equal(undefined);
    expect(
      read({
        url: '/v1/threads/1/messages',
        asked: { role: 'user', content: 'a' },
        answer: { object: 'thread.message' },
      }),
    ).to.equal(undefined);
    expect(
      read({
        url: '/v1/messages/count_tokens',
        asked: { messages, max_tokens: 5 },
        answer: { input_tokens: 5 },
      }),
    ).to.equal(undefined);
    expect(read({ url: '/chat', asked: { messages }, answer: { reply: 'Hi' } })).to.equal(
      undefined,
    );
  });

  it('needs no right content type', () => {
    const answer = [
      { choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] },
      '[DONE]',
    ];
    expect(read({ answer, type: 'text/plain' })).to.deep.include({
      stream: true,
      answer: [{ role: 'assistant', content: 'Hi' }],
    });
    const lines =
      '{"message":{"role":"assistant","content":"H"},"done":false}\n{"message":{"content":"i"},"done":true}\n';
    expect(read({ url: '/api/chat', answer: lines })).to.deep.include({
      stream: true,
      answer: [{ role: 'assistant', content: 'Hi' }],
    });
  });
});

describe('an answer', () => {
  const chunk = (delta: Json, more: object = {}) => ({ choices: [{ index: 0, delta, ...more }] });

  it('keeps the older function calls, refusals and reasoning beside the content', () => {
    const answer = [
      chunk({ role: 'assistant', content: null, reasoning_content: 'Let me ' }),
      chunk({ reasoning_content: 'see.' }),
      chunk({ function_call: { name: 'weather', arguments: '' } }),
      chunk({ function_call: { name: null, arguments: '{"a":' } }),
      chunk({ function_call: { arguments: '1}' } }, { finish_reason: 'function_call' }),
      '[DONE]',
    ];
    expect(read({ answer })).to.deep.include({
      answer: [
        {
          role: 'assistant',
          reasoning_content: 'Let me see.',
          function_call: { name: 'weather', arguments: '{"a":1}' },
        },
      ],
      tool_calls: [{ name: 'weather', arguments: { a: 1 } }],
      finish_reason: 'function_call',
    });
    const refused = {
      choices: [{ message: { role: 'assistant', content: null, refusal: 'No.' } }],
    };
    expect(read({ answer: refused })?.answer).to.deep.equal([
      { role: 'assistant', refusal: 'No.' },
    ]);
  });

  it('tells tool calls apart that all have index 0, or none', () => {
    const call = (id: string, name: string) => ({
      id,
      type: 'function',
      function: { name, arguments: '{}' },
    });
    const wanted = [
      { id: 'a', name: 'one', arguments: {} },
      { id: 'b', name: 'two', arguments: {} },
    ];
    for (const index of [{ index: 0 }, {}]) {
      const answer = ['a', 'b'].map((id, at) =>
        chunk({ tool_calls: [{ ...index, ...call(id, at === 0 ? 'one' : 'two') }] }),
      );
      expect(read({ answer })?.tool_calls).to.deep.equal(wanted);
    }
    const whole = { choices: [{ message: { tool_calls: [call('a', 'one'), call('b', 'two')] } }] };
    expect(read({ answer: whole })?.tool_calls).to.deep.equal(wanted);
    const pieces = [
      chunk({ tool_calls: [{ function: { name: 'one', arguments: '{"x"' } }] }),
      chunk({ tool_calls: [{ function: { arguments: ':1}' } }] }),
      chunk({ tool_calls: [{ function: { name: 'two', arguments: 'no JSON' } }] }),
    ];
    expect(read({ answer: pieces })?.tool_calls).to.deep.equal([
      { name: 'one', arguments: { x: 1 } },
      { name: 'two', arguments: 'no JSON', not_json: true },
    ]);
  });

  it('has the cost that the provider reports', () => {
    const costOf = (usage: Json, more: Partial<Given> = {}) =>
      read({ answer: { ...completion, usage }, ...more })?.reported_cost;
    const header = { headers: { 'x-litellm-response-cost': '0.0123' } };
    expect([
      costOf({ prompt_tokens: 1, cost: 0.95 }),
      costOf({ cost: 0.25, is_byok: true, cost_details: { upstream_inference_cost: 0.5 } }),
      costOf({ cost: 0.01, is_byok: true }),
      costOf({ cost: { total_cost: 0.5 } }),
      costOf({ cost_in_usd_ticks: 37_756_000 }),
      costOf({}, header),
      costOf({ cost: 0.95 }, header),
      costOf({}, { headers: { 'x-litellm-response-cost': 'None' } }),
      costOf({ cost: -1 }),
      costOf({}),
    ]).to.deep.equal([
      ...[0.95, 0.75, undefined, 0.5, 0.0037756],
      ...[0.0123, 0.95, undefined, undefined, undefined],
    ]);
    const stream = [chunk({ content: 'Hi' }), { choices: [], usage: { cost: 0.2 } }, '[DONE]'];
    const atGateway = (gateway: Json, more: Partial<Given> = {}) => {
      const provider_metadata = { gateway };
      const [whole] = completion.choices;
      const choices = [{ ...whole, message: { ...whole?.message, provider_metadata } }];
      const usage = { prompt_tokens: 1, completion_tokens: 1 };
      const answers: Json[] = [
        { ...completion, usage, choices },
        { ...completion, usage, provider_metadata },
      ];
      const chunks = [
        chunk({ content: 'Hi', provider_metadata }),
        { choices: [], usage },
        '[DONE]',
      ];
      return [...answers, chunks].map((answer) => read({ answer, ...more })?.reported_cost);
    };
    for (const [gateway, cost] of [
      [{ cost: '0.0045405', marketCost: '0.0045405' }, 0.0045405],
      [{ cost: '0', marketCost: '0.25' }, 0.25],
      [{ cost: '0', marketCost: '0' }, 0],
      [{ cost: '0' }, undefined],
      [{ cost: 'free' }, undefined],
    ] as const) {
      expect(atGateway(gateway), JSON.stringify(gateway)).to.deep.equal([cost, cost, cost]);
    }
    expect(read({ answer: stream, ...header })?.reported_cost).to.equal(0.2);
    expect(read({ answer: stream.slice(0, 1), ...header })).to.not.have.property('reported_cost');
  });

  it('is one of the provider whose host it is', () => {
    const providerAt = (url: string) =>
      readExchange({ method: 'POST', url, body: { model: 'm', messages } }, undefined)?.provider;
    expect(
      [
        ...['https://api.mistral.ai', 'https://api.groq.com/openai', 'https://api.together.xyz'],
        ...['https://api.deepseek.com', 'https://api.x.ai', 'https://api.fireworks.ai/inference'],
        ...['https://openrouter.ai/api', 'https://a.openai.azure.com', 'https://api.openai.com'],
        ...['https://notmistral.ai', 'http://localhost:4000'],
      ].map((base) => providerAt(`${base}/v1/chat/completions`)),
    ).to.deep.equal([
      ...['mistral', 'groq', 'together', 'deepseek', 'xai', 'fireworks', 'openrouter', 'azure'],
      ...['openai', 'openai', 'openai'],
    ]);
  });

  it('has one message a choice', () => {
    const answer = [0, 1, 0, 1].map((index) => ({
      choices: [{ index, delta: { content: `${index}` } }],
    }));
    expect(read({ answer })?.answer).to.deep.equal([
      { role: 'assistant', content: '00' },
      { role: 'assistant', content: '11' },
    ]);
  });

  it('counts tokens the same way whatever the provider includes', () => {
    const counted = (usage: Json) => read({ answer: { ...completion, usage } })?.usage;
    const apart = {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 22,
      completion_tokens_details: { reasoning_tokens: 7 },
    };
    expect(counted(apart)).to.deep.equal({ input: 10, output: 12, reasoning: 7 });
    expect(
      counted({ prompt_tokens: 10, prompt_cache_hit_tokens: 4, completion_tokens: 5 }),
    ).to.deep.equal({ input: 10, cache_read: 4, output: 5 });
    expect(counted({ prompt_tokens: -1, completion_tokens: '5' })).to.equal(undefined);
    expect(counted(null)).to.equal(undefined);
    const anthropic = {
      input_tokens: 3,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 20,
      output_tokens: 9,
      output_tokens_details: { thinking_tokens: 4 },
    };
    const asked = { messages, max_tokens: 5 };
    expect(
      read({ url: '/v1/messages', asked, answer: { ...message, usage: anthropic } })?.usage,
    ).to.deep.equal({ input: 123, cache_read: 100, cache_write: 20, output: 9, reasoning: 4 });
    const google = {
      promptTokenCount: 10,
      toolUsePromptTokenCount: 2,
      candidatesTokenCount: 5,
      thoughtsTokenCount: 3,
    };
    const url = '/v1beta/models/gemini-x:generateContent';
    expect(
      read({ url, asked: { contents: [] }, answer: { usageMetadata: google } })?.usage,
    ).to.deep.equal({ input: 12, output: 8, reasoning: 3 });
  });

  it('is cut when its end was not seen', () => {
    const text = chunk({ content: 'Hi' });
    expect(read({ answer: [text] })).to.include({ cut: true });
    expect(read({ answer: [text, chunk({}, { finish_reason: 'stop' })] })).not.to.have.property(
      'cut',
    );
    expect(
      read({ answer: [text, chunk({}, { finish_reason: 'stop' })], complete: false }),
    ).to.include({ cut: true });
    expect(read({ answer: [text, '[DONE]'], complete: false })).not.to.have.property('cut');
    expect(read({ answer: '', type: 'text/event-stream' })).to.include({ cut: true, stream: true });
    const failed = {
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'server_error', message: 'Oh' } },
    };
    const asked = { model: 'm', input: 'a' };
    expect(read({ url: '/v1/responses', asked, answer: [failed] })).to.include({
      error: 'server_error: Oh',
    });
    const short = {
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    };
    expect(read({ url: '/v1/responses', asked, answer: [short] })).to.include({
      finish_reason: 'max_output_tokens',
    });
    const begun = [
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { type: 'message', role: 'assistant', content: [] },
      },
      { type: 'response.output_text.delta', output_index: 0, delta: 'Hi' },
      {
        type: 'response.output_item.added',
        output_index: 1,
        item: { type: 'function_call', name: 'f', call_id: 'c' },
      },
      { type: 'response.function_call_arguments.delta', output_index: 1, delta: '{"a":1' },
    ];
    expect(read({ url: '/v1/responses', asked, answer: begun })).to.deep.include({
      cut: true,
      tool_calls: [{ id: 'c', name: 'f', arguments: '{"a":1', not_json: true }],
    });
  });

  it('of wrong JSON says so', () => {
    expect(read({ answer: '{"choices": [' })?.error).to.equal('not JSON: {"choices": [');
    expect(read({ answer: '{"choices": [', complete: false })).not.to.have.property('error');
    expect(
      read({ answer: ['{broken', chunk({ content: 'Hi' }, { finish_reason: 'stop' }), '[DONE]'] }),
    ).to.deep.include({
      answer: [{ role: 'assistant', content: 'Hi' }],
      error: 'not JSON: {broken',
    });
  });

  it('of InvokeModel is read in the shape of its maker', () => {
    const url = '/model/any/invoke';
    const usage = { input: 5, output: 2 };
    const cases: [Json, Json, string][] = [
      [
        { prompt: 'a' },
        { generation: 'Hi', prompt_token_count: 5, generation_token_count: 2, stop_reason: 'stop' },
        'Llama',
      ],
      [
        { inputText: 'a' },
        {
          inputTextTokenCount: 5,
          results: [{ outputText: 'Hi', tokenCount: 2, completionReason: 'stop' }],
        },
        'Titan',
      ],
      [{ prompt: 'a' }, { outputs: [{ text: 'Hi', stop_reason: 'stop' }] }, 'Mistral'],
      [{ message: 'a' }, { text: 'Hi', finish_reason: 'stop' }, 'Cohere'],
      [
        { messages: [{ role: 'user', content: [{ text: 'a' }] }] },
        {
          output: { message: { role: 'assistant', content: [{ text: 'Hi' }] } },
          stopReason: 'stop',
          usage: { inputTokens: 5, outputTokens: 2 },
        },
        'Nova',
      ],
      [
        { messages: [{ role: 'user', content: 'a' }] },
        { choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] },
        'chat completions',
      ],
    ];
    const headers = {
      'x-amzn-bedrock-input-token-count': '5',
      'x-amzn-bedrock-output-token-count': '2',
    };
    for (const [asked, answer, name] of cases) {
      expect(read({ url, asked, answer, headers }), name).to.deep.include({
        provider: 'aws.bedrock',
        model: 'any',
        messages: [{ role: 'user', content: 'a' }],
        answer: [{ role: 'assistant', content: 'Hi' }],
        finish_reason: 'stop',
        usage,
      });
    }
  });

  it('of InvokeModel, streamed, takes usage from the metrics when the maker says none', () => {
    const chunk = (value: Json) =>
      frame(
        { ':message-type': 'event', ':event-type': 'chunk' },
        { bytes: Buffer.from(JSON.stringify(value)).toString('base64') },
      );
    const metrics = { inputTokenCount: 5, outputTokenCount: 2, cacheReadInputTokenCount: 3 };
    const body = Buffer.concat([
      chunk({ outputText: 'H', index: 0 }),
      chunk({
        outputText: 'i',
        completionReason: 'FINISH',
        'amazon-bedrock-invocationMetrics': metrics,
      }),
    ]);
    const type = 'application/vnd.amazon.eventstream';
    const request = { method: 'POST', url: '/model/any/invoke-with-response-stream' };
    const asked = { inputText: 'a' };
    const answer = { status: 200, headers: { 'content-type': type }, body, complete: false };
    expect(readExchange({ ...request, body: asked }, answer)).to.deep.equal({
      provider: 'aws.bedrock',
      operation: 'chat',
      model: 'any',
      messages: [{ role: 'user', content: 'a' }],
      answer: [{ role: 'assistant', content: 'Hi' }],
      finish_reason: 'FINISH',
      usage: { input: 8, cache_read: 3, output: 2 },
      stream: true,
    });
  });

  it('of Ollama keeps what the model thought', () => {
    const answer =
      '{"message":{"role":"assistant","content":"","thinking":"H"},"done":false}\n' +
      '{"message":{"role":"assistant","content":"Hi","thinking":"m"},"done":true}\n';
    expect(read({ url: '/api/chat', answer, type: 'application/x-ndjson' })?.answer).to.deep.equal([
      { thinking: 'Hm', role: 'assistant', content: 'Hi' },
    ]);
  });

  it('takes a count of 0 for none, where something was answered', () => {
    const usageOf = (usage: object, content = 'Hi', more: Given = {}) => {
      const [choice] = completion.choices;
      const choices = [{ ...choice, message: { role: 'assistant', content } }];
      return read({ answer: { ...completion, choices, usage }, ...more })?.usage;
    };
    const none = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
    expect(usageOf(none)).to.equal(undefined);
    expect(usageOf({ ...none, prompt_tokens: 7 })).to.deep.equal({ input: 7 });
    expect(usageOf({ ...none, completion_tokens: 2 })).to.deep.equal({ output: 2 });
    expect(usageOf(none, '')).to.include({ input: 0, output: 0 });
    const streamed = [
      {
        object: 'chat.completion.chunk',
        choices: [{ delta: { content: 'Hi' }, finish_reason: 'stop' }],
      },
      { object: 'chat.completion.chunk', choices: [], usage: none },
      '[DONE]',
    ];
    expect(read({ answer: streamed }))
      .to.include({ stream: true })
      .and.not.have.property('usage');
    const vectors = { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [1] }] };
    const embeddings = { url: '/v1/embeddings', asked: { model: 'm', input: 'Hi' } };
    const counted = (usage: object) =>
      read({ ...embeddings, answer: { ...vectors, usage } })?.usage;
    expect(counted({ prompt_tokens: 0, total_tokens: 0 })).to.equal(undefined);
    expect(counted({ prompt_tokens: 3, total_tokens: 3 })).to.deep.equal({ input: 3 });
  });
});
