import { expect } from 'chai';
import { type FakeProvider, startFakeProvider } from '../../helpers/fake-provider.js';
import { Project } from '../../helpers/project.js';
import { linkPackages } from '../../helpers/project-folder.js';

const evals = `
import { evaluation } from 'assay';
import OpenAI from 'openai';
const openai = new OpenAI({ baseURL: process.env.PROVIDER + '/v1', apiKey: 'k' });
const body = { model: 'gpt-5-mini', messages: [{ role: 'user' as const, content: 'hello' }] };
const ask = (model = body.model) => openai.chat.completions.create({ ...body, model });
const said = (answer: OpenAI.ChatCompletion) => answer.choices[0]?.message.content;
async function judged() {
  await ask('gpt-5-nano');
  return { key: 'polite', passed: false, notes: 'not polite' };
}
export const chat = evaluation({ cases: [{ id: 'one', input: 1 }], trials: 2, target: async () => said(await ask()), evaluators: [({ output }) => output !== '', judged] });
export const streamed = evaluation({
  target: async () => {
    let text = '';
    for await (const chunk of await openai.chat.completions.create({ ...body, stream: true, stream_options: { include_usage: true } })) text += chunk.choices[0]?.delta.content ?? '';
    return text;
  },
  evaluators: [() => true],
});
export const tools = evaluation({ target: () => ask('fake-tool'), evaluators: [({ toolCalls }) => toolCalls.length] });
export const retried = evaluation({ target: async () => said(await ask('fake-busy-once')), evaluators: [() => true] });
export const throws = evaluation({ target: async () => { await ask(); console.log('about to fail'); throw new Error('no'); } });
export const graded = evaluation({ input: 'x', target: () => 'no call', evaluators: [async function alone() { await ask(); return true; }] });
export const limited = evaluation({ limits: { calls: 1 }, target: async () => { await ask(); await openai.chat.completions.create(body, { maxRetries: 0 }); } });
`;

const ids = [
  ...['chat[one]~1', 'chat[one]~2', 'streamed', 'tools', 'retried', 'throws', 'graded', 'limited'],
];

/** The text without times and ids, and without what marks calls as replayed. */
function unmarked(text: string): string[] {
  const same = text
    .replace(/\b[0-9a-f]{12}\b/g, 'ID')
    .replace(/(run|#) [a-z]+-[a-z]+/g, '$1 NAME')
    .replace(/started \d{4}-\d\d-\d\d \d\d:\d\d UTC/, 'started NOW')
    .replace(/(<|&lt;)?(\d+ min )?\d[\d.]* (ms|s)\b/g, 'TIME')
    .replace(/([·|]) replayed(?= [·|]|$)/gm, '$1 TIME')
    .replace(/ · \d+ replayed/, '')
    // In brackets: this run did not spend it.
    .replace(/\((\d+( calls?)?)\)/g, '$1')
    // The command that goes on has the flag of its run.
    .replace(/ --(record|replay)(?= +#|$)/gm, '')
    .replace(/\(?<?\\?\$[\d.]+\)?( \(target.*?\))?/g, 'COST');
  // Of the progress, only a slow machine prints lines; a replayed run spends nothing.
  return same.split('\n').filter((line) => !/^( {2}|- Usage: )\d+ (of \d+|calls?) /.test(line));
}

interface OtlpSpan {
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

describe('runs that were recorded and replayed', () => {
  let provider: FakeProvider;
  const looks: Record<string, string>[] = [];

  before(async function () {
    this.timeout(120_000);
    provider = await startFakeProvider();
    const models = ['gpt-5-mini', 'gpt-5-nano', 'fake-tool', 'fake-busy-once'];
    const project = new Project({
      'a.eval.ts': evals,
      'assay.yaml': `prices:\n${models.map((model) => `  ${model}: { input: 1000, output: 1000 }\n`).join('')}`,
    });
    linkPackages(project.folder, ['openai']);
    for (const flag of ['--record', '--replay']) {
      const look: Record<string, string> = {};
      const add = async (name: string, ...args: readonly string[]) => {
        const { code, stdout, stderr } = await project.assay(args, {
          env: { PROVIDER: provider.url },
        });
        look[name] = name === 'otlp' ? stdout : `${stdout}\n${stderr}\nexit code ${code}`;
      };
      // One at a time: results and warnings are said in the order in which they come.
      await add('run', 'run', flag, '--concurrency', '1');
      await add('saved run', 'show', 'latest');
      for (const id of ids) await add(id, 'show', 'latest', `a.eval.ts::${id}`);
      await add('md', 'export', 'latest', '-f', 'md');
      await add('otlp', 'export', 'latest', '-f', 'otlp', '--calls');
      looks.push(look);
    }
  });

  it('look the same but for the marks, in the terminal and in Markdown', () => {
    const [recorded = {}, replayed = {}] = looks;
    expect(Object.keys(recorded)).to.have.length(ids.length + 4);
    for (const [name, text] of Object.entries(recorded)) {
      if (name === 'otlp') continue;
      expect(unmarked(replayed[name] ?? ''), name).to.deep.equal(unmarked(text));
      expect(replayed[name], name).to.include('replayed');
      expect(text, name).to.not.include('replayed');
    }
  });

  it('have equal traces, whose calls are marked, cost nothing and have no times of a model', () => {
    const [recorded = [], replayed = []] = looks.map(({ otlp = '' }) =>
      otlp
        .trimEnd()
        .split('\n')
        .flatMap((line) => JSON.parse(line).resourceSpans[0].scopeSpans[0].spans as OtlpSpan[])
        .map(({ name, attributes }) => ({
          name,
          attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, value])),
        })),
    );
    const marks =
      /^assay\.(call\.(cost|replayed|replayed_cost)|replayed|run\.name)$|time_to_first_chunk$/;
    const plain = (spans: typeof recorded) =>
      spans.map(({ name, attributes }) => {
        const kept = Object.entries(attributes).filter(([key]) => !marks.test(key));
        return { name, ...Object.fromEntries(kept) };
      });
    expect(plain(replayed)).to.deep.equal(plain(recorded));
    const priceOf = (spans: typeof recorded, key: string) =>
      spans.map(({ attributes }) => attributes[key]).filter((price) => price !== undefined);
    const made = priceOf(recorded, 'assay.call.cost');
    expect(made).to.have.length(11);
    expect(priceOf(replayed, 'assay.call.replayed_cost')).to.deep.equal(made);
    expect(priceOf(replayed, 'assay.call.cost')).to.deep.equal(Array(11).fill({ doubleValue: 0 }));
    for (const { attributes } of replayed) {
      const isCall = 'assay.call.role' in attributes;
      expect('assay.call.replayed' in attributes).to.equal(isCall);
      expect(attributes).to.not.have.property('gen_ai.response.time_to_first_chunk');
    }
    // All but the result whose judge alone makes calls.
    expect(priceOf(replayed, 'assay.replayed')).to.have.length(ids.length - 1);
    expect(priceOf(recorded, 'assay.replayed')).to.deep.equal([]);
  });
});
