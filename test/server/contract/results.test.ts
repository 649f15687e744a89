import { expect } from 'chai';
import { runProblems } from '../../helpers/run-shape.js';
import { ServedProject } from '../../helpers/served-project.js';
import { mixedEvals, runIdPattern } from './evals.js';

const runFields = [
  'run_id',
  'session_name',
  'run_name',
  'created_at',
  'started_at',
  'updated_at',
  'path',
  'config_name',
  'total_evaluations',
  'total_functions',
  'total_passed',
  'total_errors',
  'total_with_scores',
  'average_latency',
  'summary',
  'state',
  'results',
];
const pageFields = ['result', 'index', 'total', 'run_id', 'session_name', 'run_name', 'eval_path'];

describe('the contract: results', () => {
  let served: ServedProject;
  let first: string;
  let second: string;

  before(async () => {
    served = await ServedProject.start(
      { 'evals/mixed.eval.mjs': mixedEvals },
      { paths: ['evals'] },
    );
    first = (await served.runAll()).run_id;
    second = (await served.post('/api/runs/new?wait=true', { run_name: 'second' })).body.run_id;
  });

  const entry = async (index: number, run = 'latest') =>
    (await served.get(`/api/runs/${run}/results/${index}`)).body.result;

  describe('GET /results', () => {
    it('answers with the active run, with every field of run JSON and those of the active run', async () => {
      const { status, body } = await served.get('/results');
      expect(status).to.equal(200);
      expect(body).to.have.all.keys(
        ...runFields,
        'score_chips',
        'eval_path',
        'is_paused',
        'selected_total',
      );
      expect(body.run_id).to.equal(second);
      const { score_chips, eval_path, is_paused, selected_total, ...run } = body;
      expect(runProblems(run)).to.deep.equal([]);
      expect([is_paused, selected_total, eval_path]).to.deep.equal([false, 4, 'evals']);
    });

    it('has the totals that follow from the results', async () => {
      const { body } = await served.get('/results');
      expect(body).to.include({
        session_name: 'default',
        run_name: 'second',
        path: 'evals',
        config_name: 'default',
        total_evaluations: 4,
        total_functions: 3,
        total_passed: 2,
        total_errors: 1,
        total_with_scores: 3,
        state: 'finished',
      });
      expect(body.run_id).to.match(runIdPattern);
      expect(body.created_at).to.be.within(Date.now() / 1000 - 60, Date.now() / 1000);
    });

    it('has a chip for each score key in order of first appearance: ratio with a verdict, avg without', async () => {
      const { body } = await served.get('/results');
      expect(body.score_chips).to.deep.equal([
        { key: 'exact', type: 'ratio', passed: 1, total: 2 },
        { key: 'size', type: 'avg', avg: 5, count: 2 },
        { key: 'correctness', type: 'ratio', passed: 1, total: 1 },
      ]);
    });
  });

  describe('GET /api/runs/{run_id}/data', () => {
    it('answers with another run without making it the active one', async () => {
      const { body } = await served.get(`/api/runs/${first}/data`);
      expect(body.run_id).to.equal(first);
      expect((await served.active()).run_id).to.equal(second);
    });

    it('leaves out what only the active run has', async () => {
      const { body } = await served.get(`/api/runs/${first}/data`);
      expect(body).to.have.all.keys(...runFields, 'score_chips', 'eval_path');
    });

    it('answers as GET /results does for latest and for the id of the active run', async () => {
      const { text } = await served.get('/results');
      expect((await served.get('/api/runs/latest/data')).text).to.equal(text);
      expect((await served.get(`/api/runs/${second}/data`)).text).to.equal(text);
    });

    for (const id of ['000000000000', 'nope', '../..', 'ABCDEF012345', '*']) {
      it(`answers 404 for the run ${id}`, async () => {
        const { status } = await served.get(`/api/runs/${encodeURIComponent(id)}/data`);
        expect(status).to.equal(404);
      });
    }
  });

  describe('GET /api/runs/{run_id}/results/{index}', () => {
    it('answers with the result and where it stands, and nothing else', async () => {
      const { status, body } = await served.get(`/api/runs/${first}/results/1`);
      expect(status).to.equal(200);
      expect(body).to.have.all.keys(...pageFields);
      const run = (await served.get(`/api/runs/${first}/data`)).body;
      expect(body).to.deep.include({
        result: run.results[1],
        index: 1,
        total: 4,
        run_id: first,
        session_name: 'default',
        run_name: run.run_name,
        eval_path: 'evals',
      });
    });

    it('takes latest for the active run', async () => {
      const { body } = await served.get('/api/runs/latest/results/0');
      expect(body).to.include({ run_id: second, run_name: 'second' });
    });

    it('counts from 0 to one less than the total', async () => {
      const all = await Promise.all([0, 1, 2, 3].map((index) => entry(index)));
      expect(all.map(({ id }) => id)).to.deep.equal([
        'evals/mixed.eval.mjs::graded[good]',
        'evals/mixed.eval.mjs::graded[bad]',
        'evals/mixed.eval.mjs::plain',
        'evals/mixed.eval.mjs::fails',
      ]);
    });

    for (const index of [
      '4',
      '-1',
      '1.5',
      'abc',
      '1e0',
      '+1',
      '01',
      '9'.repeat(30),
      '%20',
      'NaN',
    ]) {
      it(`answers 404 for the index ${index.slice(0, 9)}, reading and changing`, async () => {
        const path = `/api/runs/latest/results/${index}`;
        const { status } = await served.get(path);
        expect(status).to.equal(404);
        expect((await served.patch(path, { result: { annotation: 'x' } })).status).to.equal(404);
      });
    }

    it('answers 404 for an unknown run', async () => {
      expect((await served.get('/api/runs/000000000000/results/0')).status).to.equal(404);
    });
  });
});
