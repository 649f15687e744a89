import { expect } from 'chai';
import OpenAI from 'openai';
import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources';
import { type Answering, drain, json, startAnswering } from './answering.js';

describe('every part of a chat of OpenAI', () => {
  let provider: Answering;

  before(async () => {
    provider = await startAnswering();
  });

  const client = () => new OpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1`, maxRetries: 0 });
  const messages = [{ role: 'user' as const, content: 'hello' }];
  const usage: ChatCompletion['usage'] = {
    prompt_tokens: 100,
    completion_tokens: 50,
    total_tokens: 150,
    prompt_tokens_details: { audio_tokens: 20, cached_tokens: 60, cache_write_tokens: 10 },
    completion_tokens_details: {
      ...{ audio_tokens: 30, reasoning_tokens: 5 },
      ...{ accepted_prediction_tokens: 4, rejected_prediction_tokens: 6 },
    },
  };
  const counted = {
    ...{ input: 100, cache_read: 60, cache_write: 10, output: 50, reasoning: 5 },
    ...{ input_audio: 20, output_audio: 30 },
  };
  const audio = { id: 'a1', data: 'UklGRg==', expires_at: 1, transcript: 'It is 4 %.' };

  it('are kept of chats: sound, refusals, filters and several choices', async () => {
    const content_filter_results = { violence: { filtered: true, severity: 'high' } };
    const answer = {
      id: 'c1',
      object: 'chat.completion',
      created: 1,
      model: 'gpt-audio',
      choices: [
        {
          index: 0,
          finish_reason: 'stop',
          logprobs: null,
          message: { role: 'assistant', content: null, refusal: null, audio },
        },
        {
          index: 1,
          finish_reason: 'content_filter',
          logprobs: null,
          message: { role: 'assistant', content: null, refusal: 'No.' },
          ...{ content_filter_results },
        },
      ],
      usage,
    } satisfies ChatCompletion;
    const said = await provider.seenOf(json(answer), () =>
      client().chat.completions.create({
        ...{ model: 'gpt-audio', messages, n: 2 },
        modalities: ['text', 'audio'],
        prediction: { type: 'content', content: 'It is' },
      }),
    );
    expect(said).to.deep.include({
      answer: [
        { role: 'assistant', audio },
        { role: 'assistant', refusal: 'No.', content_filter_results },
      ],
      parameters: {
        n: 2,
        modalities: ['text', 'audio'],
        prediction: { type: 'content', content: 'It is' },
      },
      usage: counted,
    });
  });

  it('are kept of streamed chats, also what other providers add', async () => {
    const extra_content = { google: { thought_signature: 'sig' } };
    const chunk = (index: number, delta: object, finish_reason: 'stop' | null = null) =>
      ({
        ...{ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'gpt-audio' },
        choices: [{ index, delta, finish_reason }],
      }) satisfies ChatCompletionChunk;
    const events = [
      chunk(0, { role: 'assistant', audio: { id: 'a1', transcript: 'It ' } }),
      chunk(1, { role: 'assistant', refusal: 'N' }),
      chunk(0, { audio: { data: 'UklGRg==' } }),
      chunk(0, { audio: { transcript: 'is 4 %.', expires_at: 1 } }),
      chunk(1, { refusal: 'o.' }, 'stop'),
      chunk(0, {
        tool_calls: [
          { index: 0, id: 't1', function: { name: 'f', arguments: '{}' }, extra_content },
        ],
      }),
      chunk(0, {}, 'stop'),
      { ...chunk(0, {}), choices: [], usage },
    ];
    const said = await provider.seenOf({ events }, async () =>
      drain(await client().chat.completions.create({ model: 'gpt-audio', messages, stream: true })),
    );
    const call = { id: 't1', type: 'function', function: { name: 'f', arguments: '{}' } };
    expect(said).to.deep.include({
      answer: [
        { role: 'assistant', audio, tool_calls: [{ ...call, extra_content }] },
        { role: 'assistant', refusal: 'No.' },
      ],
      usage: counted,
    });
  });
});
