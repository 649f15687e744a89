import { expect } from 'chai';
import { Project } from '../../helpers/project.js';
import { askingModel, countingModel, recordingsIn } from '../../helpers/recordings.js';

/** Cases that ask for the same, twice each. */
const equal = (ids: readonly string[]) => `${askingModel}
  export const same = evaluation({
    cases: ${JSON.stringify(ids)}.map((id) => ({ id })),
    target: async () => [await ask('one'), await ask('one')],
    evaluators: [() => true],
  });
`;

describe('recording again', () => {
  const model = countingModel();

  const outputs = async (project: Project, ...flags: string[]) => {
    const { run } = await project.run(flags, { env: model.env });
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
    const listed = await project.assay(['run', '--changed', '--record', '--list'], {
      env: model.env,
    });
    expect(listed.stdout).to.match(/same\[x\] .*run: its calls are not recorded here\n/);
    const { run, stderr } = await project.run(['--changed', '--record'], { env: model.env });
    expect(stderr).to.include('1 ran · 1 carried');
    const offline = await outputs(project, '--offline');
    expect(offline['same[x]']).to.deep.equal(run.results[0]?.result.output);
    // Now they are recorded, and stay what they were.
    const again = await project.run(['--changed', '--record'], { env: model.env });
    expect(again.stderr).to.include('0 ran · 2 carried');
    expect(again.result('same[x]').output).to.deep.equal(offline['same[x]']);
    expect(model.asked).to.equal(4);
    project.remove('.assay/recordings');
    await outputs(project, '--changed', '--record');
    expect(model.asked).to.equal(6);
  });

  it('is noticed by --changed --offline, which carries nothing that was asked live', async () => {
    const project = new Project({ 'a.eval.ts': equal(['x']) });
    const once = await outputs(project, '--record');
    project.write('a.eval.ts', equal(['x', 'y']));
    const carried = async () => {
      const { run } = await project.run(['--changed', '--offline'], { env: model.env });
      const origins = run.results.filter(({ result }) => result.origin !== undefined);
      return [origins.length, run.results[1]?.result.output];
    };
    expect(await carried()).to.deep.equal([0, once['same[x]']]);
    expect(await carried()).to.deep.equal([2, once['same[x]']]);
    for (const [path, text] of Object.entries(recordingsIn(project.path('.assay/recordings')))) {
      const own = `.assay/recordings/${path.replace('x~1', 'y~1')}`;
      project.write(own, text.replaceAll('answer 1', 'its own'));
    }
    const [count, output] = await carried();
    expect(count).to.equal(0);
    expect(output).to.include('its own');
    project.write('assay.yaml', 'recordings_hosts: [localhost]\n');
    expect((await carried())[0]).to.equal(0);
    expect((await carried())[0]).to.equal(2);
  });
});
