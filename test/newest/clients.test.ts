import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ResultPage } from '../../src/model/result-page.js';
import { type FakeProvider, startFakeProvider } from '../helpers/fake-provider.js';
import { Project } from '../helpers/project.js';

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
/** An agent whose tool asks another one, beside a third. */
const expert = tool({
  inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } } }),
  execute: async ({ city }) => (await generateText({ model, prompt: 'inner ' + city })).text,
});
export const nested = evaluation({
  target: async () => {
    const outer = generateText({ ...options, tools: { weather: expert } });
    const beside = generateText({ model, prompt: 'beside' });
    return (await Promise.all([outer, beside])).map(({ text }) => text);
  },
});
export const silent = evaluation({ target: async () => (await generateText({ ...options, telemetry: { isEnabled: false } })).text });
export const discreet = evaluation({
  target: async () => (await generateText({ ...options, telemetry: { recordInputs: false, recordOutputs: false } })).text,
});
export const own = evaluation({ target: async () => { seen.length = 0; await generateText(options); return seen; } });
`;

describe('calls of the newest clients', () => {
  let provider: FakeProvider;
  let project: Project;

  before(async function () {
    this.timeout(120_000);
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

  async function resultOf(name: string): Promise<ResultPage['result']['result']> {
    const { stdout } = await project.assay(['show', 'latest', name, '--json']);
    const { result } = (JSON.parse(stdout) as ResultPage).result;
    expect(result.error).to.equal(null);
    return result;
  }

  for (const [name, operation] of [
    ['text', 'generateText'],
    ['stream', 'streamText'],
  ] as const) {
    it(`have the tools of ai 7 once, and what they are in: ${name}`, async () => {
      const { output, calls = [], spans = [] } = await resultOf(name);
      expect(output).to.equal('21 °C');
      expect(calls).to.have.length(2);
      const [outer] = spans;
      const parent = outer?.id;
      expect(spans.map(({ start, end, ...span }) => span)).to.deep.equal([
        { kind: 'span', id: parent, name: operation, role: 'target' },
        {
          ...{ kind: 'tool', id: 'call_0', parent, name: 'weather', role: 'target' },
          ...{ arguments: { city: 'Wien' }, result: { city: 'Wien', celsius: 21 } },
        },
        {
          ...{ kind: 'tool', id: 'call_1', parent, name: 'weather', role: 'target' },
          ...{ arguments: { city: 'Atlantis' }, error: 'no such town' },
        },
      ]);
      expect(calls.map((call) => call.parent)).to.deep.equal([parent, parent]);
      for (const { start, end } of spans) expect(end).to.be.at.least(start);
      const { stdout } = await project.assay(['show', 'latest', name]);
      expect(stdout)
        .to.match(/target {2}tool weather/)
        .and.not.include(operation);
    });
  }

  it('nest the calls of agents in the agents and tools that made them', async () => {
    const { calls = [], spans = [] } = await resultOf('nested');
    const around = (id: string | undefined): string[] => {
      const span = spans.find((one) => one.id === id);
      return span === undefined ? [] : [...around(span.parent), span.name];
    };
    const asked = calls.map(({ parent, model_call }) => {
      return [...around(parent), model_call?.messages?.at(-1)?.content].join(' > ');
    });
    expect(asked).to.have.members([
      'generateText > weather?',
      'generateText > weather > generateText > inner Wien',
      'generateText > weather > generateText > inner Atlantis',
      'generateText > 21 °C',
      'generateText > beside',
    ]);
    expect(new Set(spans.map(({ id }) => id)).size).to.equal(spans.length);
    const { stdout } = await project.assay(['show', 'latest', 'nested']);
    expect(stdout).to.match(/target {2}span generateText[\s\S]*target {4}tool weather/);
    expect(stdout).to.match(/target {6}span generateText[^\n]*\n *target {8}gpt-5-mini/);
  });

  it('have no tools of telemetry that is switched off, and no contents of what is not recorded', async () => {
    const silent = await resultOf('silent');
    expect([silent.calls?.length, silent.spans]).to.deep.equal([2, undefined]);
    const { spans = [] } = await resultOf('discreet');
    const tools = spans.filter(({ kind }) => kind === 'tool');
    expect(tools.map(({ id }) => id)).to.deep.equal(['call_0', 'call_1']);
    for (const tool of tools) expect(tool).not.to.have.any.keys('arguments', 'result');
  });

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
