import { expect } from 'chai';
import { removeProjects } from '../../helpers/project.js';
import { closeServers, ServedProject } from '../../helpers/served-project.js';
import { letGo, oneAtATime, slowEvals, statusesOf } from './evals.js';

describe('the contract: pause, resume and stop', () => {
  let served: ServedProject;

  beforeEach(async () => {
    served = await ServedProject.start({ 'slow.eval.mjs': slowEvals, 'assay.yaml': oneAtATime });
  });

  afterEach(async () => {
    await closeServers();
    removeProjects();
  });

  const runs = async (...statuses: readonly string[]) =>
    served.until((run) => statusesOf(run).join() === statuses.join());
  const begin = async () => {
    await served.post('/api/runs/rerun', {});
    return runs('running', 'pending', 'pending');
  };

  describe('POST /api/runs/pause', () => {
    it('keeps the place: a rerun is refused with 409 while one is paused', async () => {
      await begin();
      await served.post('/api/runs/pause');
      letGo(served, 'a');
      await runs('completed', 'pending', 'pending');
      expect((await served.post('/api/runs/rerun', {})).status).to.equal(409);
      expect((await served.post('/api/runs/new', {})).status).to.equal(409);
      expect((await served.post('/api/runs/regrade', {})).status).to.equal(409);
    });
  });

  describe('POST /api/runs/stop', () => {
    it('lets a waiting request answer', async () => {
      const waiting = served.post('/api/runs/rerun?wait=true', {});
      await runs('running', 'pending', 'pending');
      await served.post('/api/runs/stop');
      expect((await waiting).status).to.equal(200);
    });
  });

  describe('while another run is active', () => {
    let executing: string;
    let other: string;

    beforeEach(async () => {
      letGo(served, 'a', 'b', 'c');
      other = (await served.runAll()).run_id;
      for (const id of ['a', 'b', 'c']) served.project.remove(`go-${id}`);
      executing = (await served.post('/api/runs/new', {})).body.run_id;
      await runs('running', 'pending', 'pending');
      await served.post(`/api/runs/${other}/activate`);
    });

    it('activates and reads it while the execution lasts', async () => {
      expect(await served.active()).to.include({ run_id: other, state: 'finished' });
      const { body } = await served.get(`/api/runs/${executing}/data`);
      expect(body.state).to.equal('running');
      expect(body).to.not.have.any.keys('is_paused', 'selected_total');
    });

    it('stops what is executed', async () => {
      expect((await served.post('/api/runs/stop')).body.cancelled).to.equal(3);
      const { body } = await served.get(`/api/runs/${executing}/data`);
      expect(statusesOf(body)).to.deep.equal(Array(3).fill('cancelled'));
      expect(statusesOf(await served.active())).to.deep.equal(Array(3).fill('completed'));
    });

    it('refuses with 409 to run the active one', async () => {
      expect((await served.post('/api/runs/rerun', {})).status).to.equal(409);
      expect((await served.post('/api/runs/regrade', {})).status).to.equal(409);
    });
  });
});
