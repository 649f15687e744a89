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
`;

describe('tools of an attempt', () => {
  let provider: FakeProvider;

  before(async () => {
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
  });

  const env = () => ({ PROVIDER: provider.url, CANARY_TOKEN: 'canary-of-a-variable' });

  function makeProject(evals: string): Project {
    const project = new Project({ 'agent.eval.ts': `${agent}${evals}` });
    linkPackages(project.folder, ['ai6', 'ai-sdk-openai-3']);
    return project;
  }

  async function page(project: Project, id: string): Promise<ResultPage['result']['result']> {
    const { stdout } = await project.assay(['show', 'latest', id, '--json']);
    return (JSON.parse(stdout) as ResultPage).result.result;
  }

  for (const [name, target] of Object.entries({
    text: 'async () => (await generateText(options)).text',
    stream: '() => streamText(options).textStream',
  })) {
    it(`of ai 6 are kept with arguments, result, error and times: ${name}`, async () => {
      const project = makeProject(`export const agent = evaluation({ target: ${target} });`);
      await project.run([], { env: env() });
      const { error, calls = [], spans = [], usage } = await page(project, 'agent');
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

  it('leave integrations of the user alone', async () => {
    const project = makeProject(`
      const seen: string[] = [];
      registerTelemetryIntegration({ onToolCallStart: ({ toolCall }) => { seen.push(toolCall.toolCallId); } });
      export const agent = evaluation({ target: async () => { await generateText(options); return seen; } });
    `);
    await project.run([], { env: env() });
    const { output, spans } = await page(project, 'agent');
    expect(output).to.have.members(['call_0', 'call_1']);
    expect(spans).to.have.length(2);
  });

  it('belong to their attempt and role, and stay with a regrade', async () => {
    const project = makeProject(`
      export const agent = evaluation({
        cases: Array.from({ length: 50 }, (_, at) => ({ id: String(at), input: at })),
        target: async () => (await generateText(options)).text,
        evaluators: [async function judge() { await generateText(options); return true; }],
      });
    `);
    await project.run(['--concurrency', '50'], { env: env() });
    const of = async (id: string) =>
      (await page(project, id)).spans?.map(({ id, role }) => [id, role]);
    const expected = ['target', 'evaluator:judge'].flatMap((role) => [
      ['call_0', role],
      ['call_1', role],
    ]);
    expect(await of('agent[0]')).to.deep.equal(expected);
    expect(await of('agent[49]')).to.deep.equal(expected);
    await project.assay(['run', '--regrade', 'latest'], { env: env() });
    expect(await of('agent[49]')).to.deep.equal(expected);
  });

  it('are printed, exported with the calls and imported again', async () => {
    const project = makeProject(
      `export const agent = evaluation({ target: async () => (await generateText(options)).text });`,
    );
    await project.run([], { env: env() });
    const { stdout: shown } = await project.assay(['show', 'latest', 'agent']);
    expect(shown).to.match(
      /→ weather · → weather .*\n +target +tool weather · \d+.* ms\n +target +tool weather · no such town: .* ms\n +target +gpt/,
    );
    const { spans } = await page(project, 'agent');
    await project.assay(['export', 'latest', '-f', 'json', '-o', 'without.json']);
    expect(project.read('without.json')).to.not.include('Atlantis');
    await project.assay(['export', 'latest', '-f', 'json', '--calls', '-o', 'with.json']);
    const file = await project.assay(['show', 'with.json', 'agent', '--json']);
    expect((JSON.parse(file.stdout) as ResultPage).result.result.spans).to.deep.equal(spans);
    await project.assay(['sessions', 'import', 'with.json', '--session', 'other']);
    const again = await project.assay(['show', 'latest', 'agent', '--session', 'other', '--json']);
    expect((JSON.parse(again.stdout) as ResultPage).result.result.spans).to.deep.equal(spans);
  });

  it('are not kept where only numbers are', async () => {
    const project = makeProject(
      `export const agent = evaluation({ target: async () => (await generateText(options)).text });`,
    );
    await project.run([], { env: { ...env(), ASSAY_CAPTURE: 'usage' } });
    expect(await page(project, 'agent')).to.not.have.property('spans');
    await project.run([], { env: { ...env(), ASSAY_CAPTURE: 'off' } });
    expect(await page(project, 'agent')).to.not.have.property('spans');
  });
});
