import { expect } from 'chai';
import type { RunJson } from '../../src/model/run.js';
import { type Project, ProjectWithoutHosts } from '../helpers/project.js';
import { runProblems } from '../helpers/run-shape.js';

const tone = `
import { evaluation } from 'assay';
export const tone = evaluation({
  trials: 2,
  cases: ['a', 'b', 'c', 'd', 'e'].map((id, i) => ({ id, input: i, labels: i < 4 ? ['small'] : [] })),
  target: (ctx) => ctx.input % 2,
  evaluators: [({ output }) => ({ key: 'even', passed: output === 0 })],
});
`;
const slow = `
import { evaluation } from 'assay';
export const single = evaluation({ target: () => 1, evaluators: [() => ({ key: 'k', value: 0.5 })] });
`;

describe('assay run --shard', () => {
  let project: Project;

  before(() => {
    project = new ProjectWithoutHosts({ 'b.eval.ts': tone, 'z.eval.ts': slow });
  });

  const idsOf = (run: RunJson) => run.results.map(({ id }) => id);

  it('runs every n-th case with all its trials, and says which part of which whole it is', async () => {
    const parts = await Promise.all(
      ['1/3', '2/3', '3/3'].map((of) => project.run(['--shard', of])),
    );
    expect(parts.map(({ run }) => idsOf(run).map((id) => id.split('::')[1]))).to.deep.equal([
      ['tone[a]~1', 'tone[a]~2', 'tone[d]~1', 'tone[d]~2'],
      ['tone[b]~1', 'tone[b]~2', 'tone[e]~1', 'tone[e]~2'],
      ['tone[c]~1', 'tone[c]~2', 'single'],
    ]);
    const [first, ...others] = parts.map(({ run }) => run.shard);
    expect(first).to.include({ part: 1, of: 3, cases: 6 }).and.not.to.have.property('balance');
    expect(others).to.deep.equal([
      { ...first, part: 2 },
      { ...first, part: 3 },
    ]);
    for (const { run } of parts) expect(runProblems(run)).to.deep.equal([]);
  });

  it('lists the part', async () => {
    const { stdout, stderr } = await project.assay(['run', '--shard', '3/3', '--list']);
    expect(stdout).to.equal(
      ['b.eval.ts::tone[c]~1', 'b.eval.ts::tone[c]~2']
        .map((id) => `${id}  b #small\n`)
        .concat('z.eval.ts::single  z\n')
        .join(''),
    );
    expect(stderr).to.include('3 would run · part 3 of 3');
  });

  it('says the part wherever the run is shown', async () => {
    const { stderr } = await project.assay(
      [
        ...['run', '--shard', '2/3', '--run-name', 'second', '-o', 'part.md'],
        ...['--reporter', 'junit=part.xml', '--reporter', 'github'],
      ],
      { env: { GITHUB_STEP_SUMMARY: project.path('summary.md') } },
    );
    expect(stderr).to.include('2 cases × 2 trials · part 2 of 3 · session default');
    expect(stderr).to.include(
      'in session default · part 2 of 3 · merge: assay sessions merge PART…',
    );
    expect(project.read('part.md')).to.include('- Part 2 of 3\n');
    expect(project.read('part.xml')).to.include('<property name="shard" value="part 2 of 3"/>');
    expect(project.read('summary.md')).to.include('part 2 of 3');
    const shown = await project.assay(['show', 'second']);
    expect(shown.stdout).to.include('config default · ').and.include('part 2 of 3');
  });

  it('is an empty run beyond the number of cases', async () => {
    const { code, stderr, run } = await project.run(['--shard', '9/9']);
    expect(code, stderr).to.equal(0);
    expect(run).to.deep.include({ results: [], state: 'finished' });
    expect(stderr).to.include('There are only 6 cases, so part 9 of 9 has none.');
    const one = await project.assay(['run', '--shard', '2/2', '--limit', '1']);
    expect(one.stderr).to.include('There is only 1 case, so part 2 of 2 has none.');
    const again = await project.assay(['run', '--rerun', run.run_id]);
    expect(again.stderr).to.include('has no cases: there is nothing to run.');
  });

  it('is judged after the merge alone: not by its own gates, and by no other command', async () => {
    const gates = ['--fail-under', '1', '--fail-on', 'failures'];
    const part = ['--shard', '1/2', '--run-name', 'first'];
    const { code, stderr } = await project.run([...part, ...gates, '--bless', 'base.json']);
    expect(code, stderr).to.equal(0);
    expect(stderr).to.include(
      'part 1 of 2: its gates are judged after the merge: assay sessions merge PART…',
    );
    expect(stderr).to.include('base.json is not written: part 1 of 2: merge first');
    const first = 'part 1 of 2: merge first: assay sessions merge PART…';
    await project.assay(['export', 'first', '-f', 'json', '-o', 'first.json']);
    for (const args of [
      ['sessions', 'gate', 'first', '--fail-under', '0'],
      ['sessions', 'gate', 'first.json', '--fail-under', '0'],
      ['compare', 'latest', 'first'],
      ['compare', 'first.json', 'first.json'],
      ['sessions', 'bless', 'first', 'base.json', '--force'],
      ['run', '--baseline', 'first', '--fail-on', 'regression'],
    ]) {
      const refused = await project.assay(args);
      expect(refused.code, args.join(' ')).to.equal(2);
      expect(refused.stderr, args.join(' ')).to.include(first);
    }
    expect(project.has('base.json')).to.equal(false);
  });

  it('stays the part when it runs again, with no case of other parts and none that is new', async () => {
    const { run } = await project.run(['--shard', '3/3', '--label', 'small']);
    project.write('y.eval.ts', slow);
    try {
      const again = await project.run(['--rerun', run.run_id]);
      expect(again.run.shard).to.deep.equal(run.shard);
      expect(idsOf(again.run)).to.deep.equal(idsOf(run));
      const graded = await project.run(['--regrade', run.run_id]);
      expect(graded.run.shard).to.deep.equal(run.shard);
    } finally {
      project.remove('y.eval.ts');
    }
  });

  it('takes the same part again with another run config', async () => {
    const other = new ProjectWithoutHosts({
      'b.eval.ts': tone,
      'assay.yaml': 'configs:\n  two:\n    params: { a: 1 }\n',
    });
    const { run } = await other.run(['--shard', '2/3']);
    const { run: second } = await other.run(['--rerun', run.run_id, '--run-config', 'two']);
    expect(idsOf(second)).to.deep.equal(idsOf(run));
    expect(second.shard).to.deep.include({ part: 2, of: 3, plan: run.shard?.plan });
    expect(second.shard?.config).not.to.equal(run.shard?.config);
  });

  it('shares out neighbours by the latencies of a baseline file', async () => {
    const whole = await project.run(['--run-name', 'whole']);
    const results = whole.run.results.map((entry) => ({
      ...entry,
      result: { ...entry.result, latency: entry.id.includes('[a]') ? 5 : 1 },
    }));
    project.write('timed.json', JSON.stringify({ ...whole.run, results }));
    const parts = await Promise.all(
      ['1/2', '2/2'].map((of) => project.run(['--shard', of, '--baseline', 'timed.json'])),
    );
    expect(
      parts.map(({ run }) => new Set(idsOf(run).map((id) => id.replace(/~\d$/, ''))).size),
    ).to.deep.equal([1, 5]);
    expect(parts.flatMap(({ run }) => idsOf(run))).to.deep.equal(idsOf(whole.run));
    expect(parts[0]?.run.shard?.balance).to.match(/^[0-9a-f]{16}$/);
    // Nothing of it is compared: the other parts have the rest.
    expect(parts[0]?.stderr).not.to.match(/timed|only in|missing|gone/);
    const named = await project.run(['--shard', '1/2', '--baseline', 'whole']);
    expect(named.run.shard).not.to.have.property('balance');
  });
});
