import { GoogleGenAI } from '@google/genai';
import { expect } from 'chai';
import { type FakeProvider, startFakeProvider } from '../../helpers/fake-provider.js';
import { fakeToolCalls, fakeUsage, lastSeen, fakeText as text } from './seen.js';

const usage = { ...fakeUsage, reasoning: 10 };

describe('calls of the Google client', () => {
  let provider: FakeProvider;
  let client: GoogleGenAI;

  before(async () => {
    provider = await startFakeProvider();
    client = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: provider.url } });
  });

  for (const stream of [false, true]) {
    const ask = async (model: string) => {
      const body = {
        model,
        contents: [
          {
            role: 'user',
            parts: [{ text: 'Weather?' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
          },
          {
            role: 'model',
            parts: [{ functionCall: { id: 'c1', name: 'weather', args: { city: 'Wien' } } }],
          },
          {
            role: 'user',
            parts: [{ functionResponse: { id: 'c1', name: 'weather', response: { t: 21 } } }],
          },
        ],
        config: {
          systemInstruction: 'Be short.',
          temperature: 0,
          tools: [{ functionDeclarations: [{ name: 'weather' }] }],
        },
      };
      if (stream) for await (const _ of await client.models.generateContentStream(body));
      else await client.models.generateContent(body);
      return lastSeen(provider);
    };

    it(`show contents as a chat, ${stream ? 'streamed' : 'at once'}`, async () => {
      expect(await ask('gemini-2.5-flash')).to.deep.equal({
        provider: 'google',
        operation: 'generate_content',
        model: 'gemini-2.5-flash',
        response_model: 'gemini-2.5-flash',
        response_id: 'resp-g1',
        messages: [
          { role: 'system', content: 'Be short.' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Weather?' },
              { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
            ],
          },
          {
            role: 'assistant',
            tool_calls: [
              {
                id: 'c1',
                type: 'function',
                function: { name: 'weather', arguments: '{"city":"Wien"}' },
              },
            ],
          },
          { role: 'tool', tool_call_id: 'c1', content: '{"t":21}', name: 'weather' },
        ],
        answer: [{ role: 'assistant', content: text }],
        tools: [{ functionDeclarations: [{ name: 'weather' }] }],
        parameters: { generationConfig: { temperature: 0 } },
        finish_reason: 'STOP',
        usage,
        ...(stream && { stream: true }),
      });
    });

    it(`put tool calls together, ${stream ? 'streamed' : 'at once'}`, async () => {
      expect((await ask('m-fake-tool')).tool_calls).to.deep.equal(fakeToolCalls);
    });
  }

  it('show a stream that comes as a JSON array, whole and cut', async () => {
    const ask = async (model: string) => {
      const response = await fetch(
        `${provider.url}/v1beta/models/${model}:streamGenerateContent?key=none`,
        {
          method: 'POST',
          body: JSON.stringify({ contents: [{ parts: [{ text: 'Weather?' }] }] }),
        },
      );
      await response.text().catch(() => {});
      return lastSeen(provider);
    };
    expect(await ask('gemini-2.5-pro')).to.deep.include({
      answer: [{ role: 'assistant', content: text }],
      finish_reason: 'STOP',
      stream: true,
      usage,
    });
    expect(await ask('m-fake-cut')).to.deep.include({ cut: true, stream: true });
    expect(await ask('m-fake-stream-error')).to.deep.include({ error: 'UNAVAILABLE: Overloaded' });
  });

  it('show embeddings', async () => {
    await client.models.embedContent({ model: 'gemini-embedding-001', contents: 'a' });
    expect(lastSeen(provider)).to.deep.equal({
      provider: 'google',
      operation: 'embeddings',
      model: 'gemini-embedding-001',
      messages: [{ role: 'user', content: 'a' }],
    });
  });
});
