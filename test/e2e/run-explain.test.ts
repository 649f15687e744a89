import assert from 'node:assert/strict';
import { type JsonRun, Project } from '../helpers/project.js';

const files = {
  'prompts/refund.md': 'Refunds:\nRefunds take 14 days.\n',
  'app.ts': `
    import { readFileSync } from 'node:fs';
    export const table = new Map([[1, 2]]);
    export const answer = () => readFileSync('prompts/refund.md', 'utf8').length;`,
  'a.eval.ts': `
    import { evaluation } from 'assay';
    import { answer } from './app.js';
    import { long } from './graders.js';
    export const refund = evaluation({
      cases: [{ id: 'q1', input: 'how long?' }, { id: 'q2', input: 'how much?' }],
      target: () => answer(),
      evaluators: [long],
    });`,
  'graders.ts': 'export const long = ({ output }) => output > 3;\n',
};

interface Explained {
  readonly id: string;
  readonly action: string;
  readonly reason?: string;
  readonly from?: { readonly run_name: string };
  readonly compared_with?: { readonly run_name: string };
  readonly inputs: readonly {
    readonly part: string;
    readonly state: string;
    readonly name?: string;
    readonly before?: string;
    readonly now?: string;
    readonly line?: object;
  }[];
}

describe('assay run --explain', () => {
  let ran: Project;
  let first: JsonRun;
  before(async () => {
    ran = new Project(files);
    first = await ran.run();
  });

  /** What is printed, and as JSON the one row and its inputs that are not the same. */
  async function explain(project: Project, ...args: readonly string[]) {
    const { stdout, stderr, code } = await project.assay(['run', '--explain', ...args]);
    assert.equal(code, 0, stderr);
    return { stdout, ...(await explainedRow(project, ...args)) };
  }

  async function explainedRow(project: Project, ...args: readonly string[]) {
    const { stdout } = await project.assay(['run', '--explain', ...args, '--json']);
    const { explained } = JSON.parse(stdout) as { readonly explained: readonly Explained[] };
    const [row] = explained;
    assert.ok(row !== undefined && explained.length === 1);
    return { row, others: row.inputs.filter(({ state }) => state !== 'same') };
  }

  it('says that nothing has changed, of what there is to compare', async () => {
    const { stdout, row, others } = await explain(ran, 'refund[q1]');
    const { run_name } = first.run;
    assert.match(
      stdout,
      new RegExp(`^ {2}a\\.eval\\.ts::refund\\[q1\\] {3}is carried from ${run_name}: nothing`),
    );
    assert.match(stdout, /^ {4}target {4}same {7}3 modules, 1 of them whole: app\.ts$/m);
    assert.match(stdout, /^ {4}reads {5}same {7}1 look$/m);
    assert.match(stdout, /^ {4}runtime {3}same {7}node [\d.]+, assay [\d.]+, \w+ \w+$/m);
    assert.equal(row.action, 'carry');
    assert.equal(row.from?.run_name, run_name);
    assert.deepEqual(others, []);
    const read = row.inputs.find(({ part }) => part === 'reads');
    assert.equal(read?.name, 'prompts/refund.md');
    assert.equal(read?.before, read?.now);
    assert.equal(ran.finishedResults(), 2, 'nothing has run');
  });

  it('shows what has changed, appeared or gone, with both hashes', async () => {
    const project = ran.copy();
    project.write('prompts/refund.md', 'Refunds:\nRefunds take 30 days.\n');
    project.write('app.ts', `import './more.js';\n${project.read('app.ts')}`);
    project.write('more.ts', 'export const more = 1;');
    const { stdout, row, others } = await explain(project, 'a.eval.ts::refund[q2]');
    const { run_name } = first.run;
    assert.match(
      stdout,
      new RegExp(`runs: prompts/refund\\.md has changed since ${run_name}$`, 'm'),
    );
    assert.match(stdout, /^ {4}reads {5}changed {4}prompts\/refund\.md {2}\w{16} → \w{16}$/m);
    assert.deepEqual(
      others.map(({ part, name, state }) => [part, name, state]),
      [
        ['target', 'app.ts', 'changed'],
        ['target', 'more.ts', 'appeared'],
        ['target', 'more.ts (more)', 'appeared'],
        ['reads', 'prompts/refund.md', 'changed'],
      ],
    );
    assert.equal(row.compared_with?.run_name, run_name);
    assert.equal(row.from, undefined);
    project.remove('prompts/refund.md');
    assert.equal((await explainedRow(project, 'refund[q1]')).others.at(-1)?.state, 'gone');
  });

  it('tells grading from the target, and shows where the text of a case differs', async () => {
    const project = ran.copy();
    project.write('graders.ts', 'export const long = ({ output }) => output > 4;\n');
    const graded = await explain(project, 'refund[q1]');
    assert.equal(graded.row.action, 'regrade');
    assert.match(
      graded.stdout,
      /is only graded again: graders\.ts \(long\) has changed since \S+, and only its grading depends on that$/m,
    );
    assert.deepEqual(
      graded.others.map(({ part, name }) => [part, name]),
      [['grading', 'graders.ts (long)']],
    );
    project.write('a.eval.ts', project.read('a.eval.ts').replace('how long?', 'how long now?'));
    const { stdout, row, others } = await explain(project, 'refund[q1]');
    assert.equal(row.reason, 'its case');
    assert.match(stdout, /runs: its case has changed/);
    assert.match(stdout, /^ +- {3}"input": "how long\?",\n +\+ {3}"input": "how long now\?",$/m);
    assert.deepEqual(others[0]?.line, {
      before: '  "input": "how long?",',
      now: '  "input": "how long now?",',
    });
  });

  it('compares with the run of --since, explains each trial, and says what there is not', async () => {
    const project = ran.copy();
    const { run_id } = (await project.run(['--session', 'other'])).run;
    const since = await explainedRow(project, 'refund[q1]', '--since', run_id.slice(0, 8));
    assert.equal(since.row.compared_with?.run_name, since.row.from?.run_name);
    assert.notEqual(since.row.from?.run_name, first.run.run_name);

    const trials = await project.assay(['run', '--explain', 'refund[q1]', '--trials', '2']);
    assert.match(trials.stdout, /\[q1\]~1 {3}runs: no earlier result\n\n.*\[q1\]~2 {3}runs: no/);

    const unknown = await project.assay(['run', '--explain', 'refund[q3]']);
    assert.equal(unknown.code, 2);
    assert.match(
      unknown.stderr,
      /There is no case "refund\[q3\]"\.\n {2}Did you mean refund\[q1\]/,
    );
    assert.equal((await project.assay(['run', '--since', run_id])).code, 2);
    assert.equal((await project.assay(['run', '--rerun', run_id, '--explain', 'x'])).code, 2);
  });
});
