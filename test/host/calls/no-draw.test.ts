import { expect } from 'chai';
import { type FakeProvider, startFakeProvider } from '../../helpers/fake-provider.js';
import { Project } from '../../helpers/project.js';
import { linkPackages } from '../../helpers/project-folder.js';

const evals = `
import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { generateText } from 'ai';
import { evaluation } from 'assay';
import axios from 'axios';
import OpenAI from 'openai';

const away = 'http://127.0.0.1:9';
const messages = [{ role: 'user' as const, content: 'hello' }];
const openai = (url: string) => new OpenAI({ baseURL: url + '/v1', apiKey: 'k', maxRetries: 1 })
  .chat.completions.create({ model: 'gpt-5-mini', messages });
const anthropic = (url: string) => new Anthropic({ baseURL: url, apiKey: 'k', maxRetries: 1 })
  .messages.create({ model: 'claude-sonnet-4-5', max_tokens: 9, messages });
const ai = (url: string) => generateText({
  model: createOpenAI({ baseURL: url + '/v1', apiKey: 'k' }).chat('gpt-5-mini'), messages, maxRetries: 1,
});
const viaAxios = (url: string) => axios.post(url + '/v1/chat/completions', { model: 'gpt-5-mini', messages });
const viaFetch = async (url: string) => {
  const answer = await fetch(url + '/v1/chat/completions', { method: 'POST', body: JSON.stringify({ model: 'gpt-5-mini', messages }) });
  if (!answer.ok) throw Object.assign(new Error('no answer'), { status: answer.status });
};
const ways = { openai, anthropic, ai, axios: viaAxios, fetch: viaFetch };
const cases = Object.keys(ways).flatMap((way) =>
  [process.env.PROVIDER as string, away].map((url) => ({ id: way + (url === away ? ' away' : ' 500'), input: { way, url } })));
const call = ({ way, url }) => ways[way](url);
const ofFetch = cases.filter(({ id }) => id.startsWith('fetch'));

export const thrown = evaluation({ cases, target: ({ input }) => call(input) });
const targets = {
  wrapped: ({ input }) => call(input).catch((cause: unknown) => { throw new Error('the agent failed', { cause }); }),
  later: ({ input }) => call(input).catch(() => { throw new TypeError('x is undefined'); }),
  quoted: ({ input }) => call(input).catch((error: Error) => { throw new Error(error.message); }),
};
export const [wrapped, later, quoted] = Object.values(targets).map((target) => evaluation({ cases: ofFetch, target }));
export const graded = evaluation({ cases: ofFetch, target: () => 1, evaluators: [({ input }) => call(input)] });
export const grader = evaluation({ cases: ofFetch, target: ({ input }) => call(input).catch(() => 0), evaluators: [() => { throw new Error('grader'); }] });
`;

describe('an error after a call of a model that failed', () => {
  let provider: FakeProvider;

  before(async () => {
    provider = await startFakeProvider(() => ({ status: 500 }));
  });

  it('is no draw only if it is that failure, or has it as its cause', async () => {
    const project = new Project({ 'a.eval.ts': evals });
    linkPackages(project.folder, ['@ai-sdk/openai', '@anthropic-ai/sdk', 'ai', 'axios', 'openai']);
    await project.assay(['run', '--timeout', '60'], { env: { PROVIDER: provider.url } });
    const { run } = await project.exported();
    expect(run.total_errors).to.equal(10 + 5 * 2);
    const noDraws = project
      .savedText()
      .split('\n')
      .filter((line) => line.startsWith('{"type":"finished"') && line.includes('"no_draw":true'))
      .map((line) => run.results[JSON.parse(line).index]?.id ?? '');
    const expected = run.results
      .map(({ id }) => id)
      .filter((id) => /::(thrown|wrapped|graded)\[/.test(id));
    expect(noDraws.sort()).to.deep.equal(expected.sort());
  });
});
