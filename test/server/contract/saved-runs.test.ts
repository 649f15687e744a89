import { expect } from 'chai';
import { ServedProject } from '../../helpers/served-project.js';
import { mixedEvals } from './evals.js';

type Run = Awaited<ReturnType<ServedProject['active']>>;

describe('the contract: saved runs', () => {
  let served: ServedProject;
  let older: string;
  let newer: string;

  before(async () => {
    served = await ServedProject.start({ 'mixed.eval.mjs': mixedEvals });
  });

  const startTwo = async () => {
    older = (await served.post('/api/runs/new?wait=true', { run_name: 'older' })).body.run_id;
    newer = (await served.post('/api/runs/new?wait=true', { run_name: 'newer' })).body.run_id;
  };

  const listed = async () =>
    (await served.get('/api/sessions/default/runs')).body.runs.map(({ run_id }: Run) => run_id);

  describe('PATCH /api/runs/{run_id}', () => {
    before(startTwo);

    it('answers ok with id and trimmed name, and renames the run everywhere', async () => {
      const { status, body } = await served.patch(`/api/runs/${older}`, { run_name: '  Neu/日 ' });
      expect(status).to.equal(200);
      expect(body).to.deep.equal({ ok: true, run: { run_id: older, run_name: 'Neu/日' } });
      expect((await served.get(`/api/runs/${older}/data`)).body.run_name).to.equal('Neu/日');
      const { runs } = (await served.get('/api/sessions/default/runs')).body;
      expect(runs.find(({ run_id }: Run) => run_id === older).run_name).to.equal('Neu/日');
      expect(await served.active()).to.include({ run_id: newer, run_name: 'newer' });
    });

    it('does not take latest for the active run, nor does anything but results, /data and exports', async () => {
      const before = (await served.get('/results')).text;
      for (const [method, path, sent] of [
        ['PATCH', '/api/runs/latest', { run_name: 'renamed' }],
        ['DELETE', '/api/runs/latest'],
        ['POST', '/api/runs/latest/activate'],
        ['GET', '/api/runs/latest'],
        ['GET', '/api/runs/latest/rows'],
        ['GET', '/api/runs/latest/rows/indices'],
        ['GET', `/api/compare?run=${older}&run=latest`],
        ['GET', `/api/compare/rows?run=latest&run=${older}`],
        ['POST', '/api/runs/rerun', { run_id: 'latest' }],
        ['POST', '/api/runs/regrade', { run_id: 'latest' }],
      ] as const) {
        const { status, body } = await served.send(method, path, sent);
        expect([status, body.status], `${method} ${path}`).to.deep.equal([404, 404]);
      }
      expect((await served.get('/results')).text).to.equal(before);
      for (const path of ['data', 'results/0', 'export/json', 'export/csv']) {
        expect((await served.get(`/api/runs/latest/${path}`)).status, path).to.equal(200);
      }
      expect((await served.get('/api/active-run')).body.run_id).to.equal(newer);
      const annotated = { result: { annotation: 'seen' } };
      expect((await served.patch('/api/runs/latest/results/0', annotated)).status).to.equal(200);
    });
  });

  describe('DELETE /api/runs/{run_id}', () => {
    beforeEach(startTwo);

    it('answers ok and deletes the run, for good and from the listing', async () => {
      const { status, body } = await served.delete(`/api/runs/${older}`);
      expect(status).to.equal(200);
      expect(body).to.deep.equal({ ok: true });
      expect(await listed()).to.not.include(older);
      for (const path of ['data', 'results/0', 'export/json', 'export/csv']) {
        expect((await served.get(`/api/runs/${older}/${path}`)).status, path).to.equal(404);
      }
      expect((await served.delete(`/api/runs/${older}`)).status).to.equal(404);
      expect((await served.active()).run_id).to.equal(newer);
    });
  });

  it('leave a fresh run when the command line deletes the active one', async () => {
    await served.project.assay(['sessions', 'delete', 'default', '--yes']);
    const run = await served.active();
    expect(run).to.include({ state: 'not_started', total_evaluations: 4 });
    expect((await served.get(`/api/runs/${newer}/data`)).status).to.equal(404);
    const result = { annotation: 'x' };
    const { status } = await served.patch(`/api/runs/${newer}/results/0`, { result });
    expect(status).to.equal(404);
    expect(await listed()).to.deep.equal([]);
  });

  describe('POST /api/runs/{run_id}/activate', () => {
    before(startTwo);

    it('answers ok, id and name, and makes the run the active one', async () => {
      const { status, body } = await served.post(`/api/runs/${older}/activate`);
      expect(status).to.equal(200);
      expect(body).to.deep.equal({ ok: true, run_id: older, run_name: 'older' });
      expect((await served.active()).run_id).to.equal(older);
      expect((await served.get('/api/runs/latest/results/0')).body.run_id).to.equal(older);
    });

    it('changes neither the run nor its place in the listing', async () => {
      const before = [await listed(), (await served.get(`/api/runs/${older}/export/json`)).text];
      await served.post(`/api/runs/${older}/activate`);
      const after = [await listed(), (await served.get(`/api/runs/${older}/export/json`)).text];
      expect(after).to.deep.equal(before);
    });
  });
});
