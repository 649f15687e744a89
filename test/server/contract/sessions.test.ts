import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { openStore } from '../../../src/store/store.js';
import { ServedProject } from '../../helpers/served-project.js';
import { finishedRun } from '../../store/builders.js';
import { mixedEvals } from './evals.js';

type Run = Awaited<ReturnType<ServedProject['active']>>;

const summaryFields = [
  'run_id',
  'run_name',
  'total_evaluations',
  'total_passed',
  'total_errors',
  'timestamp',
  'started_at',
  'updated_at',
  'state',
  'score_chips',
  'config_name',
  'pass_rate',
  'previous',
];
const names = ['a/b', 'ab', '日本 → 🎉', '...', '100% "sure" <b>', 'a%2Fb'];

describe('the contract: sessions', () => {
  let served: ServedProject;
  let created_at_ms = 0;

  before(async () => {
    served = await ServedProject.start({ 'mixed.eval.mjs': mixedEvals });
  });

  const path = (name: string) => `/api/sessions/${encodeURIComponent(name)}`;
  const sessions = async () => (await served.get('/api/sessions')).body.sessions;
  const runs = async (name = 'default') => (await served.get(`${path(name)}/runs`)).body.runs;

  /** Saves a run, as another process does; runs that start one after the other have times of their own. */
  async function savedRun(session_name: string): Promise<void> {
    created_at_ms = Math.max(created_at_ms + 1, Date.now());
    const store = await openStore(served.project.path('.assay/sessions'));
    await finishedRun(store, 1, { session_name, created_at_ms });
  }

  it('are none before a run has started', async () => {
    const { status, body } = await served.get('/api/sessions');
    expect(status).to.equal(200);
    expect(body).to.deep.equal({ sessions: [] });
  });

  it('have an unknown one with no runs', async () => {
    const { status, body } = await served.get(`${path('nobody/knows')}/runs`);
    expect(status).to.equal(200);
    expect(body).to.deep.equal({ session_name: 'nobody/knows', runs: [] });
  });

  it('have a trend of the config and from the baseline that are asked for, each given once', async () => {
    const session = 'with a trend';
    await savedRun(session);
    await savedRun(session);
    const trend = (query: string) => served.get(`${path(session)}/trend?${query}`);
    const [oldest, newest] = (await trend('')).body.runs;
    expect((await trend('config=default')).body.config_name).to.equal('default');
    expect((await trend('config=other')).body.config_name).to.equal(null);
    const { body } = await trend(`config=default&baseline=${newest.run_id}`);
    expect(body.baseline).to.include({ run_id: newest.run_id });
    expect((await trend('')).body.baseline).to.include({ run_id: oldest.run_id });
    for (const query of ['config=a&config=b', 'baseline=nothing', 'size=3']) {
      expect((await trend(query)).status, query).to.equal(400);
    }
    await served.delete(path(session));
  });

  it('hold runs as summaries with these fields and no others, newest first', async () => {
    await served.runAll();
    await served.post('/api/runs/new?wait=true', { run_name: 'newest' });
    const { body } = await served.get('/api/sessions/default/runs');
    expect(body).to.have.all.keys('session_name', 'runs');
    expect(body.session_name).to.equal('default');
    expect(body.runs.map(({ run_name }: Run) => run_name)[0]).to.equal('newest');
    for (const run of body.runs) expect(run).to.have.all.keys(...summaryFields);
  });

  it('show in a summary what the run says', async () => {
    const [newest] = await runs();
    const run = await served.active();
    const { timestamp, previous: _, pass_rate, ...figures } = newest;
    const { counts } = (await served.get(`/api/runs/${newest.run_id}/rows`)).body.summary;
    const { passed, failed, errors } = counts;
    expect(pass_rate).to.include({ passed, total: passed + failed + errors });
    expect(pass_rate).to.deep.equal(counts.pass_rate);
    expect(timestamp).to.equal(run.created_at);
    for (const [field, value] of Object.entries(figures)) expect(run[field]).to.deep.equal(value);
  });

  it('have the run first that last began, and keep the run before each when an old run is run again', async () => {
    const [newest, oldest] = await runs();
    expect(newest.previous.run_id).to.equal(oldest.run_id);
    // Times are told in seconds.
    while (Math.floor(Date.now() / 1000) <= newest.timestamp) await setTimeout(10);
    const body = { run_id: oldest.run_id, indices: [0] };
    await served.post('/api/runs/rerun?wait=true', body);
    const [first, second] = await runs();
    expect([first.run_id, second.run_id]).to.deep.equal([oldest.run_id, newest.run_id]);
    expect(first.previous).to.equal(null);
    expect(second.previous.run_id).to.equal(oldest.run_id);
    expect(first.started_at).to.equal(oldest.started_at);
    expect(first.timestamp).to.be.greaterThan(oldest.timestamp);
    expect(first.updated_at).to.be.at.least(first.timestamp);
    const { summary } = (await served.get(`/api/runs/${newest.run_id}/rows`)).body;
    expect(summary.previous.run_id).to.equal(oldest.run_id);
    await served.post(`/api/runs/${newest.run_id}/activate`);
  });

  it('show runs of the command line, under whatever name', async () => {
    const [first = '', ...others] = names;
    const ran = await served.project.assay(['run', '--session', first]);
    expect(ran.code, ran.stderr).to.equal(0);
    for (const session of others) await savedRun(session);
    expect(await sessions()).to.have.members(['default', ...names]);
    for (const session of names) {
      const { status, body } = await served.get(`${path(session)}/runs`);
      expect([status, body.session_name]).to.deep.equal([200, session]);
      expect(body.runs, session).to.have.length(1);
    }
  });

  it('are listed with the one of the newest run first', async () => {
    expect(await sessions()).to.deep.equal([...names.toReversed(), 'default']);
  });

  it('are activated with a run of another one; new runs belong to it', async () => {
    const [{ run_id, run_name }] = await runs('a/b');
    const { status, body } = await served.post(`/api/runs/${run_id}/activate`);
    expect(status).to.equal(200);
    expect(body).to.deep.equal({ ok: true, run_id, run_name });
    expect(await served.active()).to.include({ run_id, session_name: 'a/b' });
    await served.post('/api/runs/new?wait=true', {});
    expect(await runs('a/b')).to.have.length(2);
    expect(await runs('ab')).to.have.length(1);
  });

  describe('DELETE /api/sessions/{name}', () => {
    it('answers ok, deletes the session with all its runs and no other', async () => {
      const gone = await runs('a/b');
      const { status, body } = await served.delete(path('a/b'));
      expect(status).to.equal(200);
      expect(body).to.deep.equal({ ok: true });
      expect(await sessions()).to.have.members(['default', ...names.slice(1)]);
      expect(await runs('a/b')).to.deep.equal([]);
      for (const { run_id } of gone) {
        expect((await served.get(`/api/runs/${run_id}/data`)).status).to.equal(404);
      }
    });

    it('leaves a fresh run when the active one was in it', async () => {
      const run = await served.active();
      expect(run).to.include({ state: 'not_started', total_evaluations: 4 });
    });

    for (const session of names.slice(1)) {
      it(`deletes ${session} and nothing else`, async () => {
        const before = await sessions();
        expect((await served.delete(path(session))).status).to.equal(200);
        expect(await sessions()).to.deep.equal(before.filter((name: string) => name !== session));
      });
    }
  });
});
