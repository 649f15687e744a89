import { expect } from 'chai';
import { InProcessExecutor } from '../../helpers/in-process-executor.js';
import type { ServedProject } from '../../helpers/served-project.js';
import {
  expectRefused,
  gradeSlowly,
  openGate,
  runOf,
  serveGated,
  startAndWait,
  statuses,
  untilState,
  whenImporting,
} from './gated-project.js';

/** Everything that starts something, and the restart. */
const starting = [
  ['POST', '/api/runs/rerun', {}],
  ['POST', '/api/runs/rerun', { indices: [0] }],
  ['POST', '/api/runs/rerun', { indices: [] }],
  ['POST', '/api/runs/rerun', { config_name: 'other' }],
  ['POST', '/api/runs/rerun?wait=true', {}],
  ['POST', '/api/runs/new', {}],
  ['POST', '/api/runs/new', { run_name: 'another', indices: [1] }],
  ['POST', '/api/runs/regrade', {}],
  ['POST', '/api/runs/new', { indices: [] }],
  ['POST', '/api/runs/regrade', { indices: [] }],
  ['POST', '/api/runs/regrade', { indices: [0] }],
  ['POST', '/api/server/restart', undefined],
] as const;

async function expectAllRefused(
  served: ServedProject,
  detail: RegExp,
  inProgress: { run_id: string; run_name: string; progress: { finished: number; total: number } },
): Promise<void> {
  for (const [method, path, body] of starting) {
    const answer = await served.send(method, path, body);
    expectRefused(answer, 409, detail);
    const { run_id, run_name, progress } = answer.body;
    expect({ run_id, run_name, progress }).to.deep.equal(inProgress);
    expect(answer.body).to.not.have.property('pid');
  }
}

describe('one execution at a time', () => {
  const files = { 'assay.yaml': 'concurrency: 2\nconfigs:\n  other: {}\n' };

  it('refuses everything that would start another, and changes nothing', async () => {
    const served = await serveGated({ files });
    const before = await startAndWait(served);
    const { run_id, run_name } = before;
    const progress = { finished: 0, total: 4 };
    const inProgress = { run_id, run_name, progress };
    await expectAllRefused(served, new RegExp(`${run_name} is in progress`), inProgress);
    expect(statuses(await served.active())).to.deep.equal(statuses(before));
    openGate(served);
    await untilState(served, 'finished');
    expect((await served.get('/api/sessions/default/runs')).body.runs).to.have.lengthOf(1);
  });

  it('refuses them also while it is paused', async () => {
    const served = await serveGated({ files });
    const { run_id, run_name } = await startAndWait(served);
    await served.post('/api/runs/pause');
    const progress = { finished: 0, total: 4 };
    await expectAllRefused(served, /is in progress/, { run_id, run_name, progress });
    expect(await served.active()).to.include({ is_paused: true });
  });

  it('refuses them also while it is about to start', async () => {
    const served = await serveGated({ files });
    openGate(served);
    const { run_id, run_name } = await served.runAll();
    served.project.write('hold-import', '');
    const rerun = () => served.post('/api/runs/rerun?wait=true', {});
    const first = await whenImporting(served, rerun);
    const progress = { finished: 0, total: 4 };
    await expectAllRefused(served, /about to start/, { run_id, run_name, progress });
    served.project.remove('hold-import');
    expect((await first.answered).status).to.equal(200);
  });

  it('carries out what is asked for while the last execution only has to end', async () => {
    const { execute } = InProcessExecutor.prototype;
    let held: Promise<void> | undefined;
    InProcessExecutor.prototype.execute = async function (...args) {
      await execute.apply(this, args);
      await held;
    };
    try {
      const served = await serveGated({ files });
      openGate(served);
      for (const [method, path, body] of [...starting, ['DELETE', '', undefined]] as const) {
        let end = () => {};
        held = new Promise((resolve) => {
          end = resolve;
        });
        expect((await served.post('/api/runs/rerun', {})).status).to.equal(200);
        const { run_id, state } = await served.until((run) =>
          statuses(run).every((status) => status === 'completed'),
        );
        expect(state).to.equal('finished');
        expect((await served.get('/api/runs-in-progress')).body.runs).to.deep.equal([]);
        const answered = served.send(method, path || `/api/runs/${run_id}`, body);
        // Who asks for something else meanwhile has an answer: a refusal would be there by then, too.
        await served.get('/api/health');
        end();
        held = undefined;
        const { status, text } = await answered;
        expect(status, `${method} ${path} ${JSON.stringify(body)}: ${text}`).to.equal(200);
        await served.until(({ state }) => state !== 'running');
      }
    } finally {
      InProcessExecutor.prototype.execute = execute;
    }
  });

  it('lets exactly one of twenty start', async () => {
    const served = await serveGated();
    const paths = ['/api/runs/rerun', '/api/runs/new'];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => served.post(paths[n % 2] ?? '', {})),
    );
    const codes = answers.map(({ status }) => status).sort();
    expect(codes).to.deep.equal([200, ...Array(19).fill(409)]);
    openGate(served);
    await untilState(served, 'finished');
    expect((await served.get('/api/sessions/default/runs')).body.runs).to.have.lengthOf(1);
  });

  it('lets exactly one of twenty regrade', async () => {
    const served = await serveGated();
    openGate(served);
    await served.runAll();
    gradeSlowly(served);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => served.post('/api/runs/regrade', {})),
    );
    const codes = answers.map(({ status }) => status).sort();
    expect(codes).to.deep.equal([200, ...Array(19).fill(409)]);
    served.project.write('graded', '');
    await untilState(served, 'finished');
    expect(await served.active()).to.include({ total_passed: 4, state: 'finished' });
  });

  it('survives clients that start, pause, resume and stop as they like', async () => {
    const served = await serveGated({ cases: Array.from({ length: 30 }, (_, n) => `c${n}`) });
    openGate(served);
    const client = async (seed: number) => {
      const all = ['rerun', 'pause', 'resume', 'stop', 'new', 'regrade'];
      for (let turn = 0; turn < 8; turn += 1) {
        const what = all[(seed * 7 + turn * 5) % all.length];
        const answered = await served.post(`/api/runs/${what}`, {});
        expect(answered.status, `${what}: ${answered.text}`).to.be.oneOf([200, 400, 409]);
        const run = await served.active();
        const counted = statuses(run).filter((status) => status === 'completed').length;
        expect(run.total_passed, 'a summary that agrees with its results').to.equal(counted);
      }
    };
    await Promise.all([1, 2, 3, 4].map(client));
    await served.post('/api/runs/stop');
    expect(await served.runAll()).to.include({ total_passed: 30, state: 'finished' });
  });
});

describe('other runs while one is executed', () => {
  it('can be activated, read, edited, renamed, exported and deleted', async () => {
    const served = await serveGated();
    openGate(served);
    const first = await served.runAll();
    await served.post('/api/runs/new?wait=true', { run_name: 'second' });
    const second = await served.active();
    served.project.remove('go');
    const { run_id } = (await served.post('/api/runs/new', { run_name: 'third' })).body;
    expect((await served.post(`/api/runs/${first.run_id}/activate`)).body).to.deep.equal({
      ok: true,
      run_id: first.run_id,
      run_name: first.run_name,
    });
    expect((await served.active()).results).to.deep.equal(first.results);
    const edit = { result: { annotation: 'seen' } };
    expect((await served.patch('/api/runs/latest/results/0', edit)).status).to.equal(200);
    expect(
      (await served.patch(`/api/runs/${second.run_id}`, { run_name: 'zwei' })).status,
    ).to.equal(200);
    expect((await served.get(`/api/runs/${first.run_id}/export/csv`)).status).to.equal(200);
    expect((await served.delete(`/api/runs/${second.run_id}`)).status).to.equal(200);
    expect(await runOf(served, run_id)).to.include({ state: 'running', run_name: 'third' });
    openGate(served);
    await served.post(`/api/runs/${run_id}/activate`);
    expect(await untilState(served, 'finished')).to.include({ total_passed: 4 });
  });

  it('are not what is deleted: that, and its session, stay until it has ended', async () => {
    const served = await serveGated();
    const { run_id } = await startAndWait(served);
    for (const path of [`/api/runs/${run_id}`, '/api/sessions/default']) {
      const answer = await served.delete(path);
      expectRefused(answer, 409, 'Stop it first');
      expect(answer.body).to.deep.include({ run_id, progress: { finished: 0, total: 4 } });
    }
    await served.post('/api/runs/pause');
    expectRefused(await served.delete(`/api/runs/${run_id}`), 409);
    await served.post('/api/runs/stop');
    expect((await served.delete('/api/sessions/default')).status).to.equal(200);
    expectRefused(await served.get(`/api/runs/${run_id}/data`), 404);
  });

  it('stay what they are when the active one is deleted: a fresh one takes its place', async () => {
    const served = await serveGated();
    openGate(served);
    const { run_id } = await served.runAll();
    await served.post('/api/runs/new?wait=true', {});
    const second = await served.active();
    expect((await served.delete(`/api/runs/${second.run_id}`)).status).to.equal(200);
    const fresh = await served.active();
    expect(fresh.run_id).not.to.be.oneOf([run_id, second.run_id]);
    expect(fresh.state).to.equal('not_started');
    expect(statuses(fresh)).to.deep.equal(Array(4).fill('not_started'));
    expectRefused(await served.delete(`/api/runs/${fresh.run_id}`), 409);
    expect(await served.runAll()).to.include({ run_id: fresh.run_id, total_passed: 4 });
    expectRefused(await served.post('/api/runs/rerun', { run_id: second.run_id }), 404);
    expectRefused(await served.post(`/api/runs/${second.run_id}/activate`), 404);
  });
});
