import { expect } from 'chai';
import type { Call } from '../../../src/model/calls/model-call.js';
import type { ResultPage } from '../../../src/model/result-page.js';
import type { RunJson } from '../../../src/model/run.js';
import { type FakeProvider, startFakeProvider } from '../../helpers/fake-provider.js';
import { Project } from '../../helpers/project.js';
import { linkPackages } from '../../helpers/project-folder.js';

const head = `
import { evaluation } from 'assay';
const url = process.env.PROVIDER + '/v1/chat/completions';
async function ask(text: string, model = 'gpt-5-mini') {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify({ model, messages: [{ role: 'user', content: text }] }) });
  return ((await response.json()) as any).choices[0].message.content;
}
`;

describe('calls of attempts', () => {
  let provider: FakeProvider;

  before(async () => {
    provider = await startFakeProvider(({ json, repeat }) => {
      const said = JSON.stringify(json);
      if (said.includes('busy twice') && repeat < 2) return { status: 429, retryAfter: 1 };
      return { delay: Number(/wait (\d+)/.exec(said)?.[1] ?? 0), text: `re: ${said.length}` };
    });
  });

  const env = () => ({ PROVIDER: provider.url });

  async function page(project: Project, id: string): Promise<ResultPage['result']['result']> {
    const { stdout } = await project.assay(['show', 'latest', id, '--json']);
    return (JSON.parse(stdout) as ResultPage).result.result;
  }

  it('belong to their attempt and role, 200 at a time', async function () {
    this.timeout(120_000);
    const project = new Project({
      'many.eval.ts': `${head}
        import axios from 'axios';
        const viaAxios = async (text: string) =>
          (await axios.post(url, { model: 'gpt-5-mini', messages: [{ role: 'user', content: text }] })).data;
        export const many = evaluation({
          cases: Array.from({ length: 200 }, (_, at) => ({ id: String(at), input: at })),
          target: async ({ input }) => {
            await Promise.all([ask('target ' + input + ' wait ' + (input * 7 % 50)), viaAxios('target ' + input)]);
            return input;
          },
          evaluators: [
            async function tone({ input }) { await ask('tone ' + input); return true; },
            async function style({ input }) { await viaAxios('style ' + input); return true; },
          ],
        }, async ({ input }) => { await ask('body ' + input); });`,
    });
    linkPackages(project.folder, ['axios']);
    const { run } = await project.run(['--concurrency', '200'], { env: env() });
    expect(run.total_passed).to.equal(200);
    expect(run.usage).to.deep.include({ calls: 1000 });
    const log = project
      .savedText()
      .split('\n')
      .filter((line) => line.startsWith('{"type":"calls"'));
    expect(log).to.have.length(200);
    for (const line of log) {
      const { index, calls, texts } = JSON.parse(line) as {
        index: number;
        calls: (Call & { model_call: { messages: number[] } })[];
        texts: { content: string }[];
      };
      const made = calls.map(({ role, model_call }) => {
        const { content = '' } = texts[model_call.messages[0] as number] ?? {};
        return `${role}: ${content.replace(/ wait .*/, '')}`;
      });
      expect(made.sort()).to.deep.equal([
        `body: body ${index}`,
        `evaluator:style: style ${index}`,
        `evaluator:tone: tone ${index}`,
        `target: target ${index}`,
        `target: target ${index}`,
      ]);
    }
  });

  describe('of one run', () => {
    let project: Project;
    let run: RunJson;

    before(async () => {
      project = new Project({
        'import.eval.ts': `${head}
          const word = await ask('at import');
          export const imported = evaluation({
            cases: async () => { await ask('for the cases'); return ['a', 'b'].map((id) => ({ id, input: word })); },
            target: () => ask('target'),
            evaluators: [function frugal({ calls }) { return calls.length === 1; }],
          });`,
        'one.eval.ts': `${head}
          export const one = evaluation({
            target: async () => { await ask('first'); return ask('second'); },
            evaluators: [
              async function judge() { await ask('judge'); return true; },
              function trajectory({ calls, toolCalls, usage }) {
                return { key: 'trajectory', passed: calls.length === 2 && toolCalls.length === 0 && usage.input === 240, notes: JSON.stringify(usage) };
              },
            ],
          }, ({ calls }) => { if (calls.length !== 2) throw new Error('saw ' + calls.length); });
          export const agent = evaluation({
            target: async () => {
              const messages = [{ role: 'user', content: 'x'.repeat(50_000) }];
              for (let turn = 0; turn < 10; turn += 1) {
                messages.push({ role: 'user', content: 'turn ' + turn + 'y'.repeat(5000) });
                const response = await fetch(url, { method: 'POST', body: JSON.stringify({ model: 'gpt-5-mini', messages }) });
                messages.push(((await response.json()) as any).choices[0].message);
              }
            },
          });
          export const slow = evaluation({ timeout: 1, target: async () => { await ask('quick'); return ask('wait 5000'); } });
          const body = JSON.stringify({ model: 'gpt-busy', messages: [{ role: 'user', content: 'busy twice' }] });
          const once = async () => { const response = await fetch(url, { method: 'POST', body }); await response.text(); return response.status; };
          export const retry = evaluation({ target: async () => {
            const patient = async () => { while ((await once()) === 429); };
            await Promise.all([patient(), patient()]);
            await once();
          } });`,
      });
      const args = ['--workers', '1', '--concurrency', '1'];
      ({ run } = await project.run(args, { env: env() }));
    });

    it('are there for body and evaluators, and in the result', async () => {
      const { error, scores, usage, calls, trace_data } = await page(project, 'one');
      expect(error).to.equal(null);
      expect(scores.map(({ passed }) => passed)).to.not.include(false);
      expect(Object.keys(usage?.by_role ?? {})).to.deep.equal(['target', 'evaluator:judge']);
      expect(calls).to.have.length(3);
      expect(JSON.stringify(trace_data.messages)).to.include('second').and.not.include('judge');
    });

    it('are stored with a message once, however often it is sent', async () => {
      const line = project
        .savedText()
        .split('\n')
        .find((one) => one.startsWith('{"type":"calls"') && one.includes('turn 0'));
      expect(line?.length).to.be.lessThan(1.3 * 100_000);
      const { calls = [] } = await page(project, 'agent');
      expect(calls.at(-1)?.model_call?.messages).to.have.length(20);
    });

    it('are there after a timeout, as far as they had come', async () => {
      const { error, calls = [] } = await page(project, 'slow');
      expect(error).to.match(/^timed out after 1 s/);
      // The head of the second answer had come.
      expect(calls.map(({ status, end }) => [status, end !== undefined])).to.deep.equal([
        [200, true],
        [200, false],
      ]);
    });

    it('of the import of a file are those of the next result of the file', async () => {
      const imported = run.results.filter(({ id }) => id.startsWith('import.'));
      expect(imported.map(({ result }) => result.scores[0]?.passed)).to.deep.equal([true, true]);
      const { calls = [], usage } = await page(project, 'imported[a]');
      expect(calls.map(({ number, role }) => [number, role])).to.deep.equal([
        [1, 'file'],
        [2, 'file'],
        [3, 'target'],
      ]);
      expect(calls[0]?.start).to.be.lessThan(0);
      expect(calls[0]?.end).to.be.greaterThan(calls[0]?.start as number);
      expect(JSON.stringify(calls[1])).to.include('for the cases');
      expect(Object.keys(usage?.by_role ?? {})).to.deep.equal(['file', 'target']);
      expect((await page(project, 'imported[b]')).calls).to.have.length(1);
    });

    it('link each retry to a failed call of its own', async () => {
      const { calls = [], usage } = await page(project, 'retry');
      expect(calls.map(({ status }) => status)).to.deep.equal([429, 429, 200, 200, 200]);
      expect(new Set(calls.map(({ retry_of }) => retry_of))).to.deep.equal(
        new Set([undefined, 1, 2]),
      );
      expect(calls.at(-1)).to.not.have.property('retry_of');
      expect(usage).to.deep.include({ calls: 5, failed: 2, retried: 2 });
      expect(usage?.by_role.target).to.deep.include({ failed: 2, retried: 2 });
    });
  });

  it('stay with a regrade, which replaces those of evaluators', async () => {
    const eval_ = (judge: string) => `${head}
      export const one = evaluation({
        target: () => ask('target'),
        evaluators: [async function judge({ calls }) { await ask('${judge}'); return calls.length === 1; }],
      });`;
    const project = new Project({ 'one.eval.ts': eval_('judge 1') });
    await project.run([], { env: env() });
    project.write('one.eval.ts', eval_('judge 2'));
    await project.assay(['run', '--regrade', 'latest'], { env: env() });
    const { usage, calls = [], scores } = await page(project, 'one');
    expect(scores[0]?.passed).to.equal(true);
    expect(calls.map(({ number, role }) => [number, role])).to.deep.equal([
      [1, 'target'],
      [2, 'evaluator:judge'],
    ]);
    expect(JSON.stringify(calls)).to.include('judge 2').and.not.include('judge 1');
    expect(usage?.calls).to.equal(2);
  });

  it('are there when the code held its process until the timeout', async () => {
    const project = new Project({
      'loops.eval.ts': `import { execFileSync } from 'node:child_process';${head}
        export const loop = evaluation({ timeout: 1, target: async () => { await ask('quick'); for (;;); } });
        export const wait = evaluation({ timeout: 1, target: async () => {
          await ask('quick');
          void ask('wait 9000');
          await new Promise((resolve) => setTimeout(resolve, 100));
          execFileSync('sleep', ['60']);
        } });`,
    });
    await project.run(['--concurrency', '1'], { env: env() });
    const loop = await page(project, 'loop');
    expect(loop.error).to.match(/^timed out after 1 s and held its process/);
    expect(JSON.stringify(loop.calls)).to.include('quick');
    const wait = await page(project, 'wait');
    expect(wait.error).to.match(/^timed out after 1 s and held its process, which was ended/);
    expect(wait.calls?.map(({ number, end }) => [number, end !== undefined])).to.deep.equal([
      [1, true],
      [2, false],
    ]);
  });

  it('are there when their process has died, without their texts', async () => {
    const project = new Project({
      'dies.eval.ts': `${head}
        export const dies = evaluation({ target: async () => {
          await ask('a first question');
          void ask('wait 9000');
          await new Promise((resolve) => setTimeout(resolve, 100));
          process.kill(process.pid, 'SIGKILL');
          await new Promise(() => {});
        } });`,
    });
    const { run } = await project.run([], { env: env() });
    const { error, calls = [], usage } = await page(project, 'dies');
    expect(error).to.match(/SIGKILL/);
    expect(calls.map(({ number, role, end }) => [number, role, end !== undefined])).to.deep.equal([
      [1, 'target', true],
      [2, 'target', false],
    ]);
    expect(calls[0]?.model_call).to.deep.include({ model: 'gpt-5-mini', finish_reason: 'stop' });
    expect(calls[0]?.cost).to.be.greaterThan(0);
    expect(usage).to.deep.include({ calls: 1, input: 120, other_calls: 1 });
    expect(run.usage).to.deep.equal(usage);
    expect(project.savedText()).to.not.include('a first question');
  });

  it('are marked when they end, or even begin, after their attempt', async () => {
    const project = new Project({
      'late.eval.ts': `${head}
        export const late = evaluation({ target: () => { void ask('wait 300'); return 1; } });
        export const begun = evaluation({ target: () => { setTimeout(() => void ask('begun'), 200); return 1; } });
        export const longer = evaluation({ target: () => ask('wait 1000') });`,
    });
    const { run } = await project.run([], { env: env() });
    const begun = await page(project, 'begun');
    expect(begun.calls?.map(({ number, late, status }) => [number, late, status])).to.deep.equal([
      [1, true, 200],
    ]);
    const { calls = [], usage } = await page(project, 'late');
    expect(calls).to.have.length(1);
    expect(calls[0]).to.deep.include({ number: 1, late: true, status: 200 });
    expect(usage).to.deep.include({ calls: 1, input: 120 });
    expect(run.usage).to.deep.include({ calls: 3, input: 360 });
  });

  it('leave no text, or nothing at all, where the settings say so', async () => {
    const project = new Project({
      'one.eval.ts': `${head}
        export const one = evaluation({ input: 'a word', target: async ({ input }) => (await ask('secret plan of ' + input)).length });`,
    });
    await project.run([], { env: { ...env(), ASSAY_CAPTURE: 'usage' } });
    const { usage, calls, trace_data } = await page(project, 'one');
    expect(usage).to.deep.include({ calls: 1, input: 120 });
    expect(calls?.[0]?.model_call).to.not.have.any.keys('messages', 'answer', 'parameters');
    expect(trace_data).to.deep.equal({});
    expect(project.savedText()).to.not.include('secret plan');
    const { run } = await project.run([], { env: { ...env(), ASSAY_CAPTURE: 'off' } });
    expect(run).to.not.have.property('usage');
    expect(await page(project, 'one')).to.not.have.any.keys('usage', 'calls');
  });

  it('are kept up to as many MiB as the settings say', async () => {
    const project = new Project({
      'one.eval.ts': `${head}
        export const one = evaluation({ target: () => ask('start ' + 'y'.repeat(200_000) + ' end') });`,
    });
    const kept = async (mib: string) => {
      const { code } = await project.assay(['run'], { env: { ...env(), ASSAY_CAPTURE_MIB: mib } });
      const { calls } = await page(project, 'one');
      return [code, JSON.stringify(calls?.[0]?.model_call?.messages).length > 200_000];
    };
    expect(await kept('0.1')).to.deep.equal([0, false]);
    expect(await kept('0.5')).to.deep.equal([0, true]);
    const { code, stderr } = await project.assay(['run'], { env: { ASSAY_CAPTURE_MIB: '100' } });
    expect(code).to.equal(2);
    expect(stderr).to.include('a number of MiB above 0 and at most 64');
  });

  it('are printed for the run and for a result', async () => {
    const project = new Project({
      'one.eval.ts': `${head}
        export const one = evaluation({
          target: () => ask('target'),
          evaluators: [async function judge() { await ask('x', 'unheard-of-model'); return true; }],
        });`,
    });
    const { stderr } = await project.assay(['run'], { env: env() });
    expect(stderr).to.match(
      /^ {2}2 calls · 240 tokens in \(200 cached\), 60 out · ≥ \$0\.0001 \(target \$0\.0001, evaluators unknown\) · 1 not priced: unheard-of-model$/m,
    );
    const { stdout } = await project.assay(['show', 'latest', 'one']);
    expect(stdout).to.match(
      /^ {4}target +gpt-5-mini · 120 in \(100 cached\) · 30 out · .* · \$0\.0001$/m,
    );
    expect(stdout).to.match(/^ {4}evaluator:judge +unheard-of-model · .* · not priced$/m);
    expect(stdout).to.match(
      /^ {2}conversation\n {4}user {7}target\n {4}assistant {2}.+\n\n {2}calls$/m,
    );
    expect(stdout).to.not.include('"role"').and.not.include('trace data');
  });

  it('say when their attempt began, also as traces and once they are imported', async () => {
    const project = new Project({
      'a.eval.ts': `${head}
        export const one = evaluation({ target: () => ask('wait 30') });
        export const two = evaluation({ target: () => ask('wait 30') });`,
    });
    const before = Date.now();
    const { run } = await project.run(['--concurrency', '1'], { env: env() });
    const times = run.results.map(({ result }) => Date.parse(result.started_at ?? ''));
    const [one = 0, two = 0] = times;
    expect(one).to.be.at.least(before - 1);
    expect(two - one).to.be.at.least(25);
    const { stdout } = await project.assay(['export', 'latest', '-f', 'otlp']);
    const { spans } = JSON.parse(stdout).resourceSpans[0].scopeSpans[0];
    const begun = (name: string) =>
      spans.find((span: { name: string }) => span.name === name).startTimeUnixNano;
    expect([begun('a.eval.ts::one'), begun('a.eval.ts::two')]).to.deep.equal(
      times.map((time) => `${time}000000`),
    );
    await project.assay(['export', 'latest', '-f', 'json', '-o', 'run.json']);
    await project.assay(['sessions', 'import', 'run.json', '--session', 'other']);
    const again = await project.assay(['export', 'latest', '-f', 'json']);
    const imported = (JSON.parse(again.stdout) as RunJson).results;
    expect(imported.map(({ result }) => Date.parse(result.started_at ?? ''))).to.deep.equal(times);
  });
});
