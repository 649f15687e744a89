import { expect } from 'chai';
// Hosts are started from what was built.
import type { FeedChange } from '../../../dist/server/workspace/feed.js';
import { Workspace, type WorkspaceOptions } from '../../../dist/server/workspace/workspace.js';
import { loadSettings } from '../../../dist/settings/load-settings.js';
import { type Project, ProjectWithoutHosts, removeProjects } from '../../helpers/project.js';

const evals = `
import { evaluation } from 'assay';
export const one = evaluation({}, () => {});
export const two = evaluation({}, () => {});
`;

const opened: Workspace[] = [];

async function open(
  project: Project,
  more: Partial<WorkspaceOptions> & { readonly paths?: readonly string[] } = {},
): Promise<Workspace> {
  const { paths = [], ...options } = more;
  const cwd = project.folder;
  const env = { PATH: process.env.PATH };
  const workspace = await Workspace.open({
    cwd,
    env,
    addedEnv: {},
    request: { paths, ignore: [], datasets: [], labels: [] },
    sessionName: 'default',
    readSettings: () => loadSettings({ cwd, env }),
    ...options,
  });
  opened.push(workspace);
  return workspace;
}

describe('Workspace', () => {
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((workspace) => workspace.close()));
    removeProjects();
  });

  it('begins with a saved run, without looking for evals', async () => {
    const project = new ProjectWithoutHosts({ 'a.eval.ts': evals });
    const { run_id } = (await project.assay(['run', '--json'])).json();
    project.write('a.eval.ts', 'throw new Error("not imported");\n');
    const workspace = await open(project, { runId: run_id });
    const run = await workspace.active();
    expect(run).to.include({ runId: run_id, state: 'finished' });
    expect([workspace.isDraft(run), workspace.isPaused(run)]).to.deep.equal([false, false]);
    expect(workspace.lastDiscovery.problem?.message).to.equal(undefined);
  });

  it('knows a path that has gone since as a discovery error', async () => {
    const project = new ProjectWithoutHosts({ 'a.eval.ts': evals });
    const workspace = await open(project, { paths: ['a.eval.ts'] });
    project.remove('a.eval.ts');
    const { run } = await workspace.restart();
    expect(run.rows).to.deep.equal([]);
    expect(workspace.lastDiscovery.problem?.message).to.include('a.eval.ts');
  });

  it('tells what changes', async () => {
    const project = new ProjectWithoutHosts({
      'a.eval.ts': evals,
      'assay.yaml': 'configs:\n  other: {}\n',
    });
    const { run_id } = (await project.assay(['run', '--json'])).json();
    const workspace = await open(project);
    const changes: FeedChange['type'][] = [];
    const take = workspace.feed.take.bind(workspace.feed);
    workspace.feed.take = (change) => {
      changes.push(change.type);
      take(change);
    };
    const changesOf = async (act: () => Promise<unknown>) => {
      changes.length = 0;
      await act();
      return [...new Set(changes)].sort();
    };
    expect(await changesOf(() => workspace.activate(run_id))).to.deep.equal(['sessions']);
    expect(await changesOf(() => workspace.activate(run_id))).to.deep.equal([]);
    expect(
      await changesOf(() => workspace.edit(run_id, [0], (run) => run.edit(0, { annotation: 'x' }))),
    ).to.deep.equal(['run']);
    expect(await changesOf(() => workspace.renameRun(run_id, 'new'))).to.deep.equal([
      'run',
      'sessions',
    ]);
    expect(await changesOf(() => workspace.selectConfig('other'))).to.deep.equal([
      'run',
      'settings',
    ]);
    expect(await changesOf(() => workspace.saveSettings({ timeout: 5 }))).to.include('settings');
    expect(await changesOf(() => workspace.deleteRun(run_id))).to.deep.equal(['sessions']);
  });

  it('discovers once for all who ask for a run that has to be made', async () => {
    const project = new ProjectWithoutHosts({ 'a.eval.ts': evals });
    const { run_id } = (await project.assay(['run', '--json'])).json();
    const workspace = await open(project, { runId: run_id });
    await project.assay(['sessions', 'delete', 'default', '--yes']);
    const runs = await Promise.all(Array.from({ length: 5 }, () => workspace.active()));
    expect(new Set(runs.map((run) => run.runId))).to.have.lengthOf(1);
    expect(runs[0]?.state).to.equal('not_started');
  });

  it('forgets a selected run config that is not in the settings any more', async () => {
    const project = new ProjectWithoutHosts({
      'a.eval.ts': evals,
      'assay.yaml': 'configs:\n  other: {}\n',
    });
    const workspace = await open(project, { configName: 'other' });
    expect(workspace.next.configName).to.equal('other');
    project.write('assay.yaml', 'concurrency: 2\n');
    const { run } = await workspace.restart();
    expect(workspace.next.configName).to.equal('default');
    expect(run.header.config_name).to.equal('default');
  });
});
