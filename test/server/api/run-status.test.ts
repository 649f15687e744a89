import { expect } from 'chai';
import { ServedProject } from '../../helpers/served-project.js';

const good = `import { evaluation } from 'assay';
export const good = evaluation({ cases: [{ input: 1 }, { input: 2 }] }, (ctx) => ctx.score(true));
`;

describe('the status of a run', () => {
  it('has the figures of the run and none of its results', async () => {
    const served = await ServedProject.start({ 'a.eval.mjs': good });
    const { run_id } = await served.runAll();
    const { body } = await served.get(`/api/runs/${run_id}`);
    expect(body).to.not.have.any.keys('results', 'eval_path', 'discovery_error');
    expect(body).to.include({
      run_id,
      state: 'finished',
      total_evaluations: 2,
      total_passed: 2,
      active: true,
      is_paused: false,
      selected_total: 2,
      unfinished: 0,
      regradable: 0,
      view_only: null,
      process: null,
      executing_run_id: null,
      discovery: null,
    });
    expect((await served.get('/api/active-run')).body).to.deep.equal(body);
  });

  it('counts the results that can be graded again', async () => {
    const served = await ServedProject.start({
      'a.eval.mjs': `import { evaluation } from 'assay';
const cases = [{ input: 1 }, { input: 2 }];
export const asked = evaluation({ cases, target: ({ input }) => input }, (ctx) => ctx.score(true));
export const plain = evaluation({ cases }, (ctx) => ctx.score(true));
`,
    });
    expect((await served.get('/api/active-run')).body.regradable).to.equal(0);
    await served.runAll();
    expect((await served.get('/api/active-run')).body.regradable).to.equal(2);
  });

  it('says what could not be imported, file by file', async () => {
    const served = await ServedProject.start({
      'a.eval.mjs': good,
      'b.eval.mjs': '\nthrow new Error("no key");\n',
    });
    const { body } = await served.get('/api/active-run');
    expect(body.total_evaluations).to.equal(2);
    expect(body.discovery.failures).to.have.lengthOf(1);
    expect(body.discovery.failures[0]).to.include({ file: 'b.eval.mjs', line: 2 });
    expect(body.discovery.failures[0].message).to.include('no key');
    expect(body.discovery.message).to.include('b.eval.mjs could not be imported (line 2)');
  });

  it('says why a run can only be viewed', async () => {
    const served = await ServedProject.start({ 'a.eval.mjs': good }, { paths: ['a.eval.mjs'] });
    await served.runAll();
    served.project.remove('a.eval.mjs');
    const { body } = await served.get('/api/active-run');
    expect(body.view_only).to.include('a.eval.mjs');
    expect(body.state).to.equal('finished');
  });

  it('is a 404 for a run that is not there', async () => {
    const served = await ServedProject.start({ 'a.eval.mjs': good });
    expect((await served.get('/api/runs/0123456789ab')).status).to.equal(404);
  });
});
