import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { ResultEntry } from '../../src/model/result.js';
import { type FakeProvider, startFakeProvider } from '../helpers/fake-provider.js';
import { Project } from '../helpers/project.js';
import { linkPackages } from '../helpers/project-folder.js';

const page = readFileSync(new URL('../../docs/model-calls.md', import.meta.url), 'utf8');
/** The eval files of the page by name, as they stand there. */
const files = Object.fromEntries(
  [...page.matchAll(/^```ts\n(\/\/ ([\w-]+\.eval\.ts)\n.*?)^```$/gms)].map(([, text, name]) => [
    name ?? '',
    text ?? '',
  ]),
);

/** The evaluators in the tables of the page. */
const evaluators = [...page.matchAll(/^\| [^|]+ \| `(\(\{ .*)` \|$/gm)].map(([, code]) => code);
const table = `
import { isDeepStrictEqual } from 'node:util';
import { evaluation } from 'assay';
import OpenAI from 'openai';

const openai = new OpenAI();
export const table = evaluation({
  cases: [{ id: 'as wanted', input: 1 }, { id: 'otherwise', input: 6 }],
  target: async ({ input }) => {
    for (let at = 0; at < input; at += 1) {
      const model = input === 1 ? 'refunds' : 'deletes';
      await openai.chat.completions.create({ model, messages: [{ role: 'user', content: 'Refund it.' }] });
    }
  },
  evaluators: [${evaluators.join(', ')}],
});
`;
const tools: Readonly<Record<string, readonly string[]>> = {
  refunds: ['findOrder', 'refund'],
  deletes: ['deleteAccount'],
};

describe('the recipes of docs/model-calls.md', () => {
  let provider: FakeProvider;
  let results: readonly ResultEntry[];

  before(async function () {
    this.timeout(240_000);
    provider = await startFakeProvider(({ model }) => ({
      text: 'Paris',
      ...(tools[model] && {
        toolCalls: tools[model].map((name) => ({
          id: name,
          name,
          arguments: { id: model === 'refunds' ? 'A-20417' : 'A-7' },
        })),
      }),
    }));
    const project = new Project({ ...files, 'table.eval.ts': table });
    linkPackages(project.folder, [
      ...['@ai-sdk/openai', '@anthropic-ai/sdk', '@aws-sdk/client-bedrock-runtime'],
      ...['@google/genai', '@langchain/openai', 'ai', 'axios', 'got', 'ollama', 'openai', 'undici'],
    ]);
    const env = {
      OPENAI_API_KEY: 'k',
      OPENAI_BASE_URL: `${provider.url}/v1`,
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_BASE_URL: provider.url,
      GEMINI_API_KEY: 'k',
      GOOGLE_GEMINI_BASE_URL: provider.url,
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'a',
      AWS_SECRET_ACCESS_KEY: 'b',
      AWS_ENDPOINT_URL_BEDROCK_RUNTIME: provider.http2Url,
      OLLAMA_HOST: provider.url,
    };
    await project.run([], { env });
    const { stdout } = await project.assay(['export', 'latest', '-f', 'json', '--calls']);
    results = (JSON.parse(stdout) as { results: readonly ResultEntry[] }).results;
  });

  it('are there for every client', () => {
    const names = ['ai-sdk', 'anthropic', 'axios', 'bedrock', 'fetch', 'google', 'got'];
    const all = [...names, 'langchain', 'ollama', 'openai', 'undici'];
    expect(Object.keys(files).sort()).to.deep.equal(all.map((name) => `${name}.eval.ts`));
  });

  for (const file of Object.keys(files)) {
    it(`record the call of ${file}`, () => {
      const found = results.find(({ id }) => id === `${file}::capital`);
      const { error, output, scores, calls = [], usage } = found?.result ?? {};
      expect(error).to.equal(null);
      expect(output).to.equal('Paris');
      expect(scores?.map(({ passed }) => passed)).to.deep.equal([true]);
      expect(calls.map(({ role, status }) => [role, status])).to.deep.equal([['target', 200]]);
      expect(JSON.stringify(calls[0]?.model_call?.messages)).to.include('capital of France');
      expect(usage?.calls).to.equal(1);
      expect(usage?.output).to.be.a('number');
    });
  }

  it('judge the calls of an agent by each line of the table', () => {
    const passed = (id: string) =>
      results
        .find((result) => result.id === `table.eval.ts::table[${id}]`)
        ?.result.scores.map((score) => score.passed ?? score.value);
    expect(passed('as wanted')).to.deep.equal([true, true, true, true, true, true, 150]);
    expect(passed('otherwise')).to.deep.equal([false, false, false, false, true, true, 900]);
  });
});
