import { expect } from 'chai';
import { ServedProject } from '../../helpers/served-project.js';
import { slowEvals, statusesOf } from './evals.js';
import { gradedEvals } from './graded-evals.js';

type Run = Awaited<ReturnType<ServedProject['active']>>;

describe('the contract: regrade', () => {
  let served: ServedProject;

  before(async () => {
    served = await ServedProject.start({ 'graded.eval.mjs': gradedEvals, 'verdict.txt': 'no' });
  });

  // A run that was graded by a stricter grader than there is from then on.
  beforeEach(async () => {
    served.project.write('graded.eval.mjs', gradedEvals);
    served.project.write('verdict.txt', 'no');
    await served.post('/api/runs/new?wait=true', {});
    served.project.write('calls.txt', '');
    served.project.write('verdict.txt', 'yes');
  });

  afterEach(async () => {
    await served.post('/api/runs/stop');
    if (served.project.has('hold')) served.project.remove('hold');
  });

  const regrade = (body: unknown = {}) => served.post('/api/runs/regrade?wait=true', body);
  const scoreOf = ({ result }: Run, key: string) =>
    result.scores.find((score: Run) => score.key === key);

  it('marks as regradable the rows whose target has finished, also when a grader then failed', async () => {
    const { results } = await served.active();
    expect(results.map(({ regradable }: Run) => regradable)).to.deep.equal([
      true,
      true,
      undefined,
      undefined,
      true,
    ]);
    expect(statusesOf({ results })).to.deep.equal([
      'completed',
      'completed',
      'completed',
      'error',
      'error',
    ]);
    expect(results[2]).to.not.have.property('regradable');
  });

  it('answers ok, the run and both counts', async () => {
    const { run_id } = await served.active();
    const { status, body } = await regrade();
    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      ok: true,
      run_id,
      regraded: 3,
      skipped_without_target: 1,
      skipped_inexact: 0,
    });
  });

  it('runs body and evaluators again on what is stored and calls no target', async () => {
    const before = await served.active();
    await regrade();
    const { results, state } = await served.active();
    expect(served.read('calls.txt')).to.equal('');
    expect(state).to.equal('finished');
    expect(scoreOf(results[0], 'strict')).to.deep.equal({ key: 'strict', passed: true });
    expect(scoreOf(results[0], 'body')).to.deep.equal({ key: 'body', passed: true });
    expect(JSON.parse(scoreOf(results[1], 'sees').notes)).to.deep.include({
      input: 'b',
      output: 'B',
      reference: 'B',
    });
    for (const field of ['input', 'output', 'reference', 'latency', 'trace_data'] as const) {
      expect(results[0].result[field]).to.deep.equal(before.results[0].result[field]);
    }
  });

  it('makes an error of a grader good', async () => {
    await regrade({ indices: [4] });
    const { result } = (await served.active()).results[4];
    expect(result).to.include({ status: 'completed', error: null, output: 'fine' });
    expect(result.scores).to.deep.equal([{ key: 'picky', passed: true }]);
  });

  it('regrades only the results at indices', async () => {
    const before = await served.active();
    const { body } = await regrade({ indices: [1] });
    expect(body).to.include({ regraded: 1, skipped_without_target: 0 });
    const { results, selected_total } = await served.active();
    expect(scoreOf(results[1], 'strict').passed).to.equal(true);
    expect(results[0]).to.deep.equal(before.results[0]);
    expect(selected_total).to.equal(1);
  });

  it('writes what was replaced to the correction history', async () => {
    const before = (await served.active()).results[0].result;
    await regrade();
    const { correction_history: history, scores } = (await served.active()).results[0].result;
    expect(history).to.have.length(1);
    expect(history[0]).to.have.all.keys('field', 'before', 'after', 'timestamp');
    expect(history[0]).to.deep.include({ field: 'scores', before: before.scores, after: scores });
  });

  it('keeps the annotation and human scores; on one key the human one wins', async () => {
    const { scores } = (await served.active()).results[0].result;
    const sent = [
      ...scores.filter(({ key }: Run) => key !== 'strict'),
      { key: 'strict', passed: false, notes: 'I say so' },
      { key: 'tone', value: 4 },
    ];
    const result = { annotation: 'seen', scores: sent };
    await served.patch('/api/runs/latest/results/0', { result });
    await regrade();
    const after = (await served.active()).results[0];
    expect(after.result.annotation).to.equal('seen');
    expect(after.result.scores.filter(({ source }: Run) => source === 'human')).to.deep.equal([
      { key: 'strict', passed: false, notes: 'I say so', source: 'human' },
      { key: 'tone', value: 4, source: 'human' },
    ]);
    expect(after.result.scores.map(({ key }: Run) => key)).to.have.members([
      'strict',
      'tone',
      'sees',
      'body',
    ]);
    expect(scoreOf(after, 'body')).to.not.have.property('source');
    const fields = after.result.correction_history.map(({ field }: Run) => field);
    expect(fields.slice(0, 2)).to.have.members(['annotation', 'scores']);
  });

  it('sets created_at again and makes the run of run_id the active one', async () => {
    const older = (await served.active()).run_id;
    const { run_id: newer } = (await served.post('/api/runs/new?wait=true', {})).body;
    const { body } = await regrade({ run_id: older });
    expect(body).to.include({ run_id: older, regraded: 3 });
    expect((await served.active()).run_id).to.equal(older);
    const { runs } = (await served.get('/api/sessions/default/runs')).body;
    const begun = Object.fromEntries(runs.map((run: Run) => [run.run_id, run.timestamp]));
    expect(begun[older]).to.be.at.least(begun[newer]);
  });

  it('answers when the work is scheduled, without wait, and leaves each row as it was when stopped', async () => {
    const before = await served.active();
    served.project.write('hold', '');
    const { status, body } = await served.post('/api/runs/regrade', { indices: [0, 1] });
    expect(status).to.equal(200);
    expect(body.regraded).to.equal(2);
    expect((await served.active()).state).to.equal('running');
    expect((await served.post('/api/runs/stop')).body.ok).to.equal(true);
    const run = await served.until(({ state }) => state === 'finished');
    expect(run.results).to.deep.equal(before.results);
  });

  it('answers 409 to a second one while it lasts', async () => {
    served.project.write('hold', '');
    await served.post('/api/runs/regrade', {});
    expect((await served.post('/api/runs/regrade', {})).status).to.equal(409);
    expect((await served.post('/api/runs/rerun', {})).status).to.equal(409);
  });

  it('is paused and resumed like a run', async () => {
    served.project.write('hold', '');
    await served.post('/api/runs/regrade', {});
    expect((await served.post('/api/runs/pause')).body.is_paused).to.equal(true);
    expect((await served.active()).is_paused).to.equal(true);
    expect((await served.post('/api/runs/resume')).body.resumed).to.equal(true);
    served.project.remove('hold');
    const run = await served.until(({ state }) => state === 'finished');
    expect(scoreOf(run.results[1], 'strict').passed).to.equal(true);
  });

  it('takes empty indices for none', async () => {
    const before = await served.active();
    const { status, body } = await regrade({ indices: [] });
    expect([status, body.regraded, body.skipped_without_target]).to.deep.equal([200, 0, 0]);
    expect((await served.active()).results).to.deep.equal(before.results);
  });
});

describe('the contract: regrade of what is not saved', () => {
  it('answers 400 when nothing has finished', async () => {
    const served = await ServedProject.start({ 'slow.eval.mjs': slowEvals });
    await served.post('/api/runs/rerun', {});
    await served.post('/api/runs/stop');
    expect((await served.post('/api/runs/regrade', {})).status).to.equal(400);
  });

  it('answers 400 when nothing is saved', async () => {
    const served = await ServedProject.start({
      'graded.eval.mjs': gradedEvals,
      'verdict.txt': 'no',
    });
    const { status, body } = await served.post('/api/runs/regrade', {});
    expect(status).to.equal(400);
    expect(body.detail).to.be.a('string');
  });

  it('leaves results that are not stored as the target returned them, unless it is asked', async () => {
    const evals = `
      import { evaluation } from 'assay';
      class Money { constructor(cents) { this.cents = cents; } get euros() { return this.cents / 100; } }
      const sees = ({ output }) => ({ key: 'sees', passed: output.euros === 2.5 || output instanceof Map });
      export const money = evaluation({ target: () => new Money(250), evaluators: [sees] });
      export const map = evaluation({ target: () => new Map(), evaluators: [sees] });`;
    const odd = await ServedProject.start({ 'odd.eval.mjs': evals });
    const run = await odd.runAll();
    const facts = ({ regradable, inexact, inexact_because: why, kept }: Run) => [
      ...[regradable, inexact, why, kept],
    ];
    expect(run.results.map(facts)).to.deep.equal([
      [true, true, 'getters: .euros', undefined],
      [true, undefined, undefined, undefined],
    ]);
    const { rows } = (await odd.get(`/api/runs/${run.run_id}/rows`)).body;
    expect(rows.map((row: Run) => row.inexact)).to.deep.equal([true, undefined]);
    const left = (await odd.post('/api/runs/regrade?wait=true', {})).body;
    expect(left).to.include({ regraded: 1, skipped_inexact: 1 });
    expect((await odd.active()).total_passed).to.equal(2);
    const all = { regrade_inexact: true };
    const graded = (await odd.post('/api/runs/regrade?wait=true', all)).body;
    expect(graded).to.include({ regraded: 2, skipped_inexact: 0 });
    const { results } = await odd.active();
    expect(results.map(({ result }: Run) => result.scores)).to.deep.equal([
      [{ key: 'sees', passed: false, inexact: true }],
      [{ key: 'sees', passed: true }],
    ]);
  });
});
