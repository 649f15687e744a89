import {
  BlockedReason,
  type Content,
  FinishReason,
  type GenerateContentResponse,
  GoogleGenAI,
  HarmCategory,
  HarmProbability,
  MediaModality,
  type Part,
} from '@google/genai';
import { expect } from 'chai';
import { type Answering, base64, drain, json, startAnswering } from './answering.js';

describe('every part of an exchange with Google', () => {
  let provider: Answering;

  before(async () => {
    provider = await startAnswering();
  });

  const client = () => new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: provider.url } });
  const model = 'gemini-3-pro';
  const ask = (contents: Content[] | string) => () =>
    client().models.generateContent({ model, contents });
  const stream = async () => {
    await drain(await client().models.generateContentStream({ model, contents: 'hello' }));
  };
  const citationMetadata = {
    citations: [{ uri: 'https://a.example', startIndex: 0, endIndex: 5 }],
  };
  const groundingMetadata = { webSearchQueries: ['rates'] };
  const parts: Part[] = [
    { text: 'Let me see.', thought: true },
    { text: 'It is 4 %.', thoughtSignature: 'c2ln' },
    { executableCode: { code: 'print(4)' } },
    { codeExecutionResult: { output: '4' } },
    { inlineData: { mimeType: 'image/png', data: base64('PNG') }, thoughtSignature: 'c2ln' },
    { inlineData: { mimeType: 'audio/wav', data: base64('RIFF') } },
    { functionCall: { id: 'c1', name: 'f', args: { a: 1 } }, thoughtSignature: 'c2ln' },
  ];
  const content = [
    { type: 'reasoning', text: 'Let me see.' },
    { type: 'text', text: 'It is 4 %.', thoughtSignature: 'c2ln' },
    { type: 'executableCode', executableCode: { code: 'print(4)' } },
    { type: 'codeExecutionResult', codeExecutionResult: { output: '4' } },
    {
      type: 'image_url',
      image_url: { url: `data:image/png;base64,${base64('PNG')}` },
      thoughtSignature: 'c2ln',
    },
    { type: 'inlineData', inlineData: { mimeType: 'audio/wav', data: base64('RIFF') } },
  ];
  const tool_calls = [
    {
      ...{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
      thoughtSignature: 'c2ln',
    },
  ];
  const notes = [
    { type: 'citationMetadata', citationMetadata },
    { type: 'groundingMetadata', groundingMetadata },
  ];
  type Answer = Partial<GenerateContentResponse>;

  it('are kept of an answer', async () => {
    const answer: Answer = {
      responseId: 'r1',
      modelVersion: 'gemini-3-pro-001',
      candidates: [
        {
          content: { role: 'model', parts },
          finishReason: FinishReason.STOP,
          safetyRatings: [
            {
              category: HarmCategory.HARM_CATEGORY_HARASSMENT,
              probability: HarmProbability.NEGLIGIBLE,
            },
          ],
          citationMetadata,
          groundingMetadata,
          avgLogprobs: -0.1,
        },
      ],
      usageMetadata: {
        promptTokenCount: 100,
        promptTokensDetails: [{ modality: MediaModality.AUDIO, tokenCount: 40 }],
        cachedContentTokenCount: 60,
        toolUsePromptTokenCount: 10,
        candidatesTokenCount: 20,
        candidatesTokensDetails: [{ modality: MediaModality.AUDIO, tokenCount: 5 }],
        thoughtsTokenCount: 30,
      },
    };
    expect(await provider.seenOf(json(answer), ask('hello'))).to.deep.include({
      response_id: 'r1',
      response_model: 'gemini-3-pro-001',
      answer: [{ role: 'assistant', content: [...content, ...notes], tool_calls }],
      tool_calls: [{ id: 'c1', name: 'f', arguments: { a: 1 } }],
      finish_reason: 'STOP',
      usage: {
        ...{ input: 110, cache_read: 60, output: 50, reasoning: 30 },
        ...{ input_audio: 40, output_audio: 5 },
      },
    });
  });

  it('are kept of a stream, whose signature may come with an empty text', async () => {
    const chunk = (part: Part, more: object = {}): Answer => ({
      candidates: [{ content: { role: 'model', parts: [part] }, ...more }],
    });
    const events = [
      chunk({ text: 'Let me ', thought: true }),
      chunk({ text: 'see.', thought: true }),
      chunk({ text: 'It is ' }),
      chunk({ text: '4 %.' }, { citationMetadata }),
      chunk({ text: '', thoughtSignature: 'c2ln' }),
      ...parts.slice(2).map((part) => chunk(part)),
      chunk({ text: '' }, { finishReason: FinishReason.STOP, citationMetadata, groundingMetadata }),
    ];
    expect((await provider.seenOf({ events }, stream)).answer).to.deep.equal([
      { role: 'assistant', content: [...content, ...notes], tool_calls },
    ]);
  });

  it('are kept of arguments that come in pieces', async () => {
    const chunk = (functionCall: object) => ({
      candidates: [{ content: { role: 'model', parts: [{ functionCall }] } }],
    });
    const events = [
      chunk({ id: 'c1', name: 'f', willContinue: true }),
      chunk({ partialArgs: [{ jsonPath: '$.city', stringValue: 'Wi' }], willContinue: true }),
      chunk({
        partialArgs: [
          { jsonPath: '$.city', stringValue: 'en' },
          { jsonPath: "$.days[0]['n']", numberValue: 1 },
        ],
        willContinue: true,
      }),
      chunk({}),
      chunk({ name: 'g', args: { b: 2 } }),
    ];
    expect((await provider.seenOf({ events }, stream)).tool_calls).to.deep.equal([
      { id: 'c1', name: 'f', arguments: { city: 'Wien', days: [{ n: 1 }] } },
      { name: 'g', arguments: { b: 2 } },
    ]);
  });

  it('are kept of what was blocked', async () => {
    const safetyRatings = [{ category: HarmCategory.HARM_CATEGORY_HARASSMENT, blocked: true }];
    const prompt: Answer = {
      promptFeedback: { blockReason: BlockedReason.SAFETY, safetyRatings },
      usageMetadata: { promptTokenCount: 5 },
    };
    expect(await provider.seenOf(json(prompt), ask('hello'))).to.deep.include({
      finish_reason: 'SAFETY',
      answer: [
        {
          role: 'assistant',
          content: [{ type: 'promptFeedback', promptFeedback: prompt.promptFeedback }],
        },
      ],
      usage: { input: 5 },
    });
    const finishMessage = 'Blocked by its topic.';
    const answer: Answer = {
      candidates: [{ finishReason: FinishReason.SAFETY, finishMessage, safetyRatings }],
    };
    expect(await provider.seenOf(json(answer), ask('hello'))).to.deep.include({
      finish_reason: 'SAFETY',
      answer: [
        {
          role: 'assistant',
          content: [
            { type: 'finishMessage', finishMessage },
            { type: 'safetyRatings', safetyRatings },
          ],
        },
      ],
    });
  });

  it('are kept of a request', async () => {
    const contents: Content[] = [
      {
        role: 'user',
        parts: [
          { text: 'Read this.' },
          { fileData: { fileUri: 'https://a.example/f', mimeType: 'application/pdf' } },
          { inlineData: { mimeType: 'application/pdf', data: base64('PDF') } },
          {
            fileData: { fileUri: 'https://a.example/v', mimeType: 'video/mp4' },
            videoMetadata: { fps: 1 },
          },
        ],
      },
      { role: 'model', parts: [...parts.slice(0, 2), ...parts.slice(6)] },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'c1', name: 'f', response: { t: 21 }, willContinue: true } },
        ],
      },
    ];
    expect((await provider.seenOf({}, ask(contents))).messages).to.deep.equal([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Read this.' },
          {
            type: 'fileData',
            fileData: { fileUri: 'https://a.example/f', mimeType: 'application/pdf' },
          },
          {
            type: 'inlineData',
            inlineData: { mimeType: 'application/pdf', data: base64('PDF') },
          },
          {
            type: 'fileData',
            fileData: { fileUri: 'https://a.example/v', mimeType: 'video/mp4' },
            videoMetadata: { fps: 1 },
          },
        ],
      },
      { role: 'assistant', content: content.slice(0, 2), tool_calls },
      { role: 'tool', tool_call_id: 'c1', content: '{"t":21}', name: 'f', willContinue: true },
    ]);
  });
});
