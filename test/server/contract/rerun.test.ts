import { expect } from 'chai';
import { removeProjects } from '../../helpers/project.js';
import { closeServers, ServedProject } from '../../helpers/served-project.js';
import { changingProject, letGo, runIdPattern, slowEvals, statusesOf } from './evals.js';

type Run = Awaited<ReturnType<ServedProject['active']>>;

const outputs = (run: Run) => run.results.map(({ result }: Run) => result.output);

describe('the contract: rerun', () => {
  after(async () => {
    await closeServers();
    removeProjects();
  });

  describe('of all results or some', () => {
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
      const { attempts, result } = (await served.get('/api/runs/latest/results/0')).body;
      expect(result.result.output).to.equal('third');
      expect(attempts.map(({ output }: Run) => output)).to.deep.equal([
        'by an empty body',
        'second',
        'first',
      ]);
      expect(attempts[0]).to.deep.include({ status: 'completed', input: 'a', error: null });
      expect(attempts[0].scores).to.deep.equal([{ key: 'grade', passed: true }]);
    });

    it('sets created_at again, so that the run that started last comes first', async () => {
      const { run_id: older } = await served.active();
      const { run_id: newer } = (await served.post('/api/runs/new?wait=true', {})).body;
      const listed = async () =>
        (await served.get('/api/sessions/default/runs')).body.runs.map(({ run_id }: Run) => run_id);
      expect(await listed()).to.deep.equal([newer, older]);
      await served.post('/api/runs/rerun?wait=true', { run_id: older, indices: [0] });
      expect(await listed()).to.deep.equal([older, newer]);
      const { created_at } = await served.active();
      expect(Number.isInteger(created_at)).to.equal(true);
    });

    it('makes the run of run_id the active one first', async () => {
      const { runs } = (await served.get('/api/sessions/default/runs')).body;
      const other = runs[1].run_id;
      const { body } = await served.post('/api/runs/rerun?wait=true', { run_id: other });
      expect(body.run_id).to.equal(other);
      expect((await served.active()).run_id).to.equal(other);
    });

    it('takes latest as run_id for the active run', async () => {
      const { run_id } = await served.active();
      const { body } = await served.post('/api/runs/rerun?wait=true', { run_id: 'latest' });
      expect(body.run_id).to.equal(run_id);
    });
  });

  describe('with a run config', () => {
    let served: ServedProject;
    let original: Run;

    before(async () => {
      served = await ServedProject.start(changingProject);
      original = await served.runAll();
    });

    const tools = (run: Run) => run.results.map(({ result }: Run) => result.trace_data.tool);

    it('starts a new run named after a config that is another than that of the run', async () => {
      const { body } = await served.post('/api/runs/rerun?wait=true', { config_name: 'fast' });
      const run = await served.active();
      expect(body.run_id).to.match(runIdPattern).and.not.equal(original.run_id);
      expect(run).to.include({ run_id: body.run_id, run_name: 'fast', config_name: 'fast' });
      expect(run.session_name).to.equal(original.session_name);
      expect(tools(run)).to.deep.equal(['hammer', 'hammer', 'hammer']);
    });

    it('leaves the earlier run as it was', async () => {
      const { body } = await served.get(`/api/runs/${original.run_id}/data`);
      expect(body.results).to.deep.equal(original.results);
    });

    it('starts no new run for the config that the run has', async () => {
      const { run_id } = await served.active();
      const { body } = await served.post('/api/runs/rerun?wait=true', { config_name: 'fast' });
      expect(body.run_id).to.equal(run_id);
    });

    it('keeps the config of the run when none is named, whatever is selected', async () => {
      await served.post('/api/configs/select', { name: 'slow' });
      await served.post('/api/runs/rerun?wait=true', {});
      const run = await served.active();
      expect(run.config_name).to.equal('fast');
      expect(tools(run)).to.deep.equal(['hammer', 'hammer', 'hammer']);
    });

    it('runs only the results at indices in the new run; the others are not_started', async () => {
      const body = { config_name: 'default', indices: [1] };
      const { run_id } = (await served.post('/api/runs/rerun?wait=true', body)).body;
      const run = await served.active();
      expect(run).to.include({ run_id, run_name: 'default', selected_total: 1 });
      expect(statusesOf(run)).to.deep.equal(['not_started', 'completed', 'not_started']);
    });

    it('works on the run of run_id', async () => {
      const body = { config_name: 'slow', run_id: original.run_id };
      const { run_id } = (await served.post('/api/runs/rerun?wait=true', body)).body;
      const run = await served.active();
      expect(run).to.include({ run_id, config_name: 'slow', run_name: 'slow' });
      expect(run_id).to.not.equal(original.run_id);
    });
  });

  describe('when the evals have changed', () => {
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

    it('leaves rows whose evaluation is gone as they are in a full rerun', async () => {
      const before = await served.active();
      served.project.write('words.txt', 'a c');
      served.project.write('answer.txt', 'later');
      await served.post('/api/runs/rerun?wait=true', {});
      const run = await served.active();
      expect(outputs(run)).to.deep.equal(['later', 'first', 'later']);
      expect(run.results[1]).to.deep.equal(before.results[1]);
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

  describe('while it runs', () => {
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

    it('keeps edits of other rows that are made during it', async () => {
      await served.post('/api/runs/rerun', {});
      await served.patch('/api/runs/latest/results/2', { result: { annotation: 'while' } });
      letGo(served, 'a', 'b', 'c');
      const run = await served.until(({ state }) => state === 'finished');
      expect(run.results[2].result).to.include({ annotation: 'while', output: 'c' });
      expect(run.results[2].result.correction_history).to.have.length(1);
    });
  });

  describe('of what cannot be', () => {
    let served: ServedProject;
    let text: string;

    before(async () => {
      served = await ServedProject.start(changingProject);
      await served.runAll();
      served.project.write('calls.txt', '');
      ({ text } = await served.get('/results'));
    });

    const wrong: readonly (readonly [string, unknown, number])[] = [
      ['an index that the run does not have', { indices: [0, 3] }, 400],
      ['a negative index', { indices: [-1] }, 400],
      ['half an index', { indices: [0.5] }, 400],
      ['an index as text', { indices: ['0'] }, 400],
      ['indices that are no list', { indices: 0 }, 400],
      ['indices that are null', { indices: null }, 400],
      ['an unknown config', { config_name: 'unknown' }, 400],
      ['an empty config', { config_name: '' }, 400],
      ['a config that is no text', { config_name: 3 }, 400],
      ['an unknown run', { run_id: '000000000000' }, 404],
      ['a run id that cannot be', { run_id: '../etc' }, 404],
      ['a run id that is no text', { run_id: 5 }, 400],
      ['an unknown run with an unknown config', { run_id: '000000000000', config_name: 'x' }, 404],
      ['a list', [], 400],
      ['text', '"all"', 400],
      ['null', 'null', 400],
    ];
    for (const [what, body, expected] of wrong) {
      it(`answers ${expected} to ${what} and starts nothing`, async () => {
        expect((await served.post('/api/runs/rerun?wait=true', body)).status).to.equal(expected);
        expect((await served.get('/results')).text).to.equal(text);
        expect(served.read('calls.txt')).to.equal('');
      });
    }

    it('answers 400 to a wait that is neither true nor false', async () => {
      const { status, body } = await served.post('/api/runs/rerun?wait=perhaps', {});
      expect(status).to.equal(400);
      expect(body.errors[0].pointer).to.equal('wait');
    });
  });
});
