import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { parse } from 'yaml';
import { Project } from '../helpers/project.js';
import { bin } from '../helpers/project-folder.js';

interface Step {
  readonly id?: string;
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly run: string;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as Action;

const tone = `
import { evaluation } from 'assay';
export const tone = evaluation({
  cases: [0, 1, 2, 3].map((n) => ({ id: 'c' + n, input: n })),
  target: (ctx) => ctx.input,
  evaluators: [({ output }) => ({ key: 'low', passed: output < 3 })],
});
`;

/** The platform's own command: comments are lines of a file. */
const gh = `#!/usr/bin/env node
import fs from 'node:fs';
const file = process.env.COMMENTS;
const comments = JSON.parse(fs.readFileSync(file, 'utf8'));
const args = process.argv.slice(2);
const address = args.find((one) => one.startsWith('repos/'));
const body = args.at(-1).startsWith('body=@') && fs.readFileSync(args.at(-1).slice(6), 'utf8');
const query = args[args.indexOf('--jq') + 1];
if (args.includes('--jq')) {
  if (!query.includes('.user.login == "github-actions[bot]" and (.body | startswith(env.MARK))')) process.exit(9);
  const own = comments.filter(({ login, body }) => login === 'github-actions[bot]' && body.startsWith(process.env.MARK));
  process.stdout.write(own.map(({ id }) => id + '\\n').join(''));
} else {
  if (args.includes('PATCH')) comments.find(({ id }) => address.endsWith('/comments/' + id)).body = body;
  else comments.push({ id: comments.length + 1, login: 'github-actions[bot]', body, address });
  fs.writeFileSync(file, JSON.stringify(comments));
}
`;

describe('action.yml', () => {
  let project: Project;

  beforeEach(() => {
    project = new Project({ 'evals/a.eval.ts': tone, 'bin/gh': gh, 'comments.json': '[]' });
    chmodSync(project.path('bin/gh'), 0o755);
  });

  /** Runs steps as a runner does, and returns the outputs of each and the status of the first. */
  function perform(given: Readonly<Record<string, string>>, names: readonly string[]) {
    const inputs: Record<string, string> = { command: `node ${bin}`, ...given };
    for (const [name, { default: value = '' }] of Object.entries(action.inputs)) {
      inputs[name] ??= value;
    }
    const outputs: Record<string, Record<string, string>> = {};
    const known: Readonly<Record<string, string>> = {
      'github.token': 'token',
      'github.event.pull_request.number': '7',
    };
    const evaluate = (expression: string) => {
      const [, input] = /^inputs\.(\S+)$/.exec(expression) ?? [];
      const [, step = '', output = ''] = /^steps\.(\w+)\.outputs\.(\w+)$/.exec(expression) ?? [];
      return (input === undefined ? outputs[step]?.[output] : inputs[input]) ?? known[expression];
    };
    let status = 0;
    let log = '';
    for (const name of names) {
      const step = action.runs.steps.find((one) => one.name === name);
      if (step === undefined) throw new Error(`no step ${name}`);
      project.write('output.txt', '');
      const env = Object.entries(step.env).map(([variable, text]) => {
        const value = evaluate(/^\$\{\{ (.*) \}\}$/.exec(text)?.[1] ?? '');
        if (value === undefined) throw new Error(`${variable} has no value`);
        return [variable, value];
      });
      project.write('step.sh', step.run);
      try {
        execFileSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', 'step.sh'], {
          cwd: project.folder,
          encoding: 'utf8',
          stdio: 'pipe',
          env: {
            HOME: project.folder,
            PATH: `${project.path('bin')}${delimiter}${process.env.PATH}`,
            GITHUB_OUTPUT: project.path('output.txt'),
            GITHUB_STEP_SUMMARY: project.path('summary.md'),
            GITHUB_REPOSITORY: 'acme/bot',
            RUNNER_TEMP: project.folder,
            COMMENTS: project.path('comments.json'),
            ...Object.fromEntries(env),
          },
        });
      } catch (error) {
        const ended = error as { readonly status: number; readonly stderr: string };
        status ||= ended.status;
        log += ended.stderr;
      }
      const lines = project.read('output.txt').trimEnd().split('\n');
      outputs[step.id ?? name] = Object.fromEntries(lines.map((line) => line.split('=')));
    }
    return { outputs, status, log };
  }

  const commentsOf = () =>
    JSON.parse(project.read('comments.json')) as { readonly body: string; address: string }[];

  it('runs, judges, reports, and replaces its comment', () => {
    const all = ['Evaluations', 'Report', 'Comment'];
    const given = { paths: 'evals\n', 'fail-under': '0.7\nlow=0.7', comment: 'true' };
    const passed = perform(given, all);
    expect(passed.status, passed.log).to.equal(0);
    expect(passed.outputs.evaluate).to.include({ verdict: 'passed', pass_rate: '0.75' });
    const path = project.path('assay-report.html');
    expect(passed.outputs.report).to.deep.equal({ path });
    expect(readFileSync(path, 'utf8')).to.match(/^<!doctype html>/i);

    const failed = perform({ ...given, 'fail-under': '0.8' }, all);
    expect(failed.status).to.equal(1);
    expect(failed.outputs.evaluate).to.include({ verdict: 'failed', pass_rate: '0.75' });
    expect(failed.outputs.evaluate?.run_id).not.to.equal(passed.outputs.evaluate?.run_id);
    const comments = commentsOf();
    expect(comments).to.have.length(1);
    expect(comments[0]?.address).to.equal('repos/acme/bot/issues/7/comments');
    expect(comments[0]?.body).to.match(
      /^<!-- assay comment \S+ -->\n### ❌ .*1 of 1 gate failed\n/,
    );
  });

  it('runs parts, and judges the run that is merged of them', () => {
    for (const part of [1, 2]) {
      const shard = { shard: `${part}/2`, 'results-dir': `parts/${part}` };
      const { outputs, status, log } = perform(shard, ['Evaluations']);
      expect(status, log).to.equal(0);
      expect(outputs.evaluate).to.include({ verdict: 'none' });
    }
    const merge = ['sessions', 'merge', 'parts/1', 'parts/2', '--name', 'whole'];
    execFileSync('node', [bin, ...merge], { cwd: project.folder, stdio: 'pipe' });
    const { outputs, status } = perform({ run: 'whole', 'fail-under': '0.9' }, ['Evaluations']);
    expect(status).to.equal(1);
    expect(outputs.evaluate).to.include({ verdict: 'failed', pass_rate: '0.75' });
  });

  it('makes nothing of a value but a word, and has no outputs of a run that did not begin', () => {
    const name = '$(touch made) `touch made`; touch made';
    const run = perform({ 'run-name': name, trials: '2' }, ['Evaluations']);
    expect(run.status, run.log).to.equal(0);
    expect(run.outputs.evaluate).to.include({ verdict: 'none' });
    const steps = ['Evaluations', 'Comment'];
    const refused = perform({ paths: 'no-such-folder', comment: 'true' }, steps);
    expect(refused.status).to.equal(2);
    expect(refused.outputs.evaluate).to.deep.equal({ '': undefined });
    expect(commentsOf().at(-1)?.body).to.include('### ❔ assay: no outcome');
    expect(perform({ args: '--nope', comment: 'true' }, steps).status).to.equal(2);
    expect(project.has('made')).to.equal(false);
  });

  it('passes each input that is a flag of run', () => {
    const manifest = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8'));
    const script = action.runs.steps[0]?.run ?? '';
    const flags = [...script.matchAll(/^add --([a-z-]+)= /gm)].map(([, flag]) => flag);
    const own = ['paths', 'run', 'working-directory', 'command', 'args', 'comment', 'report'];
    expect([...flags, ...own]).to.have.members(Object.keys(action.inputs));
    expect(manifest.commands.run.flags).to.include.all.keys(flags);
  });
});
