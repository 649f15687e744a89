import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { type Project, ProjectWithoutHosts } from '../helpers/project.js';

const tone = `
import { evaluation } from 'assay';
export const tone = evaluation({
  cases: [0, 1, 2, 3].map((n) => ({ id: 'c' + n, input: n })),
  target: (ctx) => ctx.input,
  evaluators: [({ output }) => ({ key: 'low', passed: output < Number(process.env.LIMIT ?? 3) })],
});
`;

/** The lines with verdicts, which are the last ones. */
const verdictsOf = (stderr: string) => /(?: {2}[✓✗?] .*\n)+$/.exec(stderr)?.[0].split('\n') ?? [];

describe('assay sessions gate', () => {
  const gates: readonly (readonly string[])[] = [
    ['--fail-under', '0.7,low=0.7', '--fail-on', 'errors'],
    ['--fail-under', '0.8', '--fail-over', 'latency.p95=10'],
    ['--fail-under', 'missing=0.5', '--fail-on', 'failures'],
    ['--baseline', 'base.json', '--fail-on', 'new-failures,missing'],
  ];
  let project: Project;
  let folder: string;

  before(async () => {
    project = new ProjectWithoutHosts({ 'a.eval.ts': tone });
    await project.assay(['run', '--bless', 'base.json'], { env: { LIMIT: '4' } });
    const { run } = await project.run(['--run-name', 'judged']);
    await project.assay(['export', 'judged', '-f', 'json', '-o', 'judged.json']);
    folder = `.assay/sessions/default/${run.run_id}`;
  });

  for (const args of gates) {
    it(`judges a saved run, a folder and a file as run does: ${args.join(' ')}`, async () => {
      const ran = await project.assay(['run', '--no-save', ...args]);
      expect(verdictsOf(ran.stderr)).not.to.have.length(0);
      for (const reference of ['judged', folder, 'judged.json']) {
        const gated = await project.assay(['sessions', 'gate', reference, ...args]);
        expect(gated.code, gated.stderr).to.equal(ran.code);
        const timeless = (lines: readonly string[]) =>
          lines.map((line) => line.replace(/latency.*/, ''));
        expect(timeless(verdictsOf(gated.stderr))).to.deep.equal(timeless(verdictsOf(ran.stderr)));
        expect(gated.stdout).to.equal('');
      }
    });
  }

  it('judges the results that filters name, as a run of them is judged', async () => {
    project.write(
      'more/b.eval.ts',
      `
import { evaluation } from 'assay';
const all = { target: () => 1, evaluators: [() => ({ key: 'low', passed: true })] };
export const plain = evaluation({ ...all, labels: ['smoke'] });
export const hard = evaluation({ ...all, dataset: 'hard', evaluators: [() => ({ key: 'low', passed: false })] });
`,
    );
    await project.assay(['run', '--run-name', 'mixed']);
    const given = ['--fail-under', '0.9,low=0.7', '--fail-on', 'failures,missing'];
    const gates = [...given, '--baseline', 'base.json'];
    for (const [text, ...filter] of [
      ['1 of 6 results', '--label', 'smoke'],
      ['1 of 6 results', 'more/b.eval.ts::hard'],
      ['6 results', '.'],
    ] as const) {
      const ran = await project.assay(['run', '--no-save', ...filter, ...gates]);
      const gated = await project.assay(['sessions', 'gate', 'mixed', ...filter, ...gates]);
      expect(gated.stderr).to.include(`mixed · ${text} ·`);
      expect(gated.code, gated.stderr).to.equal(ran.code);
      expect(verdictsOf(gated.stderr), gated.stderr).to.deep.equal(verdictsOf(ran.stderr));
    }
    const none = await project.assay(['sessions', 'gate', 'mixed', '--label', 'smok', ...gates]);
    expect(none.code).to.equal(2);
    expect(none.stderr).to.include('No result of mixed matches the filters.').and.include('smoke');
    const saved = (await project.assay(['export', 'mixed'])).json();
    const calls = { calls: 1, cost: 0.5, by_role: {} };
    const usage = { ...calls, unlisted: calls };
    project.write('stopped.json', JSON.stringify({ ...saved, usage }));
    const imported = { ...calls, by_role: { file: { calls: 1, cost: 0.5 } } };
    const [first, ...others] = saved.results as readonly { result: object }[];
    const results = [{ ...first, result: { ...first?.result, usage: imported } }, ...others];
    project.write('imports.json', JSON.stringify({ ...saved, results }));
    const limits = ['--fail-over', 'calls=1,cost=1'];
    for (const [code, file, ...filter] of [
      [0, 'stopped.json', '.'],
      [2, 'stopped.json', 'more'],
      [0, 'imports.json', '.'],
      [0, 'imports.json', './a.eval.ts'],
      [2, 'imports.json', 'more'],
    ] as const) {
      const gated = await project.assay(['sessions', 'gate', file, ...filter, ...limits]);
      expect(gated.code, gated.stderr).to.equal(code);
      if (code === 2) expect(gated.stderr).to.include('may belong to these results');
    }
    await project.assay(['run', '--shard', '1/2', '--run-name', 'part']);
    const part = await project.assay(['sessions', 'gate', 'part', '.', '--fail-under', '0']);
    expect(part.code).to.equal(2);
    expect(part.stderr).to.include('merge');
  });

  it('judges no results that metadata of their own choose, neither of the run nor of a file', async () => {
    project.write(
      'set.eval.ts',
      `
import { evaluation } from 'assay';
export const set = evaluation({
  cases: [1, 2].map((n) => ({ id: 'c' + n, input: n, metadata: { tier: 'pro' } })),
  target: (ctx) => { ctx.metadata.kind = ctx.input > 1 ? 'good' : 'bad'; return ctx.input; },
  evaluators: [({ output }) => ({ key: 'low', passed: output > 1 })],
});
`,
    );
    await project.assay(['run', 'set.eval.ts', '--run-name', 'setting']);
    await project.assay(['export', 'setting', '-f', 'json', '-o', 'setting.json']);
    for (const reference of ['setting', 'setting.json']) {
      const gate = (where: string) =>
        project.assay(['sessions', 'gate', reference, '--fail-under', '0.4', '--where', where]);
      const byOutcome = await gate('metadata.kind=good');
      expect(byOutcome.code, reference).to.equal(2);
      expect(byOutcome.stderr).to.include('chooses results by what came of them');
      const planned = await gate('metadata.tier=pro');
      expect(planned.code, planned.stderr).to.equal(0);
      const shown = await project.assay(['show', reference, '--where', 'metadata.kind=good']);
      expect(shown.stdout).to.include('1 of 2 results, counts only');
      const compared = await project.assay([
        ...['compare', reference, 'setting', '--where', 'metadata.kind=good'],
      ]);
      expect(compared.stderr).to.include('so that they cannot be compared');
    }
  });

  it('answers with JSON, and exits with the code of the verdicts', async () => {
    const { code, stdout } = await project.assay([
      'sessions',
      'gate',
      'judged',
      '--fail-under',
      '0.9',
      '--json',
    ]);
    expect(code).to.equal(1);
    const { run_name, verdicts, exit_code } = JSON.parse(stdout);
    expect({ run_name, exit_code }).to.deep.equal({ run_name: 'judged', exit_code: 1 });
    expect(verdicts).to.deep.equal([
      { verdict: 'no', text: 'pass rate 75.0 % (3 of 4) is under 90 %' },
    ]);
  });

  it('reports to CI, and blesses a run only if its gates pass', async () => {
    const env = { GITHUB_STEP_SUMMARY: project.path('summary.md') };
    const report = ['--reporter', 'github', '--reporter', 'junit=out.xml', '--bless', 'new.json'];
    const failed = await project.assay(
      ['sessions', 'gate', 'judged.json', '--fail-under', '0.9', ...report],
      { env },
    );
    expect(failed.code).to.equal(1);
    expect(project.read('summary.md'))
      .to.include('## judged')
      .and.include('❌ pass rate 75.0 % (3 of 4) is under 90 %');
    expect(project.read('out.xml')).to.include('failures="1"');
    expect(failed.stderr)
      .to.include('::error')
      .and.include('new.json is not written: a gate did not pass.');
    const passed = await project.assay([
      'sessions',
      'gate',
      'judged',
      '--fail-under',
      '0.7',
      '--bless',
      'new.json',
    ]);
    expect(passed.code, passed.stderr).to.equal(0);
    expect(project.has('new.json')).to.equal(true);
  });

  it('refuses to judge by nothing, and changes nothing', async () => {
    const before = readdirSync(project.path(folder));
    const { code, stderr } = await project.assay(['sessions', 'gate', 'judged']);
    expect(code).to.equal(2);
    expect(stderr).to.include('No gate is given.');
    expect(
      (await project.assay(['sessions', 'gate', 'nothing', '--fail-under', '1'])).stderr,
    ).to.include('nothing');
    expect(readdirSync(project.path(folder))).to.deep.equal(before);
  });
});
