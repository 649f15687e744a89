import { expect } from 'chai';
import { ServedProject } from '../../helpers/served-project.js';
import { changingProject, runIdPattern, statusesOf } from './evals.js';

type Run = Awaited<ReturnType<ServedProject['active']>>;

describe('the contract: rerun with a run config', () => {
  let served: ServedProject;
  let original: Run;

  before(async () => {
    served = await ServedProject.start(changingProject);
    original = await served.runAll();
  });

  const tools = (run: Run) => run.results.map(({ result }: Run) => result.trace_data.tool);

  it('starts a new run for a not-started one, too', async () => {
    const other = await ServedProject.start(changingProject);
    const { run_id } = await other.active();
    const { body } = await other.post('/api/runs/rerun?wait=true', { config_name: 'slow' });
    expect(body.run_id).to.not.equal(run_id);
    expect(await other.active()).to.include({ run_name: 'slow', config_name: 'slow' });
  });

  it('starts a new run named after a config that is another than that of the run', async () => {
    const { body } = await served.post('/api/runs/rerun?wait=true', { config_name: 'fast' });
    const run = await served.active();
    expect(body.run_id).to.match(runIdPattern).and.not.equal(original.run_id);
    expect(run).to.include({ run_id: body.run_id, run_name: 'fast', config_name: 'fast' });
    expect(run.session_name).to.equal(original.session_name);
    expect(tools(run)).to.deep.equal(['hammer', 'hammer', 'hammer']);
  });

  it('leaves the earlier run as it was', async () => {
    const { body } = await served.get(`/api/runs/${original.run_id}/data`);
    expect(body.results).to.deep.equal(original.results);
  });

  it('starts no new run for the config that the run has', async () => {
    const { run_id } = await served.active();
    const { body } = await served.post('/api/runs/rerun?wait=true', { config_name: 'fast' });
    expect(body.run_id).to.equal(run_id);
  });

  it('keeps the config of the run when none is named, whatever is selected', async () => {
    await served.post('/api/configs/select', { name: 'slow' });
    await served.post('/api/runs/rerun?wait=true', {});
    const run = await served.active();
    expect(run.config_name).to.equal('fast');
    expect(tools(run)).to.deep.equal(['hammer', 'hammer', 'hammer']);
  });

  it('runs only the results at indices in the new run; the others are not_started', async () => {
    const body = { config_name: 'default', indices: [1] };
    const { run_id } = (await served.post('/api/runs/rerun?wait=true', body)).body;
    const run = await served.active();
    expect(run).to.include({ run_id, run_name: 'default', selected_total: 1 });
    expect(statusesOf(run)).to.deep.equal(['not_started', 'completed', 'not_started']);
  });

  it('works on the run of run_id', async () => {
    const body = { config_name: 'slow', run_id: original.run_id };
    const { run_id } = (await served.post('/api/runs/rerun?wait=true', body)).body;
    const run = await served.active();
    expect(run).to.include({ run_id, config_name: 'slow', run_name: 'slow' });
    expect(run_id).to.not.equal(original.run_id);
  });
});
