import { expect } from 'chai';
import type { RunJson } from '../../src/model/run.js';
import { type Ended, type Project, ProjectWithoutHosts } from '../helpers/project.js';
import { runProblems } from '../helpers/run-shape.js';

function evals(cases: readonly string[]): string {
  return `
import { evaluation } from 'assay';
export const graded = evaluation({
  cases: ${JSON.stringify(cases.map((id) => ({ id, input: id })))},
  trials: 2,
  target: (ctx) => {
    if (ctx.input.startsWith('error')) throw new Error('broke');
    return ctx.input;
  },
  evaluators: [function good({ input }) { return !input.startsWith('fail'); }],
});
`;
}

function prunedIds({ results }: RunJson): string[] {
  return results.flatMap(({ id, pruned }) => (pruned === true ? [id] : []));
}

describe('assay run --rerun --prune', () => {
  let project: Project;
  let first: RunJson;

  before(async () => {
    project = new ProjectWithoutHosts({ 'a.eval.ts': evals(['ok', 'fail', 'error']) });
    first = (await project.run()).run;
    project.write('a.eval.ts', evals(['ok']));
  });

  const rerun = (...args: readonly string[]): Promise<Ended> =>
    project.assay(['run', '--rerun', first.run_id, '--json', ...args]);

  it('is offered where rows of evaluations that are gone are said, and left', async () => {
    const { code, stderr, json } = await rerun('--fail-on', 'errors');
    expect(code).to.equal(2);
    expect(stderr).to.match(/! 4 results of evaluations that are gone: left unchanged/);
    expect(stderr).to.include('--prune');
    const gone = ['fail]~1', 'fail]~2', 'error]~1', 'error]~2'].map(
      (id) => `a.eval.ts::graded[${id}`,
    );
    expect(stderr).to.include(gone.join(', '));
    expect(json()).to.include({ total_evaluations: 6, total_passed: 2, total_errors: 2 });
    expect(json()).to.not.have.property('total_pruned');
  });

  it('is needed for a verdict, until they are back', async () => {
    const copy = project.copy();
    const gate = (run = first.run_id) =>
      copy.assay(['sessions', 'gate', run, '--fail-under', '0.1']);
    const text = '? 4 of 6 results are of evaluations that are gone, while others ran again: ';
    const only = ['--only', 'changed', '--fail-under', '0.1'];
    const changed = await copy.assay(['run', '--rerun', first.run_id, ...only]);
    expect(changed.code, changed.stderr).to.equal(2);
    expect(changed.stderr).to.include(`${text}run all, or assay run --rerun ${first.run_id}`);
    const { run } = await copy.exported(first.run_id);
    await copy.assay(['export', first.run_id, '-o', 'run.json']);
    expect(run.mixed).to.deep.equal({ gone: 4 });
    for (const one of [first.run_id, 'run.json']) {
      const gated = await gate(one);
      expect(gated.code, gated.stderr).to.equal(2);
      expect(gated.stderr).to.include(text);
    }
    copy.write('a.eval.ts', evals(['ok', 'fail', 'error']));
    await copy.assay(['run', '--rerun', first.run_id, '--only', 'changed']);
    expect((await gate()).code).to.equal(0);
    copy.write('a.eval.ts', evals(['ok']));
    await copy.assay(['run', '--rerun', first.run_id, '--only', 'changed', '--prune']);
    expect((await gate()).code).to.equal(0);
  });

  it('leaves them out of counts, rates, gates and trials; they keep their place', async () => {
    const gates = ['--fail-on', 'errors,failures', '--fail-under', '100%,good=1'];
    const { code, stderr, json } = await rerun('--only', 'flaky', '--prune', ...gates);
    expect(stderr).to.match(
      /4 results of evaluations that are gone: pruned: a\.eval\.ts::graded\[/,
    );
    expect(code, stderr).to.equal(0);
    expect(stderr).to.include('2 passed · 0 failed · 0 errors · 4 pruned');
    const run = json();
    expect(runProblems(run)).to.deep.equal([]);
    expect(run).to.include({ total_evaluations: 6, total_pruned: 4, total_passed: 2 });
    expect(run).to.include({ total_errors: 0, total_with_scores: 2, pass_at_k: 1, pass_all_k: 1 });
    expect(run.results.map(({ id }) => id)).to.deep.equal(first.results.map(({ id }) => id));
    expect(prunedIds(run)).to.have.length(4);
    expect(run.results[2]?.result.scores).to.deep.equal(first.results[2]?.result.scores);
    expect((await project.exported(first.run_id)).run).to.deep.equal(run);
    const shown = await project.assay(['sessions', 'show', 'default', '--json']);
    expect(JSON.parse(shown.stdout).runs[0]).to.include({ total_pruned: 4, total_errors: 0 });
    const md = await project.assay(['export', first.run_id, '-f', 'md']);
    expect(md.stdout).to.include('- Pruned: 4\n');
  });

  it('keeps them from being chosen, graded and compared', async () => {
    const nothing = await rerun('--only', 'failed,errors');
    expect(nothing.stderr)
      .to.match(/there is nothing to do/)
      .and.not.match(/gone/);
    const regraded = await project.assay(['run', '--regrade', first.run_id, '--only', 'failed']);
    expect(regraded.stderr).to.match(/there is nothing to do/);
    const { run } = await project.run(['--run-name', 'fresh']);
    const compare = ['sessions', 'compare', first.run_id, run.run_id, '--json'];
    const compared = JSON.parse((await project.assay(compare)).stdout);
    expect(compared.runs[0]).to.include({ units: 1, finished: 1 });
    expect(compared.comparisons[0].changes).to.include({ same: 1, not_paired: 0 });
  });

  it('keeps them so when the run is exported and imported', async () => {
    await project.assay(['export', first.run_id, '-o', 'run.json']);
    const imported = await project.assay(['sessions', 'import', 'run.json', '--json']);
    const { run } = await project.exported(JSON.parse(imported.stdout).run_id);
    const { run_id: _, ...others } = (await project.exported(first.run_id)).run;
    expect(run).to.deep.include(others);
  });

  it('is refused without --rerun', async () => {
    for (const args of [
      ['run', '--prune'],
      ['run', '--resume', 'latest', '--prune'],
    ]) {
      const { code, stderr } = await project.assay(args);
      expect(code, stderr).to.equal(2);
      expect(stderr).to.match(/--rerun/);
    }
  });
});
