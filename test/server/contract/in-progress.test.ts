import { expect } from 'chai';
import { ServedProject } from '../../helpers/served-project.js';
import { letGo, slowEvals, statusesOf } from './evals.js';

describe('the contract: a run in progress', () => {
  let served: ServedProject;

  beforeEach(async () => {
    served = await ServedProject.start({
      'slow.eval.mjs': slowEvals,
      'assay.yaml': 'concurrency: 1\n',
    });
  });

  it('answers when the work is scheduled, without wait', async () => {
    const { status } = await served.post('/api/runs/rerun', {});
    expect(status).to.equal(200);
    const run = await served.active();
    expect(run.state).to.equal('running');
    expect(statusesOf(run).every((one) => ['pending', 'running'].includes(one))).to.equal(true);
  });

  it('answers when everything has finished, with ?wait=true', async () => {
    letGo(served, 'a', 'b', 'c');
    await served.post('/api/runs/rerun?wait=true', {});
    const run = await served.active();
    expect(run.state).to.equal('finished');
    expect(statusesOf(run)).to.deep.equal(['completed', 'completed', 'completed']);
  });

  it('clears output, scores, error, latency and trace data from the moment a row is scheduled', async () => {
    letGo(served, 'a', 'b', 'c');
    await served.runAll();
    await served.patch('/api/runs/latest/results/2', { result: { annotation: 'kept' } });
    for (const id of ['a', 'b', 'c']) served.project.remove(`go-${id}`);
    await served.post('/api/runs/rerun', {});
    const { results } = await served.active();
    expect(results[2].result.status).to.equal('pending');
    expect(results[2].result).to.deep.include({
      input: 'c',
      output: null,
      scores: [],
      error: null,
      latency: null,
      trace_data: {},
      annotation: 'kept',
    });
    expect(results[2].result.correction_history).to.have.length(1);
    expect(results[2]).to.not.have.property('regradable');
  });

  it('reads as running while it runs and as completed when it has finished', async () => {
    await served.post('/api/runs/rerun', {});
    const run = await served.until((one) => statusesOf(one).includes('running'));
    expect(statusesOf(run)).to.deep.equal(['running', 'pending', 'pending']);
    letGo(served, 'a');
    const next = await served.until((one) => statusesOf(one)[1] === 'running');
    expect(statusesOf(next)).to.deep.equal(['completed', 'running', 'pending']);
    expect(next.results[0].result).to.include({ output: 'a', error: null });
    expect(next.results[0].result.latency).to.be.above(0);
  });

  it('answers 409 to whatever would start another one, and goes on', async () => {
    await served.post('/api/runs/rerun', {});
    const { run_id } = await served.active();
    const calls: readonly (readonly [string, unknown])[] = [
      ['/api/runs/rerun', {}],
      ['/api/runs/rerun', { indices: [0] }],
      ['/api/runs/rerun', { config_name: 'default' }],
      ['/api/runs/rerun', { run_id }],
      ['/api/runs/new', {}],
      ['/api/runs/new', { run_name: 'other', indices: [1] }],
      ['/api/runs/regrade', {}],
      ['/api/runs/regrade', { indices: [0] }],
      ['/api/server/restart', undefined],
    ];
    for (const [path, body] of calls) {
      expect((await served.post(path, body)).status, path).to.equal(409);
    }
    letGo(served, 'a', 'b', 'c');
    await served.until((run) => run.state === 'finished');
    expect((await served.get('/api/sessions/default/runs')).body.runs).to.have.length(1);
  });

  it('lets two that come at once in one after the other: one starts, one is refused', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => served.post('/api/runs/rerun', {})));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([200, 409, 409, 409]);
  });

  it('keeps edits of running and pending rows; on one key the human score wins', async () => {
    await served.post('/api/runs/rerun', {});
    await served.until((run) => statusesOf(run)[0] === 'running');
    const scores = [
      { key: 'mine', value: 1 },
      { key: 'done', passed: false },
    ];
    for (const index of [0, 2]) {
      const result = { annotation: 'while', scores };
      const { status } = await served.patch(`/api/runs/latest/results/${index}`, { result });
      expect(status).to.equal(200);
    }
    letGo(served, 'a', 'b', 'c');
    const { results } = await served.until(({ state }) => state === 'finished');
    for (const { result } of [results[0], results[2]]) {
      expect(result).to.include({ annotation: 'while', status: 'completed' });
      expect(result.output).to.equal(result.input);
      const human = scores.map((score) => ({ ...score, source: 'human' }));
      expect(result.scores).to.have.deep.members(human);
      expect(result.correction_history).to.have.length(2);
    }
    expect(results[1].result.scores).to.deep.equal([{ key: 'done', passed: true }]);
  });

  it('is listed with the figures that the run shows', async () => {
    await served.post('/api/runs/rerun', {});
    letGo(served, 'a');
    const run = await served.until((one) => statusesOf(one)[1] === 'running');
    const [listed] = (await served.get('/api/sessions/default/runs')).body.runs;
    const { run_id, total_evaluations, total_passed, total_errors, state, score_chips } = listed;
    const figures = { run_id, total_evaluations, total_passed, total_errors, state, score_chips };
    for (const [field, value] of Object.entries(figures)) {
      expect(run[field], field).to.deep.equal(value);
    }
    expect(run.total_passed).to.equal(1);
  });

  it('can be renamed, and so can the next run', async () => {
    await served.post('/api/runs/rerun', {});
    const { run_id } = await served.active();
    await served.patch(`/api/runs/${run_id}`, { run_name: 'renamed' });
    await served.put('/api/pending-run-name', { run_name: 'next' });
    letGo(served, 'a', 'b', 'c');
    await served.until(({ state }) => state === 'finished');
    expect((await served.active()).run_name).to.equal('renamed');
    expect((await served.post('/api/runs/new', {})).body.run_name).to.equal('next');
  });
});
