import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect } from 'chai';
// Hosts are started from what was built.
import { openRunner } from '../../../dist/runner/open-runner.js';
import { DraftRun } from '../../../dist/server/workspace/draft.js';
import { loadSettings } from '../../../dist/settings/load-settings.js';
import { resolveRunConfig } from '../../../dist/settings/resolve-run-config.js';
import { ownMark } from '../../../src/files/temporary-files.js';
import { Project, until } from '../../helpers/project.js';

const evals = "import { evaluation } from 'assay';\nexport const one = evaluation({}, () => {});\n";

async function plan(
  project: Project,
  more: { readonly runId?: string; readonly signal?: AbortSignal; readonly paths?: string[] } = {},
): Promise<DraftRun> {
  const cwd = project.folder;
  const env = { PATH: process.env.PATH };
  const resultsDir = project.path('results');
  const runner = await openRunner({
    cwd,
    env,
    addedEnv: {},
    resultsDir,
    recordingsDir: resultsDir,
    onEvent: () => undefined,
  });
  const { paths = [], ...options } = more;
  return DraftRun.plan(runner, {
    request: { paths, ignore: [], datasets: [], labels: [] },
    sessionName: 'default',
    config: resolveRunConfig(await loadSettings({ cwd, env }), 'default'),
    workers: 1,
    streamLogs: false,
    ...options,
  });
}

function folders(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`${ownMark()}-`));
}

describe('DraftRun', () => {
  it('is a run of what was discovered, with nothing of it in the results directory', async () => {
    const project = new Project({ 'a.eval.ts': evals });
    const { run, problem, ...draft } = await plan(project, { runId: '0123456789ab' });
    expect(problem).to.equal(undefined);
    expect(run).to.include({ runId: '0123456789ab', state: 'not_started' });
    expect(run.rows).to.have.lengthOf(1);
    expect(project.has('results')).to.equal(false);
    expect(draft).to.deep.equal({});
  });

  it('is empty and says why when nothing can be found', async () => {
    const project = new Project({ 'a.eval.ts': 'throw new Error("half done");\n' });
    const broken = await plan(project);
    expect(broken.run.rows).to.deep.equal([]);
    expect(broken.problem).to.include({ code: 'discovery-failed' });
    await broken.dispose();
    const missing = await plan(project, { paths: ['missing.eval.ts'] });
    expect(missing.problem).to.include({ code: 'no-such-path' });
    await missing.dispose();
  });

  it('leaves nothing in the folder for temporary files when it is not wanted any more', async () => {
    const project = new Project({ 'a.eval.ts': evals });
    const before = folders();
    const draft = await plan(project);
    const [folder] = folders().filter((name) => !before.includes(name));
    expect(draft.run.folder).to.include(folder);
    await draft.dispose();
    expect(folders()).not.to.include(folder);
  });

  it('gives up when that is asked for, and leaves nothing behind', async () => {
    const project = new Project({
      'a.eval.ts': `import { writeFileSync } from 'node:fs';
        writeFileSync(new URL('importing', import.meta.url), '');
        await new Promise(() => setInterval(() => {}, 50));`,
    });
    const giveUp = new AbortController();
    const before = folders();
    const planning = plan(project, { signal: giveUp.signal });
    const reason = new Error('not wanted');
    await until(() => project.has('importing'), 'the import');
    giveUp.abort(reason);
    const thrown = await planning.catch((error: unknown) => error);
    expect(thrown).to.equal(reason);
    const mine = folders().filter((name) => !before.includes(name));
    expect(mine).to.deep.equal([]);
  });
});
