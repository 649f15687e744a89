import { expect } from 'chai';
import { ServedProject } from '../../helpers/served-project.js';
import { changingProject, statusesOf } from './evals.js';

describe('the contract: run configs', () => {
  let served: ServedProject;

  before(async () => {
    served = await ServedProject.start(changingProject);
  });

  const select = (name: unknown) => served.post('/api/configs/select', { name });

  it('are named by GET /api/configs, default first, with the active one', async () => {
    const { status, body } = await served.get('/api/configs');
    expect(status).to.equal(200);
    expect(body).to.deep.equal({ names: ['default', 'fast', 'slow'], active: 'default' });
  });

  it('are selected by POST /api/configs/select, which answers ok and the active one', async () => {
    const { status, body } = await select('slow');
    expect(status).to.equal(200);
    expect(body).to.deep.equal({ ok: true, active: 'slow' });
    expect((await served.get('/api/configs')).body.active).to.equal('slow');
  });

  for (const name of ['unknown', '', 'FAST', '__proto__', 5, null, undefined]) {
    it(`answer 400 to the selection of ${JSON.stringify(name) ?? 'none'}, which changes nothing`, async () => {
      await select('slow');
      const { status, body } = await select(name);
      expect(status).to.equal(400);
      if (name === 'unknown') expect(body.detail).to.include('fast');
      expect((await served.get('/api/configs')).body.active).to.equal('slow');
    });
  }

  it('hold for the first start of a not-started run', async () => {
    await select('fast');
    const { run_id } = await served.active();
    const run = await served.runAll();
    expect(run).to.include({ run_id, config_name: 'fast' });
    expect(run.results[0].result.trace_data.tool).to.equal('hammer');
    expect(statusesOf(run)).to.deep.equal(Array(3).fill('completed'));
  });

  it('hold for the next new run', async () => {
    await select('default');
    await served.post('/api/runs/new?wait=true', {});
    const run = await served.active();
    expect(run.config_name).to.equal('default');
    expect(run.results[0].result.trace_data.tool).to.equal('none');
  });

  it('are default alone when none is defined, and as the file has them when it changes', async () => {
    served.project.write('assay.yaml', 'concurrency: 1\n');
    expect((await served.get('/api/configs')).body.names).to.deep.equal(['default']);
    served.project.write('assay.yaml', 'configs:\n  z: {}\n  default: { trials: 2 }\n  a: {}\n');
    const { names } = (await served.get('/api/configs')).body;
    expect(names[0]).to.equal('default');
    expect(names).to.have.members(['default', 'z', 'a']);
  });
});
