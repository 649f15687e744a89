import { expect } from 'chai';
import { runProblems } from '../../helpers/run-shape.js';
import { ServedProject } from '../../helpers/served-project.js';
import { mixedEvals } from './evals.js';

describe('the contract: editing results', () => {
  let served: ServedProject;
  let first: string;

  before(async () => {
    served = await ServedProject.start(
      { 'evals/mixed.eval.mjs': mixedEvals },
      { paths: ['evals'] },
    );
    first = (await served.runAll()).run_id;
    await served.post('/api/runs/new?wait=true', { run_name: 'second' });
  });

  const edit = (index: number | string, result: unknown, run = 'latest') =>
    served.patch(`/api/runs/${run}/results/${index}`, { result });
  const entry = async (index: number, run = 'latest') =>
    (await served.get(`/api/runs/${run}/results/${index}`)).body.result;

  it('answers ok and the result as it is from then on', async () => {
    const { status, body } = await edit(0, { annotation: 'look here' });
    expect(status).to.equal(200);
    expect(body).to.have.all.keys('ok', 'result');
    expect(body.ok).to.equal(true);
    expect(body.result.result.annotation).to.equal('look here');
    expect(await entry(0)).to.deep.equal(body.result);
    expect((await served.active()).results[0]).to.deep.equal(body.result);
  });

  it('changes scores and the totals and chips that follow from them', async () => {
    const { total_passed: passedBefore } = await served.active();
    const { body } = await edit(0, { scores: [{ key: 'exact', passed: false, notes: 'no' }] });
    expect(body.result.result.scores).to.deep.equal([
      { key: 'exact', passed: false, notes: 'no', source: 'human' },
    ]);
    const { score_chips, eval_path, is_paused, selected_total, ...run } = await served.active();
    expect(runProblems(run)).to.deep.equal([]);
    expect(run.total_passed).to.equal(passedBefore - 1);
    expect(score_chips[0]).to.deep.equal({ key: 'exact', type: 'ratio', passed: 0, total: 2 });
  });

  it('takes annotations, a string or null, for annotation', async () => {
    const noted = async (result: unknown) => (await edit(3, result)).body.result.result.annotation;
    expect(await noted({ annotations: 'plural' })).to.equal('plural');
    for (const annotations of [7, ['x'], { text: 'x' }, true]) {
      const { status, body } = await edit(3, { annotations });
      expect([status, body.errors[0].pointer]).to.deep.equal([400, '/result/annotations']);
    }
    expect((await entry(3)).result.annotation).to.equal('plural');
    expect(await noted({ annotations: null })).to.equal('');
  });

  it('ignores all other keys', async () => {
    const before = await entry(3);
    const result = { output: 1, status: 'completed', error: null, latency: 9, input: 1 };
    const { status, body } = await edit(3, result);
    expect(status).to.equal(200);
    expect(body.result).to.deep.equal(before);
    const more = { result: {}, id: 'x', index: 2 };
    const { body: same } = await served.patch('/api/runs/latest/results/3', more);
    expect(same.result).to.deep.equal(before);
  });

  it('works on a saved run that is not active and leaves the active one as it is', async () => {
    const active = (await served.get('/results')).text;
    const { status } = await edit(3, { annotation: 'elsewhere' }, first);
    expect(status).to.equal(200);
    expect((await entry(3, first)).result.annotation).to.equal('elsewhere');
    expect((await served.get('/results')).text).to.equal(active);
  });

  it('changes the scores of the attempt that counts by themselves, and only of a repeat', async () => {
    const drawing = await ServedProject.start({
      'draw.eval.mjs': `
        import { evaluation } from 'assay';
        export const draw = evaluation({
          cases: [0, 1].map((input) => ({ id: String(input), input })),
          target: () => Math.random(),
          evaluators: [function right() { return false; }],
        });`,
    });
    const { run_id } = await drawing.runAll();
    const path = `/api/runs/${run_id}/results`;
    await drawing.post('/api/runs/rerun?wait=true', { indices: [0] });
    const counted_scores = [{ key: 'right', passed: true }];
    const { status, body } = await drawing.patch(`${path}/0`, { result: { counted_scores } });
    expect(status).to.equal(200);
    expect(body.result.counted.scores).to.deep.equal([{ ...counted_scores[0], source: 'human' }]);
    expect(body.result.result.scores).to.deep.equal([{ key: 'right', passed: false }]);
    const { summary, total_passed } = (await drawing.get('/results')).body;
    expect([summary.verdicts.passed, total_passed]).to.deep.equal([1, 0]);
    const refused = await drawing.patch(`${path}/1`, { result: { counted_scores } });
    expect(refused.status).to.equal(400);
    expect(refused.body.detail).to.match(/is no repeat/);
    const twins = [...counted_scores, ...counted_scores];
    const wrong = await drawing.patch(`${path}/0`, { result: { counted_scores: twins } });
    expect(wrong.body.errors[0].pointer).to.equal('/result/counted_scores/1/key');
  });
});
