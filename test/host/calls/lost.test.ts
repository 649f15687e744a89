import { expect } from 'chai';
import { type FakeProvider, startFakeProvider } from '../../helpers/fake-provider.js';
import { Project } from '../../helpers/project.js';

const head = `
import { evaluation } from 'assay';
const begin = (content: string) => fetch(process.env.PROVIDER + '/v1/chat/completions', {
  method: 'POST',
  body: JSON.stringify({ model: 'cheap', messages: [{ role: 'user', content }] }),
});
const ask = (content: string) => begin(content).then((response) => response.text());
const never = () => new Promise(() => {});
`;

const gates = ['--fail-over', 'cost=1000,tokens=1000M,calls=1000'];

describe('calls that are in no result', () => {
  let provider: FakeProvider;
  let made = 0;

  before(async () => {
    provider = await startFakeProvider(({ json }) =>
      // The ends of quicker calls are not told one by one.
      ({ delay: JSON.stringify(json).includes('slow') ? 2 ** 31 - 1 : 60 }),
    );
  });

  beforeEach(() => {
    made = provider.exchanges.length;
  });

  const env = () => ({ PROVIDER: provider.url });
  const madeNow = () => provider.exchanges.length - made;

  /** A call costs $0.15. */
  const projectWith = (code: string) =>
    new Project({
      'a.eval.ts': head + code,
      'assay.yaml': 'prices:\n  cheap: { input: 1000, output: 1000 }\n',
    });

  async function usageOf(project: Project) {
    const { usage } = (await project.exported()).run;
    if (usage === undefined) throw new Error('no usage');
    return usage;
  }

  it('are counted when an attempt ends the process of others', async () => {
    const project = projectWith(`
      import { existsSync, writeFileSync } from 'node:fs';
      const cases = Array.from({ length: 2 }, (_, at) => ({ id: String(at), input: at }));
      let calls = 0;
      export const many = evaluation({ cases, target: async ({ input }) => {
        await ask('one');
        calls += 1;
        if (calls === 2 && !existsSync('died')) { writeFileSync('died', ''); process.kill(process.pid, 'SIGKILL'); }
        if (!existsSync('died')) await never();
        return ask('two');
      } });`);
    const { code, stderr } = await project.assay(
      ['run', '--workers', '1', '--concurrency', '2', ...gates],
      { env: env() },
    );
    const usage = await usageOf(project);
    expect(madeNow()).to.equal(6);
    expect(usage).to.include({ calls: 6 }).and.to.not.have.property('unpriced');
    expect(usage.unlisted).to.include({ calls: 2 });
    expect(usage.cost).to.be.closeTo(6 * 0.15, 1e-9);
    expect(stderr).to.include('6 calls').and.include('2 calls, $0.30 of it without a result');
    expect(code, stderr).to.equal(0);
    expect((await project.assay(['show', 'latest'])).stdout).to.include('6 calls');
  });

  it('are counted where the process ends right after a call, or during one', async () => {
    const project = projectWith(`
      export const after = evaluation({ target: async () => { await ask('one'); process.kill(process.pid, 'SIGKILL'); await never(); } });
      export const during = evaluation({ target: async () => {
        await begin('slow');
        process.kill(process.pid, 'SIGKILL');
        await never();
      } });`);
    const { code, stderr } = await project.assay(['run', '--isolate', ...gates], { env: env() });
    const { run, result } = await project.exported();
    expect(madeNow()).to.equal(2);
    expect(run.usage).to.include({ calls: 2, cost: 0.15, unpriced: 1 });
    expect(result('after').usage).to.include({ calls: 1, cost: 0.15 });
    expect(result('during').usage).to.include({ calls: 1, cost: null, without_tokens: 1 });
    expect(code).to.equal(2);
    expect(stderr)
      .to.include('≥ $0.15')
      .and.match(/\? cost .* cannot be judged: 1 call/);
    expect(stderr).to.match(/✓ calls 2/);
  });

  it('are counted when a run is interrupted', async () => {
    const project = projectWith(`
      const cases = Array.from({ length: 4 }, (_, at) => ({ id: String(at) }));
      export const many = evaluation({ cases, target: async () => { await ask('one'); console.log('called'); await never(); } });`);
    const running = project.start(['run', '--verbose', '--workers', '1'], { env: env() });
    await running.said(/(called[\s\S]*){4}/);
    running.child.kill('SIGINT');
    await running.ended;
    const usage = await usageOf(project);
    expect(madeNow()).to.equal(4);
    expect(usage).to.include({ calls: 4, cost: 0.6 }).and.to.not.have.property('cut_off');
  });

  it('are not known when assay itself was killed', async () => {
    const target = (end: string) =>
      `export const one = evaluation({ cases: ['a', 'b'].map((id) => ({ id })), target: async ({ trial }) => { await ask('one'); ${end} } });`;
    const project = projectWith(target("console.log('called'); await never();"));
    const running = project.start(['run', '--verbose'], { env: env() });
    await running.said(/(called[\s\S]*){2}/);
    running.child.kill('SIGKILL');
    await running.ended;
    await project.processesLeft();
    project.write('a.eval.ts', head + target(''));
    const { code, stderr } = await project.assay(['run', '--resume', 'latest', ...gates], {
      env: env(),
    });
    expect(madeNow()).to.equal(4);
    expect(code, stderr).to.equal(2);
    expect(stderr).to.include('≥ 2 calls').and.include('≥ $0.30');
    expect(stderr).to.match(/\? calls .* cannot be judged: cut off once, so the last calls are/);
    for (const args of [
      ['show', 'latest'],
      ['export', 'latest', '-f', 'md'],
    ]) {
      expect((await project.assay(args)).stdout, args.join(' ')).to.include('≥ 2 calls');
    }
    const gate = await project.assay(['sessions', 'gate', 'latest', ...gates]);
    expect(gate.code).to.equal(2);
    const document = (await project.assay(['export', 'latest', '-f', 'json'])).stdout;
    project.write('run.json', document);
    await project.assay(['sessions', 'import', 'run.json', '--session', 'other']);
    const again = await project.assay([
      'sessions',
      'gate',
      'latest',
      '--session',
      'other',
      ...gates,
    ]);
    expect(again.code, again.stderr).to.equal(2);
  });

  it('are counted at import, also where no attempt runs', async () => {
    const code = (word: string) => `
      await ask('at import');
      export const one = evaluation({
        cases: async () => { await ask('cases'); return [{ id: 'a' }]; },
        target: () => ${word},
        evaluators: [() => true],
      });`;
    const project = projectWith(code('1'));
    const first = await project.assay(['run', '--workers', '1', ...gates], { env: env() });
    expect(first.stderr).to.include('  2 calls');
    const calls = ['--fail-over', 'calls=1'];
    const second = await project.assay(['run', '--changed', ...calls], { env: env() });
    expect(madeNow()).to.equal(4);
    expect(second.stderr).to.include('✗ calls 2').and.include('$0.30');
    expect(second.code).to.equal(1);
    expect(await usageOf(project)).to.deep.include({ calls: 2, cost: 0.3 });
    expect((await usageOf(project)).by_role.file).to.include({ calls: 2 });
  });

  it('are not known while they are made after the last attempt', async () => {
    const project = projectWith(
      `export const late = evaluation({ target: () => { setTimeout(() => void ask('slow'), 5); return new Promise((resolve) => setTimeout(resolve, 50)); } });`,
    );
    const { code } = await project.assay(['run', ...gates], { env: env() });
    expect(code).to.equal(2);
  });
});
