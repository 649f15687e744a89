import { expect } from 'chai';
import { type FakeProvider, startFakeProvider } from '../../helpers/fake-provider.js';
import { Project } from '../../helpers/project.js';

const evals = `
import { evaluation } from 'assay';
import { cost, tokens } from 'assay/graders';
const ask = (model: string) => fetch(process.env.PROVIDER + '/v1/chat/completions', {
  method: 'POST',
  body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
}).then((response) => response.text());
const judge = async () => { await ask('cheap'); return true; };
const evaluators = [judge, cost({ max: 0.2 }), tokens({ max: 1000 })];
export const one = evaluation({ target: () => ask('cheap'), evaluators });
export const two = evaluation({ target: async () => { await ask('cheap'); await ask('cheap'); }, evaluators });
export const silent = evaluation({ target: () => 'x', evaluators });
export const unpriced = evaluation({ target: () => ask('unheard-of'), evaluators });
`;

describe('the cost that graders see', () => {
  let provider: FakeProvider;
  let project: Project;

  /** What `cost` and `tokens` gave, by evaluation; absent for no score. */
  const scoresOf = async (...args: readonly string[]) => {
    const ran = await project.assay(['run', ...args], { env: { PROVIDER: provider.url } });
    expect(ran.stderr).to.include('4 cases');
    const exported = await project.exported();
    const scoresOfOne = (name: string) =>
      exported
        .result(name)
        .scores.flatMap(({ key, value, passed }) =>
          key === 'judge' ? [] : [[key, [value, passed]]],
        );
    const names = ['one', 'two', 'silent', 'unpriced'];
    return Object.fromEntries(names.map((name) => [name, Object.fromEntries(scoresOfOne(name))]));
  };

  before(async () => {
    provider = await startFakeProvider();
    // A call costs $0.15.
    const prices = 'prices:\n  cheap: { input: 1000, output: 1000 }\n';
    project = new Project({ 'a.eval.ts': evals, 'assay.yaml': prices });
  });

  const expected = {
    one: { cost: [0.15, true], tokens: [150, true] },
    two: { cost: [0.3, false], tokens: [300, true] },
    silent: { cost: [0, true], tokens: [0, true] },
    unpriced: { tokens: [150, true] },
  };

  it('is that of target and body; there is none where a price is not known', async () => {
    expect(await scoresOf('--record')).to.deep.equal(expected);
  });

  it('is the same when recordings answer, and when the results are graded again', async () => {
    expect(await scoresOf('--offline')).to.deep.equal(expected);
    expect(await scoresOf('--regrade', 'latest')).to.deep.equal(expected);
  });

  it('is not known where calls are not observed', async () => {
    project.write('assay.yaml', 'capture: off\n');
    expect(await scoresOf()).to.deep.equal({ one: {}, two: {}, silent: {}, unpriced: {} });
  });
});
