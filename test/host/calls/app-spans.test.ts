import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { ResultEntry } from '../../../src/model/result.js';
import { startFakeProvider } from '../../helpers/fake-provider.js';
import { Project } from '../../helpers/project.js';
import { linkPackages } from '../../helpers/project-folder.js';

/** An app with a provider of its own. */
const app = `
import { spanProcessor } from 'assay/otel';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

export const provider = new NodeTracerProvider({ spanProcessors: [spanProcessor] });
provider.register();
export const tracer = provider.getTracer('app');
export const ask = () => fetch(process.env.PROVIDER + '/v1/chat/completions', {
  method: 'POST', body: JSON.stringify({ model: 'gpt-5-mini', messages: [] }),
});
`;

const head = `
import { evaluation } from 'assay';
import { ask, provider, tracer } from './app.js';
`;

const spans = `${head}
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

tracer.startSpan('outside of attempts').end();
const unseen = new NodeTracerProvider().getTracer('unseen');

export const notAdded = evaluation({ target: () => unseen.startActiveSpan('answer', async () => { await ask(); }) });
export const agent = evaluation({
  target: () => tracer.startActiveSpan('answer', async (outer) => {
    await tracer.startActiveSpan('look up', async (inner) => {
      inner.setAttributes({ 'app.hits': 3, 'app.tags': ['a', 'b'], 'app.token': 'canary-of-a-variable' });
      await ask();
      inner.setStatus({ code: 2, message: 'too few for ' + process.env.CANARY_TOKEN });
      inner.end();
    });
    await ask();
    outer.updateName('answered');
    outer.end();
    await ask();
    return 'yes';
  }),
  evaluators: [async function judge() { tracer.startSpan('graded').end(); await ask(); return true; }],
});
export const many = evaluation({
  cases: [{ id: 'a', input: 1 }, { id: 'b', input: 2 }],
  target: async ({ input }) => {
    const count = input === 1 ? 1000 : 1001;
    for (let at = 0; at < count; at += 1) tracer.startSpan('step').end();
    await provider.forceFlush();
  },
});
`;

/** An agent on `ai` whose tool asks another one, beside a third. */
const agents = (version: string, ai: string, openai: string) => `${head}
import { generateText, jsonSchema, stepCountIs, tool } from '${ai}';
import { createOpenAI } from '${openai}';

const model = createOpenAI({ baseURL: process.env.PROVIDER + '/v1', apiKey: 'k' }).chat('gpt-5-mini');
const experimental_telemetry = { isEnabled: true };
const weather = tool({
  inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } } }),
  execute: async ({ city }) => (await generateText({ model, prompt: 'inner ' + city, experimental_telemetry })).text,
});
export const agent${version} = evaluation({
  target: () => tracer.startActiveSpan('app', async (app) => {
    const options = { model, tools: { weather }, stopWhen: stepCountIs(5), prompt: 'weather?', experimental_telemetry };
    const beside = generateText({ model, prompt: 'beside', experimental_telemetry });
    const { text } = await generateText(options);
    await beside;
    app.end();
    return text;
  }),
  evaluators: [async function judge() { await generateText({ model, prompt: 'judge', experimental_telemetry }); return true; }],
});
`;

/** Name of the span of a tool, and the packages of each version. */
const versions = {
  5: ['ai.toolCall', 'ai', '@ai-sdk/openai'],
  6: ['weather', 'ai6', 'ai-sdk-openai-3'],
} as const;

describe('spans of an app', () => {
  let project: Project;
  const results = new Map<string, ResultEntry['result']>();

  before(async () => {
    const provider = await startFakeProvider(({ json }) => {
      const said = JSON.stringify(json.messages);
      if (!said.includes('weather?') || said.includes('tool_call_id')) return { text: '21 °C' };
      const toolCalls = ['Wien', 'Graz'].map((city, n) => ({
        id: `call_${n}`,
        name: 'weather',
        arguments: { city },
      }));
      return { text: '', toolCalls };
    });
    const files = Object.entries(versions).map(([version, [, ai, openai]]) => {
      return [`ai${version}.eval.ts`, agents(version, ai, openai)];
    });
    project = new Project({
      'app.ts': app,
      'spans.eval.ts': spans,
      ...Object.fromEntries(files),
    });
    const packages = Object.values(versions).flatMap(([, ...names]) => names);
    linkPackages(project.folder, ['@opentelemetry/sdk-trace-node', ...packages]);
    const env = { PROVIDER: provider.url, CANARY_TOKEN: 'canary-of-a-variable' };
    await project.run(['--workers', '1'], { env });
    const { stdout } = await project.assay(['export', 'latest', '-f', 'json', '--calls']);
    for (const { function: name, result } of JSON.parse(stdout).results) results.set(name, result);
  });

  function resultOf(name: string): ResultEntry['result'] {
    const result = results.get(name);
    if (result === undefined) throw new Error(`no result of ${name}`);
    expect(result.error, name).to.equal(null);
    return result;
  }

  /** The names of the spans around something, from the outermost on. */
  function around(parent: string | undefined, { spans = [] }: ResultEntry['result']) {
    const names: string[] = [];
    for (let id = parent; id !== undefined; ) {
      const span = spans.find((one) => one.id === id);
      expect(span, `span ${id}`).to.not.equal(undefined);
      names.unshift(span?.name ?? '');
      id = span?.parent;
    }
    return names.join(' > ');
  }

  it('are kept with nesting, calls, attributes and errors, up to 1,000 of an attempt', () => {
    const result = resultOf('agent');
    const { calls = [], spans: kept = [] } = result;
    expect(calls.map((call) => around(call.parent, result))).to.deep.equal([
      'answered > look up',
      'answered',
      'answered',
      '',
    ]);
    const [answered, lookUp, graded] = kept;
    expect(kept.map(({ kind, name, role, parent }) => [kind, name, role, parent])).to.deep.equal([
      ['span', 'answered', 'target', undefined],
      ['span', 'look up', 'target', answered?.id],
      ['span', 'graded', 'evaluator:judge', undefined],
    ]);
    expect(lookUp).to.deep.include({
      error: 'too few for [redacted:CANARY_TOKEN]',
      attributes: {
        'app.hits': 3,
        'app.tags': ['a', 'b'],
        'app.token': '[redacted:CANARY_TOKEN]',
      },
    });
    expect(graded).to.not.have.any.keys('attributes', 'error');
    for (const { start, end = -1 } of kept) expect(end).to.be.at.least(start);
    expect(project.savedText()).to.not.match(/canary|outside of attempts/);

    const whole = resultOf('many[a]');
    expect([whole.spans?.length, whole.trace_data]).to.deep.equal([1000, {}]);
    const cut = resultOf('many[b]');
    expect(cut.spans).to.have.length(1000);
    expect(cut.trace_data?.warnings).to.deep.equal(['only the first 1,000 spans were kept']);
  });

  it('are not named by calls where the app does not add them', () => {
    const { calls, spans } = resultOf('notAdded');
    expect([calls?.length, calls?.[0]?.parent, spans]).to.deep.equal([1, undefined, undefined]);
  });

  for (const [version, [toolSpan]] of Object.entries(versions)) {
    it(`of ai ${version} nest the calls of agents in the agents and tools that made them`, () => {
      const result = resultOf(`agent${version}`);
      const { calls = [], spans = [] } = result;
      const generate = 'ai.generateText > ai.generateText.doGenerate';
      const asked = calls.map(({ role, parent, model_call }) => {
        return `${role}: ${around(parent, result)} > ${model_call?.messages?.at(-1)?.content}`;
      });
      expect(asked).to.have.members([
        `target: app > ${generate} > weather?`,
        `target: app > ai.generateText > ${toolSpan} > ${generate} > inner Wien`,
        `target: app > ai.generateText > ${toolSpan} > ${generate} > inner Graz`,
        `target: app > ${generate} > 21 °C`,
        `target: app > ${generate} > beside`,
        `evaluator:judge: ${generate} > judge`,
      ]);
      const tools = spans.filter(({ name }) => name === toolSpan);
      expect(tools).to.have.length(2);
      // Version 5 has no other report of its tools than their spans.
      const seen = tools.map(({ kind, id, arguments: given, result: said, attributes = {} }) =>
        kind === 'tool'
          ? [id, given, said]
          : ['id', 'args', 'result'].map((key, at) => {
              const value = attributes[`ai.toolCall.${key}`];
              return at === 0 ? value : JSON.parse(String(value));
            }),
      );
      expect(seen).to.have.deep.members([
        ['call_0', { city: 'Wien' }, '21 °C'],
        ['call_1', { city: 'Graz' }, '21 °C'],
      ]);
      expect(new Set(spans.map(({ id }) => id)).size).to.equal(spans.length);
    });
  }

  it('do nothing outside of evaluations', async () => {
    const served = new Project({
      'app.js': `
        import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
        import { spanProcessor } from 'assay/otel';
        const provider = new NodeTracerProvider({ spanProcessors: [spanProcessor] });
        provider.getTracer('app').startSpan('served').end();
        await provider.shutdown();
        console.log('served');
      `,
    });
    linkPackages(served.folder, ['@opentelemetry/sdk-trace-node']);
    const { stdout } = await promisify(execFile)(process.execPath, ['app.js'], {
      cwd: served.folder,
    });
    expect(stdout).to.equal('served\n');
  });
});
