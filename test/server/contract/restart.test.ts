import { expect } from 'chai';
import { removeProjects } from '../../helpers/project.js';
import { closeServers, ServedProject } from '../../helpers/served-project.js';
import { changingProject } from './evals.js';

type Run = Awaited<ReturnType<ServedProject['active']>>;

const broken = `import './nothing-there.js';\n`;

describe('the contract: POST /api/server/restart', () => {
  let served: ServedProject;

  beforeEach(async () => {
    served = await ServedProject.start(changingProject);
  });

  afterEach(async () => {
    await closeServers();
    removeProjects();
  });

  const restart = () => served.post('/api/server/restart');
  const ids = ({ results }: Run) => results.map(({ id }: Run) => id.split('::')[1]);

  it('answers ok and how many evaluations there are', async () => {
    const { status, body } = await restart();
    expect(status).to.equal(200);
    expect(body).to.deep.equal({ ok: true, total_evaluations: 3 });
  });

  it('discovers the evals again: the not-started run shows those of today', async () => {
    const before = await served.active();
    served.project.write('words.txt', 'a z');
    expect((await restart()).body.total_evaluations).to.equal(2);
    const run = await served.active();
    expect(ids(run)).to.deep.equal(['changing[a]', 'changing[z]']);
    expect(run).to.include({ run_id: before.run_id, run_name: before.run_name });
  });

  it('reloads the settings file', async () => {
    served.project.write('assay.yaml', 'trials: 2\n');
    expect((await restart()).body.total_evaluations).to.equal(6);
    expect((await served.active()).trials).to.equal(2);
  });

  it('says what could not be imported', async () => {
    served.project.write('broken.eval.mjs', broken);
    const { status, body } = await restart();
    expect(status).to.equal(200);
    expect(body).to.have.all.keys('ok', 'total_evaluations', 'discovery_error');
    expect(body.discovery_error).to.include('broken.eval.mjs');
    expect((await served.active()).discovery_error).to.equal(body.discovery_error);
    served.project.remove('broken.eval.mjs');
    expect((await restart()).body).to.not.have.property('discovery_error');
    expect(await served.active()).to.not.have.property('discovery_error');
  });

  it('leaves saved runs and the active one as they are', async () => {
    const run = await served.runAll();
    served.project.write('words.txt', 'a');
    expect((await restart()).status).to.equal(200);
    expect(await served.active()).to.deep.equal(run);
  });

  it('takes up a changed results_dir', async () => {
    const { run_id } = await served.runAll();
    await served.put('/api/config', { results_dir: 'elsewhere' });
    expect((await served.active()).run_id).to.equal(run_id);
    expect((await served.get('/api/sessions')).body.sessions).to.deep.equal(['default']);
    expect((await restart()).status).to.equal(200);
    expect((await served.get('/api/sessions')).body.sessions).to.deep.equal([]);
    const fresh = await served.active();
    expect(fresh.state).to.equal('not_started');
    await served.runAll();
    expect(served.project.has('elsewhere')).to.equal(true);
    expect((await served.get(`/api/runs/${run_id}/data`)).status).to.equal(404);
  });

  it('answers 400 and stays as it is when the settings file is broken', async () => {
    const before = (await served.get('/results')).text;
    served.project.write('assay.yaml', 'trials: [\n');
    const { status, body } = await restart();
    expect(status).to.equal(400);
    expect(body.detail).to.include('assay.yaml');
    expect((await served.get('/results')).text).to.equal(before);
  });
});
