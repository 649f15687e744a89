import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openStore } from '../../src/store/store.js';
import { type Project, ProjectWithoutHosts } from '../helpers/project.js';

// The judge passes 3 of 4; people fail 1 of 3.
const judged = `
import { evaluation } from 'assay';
export const answers = evaluation({
  cases: Array.from({ length: 90 }, (_, i) => ({ id: \`q\${i}\`, input: i })),
  target: (ctx) => ctx.input,
  evaluators: [function correctness({ output }) { return { passed: output % 4 > 0, notes: \`reason \${output}\` }; }],
});
`;

describe('assay sessions calibration', () => {
  let project: Project;

  before(async () => {
    project = new ProjectWithoutHosts({ 'a.eval.ts': judged });
    await project.run(['a.eval.ts', '--run-name', 'judged']);
    const store = await openStore(join(project.folder, '.assay/sessions'));
    const [listed] = await store.listRuns('default');
    const run = await store.openRun(listed?.run_id ?? '');
    const { id, strata } = await run.drawSample({ size: 80, by: 'none', seed: 1 });
    const drawn = strata.flatMap((stratum) => stratum.drawn).sort((a, b) => a - b);
    const labels = drawn.map((index) => ({
      ...{ index, key: 'correctness', reviewer: 'ada', sample: id },
      ...{ verdict: index % 3 > 0 ? ('pass' as const) : ('fail' as const), note: `note ${index}` },
    }));
    await run.addLabels(labels);
    await run.close();
  });

  it('prints how far judges can be trusted, and what they and people disagree on', async () => {
    const { code, stdout } = await project.assay([
      'sessions',
      'calibration',
      'judged',
      '--disagreements',
    ]);
    expect(code).to.equal(0);
    const lines = stdout.split('\n');
    expect(lines[0]).to.match(/^ {2}judge +TPR +TNR +kappa +AC1 +n +as judged +corrected$/);
    expect(lines[1]).to.match(
      /^ {2}correctness +\.\d\d \(\.\d\d–\.\d\d\) .* 80 +74\.4 % \(\d\d\.\d–\d\d\.\d\) /,
    );
    expect(stdout).to.match(/answers\[q(\d+)\] +fail +note \1 +pass +reason \1\b/);
    const { stdout: json } = await project.assay(['sessions', 'calibration', 'judged', '--json']);
    expect(JSON.parse(json)).to.include({ run_name: 'judged', left_to_draw: 10 });
  });

  it('shows what people would pass beside what the judge passed, the same everywhere', async () => {
    await project.run(['a.eval.ts', '--run-name', 'unlabelled']);
    const { stdout: table } = await project.assay(['sessions', 'calibration', 'judged']);
    const [, rate, interval] = / (\d\d\.\d %) \(([^()]*)\)\n/.exec(`${table}\n`) ?? [];
    const shown = await project.assay(['show', 'judged']);
    expect(shown.stdout).to.match(/correctness +█+░+ +74\.4 % +67 of 90 .*\n {4}corrected +█+/);
    expect(shown.stdout).to.include(`${rate}   by 80 labels   95 %: ${interval}`);
    const compared = await project.assay(['compare', 'judged', 'unlabelled']);
    expect(compared.stdout).to.match(
      new RegExp(`corrected +judged +${rate} +${interval} +80 labels.*\\n +unlabelled +no labels`),
    );
    const other = await project.assay(['show', 'unlabelled']);
    expect(other.stdout).to.include('correctness').and.not.include('corrected');
    const json = async (...command: string[]) =>
      JSON.parse((await project.assay([...command, '--json'])).stdout);
    const { corrected } = await json('show', 'judged');
    expect(corrected).to.have.length(1);
    expect(corrected[0]).to.include({ key: 'correctness', gives: 'verdicts', n: 80 });
    const { judges } = await json('sessions', 'calibration', 'judged');
    expect(corrected[0].corrected).to.deep.equal(judges[0].corrected);
    const { runs } = await json('compare', 'judged', 'unlabelled');
    expect(runs[0].corrected).to.deep.equal(corrected);
    expect(runs[1]).to.not.have.property('corrected');
    expect(await json('show', 'unlabelled')).to.not.have.property('corrected');
    // Labels are of all cases.
    const part = await json('compare', 'judged', 'unlabelled', '--where', 'input=1');
    expect(part.runs[0]).to.not.have.property('corrected');
  });

  it('writes the file by which gates judge the corrected rate', async () => {
    const written = await project.assay(['sessions', 'calibration', 'judged', '-o', 'cal.json']);
    expect(written.code, written.stderr).to.equal(0);
    const file = JSON.parse(readFileSync(join(project.folder, 'cal.json'), 'utf8'));
    expect(file.judges.correctness).to.include({ rubric_version: null });
    await project.run(['a.eval.ts', '--run-name', 'next']);
    const gate = (run: string, calibration: string) =>
      project.assay([
        ...['sessions', 'gate', run, '--fail-under', 'correctness=0.9'],
        ...['--corrected', calibration],
      ]);
    const corrected = await gate('next', 'cal.json');
    expect(corrected.code).to.equal(2);
    expect(corrected.stderr).to.match(
      /correctness, corrected, cannot be judged: the judge is hardly better than chance/,
    );
    const missing = await gate('judged', 'none.json');
    expect(missing.code).to.equal(2);
    expect(missing.stderr).to.match(/calibration none\.json cannot be read/);
    // The labels are of this run, which has one corrected rate.
    const own = await gate('judged', 'cal.json');
    const { stdout } = await project.assay(['sessions', 'calibration', 'judged']);
    const [, rate] = / (\d\d\.\d %) \([^()]*\)\n/.exec(stdout) ?? [];
    expect(own.code).to.equal(1);
    expect(own.stderr).to.include(`correctness corrected ${rate} (95 %: `);
  });

  it('writes no labels of an older rubric, and says so', async () => {
    const changed = new ProjectWithoutHosts({
      'a.eval.ts': judged,
      'assay.yaml': 'rubrics:\n  correctness: Another one.\n',
    });
    cpSync(join(project.folder, '.assay'), join(changed.folder, '.assay'), { recursive: true });
    const written = await changed.assay(['sessions', 'calibration', 'judged', '-o', 'c.json']);
    expect(written.code).to.equal(2);
    expect(written.stderr).to.include('correctness has no labels by the rubric that counts now');
    const { stdout } = await changed.assay(['sessions', 'calibration', 'judged']);
    expect(stdout).to.match(
      /correctness: by an older rubric than the one that counts now: (npx )?assay review judged --score correctness$/m,
    );
    const { stdout: json } = await changed.assay(['sessions', 'calibration', 'judged', '--json']);
    expect(JSON.parse(json).judges[0]).to.include({ rubric_changed: true });
  });

  it('corrects rates of exports that say the rubric, and cannot tell of others', async () => {
    const shop = new ProjectWithoutHosts({
      'shop.eval.ts': `
import { evaluation } from 'assay';
import { rubric } from 'assay/graders';
let asked = 0;
const ask = () => 'REASONS: r\\nVERDICT: ' + (asked++ % 4 > 0 ? 'PASS' : 'FAIL');
export const shop = evaluation({
  cases: Array.from({ length: 40 }, (_, i) => ({ id: \`q\${i}\`, input: i })),
  target: () => 'x',
  evaluators: [rubric('Correct.', { ask, key: 'correct' })],
});
`,
    });
    await shop.run(['shop.eval.ts', '--run-name', 'stored']);
    const store = await openStore(join(shop.folder, '.assay/sessions'));
    const [listed] = await store.listRuns('default');
    const run = await store.openRun(listed?.run_id ?? '');
    const rubric_version = run.rubricOf('shop.eval.ts::shop', 'correct', {})?.version;
    const judge = run.rows[0]?.scores[0]?.rubric_version;
    const { id, strata } = await run.drawSample({ size: 20, by: 'none', seed: 1 });
    const [index = 0] = strata.flatMap((stratum) => stratum.drawn);
    const label = { index, key: 'correct', verdict: 'pass', reviewer: 'ada', sample: id } as const;
    await run.addLabels([
      { ...label, rubric_version: 'abcdef012345' },
      { ...label, rubric_version: rubric_version ?? '' },
    ]);
    await run.close();
    // Which rubric and judge it was is said where the figures are.
    const [rubric, version] = [rubric_version, judge].map((one) => one?.slice(0, 6));
    const { stdout: told } = await shop.assay(['sessions', 'calibration', 'stored']);
    expect(told).to.include(`correct (rubric ${rubric})`).and.include('correct (rubric abcdef)');
    const { stdout: result } = await shop.assay(['show', 'stored', 'shop[q0]']);
    expect(result).to.match(new RegExp(`[✓✗] correct, judge ${version}\\b`));
    const counted = { m0: 200, m1: 200, size0: 200, size1: 200, q0: 0.9, q1: 0.95 };
    const judges = { correct: { rubric_version, judge, ...counted } };
    const file = { assay_calibration: 1, run_id: 'r', run_name: 'labelled', at: '', judges };
    writeFileSync(join(shop.folder, 'cal.json'), JSON.stringify(file));
    const gate = async (reference: string) => {
      const limits = ['--fail-under', 'correct=0.5', '--corrected', 'cal.json'];
      const { code, stderr } = await shop.assay(['sessions', 'gate', reference, ...limits]);
      return `${code} ${stderr.split('\n').find((line) => line.includes('correct')) ?? stderr}`;
    };
    const stored = await gate('stored');
    expect(stored).to.match(/^0 .*correct corrected 7\d\.\d % /);
    await shop.assay(['export', 'stored', '-f', 'json', '-o', 'all.json']);
    expect(await gate('all.json')).to.equal(stored);
    await shop.assay(['export', 'stored', '-f', 'json', '--redact', 'notes', '-o', 'bare.json']);
    expect(await gate('bare.json')).to.equal(stored);
    await shop.assay(['export', 'stored', '-f', 'json', '--where', 'input<30', '-o', 'some.json']);
    expect(await gate('some.json')).to.match(
      /^2 .*correct, corrected, cannot be judged: 30 results do not say by which rubric people label them, and the calibration is of \w+: judge the run itself, or a JSON export of all of it, or calibrate it again \(exit code 2\)$/,
    );
  });

  it('asks for labels of what was drawn before more is drawn', async () => {
    const few = new ProjectWithoutHosts({ 'a.eval.ts': judged });
    await few.run(['a.eval.ts', '--run-name', 'few']);
    const store = await openStore(join(few.folder, '.assay/sessions'));
    const [listed] = await store.listRuns('default');
    const run = await store.openRun(listed?.run_id ?? '');
    const { id, strata } = await run.drawSample({ size: 20, by: 'none', seed: 1 });
    const [index = 0] = strata.flatMap((stratum) => stratum.drawn);
    const verdict = { verdict: 'pass', reviewer: 'ada' } as const;
    await run.addLabels([{ index, key: 'correctness', sample: id, ...verdict }]);
    await run.close();
    const { stdout } = await few.assay(['sessions', 'calibration', 'few']);
    expect(stdout).to.match(
      /needs 20 passes, has 1, and 20 fails, has 0; label the 19 drawn results without a label first: (npx )?assay review few --score correctness$/m,
    );
  });

  it('names the judges of a score where there are several, and keeps none of them', async () => {
    const changed = new ProjectWithoutHosts({
      'shop.eval.ts': `
import { evaluation } from 'assay';
import { rubric } from 'assay/graders';
let asked = 0;
const ask = () => 'REASONS: r\\nVERDICT: ' + (asked++ % 2 > 0 ? 'PASS' : 'FAIL');
const judgedBy = (votes) => ({
  cases: Array.from({ length: 30 }, (_, i) => ({ id: \`q\${i}\`, input: i })),
  target: () => 'x',
  evaluators: [rubric('Correct.', { ask, key: 'correct', votes })],
});
export const one = evaluation(judgedBy(1));
export const three = evaluation(judgedBy(3));
`,
    });
    await changed.run(['shop.eval.ts', '--run-name', 'changed']);
    const store = await openStore(join(changed.folder, '.assay/sessions'));
    const [listed] = await store.listRuns('default');
    const run = await store.openRun(listed?.run_id ?? '');
    const rubric_version = run.rubricOf('shop.eval.ts::one', 'correct', {})?.version ?? '';
    const { id, strata } = await run.drawSample({ size: 50, by: 'none', seed: 1 });
    const drawn = strata.flatMap((stratum) => stratum.drawn);
    await run.addLabels(
      drawn.map((index, n) => ({
        ...{ index, key: 'correct', reviewer: 'ada', sample: id, rubric_version },
        verdict: n % 2 > 0 ? 'pass' : 'fail',
      })),
    );
    const versions = new Set(run.rows.flatMap((row) => row.scores[0]?.rubric_version ?? []));
    await run.close();
    expect(versions.size).to.equal(2);
    const { stdout } = await changed.assay(['sessions', 'calibration', 'changed']);
    const judges = [...versions].sort();
    expect(stdout).to.include(`correct: several judges: rubric_version ${judges.join(', ')}`);
    const { stdout: json } = await changed.assay(['sessions', 'calibration', 'changed', '--json']);
    expect(JSON.parse(json).judges[0].judge_versions).to.deep.equal(judges);
    // A gate cannot say of which of them the file is.
    await changed.assay(['sessions', 'calibration', 'changed', '-o', 'c.json']);
    const file = JSON.parse(readFileSync(join(changed.folder, 'c.json'), 'utf8'));
    expect(file.judges.correct).to.not.have.property('judge');
    await changed.run(['shop.eval.ts', '--run-name', 'again']);
    const gate = ['sessions', 'gate', 'again', '--fail-under', 'correct=0.1'];
    const { code, stderr } = await changed.assay([...gate, '--corrected', 'c.json']);
    expect(`${code} ${stderr}`).to.match(/^2 .*correct, corrected, cannot be judged/s);
  });

  it('keeps a text for each of two judges without a key', async () => {
    const two = new ProjectWithoutHosts({
      'two.eval.ts': `
import { evaluation } from 'assay';
import { rubric } from 'assay/graders';
const ask = () => 'REASONS: r\\nVERDICT: PASS';
export const two = evaluation({
  cases: [{ input: 1 }],
  target: () => 'x',
  evaluators: [rubric('Correct.', { ask }), rubric('Polite.', { ask })],
});
`,
    });
    await two.run(['two.eval.ts']);
    const store = await openStore(join(two.folder, '.assay/sessions'));
    const [listed] = await store.listRuns('default');
    const run = await store.openRun(listed?.run_id ?? '');
    const textOf = (key: string) => run.rubricOf('two.eval.ts::two', key, {})?.text;
    expect([textOf('rubric'), textOf('rubric_2')]).to.deep.equal(['Correct.', 'Polite.']);
    await run.close();
  });
});
