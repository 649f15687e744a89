import { expect } from 'chai';
import { ServedProject } from '../../helpers/served-project.js';
import { changingProject, statusesOf } from './evals.js';

type Run = Awaited<ReturnType<ServedProject['active']>>;

const outputs = (run: Run) => run.results.map(({ result }: Run) => result.output);

describe('the contract: rerun when the evals have changed', () => {
  let served: ServedProject;

  beforeEach(async () => {
    served = await ServedProject.start(changingProject);
    await served.runAll();
  });

  const ids = (run: Run) => run.results.map(({ id }: Run) => id.split('::')[1]);

  it('appends evaluations that are new to a full rerun; rows never move', async () => {
    served.project.write('words.txt', 'x b a c y');
    await served.post('/api/runs/rerun?wait=true', {});
    const run = await served.active();
    expect(ids(run)).to.deep.equal(['a', 'b', 'c', 'x', 'y'].map((word) => `changing[${word}]`));
    expect(statusesOf(run)).to.deep.equal(Array(5).fill('completed'));
    expect([run.total_evaluations, run.selected_total]).to.deep.equal([5, 5]);
  });

  it('appends nothing to a rerun of some', async () => {
    served.project.write('words.txt', 'x a b c');
    await served.post('/api/runs/rerun?wait=true', { indices: [0] });
    expect(ids(await served.active())).to.have.length(3);
  });

  it('leaves rows whose evaluation is gone as they are in a full rerun, and says that it is gone', async () => {
    const before = await served.active();
    served.project.write('words.txt', 'a c');
    served.project.write('answer.txt', 'later');
    await served.post('/api/runs/rerun?wait=true', {});
    const run = await served.active();
    expect(outputs(run)).to.deep.equal(['later', 'first', 'later']);
    expect(run.results[1]).to.deep.equal({ ...before.results[1], gone: true });
    expect(run.mixed).to.deep.equal({ gone: 1 });
  });

  it('answers 409 that names those that are gone when indices select them, and starts nothing', async () => {
    const before = await served.active();
    served.project.write('words.txt', 'c');
    const { status, body } = await served.post('/api/runs/rerun', { indices: [0, 1, 2] });
    expect(status).to.equal(409);
    expect(body.detail).to.include('changing[a]').and.include('changing[b]');
    expect(body.detail).to.not.include('changing[c]');
    const run = await served.active();
    expect(run.results).to.deep.equal(before.results);
    expect(run.state).to.equal('finished');
  });

  it('reruns the rest when indices leave those that are gone out', async () => {
    served.project.write('words.txt', 'c');
    served.project.write('answer.txt', 'later');
    const { status } = await served.post('/api/runs/rerun?wait=true', { indices: [2] });
    expect(status).to.equal(200);
    expect(outputs(await served.active())).to.deep.equal(['first', 'first', 'later']);
  });

  it('prunes what is gone when it is asked to, and takes it back when it is there again', async () => {
    const before = await served.active();
    served.project.write('words.txt', 'a c');
    const rerun = (body: object) => served.post('/api/runs/rerun?wait=true', body);
    expect((await rerun({ indices: [], prune: true })).status).to.equal(200);
    const pruned = await served.active();
    expect(pruned.results[1]).to.deep.equal({ ...before.results[1], pruned: true });
    expect(pruned).to.include({ total_evaluations: 3, total_pruned: 1 });
    expect(pruned.total_passed).to.equal(before.total_passed - 1);
    expect(pruned.created_at).to.equal(before.created_at);
    const rows = async (query = '') =>
      (await served.get(`/api/runs/${await served.activeId()}/rows?${query}`)).body;
    const all = await rows();
    expect(all.rows[1]).to.include({ index: 1, pruned: true });
    expect(all.summary.counts).to.include({ results: 3, pruned: 1, passed: pruned.total_passed });
    expect((await rows('status=pruned')).filtered).to.equal(1);
    expect((await rows('status=completed')).filtered).to.equal(2);
    const [listed] = (await served.get('/api/sessions/default/runs')).body.runs;
    expect(listed.total_pruned).to.equal(1);
    expect((await rerun({ indices: [1] })).status).to.equal(409);
    expect((await rerun({ indices: [1], prune: true })).status).to.equal(409);
    served.project.write('words.txt', 'a b c');
    expect((await rerun({ indices: [1] })).status).to.equal(200);
    const again = await served.active();
    expect(again).to.not.have.property('total_pruned');
    expect(again.results[1]).to.not.have.property('pruned');
  });

  it('says that results are of several versions of the code, and finds the older ones', async () => {
    const [name = ''] = Object.keys(changingProject).filter((one) => one.includes('.eval.'));
    const text = served.project.read(name);
    served.project.write(name, `${text}\n// another version\n`);
    await served.post('/api/runs/rerun?wait=true', { indices: [0] });
    const run = await served.active();
    expect(run.code_versions.map(({ results }: Run) => results)).to.deep.equal([1, 2]);
    const rows = async (query: string) => {
      const { body } = await served.get(
        `/api/runs/${await served.activeId()}/rows/indices?${query}`,
      );
      return body.indices;
    };
    expect(await rows('code=older')).to.deep.equal([1, 2]);
    expect(await rows('code=!older')).to.deep.equal([0]);
    expect(await rows('code=newest')).to.deep.equal([0]);
    const { run_id } = run;
    await served.post('/api/runs/new?wait=true', {});
    const { run_id: other } = await served.active();
    const compared = (await served.get(`/api/compare?run=${run_id}&run=${other}`)).body;
    expect(compared.runs[0].code_versions).to.deep.equal(run.code_versions);
    expect(compared.runs[1]).to.not.have.property('code_versions');
  });

  it('keeps the trials of the run; another number needs a new run', async () => {
    await served.put('/api/config', { trials: 2 });
    await served.post('/api/runs/rerun?wait=true', {});
    const run = await served.active();
    expect(run.results).to.have.length(3);
    expect(run).to.not.have.any.keys('trials', 'pass_at_k', 'pass_all_k');
    await served.post('/api/runs/new?wait=true', {});
    const fresh = await served.active();
    expect(fresh.results).to.have.length(6);
    expect(fresh.trials).to.equal(2);
  });
});
