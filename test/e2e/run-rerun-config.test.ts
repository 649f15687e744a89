import { expect } from 'chai';
import { type Project, ProjectWithoutHosts } from '../helpers/project.js';

const settings = 'configs:\n  small: { params: { model: s } }\n  big: { params: { model: l } }\n';

function makeEvals(): Project {
  return new ProjectWithoutHosts({
    'a.eval.ts': `import { evaluation } from 'assay';
      export const chosen = evaluation({ labels: ['x'] }, (ctx) => { ctx.output = ctx.params.model; });
      export const left = evaluation({}, () => {});`,
    'assay.yaml': settings,
  });
}

describe('assay run with a saved run and a run config', () => {
  it('starts a new run of the same, named after the config, in its session', async () => {
    const project = makeEvals();
    const flags = ['--label', 'x', '--trials', '2', '--session', 'compare', '--json'];
    const first = await project.assay(['run', '--run-config', 'small', ...flags]);
    const { run_id } = first.json();
    const second = await project.assay(['run', '--rerun', run_id, '--run-config', 'big', '--json']);
    expect(second.code, second.stderr).to.equal(0);
    const run = second.json();
    expect(run.run_id).to.not.equal(run_id);
    expect(run).to.include({ session_name: 'compare', run_name: 'big', config_name: 'big' });
    expect(run.results.map((row) => [row.id, row.result.output])).to.deep.equal([
      ['a.eval.ts::chosen~1', 'l'],
      ['a.eval.ts::chosen~2', 'l'],
    ]);
    expect((await project.assay(['export', run_id])).stdout).to.equal(first.stdout);
    const again = await project.assay(['run', '--rerun', run.run_id, '--json']);
    expect(again.json().results).to.have.lengthOf(2);
  });

  it('refuses filters of its results and unknown configs', async () => {
    const project = makeEvals();
    await project.assay(['run']);
    const commands: [string[], RegExp][] = [
      [['--rerun', 'latest', '--run-config', 'big', '--only', 'failed'], /filters cannot be given/],
      [['--rerun', 'latest', '--run-config', 'big', 'a.eval.ts'], /filters cannot be given/],
      [['--rerun', 'latest', '--run-config', 'bog'], /no run config named "bog"[\s\S]*mean big/],
    ];
    for (const [args, pattern] of commands) {
      const { code, stderr } = await project.assay(['run', ...args]);
      expect(stderr).to.match(pattern);
      expect(code).to.equal(2);
    }
  });

  it('says what to do when the config of the run is gone', async () => {
    const project = makeEvals();
    const { run_id } = (await project.assay(['run', '--run-config', 'big', '--json'])).json();
    project.write('assay.yaml', settings.replace('big', 'huge'));
    for (const flag of ['--rerun', '--regrade', '--resume']) {
      const { code, stderr } = await project.assay(['run', flag, run_id]);
      expect(code).to.equal(2);
      expect(stderr).to.match(/run config "big", which is not in .*assay\.yaml any more/);
      expect(stderr).to.include(`assay run --rerun ${run_id} --run-config NAME`);
    }
    const moved = await project.assay(['run', '--rerun', run_id, '--run-config', 'huge']);
    expect(moved.code, moved.stderr).to.equal(0);
  });
});
