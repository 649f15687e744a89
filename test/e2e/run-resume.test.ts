import { expect } from 'chai';
import { type Project, ProjectWithoutHosts, until } from '../helpers/project.js';
import { runProblems } from '../helpers/run-shape.js';

// While the file `blocked` is there, the cases from the third on never end. Files in `.assay` are nothing that a result depends on.
const blocking = `
import { appendFileSync, existsSync } from 'node:fs';
import { evaluation } from 'assay';
export const slow = evaluation({
  cases: Array.from({ length: 6 }, (_, input) => ({ input, labels: [input % 2 ? 'odd' : 'even'] })),
  target: (ctx) => {
    appendFileSync('calls', ctx.caseId + '\\n');
    if (ctx.input > 1 && existsSync('.assay/blocked')) {
      return new Promise((_, reject) => ctx.signal.addEventListener('abort', reject));
    }
    return ctx.input * 2;
  },
});
`;

/** A run of which two results are there and four are not, that was killed. */
async function interrupted(): Promise<{ project: Project; id: string }> {
  const project = new ProjectWithoutHosts({ 'a.eval.ts': blocking, '.assay/blocked': '' });
  const running = project.start(['run', '-c', '2', '--run-name', 'broken-off', '--json']);
  await until(
    () =>
      project.finishedResults() === 2 &&
      project.read('calls').split('\n').length === 5 &&
      // Results whose code is not known may be of other code.
      project.savedText('.assay/sessions').includes('"type":"code"'),
    'two results with their code, and two that do not end',
  );
  running.child.kill('SIGKILL');
  await running.ended;
  const [id] = await idsOf(project);
  project.newLines('calls');
  return { project, id: id ?? '' };
}

async function idsOf(project: Project): Promise<string[]> {
  const { stdout } = await project.assay(['sessions', 'show', 'default', '--json']);
  const { runs } = JSON.parse(stdout) as { runs: { run_id: string }[] };
  return runs.map((run) => run.run_id);
}

describe('assay run --resume', () => {
  let killed: Project;
  let id: string;
  before(async () => {
    ({ project: killed, id } = await interrupted());
  });

  it('runs what a kill has left unfinished, and only that', async () => {
    const project = killed.copy();
    const before = (await project.assay(['export', id])).json();
    expect(runProblems(before)).to.deep.equal([]);
    expect(before.results.map((entry) => entry.result.status)).to.deep.equal([
      'completed',
      'completed',
      ...Array(4).fill('pending'),
    ]);
    expect(before).to.include({ state: 'interrupted' });
    const rest = unblock(project);
    const { code, stderr, json } = await project.assay(['run', '--resume', id, '--json']);
    expect(code, stderr).to.equal(0);
    const after = json();
    expect(project.newLines('calls')).to.deep.equal(rest);
    expect(runProblems(after)).to.deep.equal([]);
    expect(after).to.include({ run_id: id, run_name: 'broken-off', state: 'finished' });
    expect(after.created_at).to.equal(before.created_at);
    expect(after.results.slice(0, 2)).to.deep.equal(before.results.slice(0, 2));
    expect(after.results.map((entry) => entry.result.output)).to.deep.equal([0, 2, 4, 6, 8, 10]);
    expect(await idsOf(project)).to.deep.equal([id]);
  });

  it('takes filters, and says when there is nothing left', async () => {
    const project = killed.copy();
    unblock(project);
    const odd = await project.assay(['run', '--resume', 'latest', '--label', 'odd', '--json']);
    expect(project.newLines('calls')).to.deep.equal(['3', '5']);
    expect(odd.json().state).to.equal('interrupted');
    const rest = await project.assay(['run', '--resume', 'broken-off', '--json']);
    expect(project.newLines('calls')).to.deep.equal(['2', '4']);
    expect(rest.json().state).to.equal('finished');
    const again = await project.assay(['run', '--resume', 'latest', '--json']);
    expect(again.code).to.equal(0);
    expect(again.stderr).to.match(/broken-off has no unfinished results: there is nothing to do/);
    expect(again.stdout).to.equal(rest.stdout);
  });

  it('is what --rerun --only unfinished does, with a new start', async () => {
    const project = killed.copy();
    const rest = unblock(project);
    const flags = ['--rerun', id, '--only', 'unfinished', '--json'];
    const { code, json } = await project.assay(['run', ...flags]);
    expect(code).to.equal(0);
    expect(project.newLines('calls')).to.deep.equal(rest);
    expect(json().results.map((entry) => entry.result.status)).to.deep.equal(
      Array(6).fill('completed'),
    );
  });
});

/** Lets the blocked cases end; answers with those that are left. */
function unblock(project: Project): string[] {
  project.remove('.assay/blocked');
  return ['2', '3', '4', '5'];
}
