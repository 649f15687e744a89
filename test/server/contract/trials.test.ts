import { expect } from 'chai';
import { runProblems } from '../../helpers/run-shape.js';
import { ServedProject } from '../../helpers/served-project.js';

type Run = Awaited<ReturnType<ServedProject['active']>>;

const evals = `
import { evaluation } from 'assay';
const inTrials = (name, passes) =>
  evaluation({ name, trials: 3, target: () => 'x', evaluators: [] }, (ctx) => {
    ctx.score('right', passes(ctx.trial));
  });
export const always = inTrials('always', () => true);
export const mostly = inTrials('mostly', (trial) => trial !== 2);
export const never = inTrials('never', () => false);
export const once = evaluation({ target: () => 'x' }, (ctx) => { ctx.score('right', true); });
`;

describe('the contract: trials', () => {
  let served: ServedProject;
  let run: Run;

  before(async () => {
    served = await ServedProject.start({ 'trials.eval.mjs': evals });
    run = await served.runAll();
  });

  it('are results of their own, with a suffix ~n from 1, trial and trial_of', () => {
    const places = run.results.map(({ id, trial, trial_of }: Run) => [id, trial, trial_of]);
    const base = 'trials.eval.mjs::always';
    expect(places.slice(0, 3)).to.deep.equal([1, 2, 3].map((n) => [`${base}~${n}`, n, base]));
    expect(run.results).to.have.length(10);
  });

  it('follow each other in the order evaluations, then trials', () => {
    expect(run.results.map(({ function: name, trial }: Run) => `${name} ${trial}`)).to.deep.equal([
      ...['always', 'mostly', 'never'].flatMap((name) => [1, 2, 3].map((n) => `${name} ${n}`)),
      'once undefined',
    ]);
  });

  it('have no trial and trial_of where an evaluation has just one', () => {
    expect(run.results[9].id).to.equal('trials.eval.mjs::once');
    expect(run.results[9]).to.not.have.any.keys('trial', 'trial_of');
  });

  it('add trials, pass_at_k and pass_all_k to the run, over the evaluations that have trials', async () => {
    expect(run.trials).to.equal(3);
    expect(run.pass_at_k).to.be.closeTo(2 / 3, 1e-9);
    expect(run.pass_all_k).to.be.closeTo(1 / 3, 1e-9);
    const { body } = await served.get('/api/runs/latest/export/json');
    expect(runProblems(body)).to.deep.equal([]);
    expect(body).to.include({ trials: 3, pass_at_k: run.pass_at_k, pass_all_k: run.pass_all_k });
  });

  it('have statistics beside them, for each k', () => {
    const { flaky, by_k } = run.trial_statistics;
    expect(flaky).to.equal(1);
    expect(by_k.map(({ k }: Run) => k)).to.deep.equal([1, 2, 3]);
    // 3, 2 and 0 of 3 passed.
    const estimates = by_k.map(({ pass_at, pass_all }: Run) => [
      pass_at.estimate,
      pass_all.estimate,
    ]);
    for (const [at, [passAt, passAll]] of estimates.entries()) {
      expect(passAt).to.be.closeTo([5 / 9, 2 / 3, 2 / 3][at] ?? Number.NaN, 1e-9);
      expect(passAll).to.be.closeTo([5 / 9, 4 / 9, 1 / 3][at] ?? Number.NaN, 1e-9);
    }
    for (const { pass_at } of by_k) expect(pass_at).to.have.all.keys('estimate', 'low', 'high');
  });

  it('count as one function', () => {
    expect(run).to.include({ total_functions: 4, total_evaluations: 10, total_passed: 6 });
  });

  it('are rerun one by one', async () => {
    await served.post('/api/runs/rerun?wait=true', { indices: [1] });
    const after = await served.active();
    expect(after.results.map(({ id }: Run) => id)).to.deep.equal(
      run.results.map(({ id }: Run) => id),
    );
    const { attempts } = (await served.get('/api/runs/latest/results/1')).body;
    expect(attempts).to.have.length(1);
    expect((await served.get('/api/runs/latest/results/0')).body).to.not.have.property('attempts');
  });

  it('are from the settings when an evaluation has none of its own', async () => {
    await served.put('/api/config', { trials: 2 });
    const { body } = await served.post('/api/runs/new?wait=true', {});
    const { results } = (await served.get(`/api/runs/${body.run_id}/data`)).body;
    expect(results.slice(9).map(({ id, trial }: Run) => [id, trial])).to.deep.equal([
      ['trials.eval.mjs::once~1', 1],
      ['trials.eval.mjs::once~2', 2],
    ]);
    expect(results).to.have.length(11);
  });
});
