import { expect } from 'chai';
import { ServedProject } from '../../helpers/served-project.js';
import { expectRefused, openGate, serveGated } from './gated-project.js';

const good = "import { evaluation } from 'assay';\nexport const good = evaluation({}, () => {});\n";
const broken = "import { evaluation } from 'assay';\n\nthrow new Error('half done');\n";

describe('evals that cannot be imported', () => {
  it('leave the others to be shown and run, and are told with file and line', async () => {
    const served = await ServedProject.start({ 'good.eval.ts': good, 'bad.eval.ts': broken });
    const before = await served.active();
    expect(before.results).to.have.lengthOf(1);
    expect(before.discovery_error).to.match(/bad\.eval\.ts.*3/s);
    expect(before.discovery_error).to.include('half done');
    const run = await served.runAll();
    expect(run).to.include({ total_evaluations: 1, total_passed: 1, state: 'finished' });
    expect(run.discovery_error).to.match(/bad\.eval\.ts.*3/s);
    const one = (await served.get(`/api/runs/${run.run_id}/data`)).body;
    expect(one.discovery_error).to.equal(run.discovery_error);
    const exported = (await served.get('/api/runs/latest/export/json')).body;
    expect(exported).to.not.have.property('discovery_error');
  });

  it('are forgotten when they have been mended', async () => {
    const served = await ServedProject.start({ 'good.eval.ts': good, 'bad.eval.ts': broken });
    served.project.write('bad.eval.ts', good.replaceAll('good', 'mended'));
    const restarted = await served.post('/api/server/restart');
    expect(restarted.body).to.include({ ok: true, total_evaluations: 2 });
    expect(restarted.body).not.to.have.property('discovery_error');
    expect(await served.active()).not.to.have.property('discovery_error');
    served.project.write('bad.eval.ts', broken);
    const again = await served.post('/api/server/restart');
    expect(again.body).to.include({ ok: true, total_evaluations: 1 });
    expect(again.body.discovery_error).to.include('half done');
    served.project.write('bad.eval.ts', good.replaceAll('good', 'mended'));
    const run = await served.runAll();
    expect(run).to.include({ total_passed: 2 });
    expect(run).not.to.have.property('discovery_error');
  });

  it('leave an empty run when there are no others, which cannot start', async () => {
    const served = await ServedProject.start({ 'bad.eval.ts': broken });
    const before = await served.active();
    expect(before).to.include({ total_evaluations: 0, state: 'not_started' });
    expect(before.discovery_error).to.include('half done');
    expectRefused(await served.post('/api/runs/rerun', {}), 400, 'half done');
    expect((await served.active()).state).to.equal('not_started');
    expect((await served.get('/api/sessions')).body.sessions).to.deep.equal([]);
    served.project.write('bad.eval.ts', good);
    expect(await served.runAll()).to.include({ total_passed: 1 });
  });

  it('leave a saved run as it was', async () => {
    const served = await serveGated();
    openGate(served);
    const before = await served.runAll();
    served.project.write('a.eval.ts', 'const = 1;\n');
    expectRefused(await served.post('/api/runs/rerun', {}), 400, 'a.eval.ts');
    const after = await served.active();
    expect(after.results).to.deep.equal(before.results);
    expect(after.discovery_error).to.include('a.eval.ts');
  });
});

describe('what the last discovery could not import', () => {
  it('is in the active run, whichever that is, until a discovery without errors', async () => {
    const served = await ServedProject.start({ 'good.eval.ts': good });
    const first = await served.runAll();
    await served.post('/api/runs/new?wait=true', {});
    const second = await served.active();
    served.project.write('bad.eval.ts', broken);
    const restarted = await served.post('/api/server/restart');
    expect(restarted.body.discovery_error).to.include('half done');
    const errorOf = async (path: string) => (await served.get(path)).body.discovery_error;
    expect(await errorOf('/results')).to.equal(restarted.body.discovery_error);
    expect((await served.active()).run_id).to.equal(second.run_id);
    const status = (await served.get(`/api/runs/${second.run_id}`)).body;
    expect(status.discovery.failures).to.have.length(1);
    // It is no fact of a run: another active run has it, and this one has it no more.
    await served.post(`/api/runs/${first.run_id}/activate`);
    expect(await errorOf('/results')).to.equal(restarted.body.discovery_error);
    expect(await errorOf(`/api/runs/${second.run_id}/data`)).to.equal(undefined);
    expect((await served.get(`/api/runs/${second.run_id}`)).body.discovery).to.equal(null);
    served.project.remove('bad.eval.ts');
    expect((await served.post('/api/server/restart')).body).not.to.have.property('discovery_error');
    expect(await errorOf('/results')).to.equal(undefined);
  });

  it('is that of a rerun, too', async () => {
    const served = await ServedProject.start({ 'good.eval.ts': good });
    await served.runAll();
    served.project.write('bad.eval.ts', broken);
    await served.post('/api/runs/rerun?wait=true', {});
    expect((await served.active()).discovery_error).to.include('half done');
    served.project.remove('bad.eval.ts');
    await served.post('/api/runs/rerun?wait=true', {});
    expect(await served.active()).not.to.have.property('discovery_error');
  });
});

describe('a folder without evals', () => {
  it('is served: the run is empty, and says why', async () => {
    const served = await ServedProject.start({});
    const run = await served.active();
    expect(run).to.include({ total_evaluations: 0, state: 'not_started' });
    expect(run.discovery_error).to.match(/no eval/i);
    expectRefused(await served.post('/api/runs/rerun', {}), 400);
    expectRefused(await served.post('/api/runs/new', {}), 400);
    served.project.write('a.eval.ts', good);
    expect((await served.post('/api/server/restart')).body).to.include({
      ok: true,
      total_evaluations: 1,
    });
  });
});

describe('a settings file that is broken while the server runs', () => {
  it('keeps runs from starting, is named with line and column, and is left alone', async () => {
    const served = await serveGated({ cases: ['a'] });
    openGate(served);
    await served.runAll();
    const text = 'concurrency: 2\ntimeout: never\n';
    served.project.write('assay.yaml', text);
    for (const path of ['runs/rerun', 'runs/new', 'runs/regrade', 'server/restart']) {
      expectRefused(await served.post(`/api/${path}`, {}), 400, /assay\.yaml:2:\d/);
    }
    expectRefused(await served.put('/api/config', { concurrency: 3 }), 400, /assay\.yaml:2:\d/);
    expect(served.read('assay.yaml')).to.equal(text);
    expect((await served.get('/results')).status).to.equal(200);
    served.project.write('assay.yaml', 'concurrency: [\n');
    expectRefused(await served.post('/api/runs/rerun', {}), 400, /assay\.yaml:2:\d/);
    served.project.write('assay.yaml', 'concurrency: 2\n');
    expect(await served.runAll()).to.include({ total_passed: 1 });
  });
});
