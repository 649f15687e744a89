import { expect } from 'chai';
import { Project, ProjectWithoutHosts, until } from '../helpers/project.js';

// While the file of a phase is there, target and grader of the cases from the third on never end. What is looked at in
// `.assay` counts for nothing.
const code = (grader: string) => `
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { evaluation } from 'assay';
const wait = ({ input, signal, phase }) => {
  if (input < 2 || !existsSync('.assay/' + phase)) return true;
  appendFileSync('waiting', 'x');
  return new Promise((_, reject) => signal.addEventListener('abort', reject));
};
export const one = evaluation({
  cases: Array.from({ length: 6 }, (_, input) => ({ id: String(input), input })),
  target: async ({ input, signal }) => {
    const prompt = readFileSync('prompt.txt', 'utf8');
    await wait({ input, signal, phase: 'target-blocked' });
    return prompt + input;
  },
  evaluators: [async function ${grader}({ input, output, signal }) {
    await wait({ input, signal, phase: 'grader-blocked' });
    return output.startsWith('good');
  }],
});
`;

const makeProject = (more: Record<string, string> = {}) =>
  new Project({ 'a.eval.ts': code('fine'), 'prompt.txt': 'good', ...more });

const config = (model: string) => `configs:\n  small: { params: { model: ${model} } }\n`;
const flags = ['--run-config', 'small'];
const gate = ['--fail-under', '0.5'];

/** Interrupts a command once a case waits in it, and lets cases no longer wait. */
async function interrupt(
  project: Project,
  args: readonly string[],
  phase: string,
  signal: 'SIGINT' | 'SIGKILL' = 'SIGINT',
): Promise<void> {
  project.write(`.assay/${phase}`, '');
  const running = project.start(['run', '--workers', '1', '-c', '3', ...args]);
  const type = args.includes('--regrade') ? 'regraded' : 'finished';
  await until(
    () => project.has('waiting') && project.finishedResults(type) >= 2,
    'two results, and a case that waits',
  );
  running.child.kill(signal);
  await running.ended;
  project.remove(`.assay/${phase}`);
  project.remove('waiting');
}

/** What every surface says of the run. */
async function refusals(project: Project, text: string): Promise<void> {
  const saved = await project.assay(['sessions', 'gate', 'latest', ...gate]);
  expect(saved.code, saved.stderr).to.equal(2);
  expect(saved.stderr).to.include(`? ${text}`);
  const blessed = await project.assay(['sessions', 'bless', 'latest', 'base.json', '--force']);
  expect(blessed.code).to.not.equal(0);
  expect(blessed.stderr).to.include(`was not blessed: ${text}`);
  for (const args of [
    ['show', 'latest'],
    ['export', 'latest', '-f', 'md'],
    ['compare', 'latest', 'latest'],
  ]) {
    const { stdout, stderr } = await project.assay(args);
    expect(stdout + stderr, args.join(' ')).to.include(text.replace(/^\d of \d results /, ''));
  }
  const base = ['--no-save', '--baseline', 'latest', '--fail-on', 'regression'];
  const compared = await project.assay(['run', ...base]);
  expect(compared.code, compared.stderr).to.equal(2);
  expect(compared.stderr).to.match(/\? baseline \S+: /);
  project.write('run.json', (await project.assay(['export', 'latest', '-f', 'json'])).stdout);
  for (const args of [
    ['sessions', 'gate', 'run.json', ...gate],
    ['sessions', 'gate', 'latest', ...gate, '--reporter', 'junit=junit.xml'],
  ]) {
    expect((await project.assay(args)).code, args.join(' ')).to.equal(2);
  }
  expect(project.read('junit.xml')).to.match(/name="mixed\.(other_code|former_grades)" value="4"/);
}

describe('a run whose results are not of one system', () => {
  it('is said to be, and not judged, after a resume with other params or code, until all run again', async () => {
    const project = makeProject({ 'assay.yaml': config('s') });
    await interrupt(project, flags, 'target-blocked');
    const [same, coded] = [project.copy(), project.copy()];
    project.write('assay.yaml', config('l'));
    const resumed = await project.assay(['run', '--resume', 'latest', ...gate]);
    const text = '4 of 6 results ran with other code, params or files than the results before them';
    expect(resumed.code, resumed.stderr).to.equal(2);
    expect(resumed.stderr).to.include(`? ${text}: run all, or assay run --rerun `);
    await refusals(project, text);
    const { run } = await project.exported();
    expect(run.mixed).to.deep.equal({ other_code: 4 });

    const again = await same.assay(['run', '--resume', 'latest', ...gate]);
    expect(again.code, again.stderr).to.equal(0);
    expect((await same.exported()).run).to.not.have.property('mixed');

    coded.write('a.eval.ts', code('fine').replace('prompt + input', 'prompt + input + 1'));
    expect((await coded.assay(['run', '--resume', 'latest', ...gate])).code).to.equal(2);
    // What ran before the edit is all that has changed: the rest has run with this code.
    const all = coded.copy();
    const changed = await coded.assay(['run', '--rerun', 'latest', '--only', 'changed', ...gate]);
    expect(changed.code, changed.stderr).to.equal(0);
    expect(coded.finishedResults()).to.equal(8);
    const { run: mended } = await coded.exported();
    expect(mended).to.not.have.property('mixed');
    expect(mended.results.filter((entry) => 'other_code' in entry)).to.deep.equal([]);

    const whole = await all.assay(['run', '--rerun', 'latest', ...gate]);
    expect(whole.code, whole.stderr).to.equal(0);
  });

  it('is said to be, and not judged, after a resume or a repeat with another file that targets read', async () => {
    const project = makeProject();
    await interrupt(project, [], 'target-blocked', 'SIGKILL');
    const repeated = project.copy();
    project.write('prompt.txt', 'bad');
    const resumed = await project.assay(['run', '--resume', 'latest', '--fail-under', '0.3']);
    const text = '4 of 6 results ran with other code, params or files than the results before them';
    expect(resumed.code, resumed.stderr).to.equal(2);
    expect(resumed.stderr).to.include(`? ${text}: run all, or assay run --rerun `);
    expect((await project.exported()).run.mixed).to.deep.equal({ other_code: 4 });
    const changed = ['--rerun', 'latest', '--only', 'changed', '--fail-under', '1'];
    expect((await project.assay(['run', ...changed])).code).to.equal(1);
    expect((await project.exported()).run).to.not.have.property('mixed');

    await repeated.assay(['run', '--resume', 'latest']);
    repeated.write('prompt.txt', 'worse');
    const again = await repeated.assay(['run', '--rerun', 'latest', '--limit', '1', ...gate]);
    expect(again.code, again.stderr).to.equal(2);
    expect(again.stderr).to.include('1 of 6 results ran again with newer code, params or files');
  });

  it('is said to be, and not judged, after a resume with other code than what was carried over', async () => {
    const carried = makeProject();
    await carried.assay(['run', '--limit', '2']);
    await interrupt(carried, ['--changed'], 'target-blocked');
    carried.write('a.eval.ts', code('fine').replace('prompt + input', 'prompt + input + 1'));
    const rest = await carried.assay(['run', '--resume', 'latest', ...gate]);
    expect(rest.code, rest.stderr).to.equal(2);
    expect(rest.stderr).to.include('? 4 of 6 results ran with other code, params or files than');
  });

  it('is said to be, and not judged, after a regrade that was interrupted', async () => {
    const project = new ProjectWithoutHosts({ 'a.eval.ts': code('fine'), 'prompt.txt': 'good' });
    await project.assay(['run']);
    project.write('a.eval.ts', code('other'));
    await interrupt(project, ['--regrade', 'latest'], 'grader-blocked');
    await refusals(project, '4 of 6 results keep their former grades, which could not be renewed');
    const again = await project.assay(['run', '--regrade', 'latest', ...gate]);
    expect(again.code, again.stderr).to.equal(0);
  });
});
