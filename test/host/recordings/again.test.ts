import { expect } from 'chai';
import { type FakeProvider, startFakeProvider } from '../../helpers/fake-provider.js';
import { Project } from '../../helpers/project.js';
import { askingModel, countByAttempt, recordingsIn } from '../../helpers/recordings.js';

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

  it('with more trials keeps the answers of equal requests, and asks anew for the new trials', async () => {
    const project = new Project({ 'a.eval.ts': equal(['x', 'y']) });
    const once = await outputs(project, '--record');
    const twice = await outputs(project, '--record', '--trials', '2');
    expect([twice['same[x]~1'], twice['same[y]~1']]).to.deep.equal([
      once['same[x]'],
      once['same[y]'],
    ]);
    expect(new Set(Object.values(twice).flat())).to.have.property('size', 8);
    expect(asked).to.equal(8);
    const files = recordingsIn(project.path('.assay/recordings'));
    expect(await outputs(project, '--record', '--trials', '2')).to.deep.equal(twice);
    expect(await outputs(project, '--offline', '--trials', '2')).to.deep.equal(twice);
    expect(await outputs(project, '--offline')).to.deep.equal(once);
    expect(recordingsIn(project.path('.assay/recordings'))).to.deep.equal(files);
    expect(asked).to.equal(8);
  });

  it('with a case that asks for the same keeps the order of equal requests, which move together', async () => {
    const project = new Project({ 'a.eval.ts': equal(['x']) });
    const once = await outputs(project, '--record');
    project.write('a.eval.ts', equal(['x', 'y']).replace("[await ask('one'), ", '['));
    const shorter = await outputs(project, '--record');
    expect(shorter).to.deep.equal({
      'same[x]': [(once['same[x]'] as string[])[0]],
      'same[y]': [(once['same[x]'] as string[])[0]],
    });
    project.write('a.eval.ts', equal(['y', 'x']));
    expect(await outputs(project, '--record')).to.deep.equal({
      ...once,
      'same[y]': once['same[x]'],
    });
    expect(countByAttempt(project.path('.assay/recordings'))).to.deep.equal({
      'a.eval.ts/_shared': 2,
    });
    expect(asked).to.equal(2);
  });

  it('with what a prompt asks for now gives a new trial no answer of the first one', async () => {
    const project = new Project({ 'a.eval.ts': equal(['x']) });
    await outputs(project, '--record', '--trials', '2');
    project.write('a.eval.ts', equal(['x']).replaceAll("'one'", "'two'"));
    const once = await outputs(project, '--record');
    const twice = await outputs(project, '--record', '--trials', '2');
    expect(twice['same[x]~1']).to.deep.equal(once['same[x]']);
    expect(new Set(Object.values(twice).flat())).to.have.property('size', 4);
  });

  for (const flag of ['--record', '--record=all']) {
    it(`with --changed ${flag} runs what a live run has not recorded, so that --offline works`, async () => {
      const evals = `${equal(['x'])}
        export const none = evaluation({ target: () => 1, evaluators: [() => true] });`;
      const project = new Project({ 'a.eval.ts': evals });
      await outputs(project);
      const listed = await project.assay(['run', '--changed', flag, '--list'], { env });
      expect(listed.stdout).to.match(/same\[x\] .*run: its calls are not recorded\n/);
      const { run, stderr } = await project.run(['--changed', flag], { env });
      expect(stderr).to.include('1 ran · 1 carried');
      const offline = await outputs(project, '--offline');
      expect(offline['same[x]']).to.deep.equal(run.results[0]?.result.output);
      // Now they are recorded, and stay what they were.
      const again = await project.run(['--changed', flag], { env });
      expect(again.stderr).to.include('0 ran · 2 carried');
      expect(again.result('same[x]').output).to.deep.equal(offline['same[x]']);
      expect(asked).to.equal(4);
      project.remove('.assay/recordings');
      await outputs(project, '--changed', flag);
      expect(asked).to.equal(6);
    });
  }
});
