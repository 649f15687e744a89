import { expect } from 'chai';
import { readXml, schemaFaults } from '../cli/reporters/junit-schema.js';
import { type Ended, Project, ProjectWithoutHosts } from '../helpers/project.js';

// V says which version of the system runs: 0 passes, 1 fails everywhere, 2 fails once, 3 lacks the last case.
const evals = `
import { evaluation } from 'assay';
const version = Number(process.env.V ?? 0);

export const refund = evaluation({
  cases: Array.from({ length: version === 3 ? 9 : 10 }, (_, i) => ({ input: i })),
  target: ({ input }) => (version === 1 || (version === 2 && input === 4) ? 'no idea' : 'sent back'),
  evaluators: [function exact({ output }) { return output === 'sent back'; }],
});
`;

const nasty = `
import { evaluation } from 'assay';
export const nasty = evaluation({}, (ctx) => {
  console.log('::error::printed');
  console.log('  ##[error]printed');
  throw new Error('first\\n::error::injected\\n   ::set-env name=A::b ##[group]x ' + String.fromCharCode(27) + '[2J');
});
`;

describe('assay run: a baseline', () => {
  let project: Project;
  const run = (version: number, ...args: readonly string[]) =>
    project.assay(['run', 'a.eval.ts', ...args], { env: { V: String(version) } });

  before(async () => {
    project = new ProjectWithoutHosts({ 'a.eval.ts': evals });
    const main = await run(0, '--run-name', 'main', '--bless', 'b.json');
    expect(main.code).to.equal(0);
    expect(main.stderr).to.include('baseline written to b.json');
    for (const version of [1, 2, 3]) await run(version, '--run-name', `version-${version}`);
  });

  it('is compared with after the run, and changes no exit code by itself', async () => {
    // A saved run as baseline comes with another session, below.
    const { code, stderr, stdout } = await run(1, '--no-save', '--baseline', 'b.json');
    expect(code).to.equal(0);
    expect(stdout).to.equal('');
    expect(stderr).to.match(/against .* · 10 cases in both/);
    expect(stderr).to.match(/10 regressed · 0 fixed/);
    expect(stderr).to.match(/−100\.0 pts .* worse/);
    expect(stderr.replace(/\s+/g, ' ')).to.include(
      '✗ worse beyond chance, unless provider or judge changed between the runs: pass rate 100.0 % → 0.0 % (p .002)',
    );
  });

  it('gates: beyond chance, by a single new failure, by what is gone', async () => {
    const kinds = ['regression', 'new-failures', 'missing'];
    const gate = ['--baseline', 'b.json', '--fail-on', kinds.join()];
    const saved = ['main', 'version-1', 'version-2', 'version-3'];
    const runs = await Promise.all(
      saved.map((name) => project.assay(['sessions', 'gate', name, ...gate])),
    );
    expect(runs.map(({ code }) => code)).to.deep.equal([0, 1, 1, 1]);
    const marks = runs.map(({ stderr }) =>
      stderr.match(/^ {2}[✓✗](?= (worse|passed|gone|nothing)\b)/gm),
    );
    expect(marks.map((found) => found?.map((mark) => mark.trim()).join(''))).to.deep.equal([
      '✓✓✓',
      '✗✗✓',
      '✓✗✓',
      '✓✓✗',
    ]);
  });

  it('that does not exist, or a gate without one, is exit code 2 before anything runs', async () => {
    const here = ['--results-dir', 'untouched'];
    const results = await Promise.all([
      run(0, ...here, '--baseline', 'nobody'),
      run(0, ...here, '--baseline', 'missing.json'),
      run(0, ...here, '--baseline', 'a.eval.ts'),
      run(0, ...here, '--fail-on', 'regression,errors'),
    ]);
    expect(results.map(({ code }) => code)).to.deep.equal([2, 2, 2, 2]);
    expect(results[3]?.stderr).to.include('--fail-on regression needs a baseline.');
    expect(project.has('untouched')).to.equal(false);
  });

  it('may be the very run that runs again: it is what it was before', async () => {
    await run(0, '--run-name', 'again', '--session', 'again');
    const { code, stderr } = await run(
      1,
      '--rerun',
      'again',
      '--baseline',
      'again',
      '--fail-on',
      'regression',
    );
    expect(code).to.equal(1);
    expect(stderr).to.include('10 regressed');
    expect(stderr).to.include('[-sent back-]{+no idea+}');
  });

  it('is blessed only when every gate says yes', async () => {
    const before = project.read('b.json');
    const args = [
      '--no-save',
      '--baseline',
      'b.json',
      '--bless',
      'b.json',
      '--fail-on',
      'regression',
    ];
    const bad = await run(1, ...args);
    expect(bad.code).to.equal(1);
    expect(bad.stderr).to.include('b.json stays as it is: a gate did not pass.');
    expect(project.read('b.json')).to.equal(before);
    const good = await run(2, ...args);
    expect(good.code).to.equal(0);
    const lines = (text: string) => text.split('\n').filter((line) => line.startsWith('    {'));
    const changed = lines(project.read('b.json')).filter((line) => !before.includes(line));
    expect(changed).to.have.lengthOf(1);
    expect(changed[0]).to.include('refund[4]","trials":1,"passes":0,"judged":1');
    project.write('b.json', before);
  });
});

// V is a version of the rubric.
const judged = `
import { evaluation } from 'assay';
import { rubric } from 'assay/graders';
const ask = async () => 'REASONS: fine\\nVERDICT: PASS';
const tone = rubric('Polite, version ' + process.env.V, { key: 'tone', ask });
export const refund = evaluation({
  cases: Array.from({ length: 10 }, (_, i) => ({ input: i })),
  target: ({ input }) => 'sent back ' + input,
  evaluators: [tone],
});
`;

describe('assay sessions compare: a judge that changed', () => {
  /** With these, the code that grades cannot be told apart from that of the target. */
  const withNamed = "[tone, Object.defineProperty(() => true, 'name', { value: 'named' })]";

  it('is said beside the differences of its score, until the base is graded again', async () => {
    const project = new ProjectWithoutHosts({ 'a.eval.ts': judged });
    const assay = (version: number, ...args: readonly string[]) =>
      project.assay(args, { env: { V: String(version) } });
    const compared = async () =>
      JSON.parse((await assay(2, 'compare', 'one', 'two', '--json')).stdout);
    const drift = /judge changed \(rubric [\da-f]{6} → [\da-f]{6}\)/;
    await assay(1, 'run', '--run-name', 'one', '--bless', 'b.json');
    await assay(2, 'run', '--run-name', 'two');

    const before = await compared();
    const [{ run_id: id }] = before.runs;
    expect(before.comparisons[0].scores[0].judge_drift.status).to.equal('changed');
    expect(before.comparisons[0].gates.regression.text).to.match(drift);
    const { stdout } = await assay(2, 'compare', 'one', 'two');
    expect(stdout.replace(/\s+/g, ' ')).to.match(
      new RegExp(`two: tone: ${drift.source}: assay run --regrade ${id} `),
    );
    const markdown = await assay(2, 'compare', 'b.json', 'two', '--format', 'md');
    expect(markdown.stdout).to.match(/^\| tone \|.*\n.*judge changed \|$/m);
    expect(markdown.stdout).to.include(`assay run --regrade ${id} --bless FILE`);

    await assay(2, 'run', '--regrade', id);
    const after = await compared();
    expect(after.comparisons[0].scores[0])
      .to.include.keys('key')
      .and.not.to.include.keys('judge_drift');
  });

  it('may be another one by its code alone, also where that cannot be told apart, and is told of in the table of variants', async () => {
    const apart = judged.replace("key: 'tone'", "key: 'apart'").replace('[tone]', withNamed);
    const files = { 'a.eval.ts': judged, 'b.eval.ts': apart };
    const project = new Project(files);
    await project.assay(['run', '--run-name', 'two']);
    for (const [name, text] of Object.entries(files)) {
      project.write(name, text.replace('REASONS: fine', 'REASONS: well'));
    }
    await project.assay(['run', '--run-name', 'three']);
    const { comparisons, variants } = JSON.parse(
      (await project.assay(['compare', 'two', 'three', 'three', '--json'])).stdout,
    );
    const judges = ['tone', 'apart'].map((key) => {
      const { judge_drift } = comparisons[0].scores.find((one: { key: string }) => one.key === key);
      expect(judge_drift, key).to.include({ status: 'may_have_changed', grading: true });
      return { key, judge_drift };
    });
    const [two] = variants.runs;
    expect(variants.runs[1].difference.judges).to.have.deep.members(judges);
    expect(variants.notes.join()).to.include(
      `tone: judge may have changed (the code that grades): assay run --regrade ${two.run_id}`,
    );
  });

  it('is the same one for variants of the same code, also where it cannot be told apart', async () => {
    const variants = judged
      .replace('[tone]', withNamed)
      .replace('cases:', "params: { model: 'a' }, cases:");
    const project = new Project({ 'a.eval.ts': variants });
    for (const model of ['a', 'b']) {
      await project.assay(['run', '--param', `model=${model}`, '--run-name', model]);
    }
    const { stdout } = await project.assay(['compare', 'a', 'b', '--json']);
    const score = JSON.parse(stdout).comparisons[0].scores.find(
      ({ key }: { key: string }) => key === 'tone',
    );
    expect(score).to.include.keys('key').and.not.include.keys('judge_drift');
  });
});

describe('assay run: reporters', () => {
  let project: Project;
  /** A run of which all has passed. */
  let fine: Ended;

  before(async () => {
    project = new ProjectWithoutHosts({ 'a.eval.ts': evals, 'evals/nasty.eval.ts': nasty });
    const bless = ['--bless', 'main.json', '--reporter', 'junit'];
    fine = await project.assay(['run', 'a.eval.ts', '--run-name', 'fine', ...bless]);
  });

  it('junit writes a valid document to a file, or to stdout', async () => {
    expect(schemaFaults(fine.stdout)).to.deep.equal([]);
    const file = await project.assay(['run', '.', '--reporter', 'junit=out.xml'], {
      env: { V: '2' },
    });
    expect(file.code).to.equal(0);
    const root = readXml(project.read('out.xml'));
    expect(schemaFaults(project.read('out.xml'))).to.deep.equal([]);
    const counts = root.children.map(({ attributes }) => {
      const { name, tests, failures, errors } = attributes;
      return [name, tests, failures, errors];
    });
    expect(counts).to.deep.equal([
      ['a.eval.ts', '10', '1', '0'],
      ['evals/nasty.eval.ts', '1', '0', '1'],
    ]);
  });

  it('github annotates the line of each evaluation that failed, and adds a job summary', async () => {
    project.write('summary.md', 'what stood there\n');
    const env = {
      V: '2',
      GITHUB_STEP_SUMMARY: project.path('summary.md'),
      GITHUB_WORKSPACE: project.path('..'),
    };
    const { stderr, stdout } = await project.assay(
      ['run', 'a.eval.ts', '--reporter', 'github', '--baseline', 'main.json'],
      { env },
    );
    expect(stdout).to.equal('');
    const folder = project.folder.split('/').at(-1);
    const commands = stderr.split('\n').filter((line) => line.trimStart().startsWith('::'));
    expect(commands).to.deep.equal([
      `::error file=${folder}/a.eval.ts,line=5,title=refund[4] regressed::exact%0Aoutput: no idea`,
    ]);
    const summary = project.read('summary.md');
    expect(summary).to.match(/^what stood there\n## /);
    expect(summary).to.include('1 regressed · 0 fixed');
    expect(summary).to.match(/\| pass rate \|/);
  });

  it('nothing that evaluations print or throw becomes a workflow command', async () => {
    const args = ['run', 'evals', '--verbose', '--no-save', '--reporter', 'github'];
    const { stderr, stdout } = await project.assay([...args, '--reporter', 'junit'], {
      env: { GITHUB_ACTIONS: 'true', CI: 'true' },
    });
    expect(schemaFaults(stdout)).to.deep.equal([]);
    expect(stdout.split('\n').filter((line) => /^\s*::|##\[/.test(line))).to.deep.equal([]);
    const commands = stderr.split('\n').filter((line) => /^\s*::|##\[/.test(line));
    expect(commands).to.deep.equal([
      '::error file=evals/nasty.eval.ts,line=6,title=nasty::Error: first',
    ]);
    expect(stderr).to.include('\\u{3a}:error::injected');
    expect(stderr).to.include('No job summary: GITHUB_STEP_SUMMARY is not set.');
  });
});
