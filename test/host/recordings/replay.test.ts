import { expect } from 'chai';
import { type FakeReply, startFakeProvider } from '../../helpers/fake-provider.js';
import { Project } from '../../helpers/project.js';
import { countByAttempt, onlyRecording, recordingsIn } from '../../helpers/recordings.js';

const head = `
import { evaluation } from 'assay';
const url = process.env.PROVIDER + '/v1/chat/completions';
const call = (model: string, content: string, more = {}) => fetch(url, {
  method: 'POST',
  headers: { authorization: 'Bearer ' + process.env.OPENAI_API_KEY },
  body: JSON.stringify({ model, messages: [{ role: 'user', content }], ...more }),
});
const ask = async (model: string, content = 'hi') => {
  const response = await call(model, content);
  const answer = (await response.json()) as any;
  if (!response.ok) throw new Error(response.status + ' ' + answer.error.message);
  return answer.choices[0].message.content;
};
`;

describe('recordings', () => {
  const project = (evals: string, settings = '') =>
    new Project({ 'a.eval.ts': head + evals, 'assay.yaml': settings });
  const counted = () => {
    let asked = 0;
    return startFakeProvider((): FakeReply => {
      asked += 1;
      return { text: `answer ${asked}` };
    });
  };

  it('answer the calls of a run offline, each trial with its own answers', async () => {
    const provider = await counted();
    const env = { PROVIDER: provider.url, OPENAI_API_KEY: 'canary-1234567890' };
    const trials = project(
      "export const twice = evaluation({ trials: 2, cases: [{ id: 'x' }, { id: 'Y' }],\n" +
        "  target: async () => [await ask('m'), await ask('m'), await ask('m', 'key ' + process.env.OPENAI_API_KEY)] });",
    );
    const recorded = await trials.run(['--record', '-c', '1'], { env });
    const outputs = recorded.run.results.map(({ result }) => result.output);
    expect(new Set(outputs.flat()).size).to.equal(12);
    await provider[Symbol.asyncDispose]();
    const files = recordingsIn(trials.path('.assay/recordings'));
    expect(countByAttempt(trials.path('.assay/recordings'))).to.deep.equal({
      'a.eval.ts/twice/Y-18f5384d~1': 3,
      'a.eval.ts/twice/Y-18f5384d~2': 3,
      'a.eval.ts/twice/x~1': 3,
      'a.eval.ts/twice/x~2': 3,
    });
    expect(Object.values(files).join()).not.to.include('canary');
    const offline = await trials.run(['--offline'], { env });
    expect(offline.run.results.map(({ result }) => result.output)).to.deep.equal(outputs);
    expect(offline.run.results.map(({ result }) => result.error)).to.deep.equal(
      Array(4).fill(null),
    );
    // Nothing is written.
    expect(recordingsIn(trials.path('.assay/recordings'))).to.deep.equal(files);
    const { stdout } = await trials.assay(['export', 'latest', '-f', 'json', '--calls']);
    const calls = JSON.parse(stdout).results[0].result.calls;
    const paths = calls.map(
      ({ recording }: { recording: string }) => `a.eval.ts/twice/x~1/${recording}.json`,
    );
    expect(files).to.include.keys(paths);
    expect(calls[0]).to.include({ replayed: true, status: 200 });
    const { usage } = offline.run as unknown as { usage: object };
    expect(usage).to.include({ calls: 0, replayed: 12, cost: 0 });
    expect(offline.run.results.map(({ result }) => result.latency)).to.deep.equal(
      Array(4).fill(null),
    );
    expect(offline.run.average_latency).to.equal(0);
    expect(offline.stderr).to.match(/ 0 calls · \$0\.00 · \(4 replayed: 12 calls, cost unknown\)/);
    const over = ['--fail-over', 'cost=1,latency.p50=9'];
    const gated = await trials.assay(['sessions', 'gate', 'latest', ...over]);
    expect(gated.code).to.equal(2);
    expect(gated.stderr).to.include(
      'cost $0.00 (4 replayed: 12 calls, cost unknown), at most $1.00 asked for',
    );
    expect(gated.stderr).to.include('no result has a latency that is not of recordings');
    const shown = await trials.assay(['show', 'latest', 'a.eval.ts::twice[x]~1']);
    expect(shown.stdout).to.match(/passed · replayed · |no verdict · replayed · /);
    const markdown = await trials.assay(['export', 'latest', '-f', 'md']);
    expect(markdown.stdout).to.include('- Average latency: none\n').and.include('| replayed |');
  });

  it('are refused offline when they are not there, whatever the evaluation makes of it', async () => {
    await using provider = await counted();
    const env = { PROVIDER: provider.url };
    const none = project(
      "export const thrown = evaluation({ target: () => ask('m') });\n" +
        "export const caught = evaluation({ target: () => ask('m').catch(() => 'fine') });\n" +
        "export const local = evaluation({ target: async () => (await fetch(process.env.PROVIDER + '/own')).status });\n" +
        "export const other = evaluation({ target: async () => (await fetch('https://example.com/x?key=abc')).status });",
    );
    const { run, result } = await none.run(['--offline'], { env });
    const host = new URL(provider.url).host;
    for (const name of ['thrown', 'caught']) {
      expect(result(name).error).to.match(
        new RegExp(`^not recorded: POST ${host}/v1/chat/completions \\(m\\)`),
      );
    }
    expect(result('local').output).to.be.a('number');
    expect(result('other').error).to.include('not recorded: GET example.com/x');
    expect(run.results).to.have.length(4);
    expect(provider.exchanges.map(({ request }) => request.url)).to.deep.equal(['/own']);
  });

  it('keep streams with their chunks, and nothing that is busy, broken, cut or an error', async () => {
    const evals = `
      const read = async (model: string) => {
        const response = await call(model, 'hi', { stream: true });
        const chunks: string[] = [];
        try {
          for await (const chunk of response.body as any) chunks.push(new TextDecoder().decode(chunk));
        } catch (error) { chunks.push('cut'); }
        return chunks.join('');
      };
      export const whole = evaluation({ target: () => read('m') });
      export const cut = evaluation({ target: () => read('m-fake-cut') });
      export const retried = evaluation({ target: () => ask('m-fake-busy-once').catch(() => ask('m-fake-busy-once')) });
      export const broken = evaluation({ target: () => ask('m-fake-broken').catch(() => 'x') });
      export const left = evaluation({ target: async () => { const c = new AbortController(); const r = await fetch(url, { method: 'POST', signal: c.signal, body: JSON.stringify({ model: 'm-fake-hold', stream: true, messages: [] }) }); const reader = r.body!.getReader(); await reader.read(); c.abort(); return 'left'; } });
    `;
    const provider = await startFakeProvider();
    const env = { PROVIDER: provider.url };
    const kinds = project(evals);
    const recorded = await kinds.run(['--record'], { env });
    expect(recorded.result('whole').output).to.include('[DONE]');
    await provider[Symbol.asyncDispose]();
    expect(countByAttempt(kinds.path('.assay/recordings'))).to.deep.equal({
      'a.eval.ts/retried/1': 1,
      'a.eval.ts/whole/1': 1,
    });
    const whole = JSON.parse(kinds.read(onlyRecording(kinds, 'a.eval.ts/whole/1')));
    expect(whole.response.body.chunks.join('')).to.include('[DONE]');
    const retried = JSON.parse(kinds.read(onlyRecording(kinds, 'a.eval.ts/retried/1')));
    expect(retried.failed).to.have.length(1);
    const offline = await kinds.run(['--offline'], { env });
    expect(offline.result('whole').output).to.equal(recorded.result('whole').output);
    expect(offline.result('retried').output).to.equal(recorded.result('retried').output);
    expect(offline.result('cut').error).to.include('not recorded');
  });

  it('are found without what an evaluation or the settings leave out', async () => {
    await using provider = await counted();
    const env = { PROVIDER: provider.url };
    const dated = project(
      "const target = async () => ((await (await call('m', 'hi', { metadata: { at: Math.random() } })).json()) as any).choices?.[0].message.content;\n" +
        'export const own = evaluation({ target, normalize: (body) => { body.metadata = null; } });\n' +
        'export const none = evaluation({ target });\n' +
        "const sometimes = async () => ((await (await call('m', 'hi', process.env.DATED ? { date: 1 } : {})).json()) as any).choices?.[0].message.content;\n" +
        'export const unset = evaluation({ target: sometimes, normalize: (body) => { if (body.date) body.date = undefined; } });',
    );
    dated.write(
      'text.eval.ts',
      `${head}import { randomUUID } from 'node:crypto';
      const messages = () => [
        { role: 'system', content: 'Today is ' + (process.env.DATED ? '2026-02-03' : '2026-02-02') + '.' },
        { role: 'tool', tool_call_id: 'a', content: JSON.stringify({ order: randomUUID() }) },
      ];
      const changing = /\\d{4}-\\d\\d-\\d\\d|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
      export const text = evaluation({
        target: async () => ((await (await call('m', '', { messages: messages() })).json()) as any).choices?.[0].message.content,
        normalize: (body) => JSON.parse(JSON.stringify(body).replace(changing, '…')),
      });`,
    );
    const recorded = await dated.run(['--record'], { env });
    const offline = await dated.run(['--offline'], { env: { ...env, DATED: '1' } });
    expect(offline.result('text').output)
      .to.equal(recorded.result('text').output)
      .and.be.a('string');
    expect(offline.result('own').output).to.equal(recorded.result('own').output);
    expect(offline.result('unset').output).to.equal(recorded.result('unset').output);
    expect(offline.result('none').error).to.include('differs first in metadata.at');
    dated.write('assay.yaml', 'normalize: [metadata.at, "messages[*].name"]\n');
    const left = await dated.run(['--offline'], { env });
    expect(left.result('none').output).to.equal(recorded.result('none').output);
    dated.write('assay.yaml', 'normalize: [metadata..at]\n');
    expect((await dated.assay(['run'])).stderr).to.include(
      'normalize must be a list of paths such as metadata.date or messages[*].name',
    );
  });
});
