import { expect } from 'chai';
import { type FakeProvider, startFakeProvider } from '../../helpers/fake-provider.js';
import { Project } from '../../helpers/project.js';
import { askingModel } from '../../helpers/recordings.js';

/** Cases that ask for the same, twice each. */
const equal = (ids: readonly string[]) => `${askingModel}
  export const same = evaluation({
    cases: ${JSON.stringify(ids)}.map((id) => ({ id })),
    target: async () => [await ask('one'), await ask('one')],
    evaluators: [() => true],
  });
`;

describe('recording again', () => {
  let provider: FakeProvider;
  let env: { readonly PROVIDER: string };
  let asked = 0;

  before(async () => {
    provider = await startFakeProvider(() => {
      asked += 1;
      return { text: `answer ${asked}` };
    });
    env = { PROVIDER: provider.url };
  });
  after(() => provider[Symbol.asyncDispose]());
  beforeEach(() => {
    asked = 0;
  });

  const outputs = async (project: Project, ...flags: string[]) => {
    const { run } = await project.run(flags, { env });
    expect(run.total_errors).to.equal(0);
    return Object.fromEntries(
      run.results.map(({ id, result }) => [id.replace('a.eval.ts::', ''), result.output]),
    );
  };

  it('with --changed runs what a live run has not recorded, so that --offline works', async () => {
    const evals = `${equal(['x'])}
        export const none = evaluation({ target: () => 1, evaluators: [() => true] });`;
    const project = new Project({ 'a.eval.ts': evals });
    await outputs(project);
    const listed = await project.assay(['run', '--changed', '--record', '--list'], { env });
    expect(listed.stdout).to.match(/same\[x\] .*run: its calls are not recorded here\n/);
    const { run, stderr } = await project.run(['--changed', '--record'], { env });
    expect(stderr).to.include('1 ran · 1 carried');
    const offline = await outputs(project, '--offline');
    expect(offline['same[x]']).to.deep.equal(run.results[0]?.result.output);
    // Now they are recorded, and stay what they were.
    const again = await project.run(['--changed', '--record'], { env });
    expect(again.stderr).to.include('0 ran · 2 carried');
    expect(again.result('same[x]').output).to.deep.equal(offline['same[x]']);
    expect(asked).to.equal(4);
    project.remove('.assay/recordings');
    await outputs(project, '--changed', '--record');
    expect(asked).to.equal(6);
  });
});
