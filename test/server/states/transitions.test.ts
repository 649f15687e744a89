import { expect } from 'chai';
import type { ServedProject } from '../../helpers/served-project.js';
import {
  answers,
  type Body,
  calls,
  closeGate,
  expectRefused,
  gradeSlowly,
  openGate,
  runOf,
  serveGated,
  startAndWait,
  statuses,
  until,
  untilRunning,
  untilState,
  whenImporting,
} from './gated-project.js';

const control =
  (what: string) =>
  async (served: ServedProject): Promise<Body> => {
    const { status, text, body } = await served.post(`/api/runs/${what}`);
    expect(status, text).to.equal(200);
    return body;
  };
const [pause, resume, stop] = [control('pause'), control('resume'), control('stop')];

describe('a run that is started', () => {
  it('goes from not started over pending and running to completed', async () => {
    const served = await serveGated();
    const before = await served.active();
    expect(before).to.include({ state: 'not_started', is_paused: false, selected_total: 0 });
    expect(statuses(before)).to.deep.equal(Array(4).fill('not_started'));

    const during = await startAndWait(served);
    expect(statuses(during)).to.deep.equal(['running', 'running', 'pending', 'pending']);
    expect(during).to.include({
      run_id: before.run_id,
      run_name: before.run_name,
      state: 'running',
      is_paused: false,
      selected_total: 4,
    });

    openGate(served, 'a');
    const then = await served.until((run) => statuses(run)[2] === 'running');
    expect(statuses(then)).to.deep.equal(['completed', 'running', 'running', 'pending']);
    expect(then.results[0].result).to.include({ output: 'one', error: null });
    expect(then.results[0].result.latency).to.be.above(0);
    const [listed] = (await served.get('/api/sessions/default/runs')).body.runs;
    for (const figure of ['total_evaluations', 'total_passed', 'total_errors', 'score_chips']) {
      expect(listed[figure], figure).to.deep.equal(then[figure]);
    }
    expect(listed.total_passed).to.equal(1);

    openGate(served);
    const after = await untilState(served, 'finished');
    expect(statuses(after)).to.deep.equal(Array(4).fill('completed'));
    expect(after).to.include({ total_passed: 4, is_paused: false, selected_total: 4 });
    expect(calls(served)).to.have.members(['a', 'b', 'c', 'd']);
  });

  it('is saved when it starts, and in no listing before', async () => {
    const served = await serveGated();
    const { run_id, run_name } = await served.active();
    expect((await served.get('/api/sessions')).body).to.deep.equal({ sessions: [] });
    expect(served.project.has('.assay')).to.equal(false);
    await startAndWait(served);
    expect((await served.get('/api/sessions')).body).to.deep.equal({ sessions: ['default'] });
    const { runs } = (await served.get('/api/sessions/default/runs')).body;
    expect(runs).to.have.lengthOf(1);
    expect(runs[0]).to.include({ run_id, run_name, state: 'running' });
  });

  it('is cleared and pending again from the moment of a rerun', async () => {
    const served = await serveGated({ cases: ['a', 'b', 'c'] });
    openGate(served);
    const { run_id } = await served.runAll();
    const edit = { result: { annotation: 'kept' } };
    await served.patch('/api/runs/latest/results/2', edit);
    closeGate(served);
    const during = await startAndWait(served);
    expect(during.run_id).to.equal(run_id);
    expect(statuses(during)).to.deep.equal(['running', 'running', 'pending']);
    for (const row of during.results) {
      const nothing = { output: null, scores: [], error: null, latency: null, trace_data: {} };
      expect(row.result).to.deep.include(nothing);
      expect(row).to.not.have.property('regradable');
    }
    expect(during.results[2].result).to.include({ input: 'c', annotation: 'kept' });
    expect(during.results[2].result.correction_history).to.have.length(1);
    openGate(served);
    await untilState(served, 'finished');
    const one = (await served.get(`/api/runs/${run_id}/results/0`)).body;
    expect(one.attempts).to.have.lengthOf(1);
  });
});

describe('a run that is paused', () => {
  it('finishes what runs, starts nothing else, and says that it is paused', async () => {
    const served = await serveGated();
    await startAndWait(served);
    expect(await pause(served)).to.deep.equal({ ok: true, is_paused: true, paused: true });
    expect(await served.active()).to.include({ state: 'paused', is_paused: true });
    openGate(served);
    const paused = await served.until((run) => statuses(run)[1] === 'completed');
    expect(paused).to.include({ state: 'paused', is_paused: true });
    expect(statuses(await served.active())).to.deep.equal([
      'completed',
      'completed',
      'pending',
      'pending',
    ]);
    expect(calls(served)).to.have.members(['a', 'b']);
  });

  it('goes on when it is resumed, and runs nothing twice', async () => {
    const served = await serveGated();
    const { run_id } = await startAndWait(served);
    await pause(served);
    openGate(served);
    await served.until((run) => statuses(run)[1] === 'completed');
    expect(await resume(served)).to.deep.equal({
      ok: true,
      resumed: true,
      run_id,
      is_paused: false,
    });
    const run = await untilState(served, 'finished');
    expect(run).to.include({ total_passed: 4, is_paused: false, selected_total: 4 });
    expect(calls(served)).to.have.lengthOf(4);
  });

  it('is paused even when that is asked for together with the start', async () => {
    const served = await serveGated();
    const [started, paused] = await Promise.all([
      served.post('/api/runs/rerun', {}),
      served.post('/api/runs/pause'),
    ]);
    expect(started.status).to.equal(200);
    // Whichever came first; nothing ran yet when it was the pause.
    expect(paused.status).to.be.oneOf([200, 409]);
    const run = await served.active();
    expect(run.is_paused).to.equal(paused.status === 200);
  });

  it('pauses what is still importing as soon as it has begun', async () => {
    const served = await serveGated();
    served.project.write('hold-import', '');
    const starting = await whenImporting(served, () => served.post('/api/runs/rerun', {}));
    const pausing = served.post('/api/runs/pause');
    // Answered after the server has the other request.
    for (const _ of [1, 2]) await served.active();
    served.project.remove('hold-import');
    expect((await starting.answered).status).to.equal(200);
    expect((await pausing).status).to.equal(200);
    openGate(served);
    const run = await served.until((one) => !statuses(one).includes('running'));
    expect(run).to.include({ state: 'paused', is_paused: true });
    expect(statuses(run)).to.include('pending');
    await resume(served);
    expect(await untilState(served, 'finished')).to.include({ total_passed: 4 });
  });

  it('finishes when nothing was left to start', async () => {
    const served = await serveGated({ cases: ['a', 'b'] });
    await startAndWait(served);
    await pause(served);
    openGate(served);
    const run = await untilState(served, 'finished');
    expect(run).to.include({ is_paused: false, total_passed: 2 });
    expectRefused(await served.post('/api/runs/pause'), 409);
  });

  it('is not what another active run says of itself', async () => {
    const served = await serveGated();
    openGate(served);
    const other = await served.runAll();
    closeGate(served);
    const { status, body } = await served.post('/api/runs/new', { run_name: 'second' });
    expect(status).to.equal(200);
    await untilRunning(served, 2);
    await pause(served);
    await served.post(`/api/runs/${other.run_id}/activate`);
    expect(await served.active()).to.include({ run_id: other.run_id, is_paused: false });
    const second = (await served.get(`/api/runs/${body.run_id}/data`)).body;
    expect(second.state).to.equal('paused');
    expect(second).not.to.have.any.keys('is_paused', 'selected_total');
    for (const path of ['rerun', 'regrade']) {
      expectRefused(await served.post(`/api/runs/${path}`, {}), 409, 'second');
    }
    expect(await resume(served)).to.include({ resumed: true, run_id: body.run_id });
    expect(await stop(served)).to.deep.equal({ ok: true, cancelled: 4 });
    expect(statuses(await runOf(served, body.run_id))).to.deep.equal(Array(4).fill('cancelled'));
    expect((await served.active()).results).to.deep.equal(other.results);
  });

  it('is cancelled by a stop: what waited and what runs', async () => {
    const served = await serveGated();
    await startAndWait(served);
    await pause(served);
    expect(await stop(served)).to.deep.equal({ ok: true, cancelled: 4 });
    const run = await served.active();
    expect(run).to.include({ state: 'finished', is_paused: false });
    expect(statuses(run)).to.deep.equal(Array(4).fill('cancelled'));
  });
});

describe('a run that is stopped', () => {
  it('keeps what has finished and cancels the rest at once', async () => {
    const served = await serveGated();
    await startAndWait(served);
    openGate(served, 'a');
    await served.until((run) => statuses(run)[2] === 'running');
    expect(await stop(served)).to.deep.equal({ ok: true, cancelled: 3 });
    const run = await served.active();
    expect(run).to.include({
      state: 'finished',
      is_paused: false,
      total_passed: 1,
      total_errors: 0,
    });
    expect(statuses(run)).to.deep.equal(['completed', 'cancelled', 'cancelled', 'cancelled']);
  });

  it('drops results that come late', async () => {
    const served = await serveGated({ isDeaf: true });
    await startAndWait(served);
    await stop(served);
    openGate(served);
    await until(() => answers(served).length === 2, 'two late answers');
    // They are there by the time that another run has come and gone.
    const { run_id } = await served.active();
    await served.post('/api/runs/new?wait=true', {});
    const run = await runOf(served, run_id);
    expect(statuses(run)).to.deep.equal(Array(4).fill('cancelled'));
    const nothing = { output: null, scores: [], error: null, latency: null };
    expect(run.results[0].result).to.deep.include(nothing);
  });

  it('lets a request that waits for its end answer', async () => {
    const served = await serveGated();
    const waiting = served.post('/api/runs/rerun?wait=true', {});
    await untilRunning(served, 2);
    await stop(served);
    expect((await waiting).status).to.equal(200);
  });

  it('can be started again in the same breath', async () => {
    const served = await serveGated();
    const { run_id } = await startAndWait(served);
    for (let round = 0; round < 3; round += 1) {
      await stop(served);
      const { status, text } = await served.post('/api/runs/rerun', {});
      expect(status, text).to.equal(200);
      await untilRunning(served, 2);
    }
    await stop(served);
    const created = await served.post('/api/runs/new', {});
    expect(created.status, created.text).to.equal(200);
    expect(created.body.run_id).not.to.equal(run_id);
    openGate(served);
    expect(await untilState(served, 'finished')).to.include({ total_passed: 4 });
  });

  it('can be regraded, deleted and replaced by a restart in the same breath', async () => {
    const served = await serveGated();
    openGate(served);
    const { run_id } = await served.runAll();
    closeGate(served);
    await startAndWait(served, { indices: [0, 1] });
    await stop(served);
    const regraded = await served.post('/api/runs/regrade', {});
    expect(regraded.status, regraded.text).to.equal(200);
    expect(regraded.body.regraded).to.equal(2);
    await untilState(served, 'finished');
    await startAndWait(served, { indices: [0, 1] });
    await stop(served);
    const restarted = await served.post('/api/server/restart');
    expect(restarted.status, restarted.text).to.equal(200);
    await startAndWait(served, { indices: [0, 1] });
    await stop(served);
    const deleted = await served.delete(`/api/runs/${run_id}`);
    expect(deleted.status, deleted.text).to.equal(200);
  });

  it('can be started and stopped again while its evaluations do not let go', async () => {
    const served = await serveGated({ isDeaf: true });
    await startAndWait(served);
    await stop(served);
    // However soon they are ended, it cannot begin before it is stopped.
    served.project.write('hold-import', '');
    const starting = served.post('/api/runs/rerun', {});
    const answered = starting.then(() => true);
    // Whenever the server has the request, a stop comes after it.
    do await stop(served);
    while (!(await Promise.race([answered, served.active().then(() => false)])));
    expectRefused(await starting, 409, 'stopped before it had begun');
    served.project.remove('hold-import');
    await startAndWait(served);
    await stop(served);
  });

  it('is started anew without trouble when it never came to run', async () => {
    const served = await serveGated();
    const { run_id } = await served.active();
    served.project.write('hold-import', '');
    const starting = await whenImporting(served, () => served.post('/api/runs/rerun', {}));
    expect(await stop(served)).to.deep.equal({ ok: true, cancelled: 0 });
    expectRefused(await starting.answered, 409, 'stopped before it had begun');
    expect(await served.active()).to.include({ run_id, state: 'not_started' });
    expect((await served.get('/api/sessions')).body.sessions).to.deep.equal([]);
    served.project.remove('hold-import');
    openGate(served);
    expect(await served.runAll()).to.include({ run_id, total_passed: 4 });
  });

  it('is as it was when a rerun is stopped before it has begun', async () => {
    const served = await serveGated();
    openGate(served);
    const before = await served.runAll();
    served.project.write('hold-import', '');
    const starting = await whenImporting(served, () => served.post('/api/runs/rerun', {}));
    await stop(served);
    expectRefused(await starting.answered, 409);
    expect((await served.active()).results).to.deep.equal(before.results);
    served.project.remove('hold-import');
    expect(await served.runAll()).to.include({ run_id: before.run_id, total_passed: 4 });
  });

  it('leaves a regrade without a trace: unfinished rows are as they were', async () => {
    const served = await serveGated({ cases: ['a', 'b'] });
    openGate(served);
    const before = await served.runAll();
    gradeSlowly(served);
    const { status, body } = await served.post('/api/runs/regrade', {});
    expect(status).to.equal(200);
    expect(body).to.include({ regraded: 2, skipped_without_target: 0 });
    expectRefused(await served.post('/api/runs/rerun', {}), 409);
    await untilState(served, 'running');
    await stop(served);
    expect((await served.active()).results).to.deep.equal(before.results);
  });

  it('counts as stopped only once', async () => {
    const served = await serveGated();
    await startAndWait(served);
    const all = await Promise.all(Array.from({ length: 5 }, () => stop(served)));
    expect(all.map(({ cancelled }) => cancelled).sort()).to.deep.equal([0, 0, 0, 0, 4]);
  });
});

describe('pause, resume and stop when nothing is in progress', () => {
  it('refuse, answer that there was nothing, and cancel nothing', async () => {
    const served = await serveGated({ cases: ['a'] });
    const check = async () => {
      const { run_id } = await served.active();
      expectRefused(await served.post('/api/runs/pause'), 409, 'Nothing is in progress');
      expect(await resume(served)).to.deep.equal({
        ok: true,
        resumed: false,
        run_id,
        is_paused: false,
      });
      expect(await stop(served)).to.deep.equal({ ok: true, cancelled: 0 });
    };
    await check();
    openGate(served);
    const finished = await served.runAll();
    await check();
    expect((await served.active()).results).to.deep.equal(finished.results);
  });

  it('resume does nothing to a run that is running', async () => {
    const served = await serveGated();
    const { run_id } = await startAndWait(served);
    expect(await resume(served)).to.include({ resumed: false, run_id });
    openGate(served);
    await untilState(served, 'finished');
    expect(calls(served)).to.have.lengthOf(4);
  });
});
