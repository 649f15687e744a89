import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { Project } from '../helpers/project.js';

const evals = (second: number) => `
  import { evaluation } from 'assay';
  import { readFileSync } from 'node:fs';
  import { add } from './add.js';
  export const sum = evaluation({
    cases: [{ id: 'x', input: 1 }, { id: 'y', input: ${second} }],
    target: ({ input }) => add(input) + readFileSync('prompt.md', 'utf8').length,
  });`;

function git(project: Project, ...args: readonly string[]): string {
  const own = [
    '-c',
    'user.email=a@example.com',
    '-c',
    'user.name=a',
    '-c',
    'protocol.file.allow=always',
  ];
  return execFileSync('git', [...own, ...args], {
    cwd: project.folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

function commit(project: Project, message: string): string {
  git(project, 'add', '-A');
  git(project, 'commit', '-qm', message);
  return git(project, 'rev-parse', 'HEAD');
}

/** A repository with a run on `main`, and a branch `feature` with another case and a run of its own. */
async function repository(): Promise<Project> {
  const project = new Project({
    'add.ts': 'export const add = (n) => n + 1;\n',
    'prompt.md': 'First line.\nSecond line.\n',
    '.gitignore': 'node_modules\n.assay\n',
    'a.eval.ts': evals(2),
  });
  git(project, 'init', '-q', '-b', 'main');
  commit(project, 'one');
  await project.run(['--run-name', 'of-main']);
  git(project, 'checkout', '-qb', 'feature');
  project.write('a.eval.ts', evals(3));
  commit(project, 'two');
  await project.run(['--run-name', 'of-feature', '--session', 'feature']);
  return project;
}

describe('assay run --changed --since REVISION', () => {
  let made: Project;
  before(async () => {
    made = await repository();
  });

  const listed = async (project: Project, ...args: readonly string[]) => {
    const { stdout, stderr, code } = await project.assay(['run', '--changed', '--list', ...args]);
    return { stdout, stderr, code };
  };

  it('records the commit of a run, and whether files were changed', async () => {
    const project = made.copy();
    const clean = await project.run();
    assert.equal(clean.run.commit, git(project, 'rev-parse', 'HEAD'));
    assert.equal(clean.run.dirty, undefined);
    project.write('not-in-git.txt', '');
    assert.equal((await project.run()).run.dirty, undefined);
    project.write('prompt.md', 'Another.');
    assert.equal((await project.run()).run.dirty, true);
    // Nothing runs, and nothing is known of a commit that is not there.
    const carried = await project.run(['--changed']);
    assert.equal(carried.run.commit, clean.run.commit);
    assert.equal((await project.exported()).run.dirty, true);
    const none = new Project({
      'a.eval.ts': `import { evaluation } from 'assay'; export const a = evaluation({});`,
    });
    assert.equal((await none.run()).run.commit, undefined);
  });

  it('carries over from the newest run of the merge base, or before, of any session', async () => {
    const project = made.copy();
    // What has happened on main since is of no concern, and neither is its run.
    git(project, 'checkout', '-q', 'main');
    project.write('add.ts', 'export const add = (n) => n + 2;\n');
    commit(project, 'three');
    await project.run(['--run-name', 'too-new']);
    git(project, 'checkout', '-q', 'feature');
    const { stdout } = await listed(project, '--since', 'main', '--session', 'feature');
    assert.match(stdout, /sum\[x\] .*carried from of-main\n.*sum\[y\] .*run: its case/);
    git(project, 'checkout', '-q', '--detach');
    const detached = await listed(project, '--since', 'HEAD');
    assert.match(detached.stdout, /sum\[y\] .*carried from of-feature/);
    const other = new Project();
    other.remove('.');
    git(project, 'worktree', 'add', '-q', other.folder, 'feature');
    cpSync(project.path('node_modules'), other.path('node_modules'), {
      recursive: true,
      verbatimSymlinks: true,
    });
    cpSync(project.path('.assay'), other.path('.assay'), { recursive: true });
    assert.match(
      (await listed(other, '--since', 'main')).stdout,
      /sum\[x\] .*carried from of-main/,
    );
  });

  it('takes the name of a run first, and says what is neither', async () => {
    const project = made.copy();
    git(project, 'branch', 'of-feature', 'main');
    assert.match(
      (await listed(project, '--since', 'of-feature')).stdout,
      /\[y\] .*from of-feature/,
    );
    const unknown = await listed(project, '--since', 'nonesuch');
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /There is no run "nonesuch"/);
    assert.match(unknown.stderr, /git knows no such revision here either/);
    assert.equal((await listed(project, '--since=--output=x')).code, 2);
    git(project, 'checkout', '-q', '--orphan', 'alone');
    commit(project, 'alone');
    const alone = await listed(project, '--since', 'main');
    assert.match(alone.stderr, /HEAD and "main" have no commit in common/);
  });

  it('says so where no run is old enough, or the clone is shallow', async () => {
    const project = made.copy();
    git(project, 'checkout', '-q', 'main');
    git(project, 'checkout', '-q', '-b', 'empty');
    project.remove('.assay');
    const none = await listed(project, '--since', 'feature');
    assert.equal(none.code, 0);
    assert.match(none.stderr, /No saved run is of \w{10}, where HEAD and "feature" part/);
    assert.match(none.stdout, /sum\[x\] .*run: no earlier result/);

    const clone = new Project();
    const link = clone.path('node_modules');
    git(
      made,
      'clone',
      '-q',
      '--depth',
      '1',
      '--branch',
      'feature',
      `file://${made.folder}`,
      clone.path('deep clone'),
    );
    cpSync(link, clone.path('deep clone/node_modules'), {
      recursive: true,
      verbatimSymlinks: true,
    });
    const cwd = { cwd: 'deep clone' };
    execFileSync('git', ['fetch', '-q', '--depth', '1', 'origin', 'main'], {
      cwd: clone.path('deep clone'),
      stdio: 'ignore',
    });
    const shallow = await clone.assay(['run', '--changed', '--since', 'FETCH_HEAD', '--list'], cwd);
    assert.equal(shallow.code, 2);
    assert.match(shallow.stderr, /This clone is shallow, and does not have the commit where HEAD/);
    assert.match(shallow.stderr, /git fetch --unshallow/);
  });

  it('explains with the lines that git knows', async () => {
    const project = made.copy();
    project.write('add.ts', 'export const add = (n) => n + 3;\n');
    project.write('prompt.md', 'First line.\nNo line.\n');
    const { stdout } = await project.assay(['run', '--explain', 'sum[x]', '--since', 'of-feature']);
    assert.match(
      stdout,
      /add\.ts \(add\) .*\n +- export const add = \(n\) => n \+ 1;\n +\+ export .* n \+ 3;\n/,
    );
    assert.match(stdout, /prompt\.md .*\n +- Second line\.\n +\+ No line\.\n/);
  });
});
