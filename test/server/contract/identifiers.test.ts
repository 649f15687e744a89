import { expect } from 'chai';
import { ServedProject } from '../../helpers/served-project.js';

type Run = Awaited<ReturnType<ServedProject['active']>>;

const plain = `import { evaluation } from 'assay';\n`;
const files = {
  'evals/b/last.eval.mjs': `${plain}export const only = evaluation({ dataset: 'own' });\n`,
  'evals/a.eval.mjs': `${plain}
export const apple = evaluation({ name: 'given name', cases: [{ id: 'ü/~1' }, { input: 1 }] });
export default evaluation({});
`,
};

describe('the contract: identifiers and order', () => {
  let served: ServedProject;
  let run: Run;

  before(async () => {
    served = await ServedProject.start(files, { paths: ['evals/b', 'evals'] });
    run = await served.active();
  });

  it('keep the paths as they were given, joined by a space', async () => {
    expect(run).to.include({ path: 'evals/b evals', eval_path: 'evals/b evals' });
  });

  it('keep the index of each result for the life of a run', async () => {
    const before = await served.active();
    await served.runAll();
    const after = await served.active();
    expect(after.run_id).to.equal(before.run_id);
    for (const [index, { id }] of before.results.entries()) {
      expect(after.results[index].id).to.equal(id);
      const { body } = await served.get(`/api/runs/latest/results/${index}`);
      expect(body.result.id).to.equal(id);
    }
  });
});
