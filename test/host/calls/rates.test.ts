import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { startFakeProvider } from '../../helpers/fake-provider.js';
import { gate } from '../../helpers/gate.js';
import { Project, until } from '../../helpers/project.js';

const head = `
import { evaluation } from 'assay';
const url = process.env.PROVIDER + '/v1/chat/completions';
const call = (model = 'small', more = {}) =>
  fetch(url, { method: 'POST', body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }], ...more }) });
const ask = async (model?: string) => {
  const response = await call(model);
  const answer = (await response.json()) as any;
  if (!response.ok) throw new Error(String(response.status));
  return answer.choices[0].message.content;
};
const cases = (count: number) => Array.from({ length: count }, (_, at) => ({ id: String(at) }));
`;

const noUsage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 };
const workers = ['--workers', '2', '--concurrency', '8'];

describe('rates', () => {
  const project = (evals: string, settings: string) =>
    new Project({ 'a.eval.ts': head + evals, 'assay.yaml': settings });

  it('hold calls back over all processes, and after a 429 for as long as it says, which counts neither for timeouts nor for latency', async () => {
    const most: Record<string, number> = {};
    const now: Record<string, number> = {};
    const arrivals: number[] = [];
    const twoLarge = gate();
    await using provider = await startFakeProvider(async ({ model, repeat }) => {
      now[model] = (now[model] ?? 0) + 1;
      most[model] = Math.max(most[model] ?? 0, now[model]);
      if (model === 'small') arrivals.push(performance.now());
      if (now.large === 2) twoLarge.open();
      await (model === 'large' ? twoLarge.opened : sleep(20));
      now[model] -= 1;
      return model === 'small' && repeat === 0 ? { status: 429, retryAfter: 4 } : {};
    });
    // The body of the refusal is never read.
    const held = project(
      "export const free = evaluation({ target: () => Promise.all([ask('large'), ask('large')]) });\n" +
        'export const held = evaluation({ timeout: 3, cases: cases(6), target: async () => { const response = await call(); return response.status === 429 ? ask() : response.text(); } });',
      'rates:\n  sm*: { at_once: 1 }\n',
    );
    const { run, stderr } = await held.run(['--workers', '2', '--concurrency', '9'], {
      env: { PROVIDER: provider.url },
    });
    // One at least has waited for longer than an attempt may take.
    expect(run.results.map(({ result }) => result.error)).to.deep.equal(Array(7).fill(null));
    expect(most).to.deep.equal({ small: 1, large: 2 });
    expect(arrivals).to.have.length(7);
    const [first = 0, second = 0] = arrivals;
    expect(second - first).to.be.at.least(3990);
    expect(stderr).to.match(/ \(waited \d+\.\d s for small\)\n/);
    const { stdout } = await held.assay(['export', 'latest', '-f', 'json', '--calls']);
    const exported = JSON.parse(stdout);
    expect(exported.waited.small).to.be.above(3);
    const saved = await held.assay(['show', 'latest']);
    expect(saved.stdout).to.match(/ · waited \d+\.\d s for small\n/);
    const results = exported.results as never as ShownResult[];
    const small = results.filter(({ function: name }) => name.startsWith('held'));
    for (const { result } of small) {
      const waits = result.calls.map(({ waited = 0 }) => waited);
      expect(result.waited ?? 0).to.be.closeTo(
        waits.reduce((sum, wait) => sum + wait, 0),
        1e-6,
      );
      for (const { start, waited = 0 } of result.calls) {
        expect(start).to.be.at.least(waited - 0.01);
      }
    }
    const waitOf = ({ result }: ShownResult) => result.waited ?? 0;
    const [longest] = small.sort((one, other) => waitOf(other) - waitOf(one));
    expect(longest?.result.waited).to.be.above(3);
    expect(longest?.result.latency).to.be.below(3);
    const shown = await held.assay(['show', 'latest', longest?.id ?? '']);
    expect(shown.stdout).to.match(/^ .*\d (ms|s) · waited \d+\.\d+ s · \d calls? · /m);
    expect(shown.stdout).to.match(/small · .* · waited \d+\.\d+ s/);
  });

  describe('of several models', () => {
    const arrivals: number[] = [];
    let results: readonly ShownResult[];
    const of = (name: string) => results.filter(({ function: one }) => one.startsWith(name));

    before(async () => {
      await using provider = await startFakeProvider(async ({ model }) => {
        if (model === 'tokens') arrivals.push(performance.now());
        if (model === 'large') await sleep(600);
        if (model === 'small') await sleep(100);
        return model === 'tokens' ? { usage: { ...noUsage, input: 61_000, output: 100 } } : {};
      });
      const mixed = project(
        `export const beside = evaluation({ target: () => Promise.all([ask('large'), ask(), ask(), ask(), ask()]) });
        export const late = evaluation({ target: async () => { const [first] = await Promise.all([call('large'), ask(), ask(), ask()]); await first.text(); } });
        // Its body is never read: from its head on nothing of it is under way.
        export const unread = evaluation({ cases: cases(6), target: async () => { await call("other"); await ask(); } });
        export const nested = evaluation({
          cases: cases(4),
          target: async () => {
            const response = await call('nested', { stream: true });
            const inner = await ask('nested');
            return inner + (await response.text()).length;
          },
        });
        export const heads = evaluation({
          target: async () => { await call('nested'); await call('nested'); return (await call('nested')).status; },
        });
        export const refused = evaluation({
          target: async () => {
            const bad = fetch(url, { method: 'POST', body: JSON.stringify({ model: 'nested', messages: [] }), headers: { 'bad name': '1' } });
            await bad.catch(() => {});
            return ask('nested');
          },
        });
        export const tokens = evaluation({ target: async () => { await ask('tokens'); await ask('tokens'); } });`,
        'rates:\n  small: { at_once: 1 }\n  nested: { at_once: 1 }\n  tokens: { tokens: 60000 }\n',
      );
      await mixed.run(['--concurrency', '16'], { env: { PROVIDER: provider.url } });
      const { stdout } = await mixed.assay(['export', 'latest', '-f', 'json', '--calls']);
      results = JSON.parse(stdout).results;
    });

    it('never make an attempt shorter than one of its calls', () => {
      for (const { function: name, result } of results) {
        const longest = Math.max(...result.calls.map(({ start, end }) => (end ?? start) - start));
        if (!/nested|heads/.test(name)) {
          expect(result.latency, name).to.be.at.least(longest - 0.001);
        }
      }
      const waitOf = ({ result }: ShownResult) => result.calls[1]?.waited ?? 0;
      const [longest] = of('unread').sort((one, other) => waitOf(other) - waitOf(one));
      const [first, second] = longest?.result.calls ?? [];
      expect(second?.waited).to.be.above(0);
      expect(longest?.result.latency).to.be.below((second?.end ?? 0) - (first?.start ?? 0));
    });

    it('let an attempt make calls while it reads an answer', () => {
      const errors = ['nested', 'heads', 'refused'].flatMap(of).map(({ result }) => result.error);
      expect(errors).to.deep.equal(Array(6).fill(null));
    });

    it('let so many tokens a minute through, as answers say', () => {
      const [first, second] = of('tokens')[0]?.result.calls ?? [];
      expect(first?.waited).to.equal(undefined);
      // 1,000 tokens a second, and 1,100 too many.
      const [before = 0, after = 0] = arrivals;
      expect(after - before).to.be.at.least(1090);
      expect(of('tokens')[0]?.result.waited).to.equal(second?.waited);
    });
  });

  it('let so many calls a minute through, and a stop refuses the rest', async () => {
    await using provider = await startFakeProvider();
    const many = project(
      `export const many = evaluation({
        cases: cases(6),
        target: () => ask().catch((error) => { console.log('refused: ' + error.message); throw error; }),
      });`,
      'rates:\n  "127.0.0.1": { requests: 2 }\n',
    );
    const running = many.start(['run', '--concurrency', '6', '--verbose'], {
      env: { PROVIDER: provider.url },
    });
    await until(() => many.finishedResults() === 2, 'two calls');
    process.kill(running.child.pid ?? 0, 'SIGINT');
    const { code } = await running.ended;
    expect(code).to.equal(130);
    expect(provider.exchanges).to.have.length(2);
    expect(await many.processesLeft()).to.deep.equal([]);
  });

  it('let nothing through once the budget is spent', async () => {
    await using provider = await startFakeProvider();
    const dear = project(
      'export const dear = evaluation({ cases: cases(6), target: () => ask() });',
      'prices:\n  small: { input: 1000, output: 1000 }\nrates:\n  small: { at_once: 1 }\n',
    );
    const { code } = await dear.assay(['run', ...workers, '--max-cost', '0.1'], {
      env: { PROVIDER: provider.url },
    });
    expect(code).to.equal(1);
    expect(provider.exchanges).to.have.length(1);
  });

  it('go on without what a dead process had under way', async () => {
    await using provider = await startFakeProvider();
    const dying = project(
      `export const dies = evaluation({ target: async () => { await call('small', { stream: true }); process.kill(process.pid, 'SIGKILL'); await ask(); } });
       export const lives = evaluation({ cases: cases(2), target: () => ask() });`,
      'rates:\n  small: { at_once: 1 }\n',
    );
    const { run } = await dying.run(workers, { env: { PROVIDER: provider.url } });
    const errors = run.results.map(({ result }) => result.error !== null);
    expect(errors).to.deep.equal([true, false, false]);
  });
});

interface ShownResult {
  readonly id: string;
  readonly function: string;
  readonly result: {
    readonly error: string | null;
    readonly latency: number;
    readonly waited?: number;
    readonly calls: readonly { start: number; end?: number; waited?: number }[];
  };
}
