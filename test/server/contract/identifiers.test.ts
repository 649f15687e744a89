import { expect } from 'chai';
import { ServedProject } from '../../helpers/served-project.js';
import { runIdPattern } from './evals.js';

type Run = Awaited<ReturnType<ServedProject['active']>>;

const plain = `import { evaluation } from 'assay';\n`;
const files = {
  'evals/b/last.eval.mjs': `${plain}export const only = evaluation({ dataset: 'own' });\n`,
  'evals/a.eval.mjs': `${plain}
export const zebra = evaluation({ labels: ['x', 'y'] });
export const apple = evaluation({ name: 'given name', labels: ['x'], cases: [
  { id: 'ü/~1', labels: ['z', 'x'] },
  { input: 1 },
] });
export const zebraAgain = zebra;
export const list = [evaluation({ name: 'in a list' })];
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

  const of = (field: string) => run.results.map((entry: Run) => entry[field]);

  it('give a run 12 lowercase hex characters, each another', async () => {
    const { body } = await served.post('/api/runs/new?wait=true', {});
    const { body: next } = await served.post('/api/runs/new?wait=true', {});
    const ids = [run.run_id, body.run_id, next.run_id];
    for (const id of ids) expect(id).to.match(runIdPattern);
    expect(new Set(ids).size).to.equal(3);
  });

  it('make of file, function and case the id of a result', () => {
    expect(of('id')).to.deep.equal([
      'evals/a.eval.mjs::zebra',
      'evals/a.eval.mjs::given name[ü/~1]',
      'evals/a.eval.mjs::given name[1]',
      'evals/a.eval.mjs::in a list',
      'evals/a.eval.mjs::default',
      'evals/b/last.eval.mjs::only',
    ]);
  });

  it('name the function with its case, and a value that is exported twice once', () => {
    expect(of('function')).to.deep.equal([
      'zebra',
      'given name[ü/~1]',
      'given name[1]',
      'in a list',
      'default',
      'only',
    ]);
  });

  it('take the file name without .eval.* for the dataset when there is no other', () => {
    expect(of('dataset')).to.deep.equal(['a', 'a', 'a', 'a', 'a', 'own']);
  });

  it('have labels in a list, those of evaluation and case without doubles', () => {
    expect(of('labels')).to.deep.equal([['x', 'y'], ['x', 'z'], ['x'], [], [], []]);
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
