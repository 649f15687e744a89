import { expect } from 'chai';
import type { ResultPage } from '../../../src/model/result-page.js';
import { type FakeProvider, startFakeProvider } from '../../helpers/fake-provider.js';
import { Project } from '../../helpers/project.js';
import { linkPackages } from '../../helpers/project-folder.js';

/** An agent on `ai` 6 that asks for the weather of two towns at once, one of which nobody knows. */
const agent = `
import { evaluation } from 'assay';
import { generateText, jsonSchema, registerTelemetryIntegration, stepCountIs, streamText, tool } from 'ai6';
import { createOpenAI } from 'ai-sdk-openai-3';
import { AsyncLocalStorage } from 'node:async_hooks';

const openai = createOpenAI({ baseURL: process.env.PROVIDER + '/v1', apiKey: 'k' });
const weather = tool({
  inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } } }),
  execute: async ({ city }) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (city === 'Atlantis') throw new Error('no such town: ' + process.env.CANARY_TOKEN);
    return { city, celsius: 21, api_key: 'canary-result-key' };
  },
});
const options = { model: openai.chat('gpt-5-mini'), tools: { weather }, stopWhen: stepCountIs(5), prompt: 'weather?' };
const target = async () => (await generateText(options)).text;
const seen = new AsyncLocalStorage<string[]>();
registerTelemetryIntegration({ onToolCallStart: ({ toolCall }) => { seen.getStore()?.push(toolCall.toolCallId); } });

export const text = evaluation({ target });
export const stream = evaluation({ target: () => streamText(options).textStream });
export const own = evaluation({ target: () => seen.run([], async () => { await target(); return seen.getStore(); }) });
export const many = evaluation({
  cases: Array.from({ length: 10 }, (_, at) => ({ id: String(at), input: at })),
  target,
  evaluators: [async function judge() { await target(); return true; }],
});
`;

describe('tools of an attempt', () => {
  let provider: FakeProvider;
  type Result = ResultPage['result']['result'];
  const env = () => ({ PROVIDER: provider.url, CANARY_TOKEN: 'canary-of-a-variable' });
  let project: Project;
  const results = new Map<string, Result>();

  async function readResults(): Promise<void> {
    const { stdout } = await project.assay(['export', 'latest', '-f', 'json', '--calls']);
    for (const { function: name, result } of JSON.parse(stdout).results) results.set(name, result);
  }

  before(async function () {
    this.timeout(240_000);
    provider = await startFakeProvider(({ json }) => {
      const said = JSON.stringify(json.messages);
      if (!said.includes('weather?') || said.includes('tool_call_id'))
        return { text: 'It is 21 °C.' };
      const calls = ['Wien', 'Atlantis'].map((city, n) => ({
        id: `call_${n}`,
        name: 'weather',
        arguments: { city },
      }));
      return { text: '', toolCalls: calls };
    });
    project = new Project({ 'agent.eval.ts': agent });
    linkPackages(project.folder, ['ai6', 'ai-sdk-openai-3']);
    await project.run(['--workers', '1'], { env: env() });
    await readResults();
  });

  for (const name of ['text', 'stream']) {
    it(`of ai 6 are kept with arguments, result, error and times: ${name}`, () => {
      const { error, calls = [], spans = [], usage } = results.get(name) as Result;
      expect(error).to.equal(null);
      expect(usage).to.deep.include({ calls: 2 });
      expect(spans.map(({ start, end, ...span }) => span)).to.deep.equal([
        {
          kind: 'tool',
          id: 'call_0',
          name: 'weather',
          role: 'target',
          arguments: { city: 'Wien' },
          result: { city: 'Wien', celsius: 21, api_key: '[redacted]' },
        },
        {
          kind: 'tool',
          id: 'call_1',
          name: 'weather',
          role: 'target',
          arguments: { city: 'Atlantis' },
          error: 'no such town: [redacted:CANARY_TOKEN]',
        },
      ]);
      for (const { id, start, end = 0 } of spans) {
        expect(end - start).to.be.greaterThan(0.015);
        expect(start).to.be.at.least(calls[0]?.start as number);
        expect(end).to.be.at.most(calls[1]?.start as number);
        expect(calls[0]?.model_call?.tool_calls?.map((call) => call.id)).to.include(id);
      }
      expect(project.savedText()).to.not.match(/canary/);
    });
  }

  it('leave integrations of the user alone', () => {
    const { output, spans } = results.get('own') as Result;
    expect(output).to.have.members(['call_0', 'call_1']);
    expect(spans).to.have.length(2);
  });

  it('are printed, exported with the calls and imported again', async () => {
    const { stdout: shown } = await project.assay(['show', 'latest', 'text']);
    expect(shown).to.match(
      /→ weather · → weather .*\n +target +tool weather · \d.* m?s\n +target +tool weather · no such town: .* m?s\n +target +gpt/,
    );
    await project.assay(['export', 'latest', '-f', 'json', '-o', 'without.json']);
    expect(project.read('without.json')).to.not.include('Atlantis');
    await project.assay(['export', 'latest', '-f', 'json', '--calls', '-o', 'with.json']);
    await project.assay(['sessions', 'import', 'with.json', '--session', 'other']);
    for (const args of [
      ['show', 'with.json'],
      ['show', 'latest', '--session', 'other'],
    ]) {
      const { stdout } = await project.assay([...args, 'text', '--json']);
      const { spans } = (JSON.parse(stdout) as ResultPage).result.result;
      expect(spans).to.deep.equal(results.get('text')?.spans);
    }
  });

  it('belong to their attempt and role, and stay with a regrade', async () => {
    const expected = ['target', 'evaluator:judge'].flatMap((role) => [
      ['call_0', role],
      ['call_1', role],
    ]);
    for (const args of [[], ['run', '--regrade', 'latest']]) {
      if (args.length > 0) await project.assay(args, { env: env() });
      await readResults();
      const many = [...results].filter(([name]) => name.startsWith('many'));
      expect(many).to.have.length(10);
      for (const [name, { spans = [] }] of many) {
        expect(
          spans.map(({ id, role }) => [id, role]),
          `${name} ${args}`,
        ).to.deep.equal(expected);
      }
    }
  });

  it('are not kept where only numbers are', async () => {
    for (const capture of ['usage', 'off']) {
      await project.run(['agent.eval.ts::text'], { env: { ...env(), ASSAY_CAPTURE: capture } });
      await readResults();
      expect(results.get('text'), capture).to.not.have.property('spans');
    }
  });
});
