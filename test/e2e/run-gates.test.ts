import { expect } from 'chai';
import { type Project, ProjectWithoutHosts } from '../helpers/project.js';

// Of five: three passed, one failed, one is only valued; with the error, six.
const graded = `
import { evaluation } from 'assay';
export const graded = evaluation({
  cases: [{ input: 1 }, { input: 1 }, { input: 1 }, { input: 0 }],
  target: (ctx) => ctx.input,
  evaluators: [
    function exact({ output }) { return output === 1; },
    function length() { return 7.5; },
  ],
});
export const valued = evaluation({}, (ctx) => ctx.score('length', 2.5));
`;

const broken = `
import { evaluation } from 'assay';
export const broken = evaluation({}, () => { throw new Error('broken'); });
`;

describe('assay run: gates', () => {
  let project: Project;

  before(async () => {
    project = new ProjectWithoutHosts({ 'a.eval.ts': graded, 'broken.eval.ts': broken });
    for (const [name, path] of [
      ['graded', 'a.eval.ts'],
      ['broken', 'broken.eval.ts'],
      ['both', '.'],
    ] as const) {
      await project.run([path, '--run-name', name]);
    }
  });

  // How each of them judges is tested with the functions that do.
  it('hold rates, scores, errors and failures against limits that flags name', async () => {
    for (const [run, gates, expected] of [
      ['graded', ['--fail-under', '75%'], 0],
      ['graded', ['--fail-under=0.751'], 1],
      ['both', ['--fail-under', '0.61'], 1],
      ['graded', ['--fail-under', 'exact=0.7', '--fail-under', 'length=6.6'], 1],
      ['graded', ['--fail-under', '0.7,exact=0.75'], 0],
      ['graded', ['--fail-on', 'errors'], 0],
      ['graded', ['--fail-on', 'errors,failures'], 1],
      ['broken', ['--fail-on', 'errors'], 1],
    ] as const) {
      const { code, stderr } = await project.assay(['sessions', 'gate', run, ...gates]);
      expect(code, `${run} ${gates.join(' ')}: ${stderr}`).to.equal(expected);
    }
  });

  it('that cannot be told exit with 2 and say why', async () => {
    const [noVerdict, noScore] = await Promise.all([
      project.assay(['run', 'a.eval.ts::valued', '--fail-under', '0.5']),
      project.assay(['run', '--rerun', 'graded', '--only', 'flaky', '--fail-under', 'exakt=0.5']),
    ]);
    expect([noVerdict.code, noScore.code]).to.deep.equal([2, 2]);
    expect(noVerdict.stderr).to.match(/no result has a verdict/);
    expect(noScore.stderr).to.match(/no result has a score exakt; there are: exact, length/);
  });

  it('say what they found on stderr, and the run JSON comes out whole', async () => {
    const result = await project.assay(['run', 'a.eval.ts', '--fail-under', '0.8', '--json']);
    expect(result.code).to.equal(1);
    expect(result.stderr).to.match(/pass rate 75\.0 % \(.* of .*\) is under 80 %/);
    expect(result.json().total_passed).to.equal(3);
    expect((await project.assay(['export', 'latest'])).stdout).to.equal(result.stdout);
  });

  it('judge the whole saved run, also when nothing of it is left to run', async () => {
    const { run_id: id } = (await project.exported('both')).run;
    const flaky = ['--rerun', id, '--only', 'flaky'];
    const gates = [
      [...flaky],
      [...flaky, '--fail-on', 'errors'],
      [...flaky, '--fail-under', '0.6'],
      [...flaky, '--fail-under', '0.61'],
      [...flaky, '--fail-under', 'none=1'],
      ['--resume', id, '--fail-on', 'errors'],
      ['--resume', id, '--fail-on', 'failures'],
      ['--regrade', id, 'broken.eval.ts', '--fail-on', 'errors'],
      ['--rerun', id, '--label', 'none', '--fail-on', 'errors'],
    ];
    const results = await Promise.all(gates.map((flags) => project.assay(['run', ...flags])));
    expect(results.map(({ code }) => code)).to.deep.equal([0, 1, 0, 1, 2, 1, 1, 1, 2]);
    expect(results[1]?.stderr).to.match(/nothing to do[\s\S]*6 cases[\s\S]*✗ 1 error/);
    expect(results[2]?.stderr).to.match(/✓ pass rate 60\.0 %/);
    expect(results[7]?.stderr).to.match(/no stored output[\s\S]*✗ 1 error/);
  });

  it('judge a saved run whose evaluations are gone, or skipped today', async () => {
    const other = new ProjectWithoutHosts({ 'a.eval.ts': graded, 'broken.eval.ts': broken });
    const { run } = await other.run();
    other.remove('broken.eval.ts');
    const gate = ['run', '--rerun', run.run_id, '--fail-on', 'errors'];
    const gone = await other.assay([...gate, '--only', 'errors']);
    expect(gone.code).to.equal(1);
    expect(gone.stderr).to.match(/gone: there is nothing to run/);
    other.write('a.eval.ts', graded.replaceAll('evaluation({', 'evaluation({ skip: true,'));
    const skipped = await other.assay(gate);
    expect(skipped.code).to.equal(1);
    expect(skipped.stderr).to.match(/there is nothing to run/);
  });

  it('of a baseline judge a saved run of which nothing is left to run', async () => {
    const other = new ProjectWithoutHosts({ 'a.eval.ts': graded });
    await other.run(['--run-name', 'base']);
    other.write('a.eval.ts', graded.replace('output === 1', 'false'));
    const { run } = await other.run();
    const args = ['run', '--resume', run.run_id, '--baseline', 'base', '--reporter', 'junit=x.xml'];
    const { code, stderr } = await other.assay([
      ...args,
      ...['--fail-on', 'new-failures', '--bless', 'none.json', '-o', 'out.csv'],
    ]);
    expect(code).to.equal(1);
    expect(stderr).to.match(/✗ passed before and fails now/);
    expect(stderr).to.match(/none\.json is not written: a gate did not pass/);
    expect([other.has('x.xml'), other.has('none.json'), other.has('out.csv')]).to.deep.equal([
      true,
      false,
      true,
    ]);
  });

  it('name a score with any key: a comma in it is written as \\,', async () => {
    const key = 'a, b=c: d';
    const named = new ProjectWithoutHosts({
      'a.eval.ts': `import { evaluation } from 'assay';
        export const one = evaluation({ evaluators: [() => ({ key: '${key}', passed: true, value: 90 })] });`,
      'assay.yaml': `scores:\n  "${key}": { scale: [0, 100] }\n`,
    });
    const text = key.replace(',', '\\,');
    const gates = ['--fail-under', `${text}=1,${text}.value=90%`];
    const run = await named.assay(['run', ...gates]);
    expect(run.code, run.stderr).to.equal(0);
    expect(run.stderr).to.include(`✓ ${key} 100.0 %`).and.include('at least 90 asked for');
    const refused = await named.assay(['sessions', 'gate', 'latest', '--fail-under', `${text}=90`]);
    expect(refused.code).to.equal(2);
    expect(refused.stderr).to.include('the limit is 90: write 0.9 or 90%');
    const columns = ['--columns', `id,score:${text}`];
    const table = await named.assay(['export', 'latest', '-f', 'csv', ...columns]);
    expect(table.stdout).to.equal(`id,"score:${key}"\r\na.eval.ts::one,90\r\n`);
    const by = ['--by', 'evaluation', '--sort', `score:${key}`];
    expect((await named.assay(['show', 'latest', ...by])).code).to.equal(0);
  });
});
