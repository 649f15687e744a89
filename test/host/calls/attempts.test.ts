import { expect } from 'chai';
import type { Call } from '../../../src/model/calls/model-call.js';
import type { ResultEntry } from '../../../src/model/result.js';
import type { RunJson } from '../../../src/model/run.js';
import { blockForever } from '../../helpers/blocking.js';
import { type FakeProvider, startFakeProvider } from '../../helpers/fake-provider.js';
import { gate } from '../../helpers/gate.js';
import { type JsonRun, Project } from '../../helpers/project.js';
import { linkPackages } from '../../helpers/project-folder.js';
import { times } from '../../helpers/rounds.js';

const head = `
import { evaluation } from 'assay';
const url = process.env.PROVIDER + '/v1/chat/completions';
const post = (model: string, messages: object[]) => fetch(url, { method: 'POST', body: JSON.stringify({ model, messages }) });
const answerOf = async (response: Response) => ((await response.json()) as any).choices[0].message;
const ask = async (content: string, model = 'gpt-5-mini') => (await answerOf(await post(model, [{ role: 'user', content }]))).content;
`;

describe('calls of attempts', () => {
  let provider: FakeProvider;

  before(async () => {
    const twoBusy = gate();
    provider = await startFakeProvider(async ({ json, repeat }) => {
      const said = JSON.stringify(json);
      if (said.includes('busy twice') && repeat < 2) {
        // Neither is repeated before both have come.
        if (repeat === 1) twoBusy.open();
        await twoBusy.opened;
        return { status: 429, retryAfter: 1 };
      }
      // The head of its answer comes at once.
      if (said.includes('never')) return { delay: 2 ** 31 - 1 };
      return { text: `re: ${said.length}` };
    });
  });

  const env = () => ({ PROVIDER: provider.url });

  type Result = ResultEntry['result'];
  type Results = (name: string) => Result;

  /** The results of the last run with their calls, by name. */
  async function resultsOf(project: Project): Promise<Results> {
    const { stdout } = await project.assay(['export', 'latest', '-f', 'json', '--calls']);
    const { results } = JSON.parse(stdout) as { results: readonly ResultEntry[] };
    return (name) => {
      const found = results.find((one) => one.function === name);
      if (found === undefined) throw new Error(`no result of ${name}`);
      return found.result;
    };
  }

  describe('of one run', () => {
    const count = times(20);
    const began = Date.now();
    let project: Project;
    let run: JsonRun;
    let result: Results;

    before(async function () {
      this.timeout(240_000);
      project = new Project({
        'import.eval.ts': `${head}
          const word = await ask('at import');
          export const imported = evaluation({
            cases: async () => { await ask('for the cases'); return ['a', 'b'].map((id) => ({ id, input: word })); },
            target: () => ask('target'),
            evaluators: [function frugal({ calls }) { return calls.length === 1; }],
          });`,
        'late.eval.ts': `${head}
          let end = () => {};
          const hasBegun = new Promise<void>((resolve) => { end = resolve; });
          let call: Promise<unknown>;
          export const late = evaluation({ target: () => { call = ask('late'); return 1; } });
          export const begun = evaluation({ target: () => { setTimeout(() => void ask('begun').then(end), 1); return 1; } });
          export const longer = evaluation({ target: async () => { await hasBegun; await call; return ask('last'); } });`,
        'many.eval.ts': `${head}
          import axios from 'axios';
          const viaAxios = async (content: string) =>
            (await axios.post(url, { model: 'gpt-5-mini', messages: [{ role: 'user', content }] })).data;
          export const many = evaluation({
            cases: Array.from({ length: ${count} }, (_, at) => ({ id: String(at), input: at })),
            target: async ({ input }) => {
              await Promise.all([ask('target ' + input), viaAxios('target ' + input)]);
              return Date.now();
            },
            evaluators: [
              async function tone({ input }) { await ask('tone ' + input); return true; },
              async function style({ input }) { await viaAxios('style ' + input); return true; },
            ],
          }, async ({ input }) => { await ask('body ' + input); });`,
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
                messages.push(await answerOf(await post('gpt-5-mini', messages)));
              }
            },
          });
          const once = async () => { const response = await post('gpt-busy', [{ role: 'user', content: 'busy twice' }]); await response.text(); return response.status; };
          export const retry = evaluation({ target: async () => {
            const patient = async () => { while ((await once()) === 429); };
            await Promise.all([patient(), patient()]);
            await once();
          } });`,
      });
      linkPackages(project.folder, ['axios']);
      const args = ['--workers', '1', '--concurrency', String(count / 2)];
      run = await project.run(args, { env: env() });
      result = await resultsOf(project);
    });

    it('belong to their attempt and role, many at a time', () => {
      const log = project
        .savedText()
        .split('\n')
        .filter((line) => line.startsWith('{"type":"calls"') && line.includes('"target '));
      expect(log).to.have.length(count);
      const seen = log.map((line) => {
        const { calls, texts } = JSON.parse(line) as {
          calls: (Call & { model_call: { messages: number[] } })[];
          texts: { content: string }[];
        };
        return calls
          .map(({ role, model_call: { messages } }) => {
            return `${role}: ${texts[messages[0] as number]?.content}`;
          })
          .sort();
      });
      expect(seen).to.have.deep.members(
        Array.from({ length: count }, (_, at) => [
          `body: body ${at}`,
          `evaluator:style: style ${at}`,
          `evaluator:tone: tone ${at}`,
          `target: target ${at}`,
          `target: target ${at}`,
        ]),
      );
    });

    it('are there for body and evaluators, and in the result', () => {
      const { error, scores, usage, calls, trace_data } = result('one');
      expect(error).to.equal(null);
      expect(scores.map(({ passed }) => passed)).to.not.include(false);
      expect(Object.keys(usage?.by_role ?? {})).to.deep.equal(['target', 'evaluator:judge']);
      expect(calls).to.have.length(3);
      expect(JSON.stringify(trace_data.messages)).to.include('second').and.not.include('judge');
    });

    it('are stored with a message once, however often it is sent', () => {
      const line = project
        .savedText()
        .split('\n')
        .find((one) => one.startsWith('{"type":"calls"') && one.includes('turn 0'));
      expect(line?.length).to.be.lessThan(1.3 * 100_000);
      const { calls = [] } = result('agent');
      expect(calls.at(-1)?.model_call?.messages).to.have.length(20);
    });

    it('of the import of a file are those of the next result of the file', () => {
      for (const id of ['a', 'b']) {
        expect(result(`imported[${id}]`).scores[0]?.passed).to.equal(true);
      }
      const { calls = [], usage } = result('imported[a]');
      expect(calls.map(({ number, role }) => [number, role])).to.deep.equal([
        [1, 'file'],
        [2, 'file'],
        [3, 'target'],
      ]);
      expect(calls[0]?.start).to.be.lessThan(0);
      expect(calls[0]?.end).to.be.greaterThan(calls[0]?.start as number);
      expect(JSON.stringify(calls[1])).to.include('for the cases');
      expect(Object.keys(usage?.by_role ?? {})).to.deep.equal(['file', 'target']);
      expect(result('imported[b]').calls).to.have.length(1);
    });

    it('link each retry to a failed call of its own', () => {
      const { calls = [], usage } = result('retry');
      expect(calls.map(({ status }) => status)).to.deep.equal([429, 429, 200, 200, 200]);
      expect(new Set(calls.map(({ retry_of }) => retry_of))).to.deep.equal(
        new Set([undefined, 1, 2]),
      );
      expect(calls.at(-1)).to.not.have.property('retry_of');
      expect(usage).to.deep.include({ calls: 5, failed: 2, retried: 2 });
      expect(usage?.by_role.target).to.deep.include({ failed: 2, retried: 2 });
    });

    it('are marked when they end, or even begin, after their attempt, and count', () => {
      for (const name of ['late', 'begun']) {
        const { calls = [], usage } = result(name);
        expect(calls, name).to.have.length(1);
        expect(calls[0], name).to.deep.include({ number: 1, late: true, status: 200 });
        expect(usage, name).to.deep.include({ calls: 1, input: 120 });
      }
      // many, imported, late, one, agent and retry, of which two failed.
      const all = 5 * count + 4 + 3 + 3 + 10 + 5;
      expect(run.run.usage).to.deep.include({ calls: all, input: 120 * (all - 2), failed: 2 });
    });

    it('say when their attempt began, also as traces and once they are imported', async () => {
      const { results } = run.run;
      const begun = results.map((one) => Date.parse(one.result.started_at ?? ''));
      expect(Math.min(...begun)).to.be.at.least(began - 1);
      const many = results.filter(({ id }) => id.startsWith('many'));
      const ends = many.map((one) => one.result.output as unknown as number);
      const starts = many.map((one) => Date.parse(one.result.started_at ?? ''));
      for (const [at, start] of starts.entries()) expect(start).to.be.at.most(ends[at] as number);
      // Some have waited for the end of others.
      expect(Math.max(...starts)).to.be.at.least(Math.min(...ends));
      const { stdout } = await project.assay(['export', 'latest', '-f', 'otlp']);
      const spans = stdout
        .trimEnd()
        .split('\n')
        .flatMap((line) => JSON.parse(line).resourceSpans[0].scopeSpans[0].spans) as {
        name: string;
        startTimeUnixNano: string;
      }[];
      const inTrace = results.map(({ id }) => spans.find(({ name }) => name === id));
      expect(inTrace.map((span) => span?.startTimeUnixNano)).to.deep.equal(
        begun.map((time) => `${time}000000`),
      );
      await project.assay(['export', 'latest', '-f', 'json', '-o', 'run.json']);
      await project.assay(['sessions', 'import', 'run.json', '--session', 'other']);
      const again = await project.assay(['export', 'latest', '--session', 'other', '-f', 'json']);
      const imported = (JSON.parse(again.stdout) as RunJson).results;
      expect(imported.map((one) => Date.parse(one.result.started_at ?? ''))).to.deep.equal(begun);
    });
  });

  it('are printed, and stay with a regrade, which replaces those of evaluators', async () => {
    const eval_ = (judge: string) => `${head}
      export const one = evaluation({
        target: () => ask('target'),
        evaluators: [async function judge({ calls }) { await ask('${judge}', 'unheard-of-model'); return calls.length === 1; }],
      });`;
    const project = new Project({ 'one.eval.ts': eval_('judge 1') });
    const { stderr } = await project.run([], { env: env() });
    expect(stderr).to.match(
      /^ {2}2 calls · 240 tokens in \(200 cached\), 60 out · ≥ \$0\.000\d+ \(target \$0\.000\d+, evaluators unknown\) · 1 not priced: unheard-of-model$/m,
    );
    const { stdout } = await project.assay(['show', 'latest', 'one']);
    expect(stdout).to.match(
      /^ {4}target +gpt-5-mini · 120 in \(100 cached\) · 30 out · .* · \$0\.000\d+$/m,
    );
    expect(stdout).to.match(/^ {4}evaluator:judge +unheard-of-model · .* · not priced$/m);
    expect(stdout).to.match(
      /^ {2}conversation\n {4}user {7}target\n {4}assistant {2}.+\n\n {2}calls$/m,
    );
    expect(stdout).to.not.include('"role"').and.not.include('trace data');

    project.write('one.eval.ts', eval_('judge 2'));
    await project.assay(['run', '--regrade', 'latest'], { env: env() });
    const { usage, calls = [], scores } = (await resultsOf(project))('one');
    expect(scores[0]?.passed).to.equal(true);
    expect(calls.map(({ number, role }) => [number, role])).to.deep.equal([
      [1, 'target'],
      [2, 'evaluator:judge'],
    ]);
    expect(JSON.stringify(calls)).to.include('judge 2').and.not.include('judge 1');
    expect(usage?.calls).to.equal(2);
  });

  it('are there, as far as they had come, when their attempt or its process is ended', async () => {
    // The calls that have begun are reported by an earlier timer.
    const begin = `await ask('a first question'); void ask('never'); await new Promise((resolve) => setTimeout(resolve, 100));`;
    const project = new Project({
      'ended.eval.ts': `import { execFileSync } from 'node:child_process';${head}
        export const slow = evaluation({ timeout: 3, target: async () => { await ask('a first question'); return ask('never'); } });
        export const loop = evaluation({ timeout: 3, target: async () => { ${begin} ${blockForever} } });
        export const wait = evaluation({ timeout: 3, target: async () => { ${begin} execFileSync('sleep', ['600']); } });
        export const dies = evaluation({ target: async () => { ${begin} process.kill(process.pid, 'SIGKILL'); await new Promise(() => {}); } });`,
    });
    const { run } = await project.run(['--workers', '4', '--concurrency', '4'], { env: env() });
    const result = await resultsOf(project);
    for (const [name, error, hasTexts] of [
      // The head of its second answer had come.
      ['slow', /^timed out after 3 s(?! and held)/, true],
      ['loop', /^timed out after 3 s and held its process/, true],
      ['wait', /^timed out after 3 s and held its process, which was ended/, false],
      ['dies', /SIGKILL/, false],
    ] as const) {
      const { error: said, calls = [], usage } = result(name);
      expect(said, name).to.match(error);
      expect(calls.map(({ number, role, end }) => [number, role, end !== undefined])).to.deep.equal(
        [
          [1, 'target', true],
          [2, 'target', false],
        ],
        name,
      );
      if (name === 'slow') expect(calls[1]?.status).to.equal(200);
      expect(JSON.stringify(calls).includes('a first question'), name).to.equal(hasTexts);
      const { model_call, cost } = calls[0] as Call;
      expect(model_call, name).to.deep.include({ model: 'gpt-5-mini', finish_reason: 'stop' });
      expect(cost, name).to.be.greaterThan(0);
      expect(usage, name).to.deep.include({ input: 120 });
    }
    expect(run.usage).to.deep.include({ input: 4 * 120 });
  });

  it('leave no text, or nothing at all, where the settings say so, and no more MiB', async () => {
    const project = new Project({
      'one.eval.ts': `${head}
        export const one = evaluation({ input: 'a word', target: async ({ input }) => (await ask('secret plan of ' + input + 'y'.repeat(200_000))).length });`,
      'assay.yaml': 'rates:\n  other: { at_once: 1 }\n',
    });
    const captured = async (setting: Record<string, string>) => {
      const { run, stderr } = await project.run([], { env: { ...env(), ...setting } });
      return { run, stderr, ...(await resultsOf(project))('one') };
    };
    const { usage, calls, trace_data } = await captured({ ASSAY_CAPTURE: 'usage' });
    expect(usage).to.deep.include({ calls: 1, input: 120 });
    expect(calls?.[0]?.model_call).to.not.have.any.keys('messages', 'answer', 'parameters');
    expect(trace_data).to.deep.equal({});
    expect(project.savedText()).to.not.include('secret plan');
    const off = await captured({ ASSAY_CAPTURE: 'off' });
    expect(off.run).to.not.have.property('usage');
    expect(off).to.not.have.any.keys('usage', 'calls');
    expect(off.stderr).to.include('The rates are not kept: the setting capture is off.');
    const { calls: cut } = await captured({ ASSAY_CAPTURE_MIB: '0.1' });
    const { length } = JSON.stringify(cut?.[0]?.model_call?.messages);
    expect(length).to.be.below(0.1 * 1024 * 1024);
    const { code, stderr } = await project.assay(['run'], { env: { ASSAY_CAPTURE_MIB: '100' } });
    expect(code).to.equal(2);
    expect(stderr).to.include('a number of MiB above 0 and at most 64');
  });
});
