import { expect } from 'chai';
import { ServedProject } from '../../helpers/served-project.js';
import { changingProject } from './evals.js';

type Run = Awaited<ReturnType<ServedProject['active']>>;

const outputs = (run: Run) => run.results.map(({ result }: Run) => result.output);

describe('the contract: rerun of all results or some', () => {
  let served: ServedProject;

  before(async () => {
    served = await ServedProject.start(changingProject);
  });

  it('starts the not-started run, which keeps its id and name', async () => {
    const { run_id, run_name } = await served.active();
    const { status, body } = await served.post('/api/runs/rerun?wait=true', {});
    expect(status).to.equal(200);
    expect(body).to.deep.equal({ ok: true, run_id });
    expect(await served.active()).to.include({ run_id, run_name, state: 'finished' });
  });

  it('runs everything again in the same run when there are no indices', async () => {
    const before = await served.active();
    served.project.write('answer.txt', 'second');
    const { body } = await served.post('/api/runs/rerun?wait=true', {});
    const run = await served.active();
    expect(body).to.deep.equal({ ok: true, run_id: before.run_id });
    expect(outputs(run)).to.deep.equal(['second', 'second', 'second']);
    expect(run).to.include({ run_id: before.run_id, selected_total: 3 });
  });

  it('takes an empty body for one without keys', async () => {
    served.project.write('answer.txt', 'by an empty body');
    expect((await served.post('/api/runs/rerun?wait=true')).body.ok).to.equal(true);
    expect(outputs(await served.active())[0]).to.equal('by an empty body');
  });

  it('runs only the results at indices and leaves the others as they are', async () => {
    const before = await served.active();
    served.project.write('answer.txt', 'third');
    served.project.write('calls.txt', '');
    await served.post('/api/runs/rerun?wait=true', { indices: [2, 0] });
    const run = await served.active();
    expect(outputs(run)).to.deep.equal(['third', 'by an empty body', 'third']);
    expect(run.results[1]).to.deep.equal(before.results[1]);
    expect(run.selected_total).to.equal(2);
    expect(served.read('calls.txt').trim().split(' ')).to.have.members(['a', 'c']);
  });

  it('runs a result once, however often it is named', async () => {
    served.project.write('calls.txt', '');
    await served.post('/api/runs/rerun?wait=true', { indices: [1, 1, 1] });
    expect(served.read('calls.txt')).to.equal('b ');
  });

  it('runs nothing for empty indices', async () => {
    const before = (await served.get('/results')).text;
    served.project.write('calls.txt', '');
    const { status, body } = await served.post('/api/runs/rerun?wait=true', { indices: [] });
    expect([status, body.ok]).to.deep.equal([200, true]);
    expect(served.read('calls.txt')).to.equal('');
    expect((await served.get('/results')).text).to.equal(before);
  });

  it('keeps annotation and history, and clears edited scores, which stay in the history', async () => {
    const result = { annotation: 'keep me', scores: [{ key: 'mine', passed: false }] };
    await served.patch('/api/runs/latest/results/1', { result });
    const before = (await served.active()).results[1].result;
    await served.post('/api/runs/rerun?wait=true', { indices: [1] });
    const { annotation, correction_history, scores } = (await served.active()).results[1].result;
    expect(annotation).to.equal('keep me');
    expect(correction_history).to.deep.equal(before.correction_history);
    expect(correction_history).to.have.length(2);
    expect(scores).to.deep.equal([{ key: 'grade', passed: true }]);
  });

  it('keeps every earlier attempt: a single result shows them, newest first', async () => {
    const { body } = await served.get('/api/runs/latest/results/0');
    const { attempts, result } = body;
    expect(result.result.output).to.equal('third');
    expect(attempts.map(({ output }: Run) => output)).to.deep.equal([
      'by an empty body',
      'second',
      'first',
    ]);
    expect(attempts[0]).to.deep.include({ status: 'completed', input: 'a', error: null });
    expect(attempts[0].scores).to.deep.equal([{ key: 'grade', passed: true }]);
    const { stdout } = await served.project.assay(['show', body.run_id, result.id, '--json']);
    expect(JSON.parse(stdout)).to.deep.equal(body);
  });

  it('sets created_at again, by which runs are listed', async () => {
    const { run_id: older } = await served.active();
    await served.post('/api/runs/new?wait=true', {});
    await served.post('/api/runs/rerun?wait=true', { run_id: older, indices: [0] });
    const { created_at, started_at } = await served.active();
    expect(created_at).to.be.at.least(started_at);
    const { runs } = (await served.get('/api/sessions/default/runs')).body;
    expect(runs.find(({ run_id }: Run) => run_id === older).timestamp).to.equal(created_at);
    const times: number[] = runs.map(({ timestamp }: Run) => timestamp);
    expect(times).to.deep.equal(times.toSorted((a, b) => b - a));
  });

  it('makes the run of run_id the active one first', async () => {
    const { runs } = (await served.get('/api/sessions/default/runs')).body;
    const other = runs[1].run_id;
    const { body } = await served.post('/api/runs/rerun?wait=true', { run_id: other });
    expect(body.run_id).to.equal(other);
    expect((await served.active()).run_id).to.equal(other);
  });
});
