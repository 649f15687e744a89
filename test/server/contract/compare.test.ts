import { expect } from 'chai';
import { ServedProject } from '../../helpers/served-project.js';
import { mixedEvals } from './evals.js';

type Run = Awaited<ReturnType<ServedProject['active']>>;

describe('the contract: comparing', () => {
  let served: ServedProject;
  let runs: readonly Run[];

  before(async () => {
    served = await ServedProject.start({ 'mixed.eval.mjs': mixedEvals });
    const first = await served.runAll();
    const better = mixedEvals
      .replace("'neutral'", "'neg'")
      .replace('ctx.output = 2', 'ctx.output = 3');
    served.project.write('mixed.eval.mjs', better);
    await served.post('/api/runs/new?wait=true', { run_name: 'second' });
    runs = [first, await served.active()];
  });

  const query = () => runs.map(({ run_id }) => `run=${run_id}`).join('&');

  it('is offered of the not-started run, in which nothing is paired', async () => {
    await served.post('/api/server/restart');
    const { body } = await served.get('/api/sessions/default/runs');
    const other = await ServedProject.start(served.project);
    const [{ run_id }] = body.runs;
    const fresh = await other.activeId();
    const compared = await other.get(`/api/compare?run=${run_id}&run=${fresh}`);
    expect(compared.status).to.equal(200);
    expect(compared.body.runs[1].state).to.equal('not_started');
    expect(compared.body.comparisons[0].changes).to.include({ not_paired: 4 });
    expect((await other.get(`/api/runs/${fresh}/rows`)).body.summary.previous).to.equal(null);
  });

  it('has the run before in listings and in the summary of rows', async () => {
    const [first, second] = runs;
    const [newest, oldest] = (await served.get('/api/sessions/default/runs?wait=true')).body.runs;
    const { run_id, run_name, total_evaluations, total_passed, total_errors, score_chips } = first;
    const { started_at, updated_at } = first;
    const times = { started_at, updated_at };
    const figures = { total_evaluations, total_passed, total_errors, score_chips };
    const previous = { run_id, run_name, timestamp: first.created_at, ...times, ...figures };
    const { comparison: listed, ...toldOfListed } = newest.previous;
    expect(toldOfListed).to.deep.equal({ ...previous, is_current: true });
    expect(oldest.previous).to.equal(null);
    const { body } = await served.get(`/api/runs/${second.run_id}/rows`);
    const { comparison, is_current, ...told } = body.summary.previous;
    expect(told).to.deep.equal(previous);
    expect(is_current).to.equal(true);
    const {
      gates,
      run_id: _,
      run_name: __,
      ...summary
    } = (await served.get(`/api/compare?${query()}`)).body.comparisons[0];
    expect(comparison).to.deep.equal(summary);
    expect(listed).to.deep.equal(summary);
    expect(gates.missing.verdict).to.equal('yes');
    const before = await served.get(`/api/runs/${first.run_id}/rows`);
    expect(before.body.summary.previous).to.equal(null);
  });
});
