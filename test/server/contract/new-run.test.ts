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
  /** What is listed of each run, but the comparison with the run before, which may come later. */
  const listed = async () => {
    const { runs } = (await served.get('/api/sessions/feature%2Fneu/runs')).body;
    return runs.map(({ run_id, run_name, state, updated_at }: Run) => ({
      run_id,
      run_name,
      state,
      updated_at,
    }));
  };
  const select = (config: string) => served.post('/api/configs/select', { name: config });

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

    it('starts it in the session of the active run', async () => {
      await startNew();
      expect((await served.active()).session_name).to.equal('feature/neu');
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

    it('takes indices as positions in the active run; the others stay not_started', async () => {
      await startNew({ indices: [2] });
      const run = await served.active();
      expect(statusesOf(run)).to.deep.equal(['not_started', 'not_started', 'completed']);
      expect(run).to.include({ selected_total: 1, total_evaluations: 3 });
      expect(run.results[0].result).to.include({ output: null, latency: null, error: null });
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

    it('gives a friendly name when there is no other', async () => {
      expect((await startNew()).body.run_name).to.match(friendly);
    });

    it('takes the name of the selected config when it is not default', async () => {
      await select('fast');
      const { body } = await startNew();
      expect(body.run_name).to.equal('fast');
      expect((await served.active()).config_name).to.equal('fast');
      await select('default');
      expect((await startNew()).body.run_name).to.match(friendly);
    });

    it('takes the pending name rather than that of the config, once', async () => {
      await select('fast');
      await name('  the next ');
      expect((await startNew()).body.run_name).to.equal('the next');
      expect((await startNew()).body.run_name).to.equal('fast');
      await select('default');
    });

    it('takes run_name rather than the pending name', async () => {
      await name('pending');
      expect((await startNew({ run_name: 'given' })).body.run_name).to.equal('given');
    });

    it('lets two runs have the same name; neither replaces the other', async () => {
      const one = (await startNew({ run_name: 'twin' })).body.run_id;
      const two = (await startNew({ run_name: 'twin' })).body.run_id;
      expect(one).to.not.equal(two);
      const { runs } = (await served.get('/api/sessions/feature%2Fneu/runs')).body;
      const twins = runs.filter(({ run_name }: Run) => run_name === 'twin');
      expect(twins.map(({ run_id }: Run) => run_id)).to.deep.equal([two, one]);
    });

    for (const [what, body] of [
      ['a blank name', { run_name: '   ' }],
      ['an empty name', { run_name: '' }],
      ['a name of 101 characters', { run_name: 'n'.repeat(101) }],
      ['a name with control characters', { run_name: 'a\u0007b' }],
      ['a name with a line end', { run_name: 'a\nb' }],
      ['a name that is no text', { run_name: 5 }],
      ['an index that the active run does not have', { indices: [3] }],
      ['a negative index', { indices: [-1] }],
      ['indices that are no list', { indices: '0' }],
    ] as const) {
      it(`answers 400 to ${what} and starts nothing`, async () => {
        const before = await listed();
        expect((await startNew(body)).status).to.equal(400);
        expect(await listed()).to.deep.equal(before);
      });
    }

    it('takes a name of 100 characters that are no single code units', async () => {
      const run_name = '👩'.repeat(100);
      expect((await startNew({ run_name })).body.run_name).to.equal(run_name);
    });
  });

  describe('PUT /api/pending-run-name', () => {
    it('answers ok and the name as it is kept', async () => {
      const { status, body } = await name('  spaces around ');
      expect(status).to.equal(200);
      expect(body).to.deep.equal({ ok: true, run_name: 'spaces around' });
    });

    it('does not rename a run that has started', async () => {
      const before = (await served.active()).run_name;
      await name('for the next');
      expect((await served.active()).run_name).to.equal(before);
    });

    for (const wrong of ['', '  \t ', 'x'.repeat(101), 7, null, undefined]) {
      it(`answers 400 to ${JSON.stringify(wrong)?.slice(0, 12) ?? 'no name'}`, async () => {
        const { status, body } = await name(wrong);
        expect(status).to.equal(400);
        expect(body.errors[0].pointer).to.equal('/run_name');
      });
    }
  });
});

describe('the contract: the first run', () => {
  it('takes a pending name at once while it has not started, and keeps it when it starts', async () => {
    const served = await ServedProject.start(changingProject);
    const { run_id } = await served.active();
    await served.put('/api/pending-run-name', { run_name: 'chosen' });
    expect(await served.active()).to.include({ run_id, run_name: 'chosen', state: 'not_started' });
    const run = await served.runAll();
    expect(run).to.include({ run_id, run_name: 'chosen' });
    const { body } = await served.post('/api/runs/new?wait=true', {});
    expect(body.run_name).to.match(friendly).and.not.equal('chosen');
  });

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
