import { rmSync } from 'node:fs';
import { expect } from 'chai';
import type { RunJson, RunSummary } from '../../src/model/run.js';
import { type Project, ProjectWithoutHosts } from '../helpers/project.js';
import { runProblems, soundRun } from '../helpers/run-shape.js';

/** An eval file whose target answers with `version` and notes each call in the file `calls`. */
function evals(version: string, cases: readonly string[], more = ''): string {
  return `
import { appendFileSync } from 'node:fs';
import { evaluation } from 'assay';
export const graded = evaluation({
  cases: ${JSON.stringify(cases.map((id) => ({ id, input: id, labels: [id[0]] })))},
  target: (ctx) => {
    appendFileSync('calls', ctx.caseId + '\\n');
    if (ctx.input.startsWith('error')) throw new Error('${version} broke');
    return '${version}';
  },
  evaluators: [function good({ input }) { return !input.startsWith('fail'); }],
});
${more}`;
}

function ids(run: RunJson): string[] {
  return run.results.map((entry) => entry.id);
}

function outputs(run: RunJson): unknown[] {
  return run.results.map((entry) => entry.result.output);
}

describe('assay run --rerun', () => {
  let ran: Project;
  let first: RunJson;
  before(async () => {
    ran = new ProjectWithoutHosts({ 'a.eval.ts': evals('one', ['ok', 'fail']) });
    first = await soundRun(ran, '--run-name', 'tough-yak', '-o', 'exported.json');
    ran.newLines('calls');
  });

  it('uses today’s code and cases, appends new ones and leaves what is gone', async () => {
    const project = new ProjectWithoutHosts({
      'a.eval.ts': evals('one', ['ok', 'gone', 'fail']),
      'b.eval.ts': `import { evaluation } from 'assay';
        export const other = evaluation({ target: () => 'b' });`,
    });
    const first = await soundRun(project, '--run-name', 'keeper');
    project.newLines('calls');
    project.write('a.eval.ts', evals('two', ['new', 'fail', 'ok']));
    project.backdate(first.run_id);
    const rerun = await project.assay(['run', '--rerun', 'latest', '--json']);
    const second = rerun.json();
    expect(runProblems(second)).to.deep.equal([]);
    expect(rerun.stderr).to.match(/1 result of evaluations that are gone/);
    expect(ids(second)).to.deep.equal([...ids(first), 'a.eval.ts::graded[new]']);
    expect(outputs(second)).to.deep.equal(['two', 'one', 'two', 'b', 'two']);
    expect(second.results[1]).to.deep.equal({ ...first.results[1], gone: true });
    expect(project.newLines('calls')).to.deep.equal(['fail', 'new', 'ok']);
    const { run_id, run_name, session_name, path, config_name } = first;
    expect(second).to.include({ run_id, run_name, session_name, path, config_name });
    expect(run_name).to.equal('keeper');
    expect(second.created_at).to.be.at.least(first.created_at);
    expect(second).to.include({ total_evaluations: 5, total_functions: 2, state: 'finished' });
    const { stdout } = await project.assay(['export', run_id]);
    expect(JSON.parse(stdout)).to.deep.equal(second);
  });

  it('takes the rows that --only, datasets, labels, paths and --limit mean, and no other', async () => {
    const project = new ProjectWithoutHosts({
      'evals/a.eval.ts': evals('v', ['ok', 'fail1', 'fail2', 'error']),
      'evals/b.eval.ts': `import { evaluation } from 'assay';
        import { appendFileSync } from 'node:fs';
        export const b = evaluation({ trials: 2, dataset: 'other', target: (ctx) => {
          appendFileSync('calls', 'b' + ctx.trial + '\\n');
        } }, (ctx) => ctx.score(ctx.trial === 1));
        export const c = evaluation({ labels: ['o'] }, () => appendFileSync('calls', 'c\\n'));`,
    });
    const first = await soundRun(project);
    project.newLines('calls');
    // What each of them means is tested with the function that filters rows.
    const expected: [string[], string[]][] = [
      [
        ['--only', 'failed,errors', '--limit', '2'],
        ['fail1', 'fail2'],
      ],
      [
        [`${project.folder}/evals/a.eval.ts::graded[ok]`, './evals/b.eval.ts::c'],
        ['c', 'ok'],
      ],
    ];
    for (const [flags, cases] of expected) {
      const again = await soundRun(project, '--rerun', first.run_id, ...flags);
      expect(project.newLines('calls'), flags.join(' ')).to.deep.equal(cases);
      expect(ids(again)).to.deep.equal(ids(first));
    }
  });

  it('repeats the selection, the run config and the flags of the run', async () => {
    const project = new ProjectWithoutHosts({
      'a.eval.ts': `import { evaluation } from 'assay';
        const untilStopped = ({ signal }) => new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        });
        export const chosen = evaluation({ labels: ['x'] }, (ctx) => { ctx.output = ctx.params.model; });
        export const waits = evaluation({ labels: ['x'], timeout: 60 }, untilStopped);
        export const left = evaluation({}, () => {});`,
      'assay.yaml': 'configs:\n  big: { params: { model: large } }\n',
    });
    const flags = ['--label', 'x', '--run-config', 'big', '--timeout', '0.3', '--trials', '2'];
    const first = await soundRun(project, ...flags);
    const text = project.read('a.eval.ts');
    project.write(
      'a.eval.ts',
      `${text}\nexport const added = evaluation({ labels: ['x'] }, () => {});
      export const leftToo = evaluation({}, () => {});`,
    );
    const second = await soundRun(project, '--rerun', 'latest');
    expect(ids(second)).to.deep.equal([...ids(first), 'a.eval.ts::added~1', 'a.eval.ts::added~2']);
    expect(second.config_name).to.equal('big');
    expect(outputs(second).slice(0, 2)).to.deep.equal(['large', 'large']);
    expect(second.results[2]?.result.error).to.match(/timed out after 0\.3 s/);
  });

  it('of an old run does not make it the newest; hints name the run by its id', async () => {
    const project = new ProjectWithoutHosts({ 'a.eval.ts': evals('v', ['ok', 'fail', 'error']) });
    const old = await soundRun(project, '--run-name', 'twice');
    const newest = await soundRun(project, '--run-name', 'twice');
    expect(old.started_at).to.equal(old.created_at);
    for (const run of [old, newest]) project.backdate(run.run_id);
    const rerun = await project.assay(['run', '--rerun', old.run_id, '--only', 'failed']);
    expect(rerun.stderr).to.include(`assay show ${old.run_id} `);
    expect(rerun.stderr).to.include(`assay run --rerun ${old.run_id} --only failed,errors`);
    expect(rerun.stderr).to.not.match(/assay .*(latest|twice)/);
    expect((await project.exported()).run.run_id).to.equal(newest.run_id);
    const shown = await project.assay(['sessions', 'show', 'default', '--json']);
    const { runs } = JSON.parse(shown.stdout) as { runs: RunSummary[] };
    expect(runs.map(({ run_id }) => run_id)).to.deep.equal([newest.run_id, old.run_id]);
    const again = (await project.exported(old.run_id)).run;
    expect(again.started_at).to.equal(Number(old.started_at) - 3600);
    expect(again.created_at).to.be.at.least(old.created_at);
    expect(again.updated_at).to.be.at.least(again.created_at);
    const listed = runs[1];
    const { created_at: timestamp, started_at, updated_at } = again;
    expect(listed).to.include({ timestamp, started_at, updated_at });
    const [session] = JSON.parse((await project.assay(['sessions', '--json'])).stdout).sessions;
    expect(session.last_run.run_id).to.equal(newest.run_id);
  });

  it('ends with 2 where an eval file cannot be imported, also if nothing is to run', async () => {
    const project = ran.copy();
    project.write('a.eval.ts', 'export const = 1;');
    for (const only of ['flaky', 'changed']) {
      const again = await project.assay(['run', '--rerun', 'latest', '--only', only]);
      expect(again.code, again.stderr).to.equal(2);
      expect(again.stderr).to.include('a.eval.ts');
    }
  });

  it('says when there is nothing to do, and exits 0 with the run as it is', async () => {
    const project = ran.copy();
    const nothing: [flags: string[], said: RegExp][] = [
      [['--only', 'flaky,unfinished'], /tough-yak has no flaky results or unfinished results: /],
      [['--label', 'o'], /gone/],
    ];
    for (const [flags, said] of nothing) {
      if (!flags.includes('--only')) project.write('a.eval.ts', evals('one', ['fail']));
      const again = await project.assay(['run', '--rerun', 'latest', ...flags, '--json']);
      expect(again.code, again.stderr).to.equal(0);
      expect(again.stderr).to.match(said);
      expect(again.json()).to.deep.equal(first);
    }
    expect(project.newLines('calls')).to.deep.equal([]);
  });

  it('runs rows that are asked for although all are skipped today, and else none', async () => {
    const project = ran.copy();
    const { run_id } = first;
    const skipping = evals('two', ['ok', 'fail']).replace(
      'evaluation({',
      'evaluation({ skip: true,',
    );
    project.write('a.eval.ts', skipping);
    const all = await project.assay(['run', '--rerun', run_id]);
    expect(all.code, all.stderr).to.equal(0);
    expect(all.stderr).to.match(/marked `skip`: there is nothing to run/);
    expect(project.newLines('calls')).to.deep.equal([]);
    expect(outputs(await soundRun(project, '--rerun', run_id, '--only', 'failed'))).to.deep.equal([
      'one',
      'two',
    ]);
    expect(project.newLines('calls')).to.deep.equal(['fail']);
    expect((await project.assay(['run', '--regrade', run_id])).stderr).to.not.match(/no longer/);
  });

  it('refuses filters that match nothing and runs that it cannot take, with 2', async () => {
    const project = ran.copy();
    const commands: [string[], RegExp][] = [
      [
        ['--rerun', 'latest', '--label', 'oo'],
        /matches the filters[\s\S]*label oo; there are: o, f/,
      ],
      [['--rerun', 'latest', 'a.eval.ts::gradedd'], /Did you mean a\.eval\.ts::graded/],
      [['--rerun', 'nothing-like-it'], /nothing-like-it/],
      [['--rerun', 'exported.json'], /exported run.*\n.*sessions import/],
      [['--rerun', 'latest', '--run-config', 'x'], /no run config named "x"/],
      [['--rerun', 'latest', ''], /must not be empty/],
    ];
    const refusals = await Promise.all(commands.map(([args]) => project.assay(['run', ...args])));
    expect(refusals.map(({ code }) => code)).to.deep.equal(commands.map(() => 2));
    for (const [at, [, pattern]] of commands.entries()) {
      expect(refusals[at]?.stderr).to.match(pattern);
    }
    project.write('a.eval.ts', 'export const nothing = 1;');
    const gone = await project.assay(['run', '--rerun', 'latest']);
    expect(gone.code).to.equal(2);
    expect(gone.stderr).to.match(/no longer exist/);
    expect((await project.assay(['export', 'latest'])).json()).to.deep.equal(first);
  });

  it('sets a folder in the place of run.json aside, writes its own, and holds the gates against the whole run', async () => {
    const project = ran.copy();
    const { run_id } = first;
    const path = `.assay/sessions/default/${run_id}/run.json`;
    rmSync(project.path(path));
    project.write(`${path}/mine`, 'x');
    const flags = ['--label', 'o', '--fail-on', 'failures', '--fail-under', '0.5'];
    const { code, stderr } = await project.assay(['run', '--rerun', run_id, ...flags]);
    expect(stderr).to.contain(
      `! ${project.path(path)} was damaged and is now ${project.path(path)}.broken.`,
    );
    expect(stderr).not.to.contain('EISDIR');
    expect(code).to.equal(1);
    expect(stderr).to.match(/pass rate 50\.0 % \(.* of .*\), at least 50 %/);
    expect(stderr).to.match(/1 of 2 did not pass/);
    expect(project.read(`${path}.broken/mine`)).to.equal('x');
    expect(JSON.parse(project.read(path)).run_id).to.equal(run_id);
  });
});
