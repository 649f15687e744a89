import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import {
  AssayError,
  blessRun,
  compareRuns,
  exportRun,
  importRun,
  judgeGates,
  listRuns,
  openRun,
  type RunEvaluationsOptions,
  type RunEvent,
  recordings,
  regrade,
  rerun,
  resume,
  runEvaluations,
} from 'assay/node';
import { expect } from 'chai';
import { Project } from '../helpers/project.js';
import { runProblems } from '../helpers/run-shape.js';

const evals = `
import { evaluation } from 'assay';
export const cases = evaluation({
  labels: ['smoke'],
  cases: [{ id: 'a', input: 1 }, { id: 'b', input: 2 }],
  target: (ctx) => ctx.input * 10,
}, (ctx) => { ctx.score(ctx.output === 10); });
export const told = evaluation({ dataset: 'told' }, (ctx) => {
  console.log('printed');
  ctx.output = [ctx.params.model, process.env.FROM_FILE, process.cwd(), ctx.trial];
});
`;

function evalProject(): Project {
  return new Project({
    'evals/a.eval.ts': evals,
    '.env': 'FROM_FILE=here\n',
    'assay.yaml': 'configs:\n  big: { params: { model: large } }\n',
  });
}

async function failure(options: RunEvaluationsOptions): Promise<unknown> {
  return runEvaluations(options).then(
    () => expect.fail('it resolves'),
    (error: unknown) => error,
  );
}

describe('runEvaluations', () => {
  it('takes what the flags of the command take', async () => {
    const project = evalProject();
    project.write('other.yaml', 'trials: 7\nconfigs:\n  big: { params: { model: huge } }\n');
    const run = await runEvaluations({
      cwd: project.folder,
      paths: ['evals/a.eval.ts::told', 'evals/a.eval.ts::cases[b]'],
      datasets: ['told'],
      settings: 'other.yaml',
      runConfig: 'big',
      trials: 2,
      concurrency: 1,
      workers: 2,
      timeout: 20,
      session: 's',
      runName: 'n',
      resultsDir: 'kept',
    });
    expect(run).to.include({ config_name: 'big', session_name: 's', run_name: 'n', trials: 2 });
    expect(run.path).to.equal('evals/a.eval.ts::told evals/a.eval.ts::cases[b]');
    expect(run.results.map((entry) => entry.result.output)).to.deep.equal(
      [1, 2].map((trial) => ['huge', 'here', project.folder, trial]),
    );
    expect(project.has(`kept/s/${run.run_id}/run.json`)).to.equal(true);
    const options = { cwd: project.folder, paths: 'evals', resultsDir: 'kept' };
    const [labelled, ignored] = await Promise.all([
      runEvaluations({ ...options, labels: ['smoke'], limit: 1 }),
      failure({ ...options, ignore: ['evals/**'] }),
    ]);
    expect(labelled.results.map((entry) => entry.function)).to.deep.equal(['cases[a]']);
    expect(ignored).to.include({ code: 'nothing-selected' });
  });

  it('resolves to the run JSON that the run is exported as, and tells what happens as it happens, results after they are in the log', async () => {
    const project = evalProject();
    const events: RunEvent[] = [];
    const inLog: boolean[] = [];
    const run = await runEvaluations({
      cwd: project.folder,
      concurrency: 1,
      onEvent: (event) => {
        events.push(event);
        if (event.type !== 'finished') return;
        const [id] = readdirSync(project.path('.assay/sessions/default'));
        const log = readFileSync(
          project.path(`.assay/sessions/default/${id}/results.jsonl`),
          'utf8',
        );
        const lines = log.split('\n').filter((line) => line.includes('"type":"finished"'));
        for (const { index } of event.results) {
          inLog.push(lines.some((line) => line.includes(`"index":${index},`)));
        }
      },
    });
    expect(runProblems(run)).to.deep.equal([]);
    expect(run).to.include({ path: '.', session_name: 'default', state: 'finished' });
    expect(run).to.include({ total_evaluations: 3, total_functions: 2, total_passed: 2 });
    expect(run.results[2]?.result.output).to.deep.equal([null, 'here', project.folder, null]);
    expect((await project.assay(['export', run.run_id])).json()).to.deep.equal(run);
    expect(process.env).not.to.have.property('FROM_FILE');
    const { run_id, run_name, session_name, config_name } = run;
    expect(events[0]).to.deep.equal({ type: 'importing', files: 1 });
    expect(events[1]).to.deep.equal({
      type: 'discovered',
      files: ['evals/a.eval.ts'],
      evaluations: 3,
      skipped: 0,
      onlyMarked: false,
    });
    expect(events[2]).to.deep.equal({
      type: 'opened',
      run_id,
      run_name,
      session_name,
      config_name,
      selected: 3,
      rows: 3,
    });
    const finished = events.flatMap((event) => (event.type === 'finished' ? event.results : []));
    expect(finished.map(({ id }) => id)).to.deep.equal(run.results.map(({ id }) => id));
    expect(inLog).to.deep.equal([true, true, true]);
    const printed = events.filter((event) => event.type === 'printed');
    expect(printed).to.deep.include({
      type: 'printed',
      index: 2,
      stream: 'stdout',
      text: 'printed\n',
    });
  });

  it('runs variants together, and resolves to their runs and how they compare', async () => {
    const project = new Project({
      'a.eval.ts': `import { evaluation } from 'assay';
        export const asked = evaluation({
          params: { model: 'large', size: 1 },
          cases: [{ id: 'a', input: 1 }, { id: 'b', input: 2 }],
          target: ({ params }) => params.model + params.size,
        });`,
    });
    const places: [number, number][] = [];
    const { group, runs, comparison } = await runEvaluations({
      cwd: project.folder,
      params: { size: 2 },
      variants: [{}, { name: 'quick', params: { model: 'swift' } }],
      onEvent: (event, place) => {
        if (event.type === 'opened') places.push([place, event.rows]);
      },
    });
    expect(runs.map(({ run_name, group: of }) => [run_name, of])).to.deep.equal([
      ['default', group],
      ['quick', group],
    ]);
    expect(runs.map(({ results }) => results.map(({ result }) => result.output))).to.deep.equal([
      ['large2', 'large2'],
      ['swift2', 'swift2'],
    ]);
    expect(comparison).to.include({ base: runs[0]?.run_id });
    expect(places).to.deep.equal([
      [0, 2],
      [1, 2],
    ]);
    for (const one of runs) {
      expect((await project.assay(['export', one.run_id])).json()).to.deep.equal(one);
    }
  });

  it('stops with its signal and resolves to what was finished until then', async () => {
    const project = new Project({
      'a.eval.ts': `import { evaluation } from 'assay';
        const untilStopped = ({ signal }) => new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        });
        export const quick = evaluation({ target: () => 1 });
        export const waits = evaluation({ target: untilStopped });
        export const next = evaluation({});`,
    });
    const controller = new AbortController();
    const run = await runEvaluations({
      cwd: project.folder,
      concurrency: 1,
      signal: controller.signal,
      onEvent: (event) => {
        if (event.type === 'started' && event.indices.includes(1)) controller.abort();
      },
    });
    expect(runProblems(run)).to.deep.equal([]);
    expect(run.results.map((entry) => entry.result.status)).to.deep.equal([
      'completed',
      'cancelled',
      'cancelled',
    ]);
    const error = await failure({ cwd: project.folder, signal: AbortSignal.abort() });
    expect(error).to.include({ name: 'AbortError' });
    expect(readdirSync(project.path('.assay/sessions/default'))).to.have.lengthOf(1);
  });

  it('rejects with an AssayError that has a code, and leaves nothing behind', async () => {
    const project = evalProject();
    project.write('broken/broken.eval.ts', 'throw new Error("at import");');
    project.write('broken.yaml', 'concurrency: many\n');
    project.write('file', '');
    const cases: [RunEvaluationsOptions, string, RegExp][] = [
      [{ paths: 'evls' }, 'no-such-path', /evls.*Did you mean evals\?/],
      [{ paths: ['evals'], labels: ['none'] }, 'nothing-selected', /matches/],
      [{ paths: 'evals/a.eval.ts::tld' }, 'nothing-selected', /Did you mean told\?/],
      [{ paths: 'broken' }, 'discovery-failed', /broken\.eval\.ts[\s\S]*at import/],
      [{ settings: 'broken.yaml' }, 'bad-settings', /broken\.yaml:1:14|concurrency/],
      [{ paths: 'evals', runConfig: 'bigg' }, 'bad-request', /bigg/],
      [{ paths: 'evals', session: ' ' }, 'bad-request', /session/],
      [{ paths: 'evals', resultsDir: 'file' }, 'storage-unusable', /file/],
      [{ concurrency: 0 }, 'usage', /concurrency.*0/],
      [{ workers: 1.5 }, 'usage', /workers.*1\.5/],
      [{ trials: Number.NaN }, 'usage', /trials.*NaN/],
      [{ limit: -1 }, 'usage', /limit.*-1/],
      [{ timeout: 0 }, 'usage', /timeout.*0/],
    ];
    for (const [options, code, pattern] of cases) {
      const error = await failure({ ...options, cwd: project.folder });
      expect(error).to.be.an.instanceOf(AssayError);
      expect(error, JSON.stringify(options)).to.include({ code });
      expect((error as AssayError).message).to.match(pattern);
    }
    expect(project.has('.assay')).to.equal(false);
  });

  it('prints nothing, and the process of its caller ends by itself', async () => {
    const project = evalProject();
    project.write(
      'run.js',
      `import { runEvaluations } from 'assay/node';
      import { writeFileSync } from 'node:fs';
      const run = await runEvaluations({ paths: 'evals' });
      writeFileSync('run.json', JSON.stringify(run));`,
    );
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['run.js'], {
      cwd: project.folder,
    });
    expect(stdout).to.equal('');
    expect(stderr).to.equal('');
    const { stdout: exported } = await project.assay(['export', 'latest']);
    expect(JSON.parse(project.read('run.json'))).to.deep.equal(JSON.parse(exported));
  });
});

describe('saved runs from code', () => {
  let project: Project;
  let options: { readonly cwd: string };

  before(async () => {
    project = new Project({
      'a.eval.ts': `
        import { readFileSync } from 'node:fs';
        import { evaluation } from 'assay';
        const right = () => readFileSync(new URL('./right.txt', import.meta.url), 'utf8');
        export const cases = evaluation({
          cases: [{ id: 'a', metadata: { tier: 'pro' } }, { id: 'b', metadata: { tier: 'free' } }],
          target: ({ caseId }) => caseId + right(),
          evaluators: [function exact({ output }) { return output === 'a1' || output === 'b1'; }],
        });`,
      'right.txt': '0',
    });
    options = { cwd: project.folder };
    await runEvaluations({ ...options, runName: 'first' });
  });

  it('run again in part, or are graded again, in place', async () => {
    project.write('right.txt', '1');
    const again = await rerun('latest', {
      ...options,
      only: ['failed'],
      where: ['metadata.tier=pro'],
    });
    expect(again.results.map(({ result }) => result.output)).to.deep.equal(['a1', 'b0']);
    expect(await resume('latest', options)).to.deep.equal(again);
    const events: string[] = [];
    const whole = await rerun('latest', { ...options, onEvent: ({ type }) => events.push(type) });
    expect(whole.summary.pass_rate).to.include({ passed: 2, of: 2 });
    expect(events).to.include.members(['opened', 'finished']);
    const graded = await regrade('latest', { ...options, paths: 'a.eval.ts::cases[b]' });
    expect(graded.results[1]?.result.output).to.equal('b1');
  });

  it('are listed, read, judged, compared, blessed, exported and imported as commands do', async () => {
    await runEvaluations({ ...options, runName: 'second', session: 'other' });
    const runs = await listRuns(options);
    expect(runs.map(({ run_name, session_name }) => [run_name, session_name])).to.deep.equal([
      ['second', 'other'],
      ['first', 'default'],
    ]);
    expect(await listRuns({ ...options, session: 'other' })).to.have.lengthOf(1);

    const run = await openRun('first', options);
    const ids = [];
    for await (const { function: name } of run.results()) ids.push(name);
    expect(ids).to.deep.equal(['cases[a]', 'cases[b]']);
    expect(run.trace(0)).to.deep.equal({ calls: [] });
    const json = await run.json();
    await run.close();
    expect(json).to.deep.equal((await project.assay(['export', 'first'])).json());

    const gates = ['--fail-under', '0.4,exact=0.9', '--fail-on', 'errors'];
    const judged = await judgeGates('first', {
      ...{ ...options, failUnder: ['0.4', 'exact=0.9'], failOn: ['errors'] },
    });
    const command = await project.assay(['sessions', 'gate', 'first', ...gates, '--json']);
    expect(judged).to.deep.equal(command.json());

    expect(await blessRun('first', 'base.json', options)).to.equal(2);
    const compared = await compareRuns(['base.json', 'second'], options);
    const same = await project.assay(['sessions', 'compare', 'base.json', 'second', '--json']);
    expect(compared).to.deep.equal(same.json());

    expect(await exportRun('first', 'out/../first.csv', options)).to.be.greaterThan(100);
    expect(project.read('first.csv')).to.match(/cases\[a\]/);
    const redact = ['output'] as const;
    await exportRun('first', 'redacted.json', { ...options, redact });
    const hidden = await project.assay(['export', 'first', '--redact', 'output']);
    expect(JSON.parse(project.read('redacted.json'))).to.deep.equal(hidden.json());
    await exportRun('first', 'report.html', { ...options, redact });
    await exportRun('first', 'first.json', options);
    const imported = await importRun('first.json', { ...options, session: 'from elsewhere' });
    expect(imported).to.have.lengthOf(1);
    expect(imported[0]).to.include({ run_name: 'first', session_name: 'from elsewhere' });
    expect(await recordings(options)).to.have.property('evaluations').that.is.empty;
  });

  it('refuse what they do not know, with the sentences of the commands', async () => {
    const failures: [() => Promise<unknown>, string, RegExp][] = [
      [
        () => listRuns({ ...options, sesion: 'x' } as object),
        'usage',
        /^listRuns\(\) has no option sesion\.$/,
      ],
      [() => openRun('nothing', options), 'no-such-run', /nothing/],
      [() => rerun('first', { ...options, where: ['tier'] }), 'usage', /tier/],
      [() => rerun('first', { ...options, session: 'none' }), 'no-such-run', /first/],
      [
        () => rerun('first', { ...options, only: ['fail'] } as object),
        'usage',
        /^only takes failed, errors/,
      ],
      // A gate that nobody knows would be one that passes.
      [
        () => judgeGates('first', { ...options, failOn: ['failure'] } as object),
        'usage',
        /^failOn takes .* not failure\.$/,
      ],
      [() => judgeGates('first', options), 'usage', /^No gate is given\.$/],
      [
        () => judgeGates('first', { ...options, failUnder: ['often'] }),
        'usage',
        /--fail-under takes a rate/,
      ],
      [() => compareRuns(['first'], options), 'usage', /^2 to 12 runs can be compared, not 1\.$/],
      [() => exportRun('first', 'first.xyz', options), 'usage', /\.xyz/],
      [
        () => exportRun('first', 'first.json', { ...options, redact: ['outputs'] } as object),
        'usage',
        /^redact takes input, output/,
      ],
      [() => importRun('right.txt', options), 'bad-request', /right\.txt/],
    ];
    for (const [given, code, pattern] of failures) {
      const error = await given().then(
        () => expect.fail('it resolves'),
        (caught: unknown) => caught,
      );
      expect(error).to.be.an.instanceOf(AssayError).and.to.include({ code });
      expect((error as AssayError).message).to.match(pattern);
    }
  });
});

describe('options of runEvaluations', () => {
  it('refuses one that it does not know, with the near one', async () => {
    const { runEvaluations } = await import('../../dist/node/index.js');
    const failure = await runEvaluations({ path: ['a.eval.ts'] } as object).catch((e: Error) => e);
    expect(failure).to.include({ code: 'usage', message: 'runEvaluations() has no option path.' });
    expect(failure).to.have.deep.property('hints', ['Did you mean paths?']);
  });
});
