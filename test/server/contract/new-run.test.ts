import { expect } from 'chai';
import { ServedProject } from '../../helpers/served-project.js';
import { changingProject, letGo, runIdPattern, slowEvals, statusesOf } from './evals.js';

type Run = Awaited<ReturnType<ServedProject['active']>>;

const friendly = /^[a-z]+-[a-z]+$/;

describe('the contract: new runs', () => {
  let served: ServedProject;

  before(async () => {
    served = await ServedProject.start(changingProject, { session: 'feature/neu' });
  });

  const startNew = (body: unknown = {}) => served.post('/api/runs/new?wait=true', body);
  const name = (run_name: unknown) => served.put('/api/pending-run-name', { run_name });

  describe('POST /api/runs/new', () => {
    it('answers ok, the id and the name of a run that is the active one from then on', async () => {
      const before = await served.active();
      const { status, body } = await startNew({ run_name: '  Mein Lauf / 日本  ' });
      expect(status).to.equal(200);
      expect(body).to.have.all.keys('ok', 'run_id', 'run_name');
      expect(body).to.include({ ok: true, run_name: 'Mein Lauf / 日本' });
      expect(body.run_id).to.match(runIdPattern).and.not.equal(before.run_id);
      const { run_id, run_name } = await served.active();
      expect({ ok: true, run_id, run_name }).to.deep.equal(body);
    });

    it('runs all evaluations when there are no indices', async () => {
      await startNew();
      const run = await served.active();
      expect(statusesOf(run)).to.deep.equal(['completed', 'completed', 'completed']);
      expect(run.selected_total).to.equal(3);
    });

    it('leaves the run that was active as it is', async () => {
      const before = await served.active();
      await startNew();
      const { body } = await served.get(`/api/runs/${before.run_id}/data`);
      expect(body.results).to.deep.equal(before.results);
    });

    it('maps indices by id when the evals are others by now', async () => {
      served.project.write('words.txt', 'c x a');
      await startNew({ indices: [0] });
      const run = await served.active();
      served.project.write('words.txt', 'a b c');
      const started = run.results.filter(({ result }: Run) => result.status === 'completed');
      expect(started.map(({ id }: Run) => id)).to.deep.equal(['changing.eval.mjs::changing[a]']);
      await startNew();
    });

    it('lets two runs have the same name; neither replaces the other', async () => {
      const one = (await startNew({ run_name: 'twin' })).body.run_id;
      const two = (await startNew({ run_name: 'twin' })).body.run_id;
      expect(one).to.not.equal(two);
      const { runs } = (await served.get('/api/sessions/feature%2Fneu/runs')).body;
      const twins = runs.filter(({ run_name }: Run) => run_name === 'twin');
      expect(twins.map(({ run_id }: Run) => run_id)).to.deep.equal([two, one]);
    });
  });

  describe('PUT /api/pending-run-name', () => {
    it('does not rename a run that has started', async () => {
      const before = (await served.active()).run_name;
      await name('for the next');
      expect((await served.active()).run_name).to.equal(before);
    });
  });
});

describe('the contract: the first run', () => {
  it('is in the session default and has a friendly name, unless told otherwise', async () => {
    const served = await ServedProject.start(changingProject);
    const run = await served.active();
    expect(run.session_name).to.equal('default');
    expect(run.run_name).to.match(friendly);
  });

  it('answers when the work is scheduled, without wait', async () => {
    const served = await ServedProject.start({ 'slow.eval.mjs': slowEvals });
    const { status } = await served.post('/api/runs/new', {});
    expect(status).to.equal(200);
    expect((await served.active()).state).to.equal('running');
    letGo(served, 'a', 'b', 'c');
    await served.until(({ state }) => state === 'finished');
  });
});
