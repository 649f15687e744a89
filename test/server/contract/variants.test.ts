import { expect } from 'chai';
import { ServedProject } from '../../helpers/served-project.js';

const evals = `import { evaluation } from 'assay';
export const refunds = evaluation({
  params: { model: 'large', temperature: 0.2 },
  cases: [{ id: 'a', input: 1 }, { id: 'b', input: 2 }],
  target: ({ params }) => params.model + ' ' + params.temperature,
});
`;

describe('the contract: params and variants of a new run', () => {
  let served: ServedProject;

  before(async () => {
    served = await ServedProject.start({
      'a.eval.ts': evals,
      'assay.yaml': 'configs:\n  hot: { params: { temperature: 1 } }\n',
    });
  });

  const start = (body: object) => served.post('/api/runs/new?wait=true', body);
  const outputs = (run: { results: { result: { output: unknown } }[] }) =>
    run.results.map(({ result }) => result.output);

  it('runs with params, which are in the run', async () => {
    const { status, body } = await start({ params: { model: 'swift' } });
    expect(status).to.equal(200);
    expect(body).to.have.all.keys('ok', 'run_id', 'run_name');
    const run = await served.active();
    expect(run.params).to.deep.equal({ model: 'swift', temperature: 0.2 });
    expect(outputs(run)).to.deep.equal(Array(2).fill('swift 0.2'));
    expect(run).to.not.have.any.keys('group', 'group_runs');
  });

  it('runs variants as a group, of which the first is the base and becomes active', async () => {
    const variants = [{}, { name: 'quick', params: { model: 'swift' } }, { config_name: 'hot' }];
    const { status, body } = await start({ params: { model: 'huge' }, variants });
    expect(status, JSON.stringify(body)).to.equal(200);
    const { run_id, run_name, group, run_ids } = body;
    expect(body).to.deep.equal({ ok: true, run_id, run_name, group, run_ids });
    expect(run_ids).to.have.lengthOf(3);
    const runs = [];
    for (const id of run_ids) {
      await served.post(`/api/runs/${id}/activate`, {});
      runs.push(await served.active());
    }
    expect(runs.map((one) => [one.run_id, one.group, one.group_runs])).to.deep.equal(
      run_ids.map((id: string) => [id, group, run_ids]),
    );
    expect(runs.map(outputs)).to.deep.equal(
      ['huge 0.2', 'swift 0.2', 'huge 1'].map((text) => Array(2).fill(text)),
    );
  });

  for (const [what, body] of Object.entries({
    'a param that nothing reads': { params: { modle: 'x' } },
    'a param of another type': { params: { temperature: 'hot' } },
    'variants that are equal': { variants: [{ params: {} }, { params: {} }] },
    'two variants with one name': {
      variants: [{ name: 'a' }, { name: 'a', params: { model: 'x' } }],
    },
    'a name beside variants': { run_name: 'x', variants: [{}] },
    'no variant': { variants: [] },
    '13 variants': {
      variants: Array.from({ length: 13 }, (_, n) => ({ params: { temperature: n } })),
    },
    'an unknown run config': { variants: [{}, { config_name: 'cold' }] },
    'an unknown field of a variant': { variants: [{ parms: {} }] },
  })) {
    it(`answers 400 to ${what}, and starts nothing`, async () => {
      const before = await served.active();
      const { status, body: problem } = await start(body);
      expect(status, JSON.stringify(problem)).to.equal(400);
      expect((await served.active()).run_id).to.equal(before.run_id);
    });
  }
});
