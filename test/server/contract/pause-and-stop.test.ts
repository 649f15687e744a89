import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { removeProjects } from '../../helpers/project.js';
import { closeServers, ServedProject } from '../../helpers/served-project.js';
import { letGo, oneAtATime, slowEvals, statusesOf } from './evals.js';

const stubbornEvals = `
import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { evaluation } from 'assay';
export const stubborn = evaluation({
  target: async () => {
    while (!existsSync(new URL('go-a', import.meta.url))) await delay(5);
    writeFileSync(new URL('returned', import.meta.url), '');
    return 'late';
  },
});
`;

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
    it('answers ok and that it is paused', async () => {
      await begin();
      const { status, body } = await served.post('/api/runs/pause');
      expect(status).to.equal(200);
      expect(body).to.deep.equal({ ok: true, is_paused: true, paused: true });
    });

    it('lets what runs finish, starts nothing new, and is_paused of the active run is true', async () => {
      await begin();
      expect((await served.active()).is_paused).to.equal(false);
      await served.post('/api/runs/pause');
      letGo(served, 'a', 'b', 'c');
      const run = await runs('completed', 'pending', 'pending');
      expect(run).to.include({ is_paused: true, state: 'paused' });
      await delay(150);
      expect(statusesOf(await served.active())).to.deep.equal(['completed', 'pending', 'pending']);
    });

    it('is fine when it is paused already', async () => {
      await begin();
      await served.post('/api/runs/pause');
      const { status, body } = await served.post('/api/runs/pause', {});
      expect(status).to.equal(200);
      expect(body).to.deep.equal({ ok: true, is_paused: true, paused: true });
    });

    it('answers 409 when nothing is in progress: before, and after', async () => {
      expect((await served.post('/api/runs/pause')).status).to.equal(409);
      letGo(served, 'a', 'b', 'c');
      await served.runAll();
      expect((await served.post('/api/runs/pause')).status).to.equal(409);
      expect((await served.active()).is_paused).to.equal(false);
    });

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

  describe('POST /api/runs/resume', () => {
    it('goes on with a paused run', async () => {
      const { run_id } = await begin();
      await served.post('/api/runs/pause');
      letGo(served, 'a', 'b', 'c');
      await runs('completed', 'pending', 'pending');
      const { status, body } = await served.post('/api/runs/resume');
      expect(status).to.equal(200);
      expect(body).to.deep.equal({ ok: true, resumed: true, run_id, is_paused: false });
      const run = await runs('completed', 'completed', 'completed');
      expect(run).to.include({ run_id, is_paused: false });
      expect((await served.until(({ state }) => state === 'finished')).is_paused).to.equal(false);
    });

    it('resumes nothing when nothing is paused or left', async () => {
      const { run_id } = await served.active();
      const nothing = { ok: true, resumed: false, run_id, is_paused: false };
      expect((await served.post('/api/runs/resume')).body).to.deep.equal(nothing);
      letGo(served, 'a', 'b', 'c');
      await served.runAll();
      expect((await served.post('/api/runs/resume')).body).to.deep.equal(nothing);
    });

    it('leaves a run that is not paused as it is', async () => {
      const { run_id } = await begin();
      const { body } = await served.post('/api/runs/resume');
      expect(body).to.deep.equal({ ok: true, resumed: false, run_id, is_paused: false });
      expect((await served.active()).state).to.equal('running');
    });
  });

  describe('POST /api/runs/stop', () => {
    it('answers with how many it cancelled, once more with 0', async () => {
      await begin();
      const { status, body } = await served.post('/api/runs/stop');
      expect(status).to.equal(200);
      expect(body).to.deep.equal({ ok: true, cancelled: 3 });
      expect((await served.post('/api/runs/stop')).body).to.deep.equal({ ok: true, cancelled: 0 });
    });

    it('answers 0 when nothing ran', async () => {
      expect((await served.post('/api/runs/stop')).body).to.deep.equal({ ok: true, cancelled: 0 });
      expect(statusesOf(await served.active())).to.deep.equal(Array(3).fill('not_started'));
    });

    it('cancels everything that has not finished, running and pending, and nothing else', async () => {
      await begin();
      letGo(served, 'a');
      await runs('completed', 'running', 'pending');
      const { body } = await served.post('/api/runs/stop');
      expect(body.cancelled).to.equal(2);
      const run = await served.active();
      expect(statusesOf(run)).to.deep.equal(['completed', 'cancelled', 'cancelled']);
      const finished = await served.until(({ state }) => state === 'finished');
      expect(statusesOf(finished)).to.deep.equal(['completed', 'cancelled', 'cancelled']);
      expect(finished.total_errors).to.equal(0);
    });

    it('stops a paused run', async () => {
      await begin();
      await served.post('/api/runs/pause');
      expect((await served.post('/api/runs/stop')).body).to.deep.equal({ ok: true, cancelled: 3 });
      const run = await served.until(({ state }) => state === 'finished');
      expect(run.is_paused).to.equal(false);
    });

    it('drops what arrives after it', async () => {
      served.project.write('slow.eval.mjs', stubbornEvals);
      await served.post('/api/server/restart');
      await served.post('/api/runs/rerun', {});
      await served.until((run) => statusesOf(run)[0] === 'running');
      await served.post('/api/runs/stop');
      letGo(served, 'a');
      while (!served.project.has('returned')) await delay(10);
      await delay(100);
      const [{ result }] = (await served.active()).results;
      expect(result).to.include({ status: 'cancelled', output: null, latency: null });
    });

    it('leaves room for the next run at once', async () => {
      await begin();
      await served.post('/api/runs/stop');
      letGo(served, 'a', 'b', 'c');
      const { status } = await served.post('/api/runs/rerun?wait=true', {});
      expect(status).to.equal(200);
      expect(statusesOf(await served.active())).to.deep.equal(Array(3).fill('completed'));
    });

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

    it('pauses what is executed; is_paused is true only of the active run that is paused', async () => {
      await served.post('/api/runs/pause');
      expect((await served.active()).is_paused).to.equal(false);
      await served.post(`/api/runs/${executing}/activate`);
      expect((await served.active()).is_paused).to.equal(true);
    });

    it('resumes what is executed', async () => {
      await served.post('/api/runs/pause');
      letGo(served, 'a', 'b', 'c');
      const { body } = await served.post('/api/runs/resume');
      expect(body).to.include({ resumed: true, run_id: executing });
      await served.post(`/api/runs/${executing}/activate`);
      await runs('completed', 'completed', 'completed');
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
