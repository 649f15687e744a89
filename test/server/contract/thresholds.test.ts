import { expect } from 'chai';
import { ServedProject } from '../../helpers/served-project.js';

const evals = `
import { evaluation } from 'assay';
export const near = evaluation({
  scores: { near: { threshold: 0.8 }, tokens: { threshold: 500, better: 'lower' } },
  cases: [0.5, 0.8, 0.9].map((input) => ({ input })),
  target: ({ input }) => input,
  evaluators: [
    function near({ output }) { return output; },
    function tokens({ output }) { return output * 600; },
  ],
});
`;

describe('the contract: scores with thresholds', () => {
  let served: ServedProject;

  before(async () => {
    served = await ServedProject.start({ 'near.eval.mjs': evals });
    await served.runAll();
  });

  it('are stored with verdict and threshold; their chips stay averages with passed beside them', async () => {
    const { results, score_chips, total_passed } = await served.active();
    expect(results[0].result.scores).to.deep.equal([
      { key: 'near', passed: false, value: 0.5, threshold: 0.8 },
      { key: 'tokens', passed: true, value: 300, threshold: 500, better: 'lower' },
    ]);
    expect(score_chips).to.deep.equal([
      { key: 'near', type: 'avg', avg: (0.5 + 0.8 + 0.9) / 3, count: 3, passed: 2, threshold: 0.8 },
      {
        key: 'tokens',
        type: 'avg',
        avg: 440,
        count: 3,
        percentiles: { p50: 480, p95: 534 },
        passed: 2,
        threshold: 500,
        better: 'lower',
      },
    ]);
    expect(total_passed).to.equal(1);
    const { sessions } = (await served.get('/api/sessions')).body;
    const { runs } = (await served.get(`/api/sessions/${sessions[0]}/runs`)).body;
    expect(runs[0].score_chips).to.deep.equal(score_chips);
  });

  it('give the value that a person enters its verdict; one that is given wins', async () => {
    const edit = async (scores: unknown) =>
      (await served.patch('/api/runs/latest/results/0', { result: { scores } })).body.result.result;
    expect((await edit([{ key: 'near', value: 0.81 }])).scores).to.deep.equal([
      { key: 'near', passed: true, value: 0.81, threshold: 0.8, source: 'human' },
    ]);
    expect((await edit([{ key: 'near', value: 0.81, passed: false }])).scores).to.deep.equal([
      { key: 'near', passed: false, value: 0.81, threshold: 0.8, source: 'human' },
    ]);
  });
});
