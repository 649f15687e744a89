import { expect } from 'chai';
import type { Call } from '../../../src/model/calls/model-call.js';
import { type FakeProvider, startFakeProvider } from '../../helpers/fake-provider.js';
import { Project } from '../../helpers/project.js';
import { countByAttempt, recordingsIn } from '../../helpers/recordings.js';

/** A bot whose first question embeds the documents, for all that follow in its process. */
const bot = (ids: readonly string[], more = '') => `
  import { evaluation } from 'assay';
  const post = async (path: string, body: object) => {
    const response = await fetch(process.env.PROVIDER + path, { method: 'POST', body: JSON.stringify(body) });
    const answer = (await response.json()) as any;
    if (!response.ok) throw new Error(answer.error.message);
    return answer;
  };
  const embed = async (input: string) => (await post('/v1/embeddings', { model: 'e', input })).data[0].embedding as number[];
  const documents = ['Refunds take 5 days.', 'Parcels take 2 days.', 'Parcels take 2 days.'];
  let index: Promise<number[][]> | undefined;
  const loadIndex = () => (index ??= Promise.all(documents.map(embed)));
  const ask = async (input: string) => {
    const [vectors, question] = [await loadIndex(), await embed(input)];
    const near = vectors.map((one) => one.reduce((sum, value, at) => sum + value * (question[at] ?? 0), 0));
    const best = documents[near.indexOf(Math.max(...near))];
    const messages = [{ role: 'system', content: best }, { role: 'user', content: input }];
    return (await post('/v1/chat/completions', { model: 'm', messages })).choices[0].message.content;
  };
  export const answers = evaluation({
    cases: ${JSON.stringify(ids)}.map((id) => ({ id, input: 'What about ' + id + '?' })),
    target: ({ input }) => ask(input),
    ${more}
  });
`;

const inOrder = ['--concurrency', '1', '--workers', '1'];

describe('recordings of a state that whichever case came first has made', () => {
  let provider: FakeProvider;
  let env: { readonly PROVIDER: string };
  /** What was asked for, in order. */
  let asked: string[] = [];

  before(async () => {
    provider = await startFakeProvider(({ json }) => {
      const { input } = json as { readonly input?: string };
      asked.push(input ?? 'chat');
      if (input === undefined) return { text: `answer ${asked.length}` };
      const embedding = [...'aeiou'].map((letter) => input.split(letter).length / 10);
      return {
        raw: JSON.stringify({ object: 'list', data: [{ index: 0, embedding }], model: 'e' }),
      };
    });
    env = { PROVIDER: provider.url };
  });
  after(() => provider[Symbol.asyncDispose]());
  beforeEach(() => {
    asked = [];
  });

  const projectWith = (ids: readonly string[], more?: string) =>
    new Project({ 'rag.eval.ts': bot(ids, more), 'assay.yaml': 'recordings_dir: recordings\n' });
  const recorded = async (project: Project, ...flags: string[]) => {
    const { run } = await project.run(['--record', ...inOrder, ...flags], { env });
    expect(run.total_errors).to.equal(0);
    return new Map(run.results.map(({ function: name, result }) => [name, result.output]));
  };

  it('answer any selection: one case, two parts, errors again, what has changed', async () => {
    const project = projectWith(['refunds', 'parcels', 'returns']);
    const outputs = await recorded(project);
    const count = asked.length;
    expect(count).to.equal(9);
    const files = recordingsIn(project.path('recordings'));
    const expectSame = async (...args: string[]) => {
      const { run, stderr } = await project.run([...args, '--offline'], { env });
      for (const { function: name, result } of run.results) {
        expect(result.error, `${args} ${name}`).to.equal(null);
        expect(result.output).to.equal(outputs.get(name));
      }
      return { run, stderr };
    };
    const { run } = await expectSame('rag.eval.ts::answers[parcels]');
    expect(run.results).to.have.length(1);
    await expectSame('--shard', '2/2');
    await expectSame('--isolate');
    // One of them fails, whose rerun makes the index.
    const broken = bot(['refunds', 'parcels', 'returns']).replace(
      'target: ({ input }) =>',
      "target: ({ input }) => input.includes('returns') ? Promise.reject(new Error('no')) :",
    );
    project.write('rag.eval.ts', broken);
    const first = await project.run(['--offline', ...inOrder], { env });
    expect(first.run.total_errors).to.equal(1);
    project.write('rag.eval.ts', bot(['refunds', 'parcels', 'returns']));
    await expectSame('--rerun', 'latest', '--only', 'errors');
    project.write('rag.eval.ts', bot(['refunds', 'parcels', 'returns', 'returns2']));
    const changed = await project.run(['--changed', '--offline'], { env });
    expect(changed.run.total_errors).to.equal(1);
    expect(changed.result('answers[returns2]').error).to.include('not recorded: POST 127.0.0.1');
    expect(changed.result('answers[parcels]').output).to.equal(outputs.get('answers[parcels]'));
    expect(asked).to.have.length(count);
    expect(recordingsIn(project.path('recordings'))).to.deep.equal(files);
  });

  it('are marked, and the attempt that recorded them still has its own', async () => {
    const project = projectWith(['refunds', 'parcels']);
    await recorded(project);
    await project.run(['rag.eval.ts::answers[parcels]', '--offline'], { env });
    const { stdout } = await project.assay(['export', 'latest', '-f', 'json', '--calls']);
    const calls: readonly Call[] = JSON.parse(stdout).results[0].result.calls;
    expect(calls.map(({ shared }) => shared)).to.deep.equal([
      ...[true, true, true, undefined, undefined],
    ]);
    const paths = Object.keys(recordingsIn(project.path('recordings')));
    for (const { recording } of calls.filter(({ shared }) => shared)) {
      expect(paths).to.include(`rag.eval.ts/${recording}.json`);
    }
    const shown = await project.assay(['show', 'latest', 'rag.eval.ts::answers[parcels]']);
    expect(shown.stdout).to.include('replayed, shared');
    const listed = await project.assay(['recordings', '--json']);
    const [{ used }] = JSON.parse(listed.stdout).evaluations;
    expect(used).to.equal(5);
    const all = await project.run(['--offline', ...inOrder], { env });
    expect(all.run.total_errors).to.equal(0);
  });

  it('answer cases of other files offline, which share a module, in any selection', async () => {
    const [module = '', evaluations = ''] = bot(['refunds']).split('export const answers');
    const evals = (ids: string) =>
      `import { evaluation } from 'assay';\nimport { ask } from './bot.js';\nexport const answers${evaluations.replace('["refunds"]', ids)}`;
    const project = new Project({
      'bot.ts': module.replace('const ask', 'export const ask'),
      'a.eval.ts': evals('["refunds"]'),
      'b.eval.ts': evals('["parcels"]'),
      'assay.yaml': 'recordings_dir: recordings\n',
    });
    await recorded(project);
    expect(countByAttempt(project.path('recordings'))).to.deep.equal({
      'a.eval.ts/answers/refunds~1': 5,
      'b.eval.ts/answers/parcels~1': 2,
    });
    const { run } = await project.run(['b.eval.ts', '--offline'], { env });
    expect(run.total_errors).to.equal(0);
    const pruned = await project.assay(['recordings', 'prune', '--unused-by', 'latest', '--yes']);
    expect(pruned.stderr).to.include('2 exchanges left alone');
    // Recorded again, the file has all that it needs.
    const count = asked.length;
    await recorded(project, 'b.eval.ts');
    expect(asked).to.have.length(count + 3);
    expect(asked.slice(count)).to.not.include('chat');
  });
});
