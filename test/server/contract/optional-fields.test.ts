import { expect } from 'chai';
import { ServedProject } from '../../helpers/served-project.js';
import { mixedEvals } from './evals.js';

describe('the contract: null for an optional field is as if it were not given', () => {
  let served: ServedProject;

  beforeEach(async () => {
    served = await ServedProject.start({
      'mixed.eval.mjs': mixedEvals,
      'assay.yaml': 'configs:\n  other: {}\n',
    });
  });
  it('in a rerun', async () => {
    const { run_id } = await served.active();
    const nothing = { indices: null, config_name: null, run_id: null, prune: null };
    const { status, body } = await served.post('/api/runs/rerun?wait=true', nothing);
    expect([status, body]).to.deep.equal([200, { ok: true, run_id }]);
    expect(await served.active()).to.include({ run_id, config_name: 'default', state: 'finished' });
  });

  it('in a new run and a regrade', async () => {
    await served.runAll();
    await served.put('/api/pending-run-name', { run_name: 'next' });
    const begun = await served.post('/api/runs/new?wait=true', { run_name: null, indices: null });
    expect(begun.body).to.include({ ok: true, run_name: 'next' });
    const { status, body } = await served.post('/api/runs/regrade?wait=true', {
      indices: null,
      run_id: null,
    });
    expect([status, body.run_id]).to.deep.equal([200, begun.body.run_id]);
  });

  it('in scores, of which passed or value has to be there', async () => {
    await served.runAll();
    const send = (score: object) =>
      served.patch('/api/runs/latest/results/0', { result: { scores: [score] } });
    const { body } = await send({ key: 'a', passed: null, value: 3, notes: null });
    expect(body.result.result.scores).to.deep.equal([{ key: 'a', value: 3, source: 'human' }]);
    const other = await send({ key: 'a', passed: true, value: null, notes: 'seen' });
    expect(other.body.result.result.scores).to.deep.equal([
      { key: 'a', passed: true, notes: 'seen', source: 'human' },
    ]);
    for (const nothing of [{}, { passed: null }, { passed: null, value: null }]) {
      const refused = await send({ key: 'a', ...nothing });
      expect(refused.status).to.equal(400);
      expect(refused.body.errors[0]).to.deep.equal({
        pointer: '/result/scores/0',
        detail: 'must have passed or value.',
      });
    }
  });

  it('in a report', async () => {
    await served.runAll();
    const chip = { key: 'a', type: 'avg', avg: 1, count: 2 };
    const nothing = { passed: null, judged: null, threshold: null, better: null };
    const send = (more: object, chipMore: object) =>
      served.post('/api/runs/latest/export/markdown', {
        visible_indices: [0],
        visible_columns: ['eval'],
        stats: { total: 5, filtered: 1, avgLatency: 0, chips: [{ ...chip, ...chipMore }] },
        ...more,
      });
    const plain = await send({}, {});
    const nulls = await send({ run_name: null, session_name: null }, nothing);
    expect([nulls.status, nulls.text]).to.deep.equal([200, plain.text]);
  });

  it('but not where a field is required', async () => {
    const { run_id } = await served.active();
    for (const [method, path, body] of [
      ['PATCH', `/api/runs/${run_id}`, { run_name: null }],
      ['PUT', '/api/pending-run-name', { run_name: null }],
      ['POST', '/api/configs/select', { name: null }],
      ['PATCH', '/api/runs/latest/results/0', { result: null }],
    ] as const) {
      expect((await served.send(method, path, body)).status, path).to.equal(400);
    }
  });
});
