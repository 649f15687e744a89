import { expect } from 'chai';
import { evaluation } from '../../../src/index.js';
import type { RunJson } from '../../../src/model/run.js';
import { type FakeProvider, startFakeProvider } from '../../helpers/fake-provider.js';
import { Project } from '../../helpers/project.js';

const head = `
import { evaluation } from 'assay';
const url = () => process.env.PROVIDER + '/v1/chat/completions';
const body = (model: string) => JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] });
const ask = async (model = 'cheap') => {
  const response = await fetch(url(), { method: 'POST', body: body(model) });
  return ((await response.json()) as any).choices[0].message.content;
};
const times = async (count: number, model?: string) => {
  for (let at = 0; at < count; at += 1) await ask(model);
};
`;

// Each call has 120 tokens in and 30 out, and so costs $0.15.
const prices = 'prices:\n  cheap: { input: 1000, output: 1000 }\n';

describe('limits on calls', () => {
  let provider: FakeProvider;

  before(async () => {
    provider = await startFakeProvider();
  });

  const project = (evals: string, settings = prices) =>
    new Project({ 'a.eval.ts': head + evals, 'assay.yaml': settings });
  const env = () => ({ PROVIDER: provider.url });
  const callsSince = (before: number) => provider.exchanges.length - before;

  it('of an evaluation or case refuse the next call, and the result is an error with all calls so far', async () => {
    const { run, code } = await project(`
      export const counted = evaluation({
        limits: { calls: 2 },
        cases: [{ id: 'under', input: 2 }, { id: 'over', input: 5 }, { id: 'own', input: 5, limits: { calls: 4 } }],
        target: ({ input }) => times(input),
      });
      export const tokens = evaluation({ limits: { tokens: 300 }, target: () => times(5) });
      export const cost = evaluation({ limits: { cost: 0.31 }, target: () => times(5) });
      export const unpriced = evaluation({ limits: { cost: 1 }, target: () => times(2, 'strange') });
      export const caught = evaluation({
        limits: { calls: 1 },
        target: async () => { await ask(); return ask().catch((error) => error.message); },
        evaluators: [({ output }) => ({ key: 'seen', passed: output === 'limit reached: 1 call' })],
      });
      import http2 from 'node:http2';
      import { text } from 'node:stream/consumers';
      // Its calls cannot be held: they are counted afterwards.
      export const passive = evaluation({
        limits: { calls: 2 },
        target: async () => {
          const session = http2.connect(process.env.PROVIDER2 as string);
          for (let at = 0; at < 3; at += 1) {
            const stream = session.request({ ':method': 'POST', ':path': '/v1/chat/completions' });
            await text(stream.end(body('cheap')));
          }
          session.close();
        },
      });
    `).run([], { env: { ...env(), PROVIDER2: provider.http2Url } });
    const found = run.results.map(({ function: name, result }) => [
      name,
      result.status,
      result.error,
      result.usage?.calls,
    ]);
    expect(found).to.deep.equal([
      ['counted[under]', 'completed', null, 2],
      ['counted[over]', 'error', 'limit reached: 2 calls', 2],
      ['counted[own]', 'error', 'limit reached: 4 calls', 4],
      ['tokens', 'error', 'limit reached: 300 tokens', 2],
      ['cost', 'error', 'limit reached: $0.31', 3],
      [
        'unpriced',
        'error',
        'the limit of $1.00 cannot be kept: the price of strange is not known',
        1,
      ],
      ['caught', 'error', 'limit reached: 1 call', 1],
      ['passive', 'error', 'limit reached: 2 calls', 3],
    ]);
    expect(run.results[6]?.result.scores).to.deep.include({ key: 'seen', passed: true });
    expect(code).to.equal(2);
  });

  it('that are none are refused where the evaluation is defined', () => {
    expect(() => evaluation({ limits: { calls: 0 }, target: () => 1 })).to.throw(
      '"limits" must be numbers above 0 for calls, tokens',
    );
  });

  it('on the cost of a run end it and cancel the rest, over all processes', async () => {
    const many = project(`
      export const many = evaluation({
        cases: Array.from({ length: 12 }, (_, at) => ({ id: String(at) })),
        target: () => times(2),
      });
    `);
    const before = provider.exchanges.length;
    const args = ['--concurrency', '2', '--workers', '2', '--max-cost', '1'];
    const { run, code, stderr } = await many.run(args, { env: env() });
    expect(code, stderr).to.equal(1);
    expect(run).to.include({ outcome: 'budget', state: 'finished' });
    // Six calls are still under it, the seventh reaches it; one more may have been in flight.
    expect(callsSince(before)).to.be.within(7, 8);
    expect(run.usage?.cost).to.be.within(1, 1.2);
    expect(stderr).to.match(
      /✗ stopped at the budget: \$1\.\d+ of \$1\.00 · \d of 12 ran, \d+ wait/,
    );
    expect(run.results.map(({ result }) => result.status)).to.include('cancelled');
    const gate = (id = '') =>
      many.assay(['sessions', 'gate', 'latest', id, '--fail-on', 'errors'], { env: env() });
    const done = await gate(run.results.find(({ result }) => result.status === 'completed')?.id);
    expect(done.stderr).to.include('1 of 12 results').and.not.include('budget');
    expect(done.code).to.equal(0);
    const waits = await gate(run.results.at(-1)?.id);
    expect(waits.stderr).to.match(/✗ stopped at the budget: \$1\.\d+ of \$1\.00 · \d of 12 ran/);
    expect(waits.code).to.equal(2);
  });

  it('on the cost of variants are for all of them, and so is what is left', async () => {
    const both = project(`
      export const both = evaluation({
        params: { model: 'a' },
        cases: Array.from({ length: 4 }, (_, at) => ({ id: String(at) })),
        target: () => times(1),
      });
    `);
    const run = (...args: readonly string[]) => both.assay(['run', ...args], { env: env() });
    const flags = ['--concurrency', '1', '--max-cost', '0.5'];
    const cut = await run('--param', 'model=a,b', ...flags);
    const rest =
      /✗ stopped at the budget: \$0\.\d+ of \$0\.50 · (\d) of 8 ran, (\d) wait: assay run --resume ([a-z-]+) --max-cost/;
    const [, ran, left, name = ''] = rest.exec(cut.stderr) ?? [];
    expect(Number(ran) + Number(left), cut.stderr).to.equal(8);
    expect(cut.code).to.equal(1);
    const resumed = await run('--resume', name, '--max-cost', '5');
    expect(resumed.code, resumed.stderr).to.equal(0);
    expect(resumed.stderr).to.include(`2 runs in group ${name} · 8 results · ${left} ran`);
  });

  it('on the cost of a run count what attempts cost that a resume has repeated, and show it, until it is raised', async () => {
    const long = project(`
      export const long = evaluation({
        cases: [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
        target: () => times(3),
      });
    `);
    const before = provider.exchanges.length;
    const run = (...args: readonly string[]) =>
      long.run(['--concurrency', '1', ...args], { env: env() });
    const spentOf = ({ usage }: RunJson) => usage?.cost ?? 0;
    // The second attempt is refused its last call, twice.
    const first = await run('--max-cost', '0.7');
    expect(callsSince(before)).to.equal(5);
    expect(first.run).to.include({ outcome: 'budget' });
    expect((await run('--resume', 'latest', '--max-cost', '0.7')).code).to.equal(1);
    expect(callsSince(before)).to.equal(5);
    const second = await run('--resume', 'latest', '--max-cost', '1');
    expect(callsSince(before)).to.equal(7);
    expect(second.stderr).to.match(
      /stopped at the budget: \$1\.05 of \$1\.00 .* --max-cost 2\.1\n/,
    );
    expect(second.run.usage?.replaced?.cost).to.be.closeTo(0.3, 1e-9);
    expect(spentOf(second.run)).to.be.closeTo(1.05, 1e-9);
    const last = await run('--resume', 'latest', '--max-cost', '10');
    expect(callsSince(before)).to.equal(13);
    expect(last.code).to.equal(0);
    expect(last.run).to.include({ state: 'finished' }).and.not.have.property('outcome');
    expect(last.run.results.map(({ result }) => result.status)).to.deep.equal(
      Array(3).fill('completed'),
    );
    expect(spentOf(last.run)).to.be.closeTo(1.95, 1e-9);
    expect(last.stderr).to.match(
      /^ {2}13 calls · .* · \$1\.95 · 4 calls, \$0\.60 of it for replaced attempts$/m,
    );
    await long.assay(['export', 'latest', '-f', 'json', '-o', 'run.json']);
    await long.assay(['sessions', 'import', 'run.json', '--session', 'other']);
    const imported = await long.assay(['export', 'latest', '--session', 'other', '-f', 'json']);
    expect(spentOf(imported.json())).to.be.closeTo(1.95, 1e-9);
    // A rerun is a new start.
    const again = await run('--rerun', 'latest', '--max-cost', '1.4');
    expect(again.run).to.not.have.property('outcome');
    expect(spentOf(again.run)).to.be.closeTo(3.3, 1e-9);
  });

  it('on the cost of a run do not count what a regrade brings a second time, or what is carried over', async () => {
    const sources = (calls: number) => `
      export const kept = evaluation({ target: () => times(2), evaluators: [() => true] });
      export const edited = evaluation({ target: () => times(${calls}), evaluators: [() => true] });
    `;
    const edited = project(sources(1));
    await edited.run([], { env: env() });
    const args = (most: string) => ['--concurrency', '1', '--max-cost', most];
    const regraded = await edited.run(['--regrade', 'latest', ...args('0.8')], { env: env() });
    edited.write('a.eval.ts', head + sources(2));
    const before = provider.exchanges.length;
    const changed = await edited.run(['--changed', ...args('0.4')], { env: env() });
    for (const { code, run } of [regraded, changed]) {
      expect(code).to.equal(0);
      expect(run).to.not.have.property('outcome');
    }
    expect(callsSince(before)).to.equal(2);
    expect(changed.run.results.map(({ result }) => result.origin?.kind)).to.deep.equal([
      'carried',
      undefined,
    ]);
    expect(changed.run.usage?.cost).to.be.closeTo(0.3, 1e-9);
  });

  it('on costs that cannot be told stop the run with exit code 2', async () => {
    const strange = project(`
      export const strange = evaluation({
        cases: Array.from({ length: 5 }, (_, at) => ({ id: String(at) })),
        target: () => times(2, 'strange'),
      });
    `);
    const before = provider.exchanges.length;
    const args = ['run', '--concurrency', '1', '--max-cost', '1'];
    const { code, stderr } = await strange.assay(args, { env: env() });
    expect(code, stderr).to.equal(2);
    expect(callsSince(before)).to.equal(1);
    expect(stderr).to.include(
      '? max-cost $1.00 cannot be judged: ≥ $0.00 spent, 1 call is not priced: strange; give the price',
    );
    const saved = await strange.assay(['sessions', 'gate', 'latest', '--fail-under', '0']);
    expect(saved.code).to.equal(2);
    expect(saved.stderr).to.include(
      '? max-cost $1.00 cannot be judged: ≥ $0.00 spent, 1 call is not priced',
    );
    const off = await strange.assay(['run', '--max-cost', '1'], { env: { ASSAY_CAPTURE: 'off' } });
    expect(off.stderr).to.include('the setting capture is off');
  });
});
