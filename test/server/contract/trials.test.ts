import { expect } from 'chai';
import { ServedProject } from '../../helpers/served-project.js';

type Run = Awaited<ReturnType<ServedProject['active']>>;

const evals = `
import { evaluation } from 'assay';
export const tried = evaluation({ trials: 3, target: () => 'x' });
export const once = evaluation({ target: () => 'x' }, (ctx) => { ctx.score('right', true); });
`;

describe('the contract: trials', () => {
  let served: ServedProject;
  let run: Run;

  before(async () => {
    served = await ServedProject.start({ 'trials.eval.mjs': evals });
    run = await served.runAll();
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
    expect(results.slice(3).map(({ id, trial }: Run) => [id, trial])).to.deep.equal([
      ['trials.eval.mjs::once~1', 1],
      ['trials.eval.mjs::once~2', 2],
    ]);
    expect(results).to.have.length(5);
  });
});
