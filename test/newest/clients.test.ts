import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ResultPage } from '../../src/model/result-page.js';
import { type FakeProvider, startFakeProvider } from '../helpers/fake-provider.js';
import { Project, removeProjects } from '../helpers/project.js';

/** Where `ai` 7, `@ai-sdk/openai` 4 and `openai` 7 are installed: they need Node 22. */
const folder = process.env.NEWEST_CLIENTS ?? '';

const evals = `
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, isStepCount, jsonSchema, registerTelemetry, streamText, tool } from 'ai';
import { evaluation } from 'assay';
import OpenAI from 'openai';

const baseURL = process.env.PROVIDER + '/v1';
const weather = tool({
  inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } } }),
  execute: async ({ city }) => {
    if (city === 'Atlantis') throw new Error('no such town');
    return { city, celsius: 21 };
  },
});
const model = createOpenAI({ baseURL, apiKey: 'k' }).chat('gpt-5-mini');
const options = { model, tools: { weather }, stopWhen: isStepCount(5), prompt: 'weather?' };
const seen: string[] = [];
registerTelemetry({ onToolExecutionStart: ({ toolCall }) => { seen.push(toolCall.toolCallId); } });

export const text = evaluation({ target: async () => (await generateText(options)).text });
export const stream = evaluation({ target: () => streamText(options).textStream });
export const openai = evaluation({
  target: async () => {
    const client = new OpenAI({ baseURL, apiKey: 'k' });
    const messages = [{ role: 'user' as const, content: 'hello' }];
    return (await client.chat.completions.create({ model: 'gpt-5-mini', messages })).choices[0]?.message.content;
  },
});
export const own = evaluation({ target: async () => { seen.length = 0; await generateText(options); return seen; } });
`;

describe('calls of the newest clients', () => {
  let provider: FakeProvider;
  let project: Project;

  before(async function () {
    this.timeout(60_000);
    provider = await startFakeProvider(({ json }) => {
      const said = JSON.stringify(json.messages);
      if (!said.includes('weather?') || said.includes('tool_call_id')) return { text: '21 °C' };
      const toolCalls = ['Wien', 'Atlantis'].map((city, n) => ({
        id: `call_${n}`,
        name: 'weather',
        arguments: { city },
      }));
      return { text: '', toolCalls };
    });
    project = new Project({ 'newest.eval.ts': evals });
    for (const name of ['ai', '@ai-sdk', 'openai']) {
      symlinkSync(join(folder, 'node_modules', name), join(project.folder, 'node_modules', name));
    }
    await project.run(['--concurrency', '1'], { env: { PROVIDER: provider.url } });
  });

  after(async () => {
    await provider[Symbol.asyncDispose]();
    removeProjects();
  });

  async function resultOf(name: string): Promise<ResultPage['result']['result']> {
    const { stdout } = await project.assay(['show', 'latest', name, '--json']);
    const { result } = (JSON.parse(stdout) as ResultPage).result;
    expect(result.error).to.equal(null);
    return result;
  }

  for (const name of ['text', 'stream']) {
    it(`have the tools of ai 7 once: ${name}`, async () => {
      const { output, calls, spans = [] } = await resultOf(name);
      expect(output).to.equal('21 °C');
      expect(calls).to.have.length(2);
      expect(spans.map(({ start, end, ...span }) => span)).to.deep.equal([
        {
          ...{ kind: 'tool', id: 'call_0', name: 'weather', role: 'target' },
          ...{ arguments: { city: 'Wien' }, result: { city: 'Wien', celsius: 21 } },
        },
        {
          ...{ kind: 'tool', id: 'call_1', name: 'weather', role: 'target' },
          ...{ arguments: { city: 'Atlantis' }, error: 'no such town' },
        },
      ]);
      for (const { start, end } of spans) expect(end).to.be.at.least(start);
    });
  }

  it('leave the integrations of the user alone', async () => {
    expect((await resultOf('own')).output).to.have.members(['call_0', 'call_1']);
  });

  it('have the call of openai 7', async () => {
    const { output, calls = [] } = await resultOf('openai');
    expect(output).to.equal('21 °C');
    expect(calls).to.have.length(1);
    expect(calls[0]?.model_call?.usage).to.deep.include({ input: 120, output: 30 });
  });
});
