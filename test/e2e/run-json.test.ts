import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { Project, ProjectWithoutHosts } from '../helpers/project.js';
import { runProblems } from '../helpers/run-shape.js';

const mixed = `
import assert from 'node:assert/strict';
import { evaluation } from 'assay';
export const refund = evaluation({
  dataset: 'customer-service',
  labels: ['smoke'],
  metadata: { team: 'desk', level: 1 },
  cases: [
    { id: 'polite', input: { text: 'please' }, reference: 'refund', metadata: { level: 2 }, labels: ['tone'] },
    { id: 'angry', input: ['NOW'], expected: null },
  ],
  target: (ctx) => { ctx.traceData.traceUrl = 'https://traces.example/1'; return { reply: 'refund' }; },
  evaluators: [function exact({ output, reference }) { return output.reply === reference; }],
}, (ctx) => { ctx.metadata.seen = true; assert.ok(ctx.output); });
export const broken = evaluation({ input: 'x' }, () => { throw new TypeError('no agent'); });
export const ungraded = evaluation({ target: () => 42 });
`;

/** Names of all files and folders of a project, without what it was made of. */
function leftovers(project: Project): string[] {
  // With types, it does not follow links: packages are links into the checkout.
  return readdirSync(project.folder, { recursive: true, withFileTypes: true })
    .map(({ name, parentPath }) => relative(project.folder, join(parentPath, name)))
    .filter((name) => !name.startsWith('node_modules') && name !== 'package.json')
    .sort();
}

describe('the run JSON', () => {
  it('has every field of the contract and no other', async () => {
    const project = new ProjectWithoutHosts({ 'evals/a.eval.ts': mixed });
    const before = Math.floor(Date.now() / 1000);
    const { code, stdout, json } = await project.assay(['run', './evals', '--json']);
    const run = json();
    expect(code).to.equal(0);
    expect(runProblems(run)).to.deep.equal([]);
    expect(stdout.endsWith('}\n')).to.equal(true);
    const { run_id: _id, run_name: _name, average_latency: _latency, ...rest } = run;
    const { summary, results, ...head } = rest;
    expect(summary.pass_rate).to.include({ passed: 1, of: 3 });
    expect(summary.verdicts).to.deep.equal({ passed: 1, failed: 1, errors: 1, none: 1 });
    expect(head.created_at).to.be.within(before, before + 60);
    expect(head.started_at).to.equal(head.created_at);
    expect(head.updated_at).to.be.within(head.created_at, before + 60);
    expect(head).to.deep.equal({
      session_name: 'default',
      created_at: head.created_at,
      started_at: head.started_at,
      updated_at: head.updated_at,
      path: './evals',
      config_name: 'default',
      total_evaluations: 4,
      total_functions: 3,
      total_passed: 1,
      total_errors: 1,
      total_with_scores: 2,
      state: 'finished',
    });
    const [polite, angry, broken, ungraded] = results;
    expect(polite).to.deep.equal({
      id: 'evals/a.eval.ts::refund[polite]',
      function: 'refund[polite]',
      dataset: 'customer-service',
      labels: ['smoke', 'tone'],
      regradable: true,
      result: {
        input: { text: 'please' },
        output: { reply: 'refund' },
        reference: 'refund',
        scores: [
          { key: 'correctness', passed: true },
          { key: 'exact', passed: true },
        ],
        error: null,
        latency: polite?.result.latency,
        metadata: { team: 'desk', level: 2, seen: true },
        authored_metadata: { team: 'desk', level: 2 },
        trace_data: { trace_url: 'https://traces.example/1' },
        status: 'completed',
        annotation: '',
        correction_history: [],
        code: polite?.result.code,
        started_at: polite?.result.started_at,
      },
    });
    expect(polite?.result.code).to.match(/^[0-9a-f]{16}$/);
    expect(angry?.result).to.deep.include({
      input: ['NOW'],
      reference: null,
      metadata: { team: 'desk', level: 1, seen: true },
    });
    expect(broken).to.not.have.property('regradable');
    expect(broken?.result).to.deep.include({ status: 'error', output: null, scores: [] });
    expect(ungraded?.result).to.deep.include({ status: 'completed', output: 42, scores: [] });
  });

  it('tells of trials: the fields of the run, ids with ~n, trial and trial_of', async () => {
    const project = new ProjectWithoutHosts({
      'a.eval.ts': `import { evaluation } from 'assay';
        export const flaky = evaluation({ trials: 3 }, (ctx) => ctx.score(ctx.trial !== 2));
        export const steady = evaluation({ trials: 2 }, () => {});
        export const single = evaluation({}, () => {});`,
    });
    const run = (await project.assay(['run', '--json'])).json();
    expect(runProblems(run)).to.deep.equal([]);
    expect(run).to.deep.include({ trials: 3, pass_at_k: 1, pass_all_k: 0.5 });
    expect(run).to.include({ total_evaluations: 6, total_functions: 3, total_passed: 5 });
    const { flaky, by_k } = run.trial_statistics ?? { flaky: undefined, by_k: [] };
    expect(flaky).to.equal(1);
    const estimates = by_k.map(({ k, pass_at, pass_all }) => [
      k,
      pass_at.estimate,
      pass_all.estimate,
    ]);
    expect(estimates.flat()).to.have.lengthOf(9);
    for (const [position, expected] of [1, 5 / 6, 5 / 6, 2, 1, 2 / 3, 3, 1, 0].entries()) {
      expect(estimates.flat()[position]).to.be.closeTo(expected, 1e-12);
    }
    expect(run.results.map(({ id, trial, trial_of }) => [id, trial, trial_of])).to.deep.equal([
      ['a.eval.ts::flaky~1', 1, 'a.eval.ts::flaky'],
      ['a.eval.ts::flaky~2', 2, 'a.eval.ts::flaky'],
      ['a.eval.ts::flaky~3', 3, 'a.eval.ts::flaky'],
      ['a.eval.ts::steady~1', 1, 'a.eval.ts::steady'],
      ['a.eval.ts::steady~2', 2, 'a.eval.ts::steady'],
      ['a.eval.ts::single', undefined, undefined],
    ]);
    expect(run.results[5]).to.not.have.any.keys('trial', 'trial_of');
  });

  it('is all that stands on stdout, whatever evaluations print', async () => {
    const project = new Project({
      'a.eval.ts': `import { evaluation } from 'assay';
        console.log('at import');
        process.stdout.write('raw at import');
        export const noisy = evaluation({}, () => { console.log('{'); process.stdout.write('raw'); });`,
    });
    const [json, plain] = await Promise.all([
      project.assay(['run', '--json', '--verbose']),
      project.assay(['run']),
    ]);
    const logs = json.json().results[0]?.result.trace_data.logs as unknown as { text: string }[];
    expect(logs.map((log) => log.text).join('')).to.equal('{\nraw');
    expect(plain.stdout).to.equal('');
    expect(plain.stderr).to.match(/1 passed/);
  });
});

describe('assay run -o', () => {
  it('- is stdout, and stays one document with --json', async () => {
    const project = new ProjectWithoutHosts({ 'a.eval.ts': mixed });
    const [dash, both] = await Promise.all([
      project.assay(['run', '-o', '-']),
      project.assay(['run', '-o', '-', '--json']),
    ]);
    expect(runProblems(dash.json())).to.deep.equal([]);
    expect(runProblems(both.json())).to.deep.equal([]);
    expect(project.has('-')).to.equal(false);
  });
});

/** An environment in which only the run itself writes temporary files, not Node's cache of compiled code. */
function ownTemporaryFolder(project: Project) {
  return { TMPDIR: project.path('tmp'), NODE_DISABLE_COMPILE_CACHE: '1' };
}

describe('assay run --no-save', () => {
  it('leaves nothing anywhere', async () => {
    const project = new ProjectWithoutHosts({ 'a.eval.ts': mixed, 'tmp/.keep': '' });
    const files = leftovers(project);
    const env = ownTemporaryFolder(project);
    const [json, failed] = await Promise.all([
      project.assay(['run', '--no-save', '--json'], { env }),
      project.assay(['run', '--no-save', '--results-dir', 'kept', 'a.eval.ts::nothing'], { env }),
    ]);
    expect(runProblems(json.json())).to.deep.equal([]);
    expect(json.stderr).not.to.match(/saved as|assay export/);
    expect([json.code, failed.code]).to.deep.equal([0, 2]);
    expect(leftovers(project)).to.deep.equal(files);
  });
});
