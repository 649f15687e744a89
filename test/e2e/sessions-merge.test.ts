import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { RunJson } from '../../src/model/run.js';
import { startFakeProvider } from '../helpers/fake-provider.js';
import { Project, ProjectWithoutHosts } from '../helpers/project.js';
import { runProblems } from '../helpers/run-shape.js';

const tone = `
import { evaluation } from 'assay';
const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
export const tone = evaluation({
  trials: 2,
  cases: names.map((id, i) => ({ id, input: i, reference: i % 3, labels: i < 5 ? ['small'] : [] })),
  target: async (ctx) => {
    if (ctx.input === 4) throw new Error('not four');
    if (process.env.MODEL) await fetch(process.env.MODEL + '/v1/chat/completions', {
      method: 'POST',
      body: JSON.stringify({ model: 'gpt-5-mini', messages: [{ role: 'user', content: 'hi ' + ctx.input }] }),
    }).then((answer) => answer.text());
    return ctx.input % 2;
  },
  evaluators: [({ output, reference }) => ({ key: 'exact', passed: output === reference, notes: 'n' })],
});
`;
const other = `
import { evaluation } from 'assay';
export const single = evaluation({ target: (ctx) => ctx.run.params.a ?? 1, evaluators: [() => ({ key: 'k', value: 0.5 })] });
export const body = evaluation({ cases: [{ id: 'x', input: 1 }, { id: 'y', input: 2 }] }, () => {});
`;
const settings = 'scores: { k: { threshold: 0.4 } }\nconfigs:\n  two:\n    params: { a: 2 }\n';

/** A run JSON without what is of one run alone: its identity, times and what follows from them. */
function timeless(run: RunJson): unknown {
  const {
    run_id: _,
    run_name: __,
    created_at,
    started_at,
    updated_at,
    average_latency,
    ...head
  } = run;
  expect([created_at, started_at, updated_at].every(Number.isInteger)).to.equal(true);
  expect(average_latency).to.be.a('number');
  const text = JSON.stringify({
    ...head,
    results: run.results.map(({ result, ...entry }) => ({ ...entry, ...result })),
  });
  return JSON.parse(text, (key, value) =>
    ['latency', 'started_at', 'duration', 'seconds', 'waited', 'at', 'first_token'].includes(key)
      ? typeof value
      : value,
  );
}

describe('assay sessions merge', () => {
  const files = { 'a.eval.ts': tone, 'deep/b.eval.ts': other, 'assay.yaml': settings };
  let project: Project;

  beforeEach(() => {
    project = new ProjectWithoutHosts(files);
  });

  /** Runs all parts into results directories of their own, and answers with these. */
  async function runParts(
    of: number,
    args: readonly string[] = [],
    env: Record<string, string> = {},
  ) {
    const folders = Array.from({ length: of }, (_, at) => `parts/${at + 1}`);
    await Promise.all(
      folders.map(async (folder, at) => {
        const { code, stderr } = await project.assay(
          ['run', '--shard', `${at + 1}/${of}`, '--results-dir', folder, ...args],
          { env },
        );
        expect(code, stderr).to.equal(0);
      }),
    );
    return folders;
  }

  /** The folder of the only run below a results directory. */
  function runFolder(results: string): string {
    const [id = ''] = readdirSync(project.path(results, 'default'));
    return `${results}/default/${id}`;
  }

  async function merge(...args: readonly string[]): Promise<RunJson> {
    const { code, stdout, stderr } = await project.assay(['sessions', 'merge', ...args, '--json']);
    expect(code, stderr).to.equal(0);
    const { run } = await project.exported(JSON.parse(stdout).run_id);
    // The contract of runs without calls.
    if (run.usage === undefined) expect(runProblems(run)).to.deep.equal([]);
    return run;
  }

  async function refusal(...args: readonly string[]): Promise<string> {
    const before = existsSync(project.path('.assay'))
      ? readdirSync(project.path('.assay/sessions'), { recursive: true }).length
      : 0;
    const { code, stdout, stderr } = await project.assay(['sessions', 'merge', ...args]);
    expect(code, stderr).to.equal(2);
    expect(stdout).to.equal('');
    const after = existsSync(project.path('.assay'))
      ? readdirSync(project.path('.assay/sessions'), { recursive: true }).filter(
          (name) => !String(name).endsWith('default'),
        ).length
      : 0;
    expect(after).to.be.at.most(before);
    return stderr;
  }

  it('makes the run that a local run makes, also of filters, with more parts than cases', async () => {
    const args = [
      ...['--run-config', 'two', '--label', 'small', '--trials', '3', '--limit', '2'],
      'a.eval.ts',
    ];
    const whole = await project.run(args);
    const merged = await merge(...(await runParts(3, args)));
    expect(timeless(merged)).to.deep.equal(timeless(whole.run));
    expect(merged).not.to.have.property('shard');
    // It is an ordinary run, to which everything can be done.
    const { run } = await project.run(['--rerun', merged.run_id]);
    expect(run.summary.passes).to.equal(2);
    const first = { ...run, summary: { ...run.summary, passes: 1 } };
    expect(timeless(first)).to.deep.equal(timeless(whole.run));
  });

  it('merges run folders, ids and exported JSON, keeps calls, and leaves the parts as they are', async () => {
    const provider = await startFakeProvider();
    project = new Project(files);
    try {
      const env = { MODEL: provider.url };
      const whole = await project.run([], { env });
      const folders = await runParts(3, ['--run-name', 'nightly'], env);
      expect(project.read(`${runFolder('parts/1')}/results.jsonl`)).to.match(
        /"shard":\{[^}]*"code":"[0-9a-f]{16}"/,
      );
      await project.assay([
        'export',
        runFolder('parts/1'),
        '-f',
        'json',
        '--calls',
        '-o',
        'one.json',
      ]);
      await cp(project.path(runFolder('parts/2')), project.path('copied'), { recursive: true });
      await cp(project.path('parts/3/default'), project.path('.assay/sessions/default'), {
        recursive: true,
      });
      const [third = ''] = readdirSync(project.path('parts/3/default'));
      const before = folders.map((folder) =>
        readFileSync(project.path(runFolder(folder), 'results.jsonl'), 'utf8'),
      );
      const merged = await merge(third, 'one.json', 'copied', '--session', 'night');
      expect(merged).to.include({ run_name: 'nightly', session_name: 'night' });
      // An export with calls says the conversation of a target twice.
      for (const { result } of merged.results)
        Reflect.deleteProperty(result.trace_data, 'messages');
      expect(timeless({ ...merged, session_name: 'default' })).to.deep.equal(timeless(whole.run));
      const calls = async (id: string) => {
        const { stdout } = await project.assay(['export', id, '-f', 'json', '--calls']);
        return (JSON.parse(stdout) as RunJson).results.map(({ result }) =>
          result.calls?.map(({ model_call: call }) => JSON.stringify(call?.messages ?? null)),
        );
      };
      expect(await calls(merged.run_id)).to.deep.equal(await calls(whole.run.run_id));
      expect(
        folders.map((folder) =>
          readFileSync(project.path(runFolder(folder), 'results.jsonl'), 'utf8'),
        ),
      ).to.deep.equal(before);
      await project.assay(['export', runFolder('parts/2'), '-f', 'json', '-o', 'two.json']);
      const { code, stderr } = await project.assay([
        'sessions',
        'merge',
        'one.json',
        'two.json',
        'parts/3',
      ]);
      expect(code).to.equal(0);
      expect(stderr).to.include('two.json was exported without the texts of its calls');
    } finally {
      await provider[Symbol.asyncDispose]();
    }
  });

  it('makes what `latest` means from then on, whatever its parts are named and when they began', async () => {
    const older = await project.run(['deep', '--run-name', 'older']);
    const [one, two] = [1, 2].map((part) => ['deep', '--shard', `${part}/2`]);
    const parts = [await project.run(one), await project.run(two)];
    const merged = await merge(...parts.map(({ run }) => run.run_id));
    const idOf = async (reference: string) => (await project.exported(reference)).run.run_id;
    expect(await idOf('latest')).to.equal(merged.run_id);
    expect(await idOf('previous')).to.equal(older.run.run_id);
    const newer = await project.run(['deep']);
    expect(await idOf('latest')).to.equal(newer.run.run_id);
    expect(await idOf('previous')).to.equal(merged.run_id);
    expect(await idOf(parts[0]?.run.run_id ?? '')).to.equal(parts[0]?.run.run_id);
    await project.assay(['sessions', 'delete-run', merged.run_id, '--yes']);
    expect(await idOf('previous')).to.equal(parts[1]?.run.run_id);
  });

  it('keeps corrections, earlier attempts and several code versions', async () => {
    const folders = await runParts(2);
    const into = ['--results-dir', 'parts/1'];
    project.write('a.eval.ts', `${tone}\n// changed`);
    const again = await project.run(['--rerun', 'latest', '--only', 'failed', ...into]);
    expect(again.run.code_versions).to.have.length(2);
    const merged = await merge(...folders);
    expect(merged.code_versions?.[0]?.codes).to.include(again.run.code_versions?.[0]?.codes[0]);
    const id =
      again.run.results.find(({ result }) => result.code === again.run.code_versions?.[0]?.codes[0])
        ?.id ?? '';
    const shown = await project.assay(['show', merged.run_id, id]);
    expect(shown.code, shown.stderr).to.equal(0);
    expect(shown.stdout).to.include('attempt 2');
  });

  it('makes a group of the parts of variants, and names what groups do not have in common', async () => {
    const variants = ['deep', '--param', 'a=1,2'];
    const folders = await runParts(2, variants);
    const { stdout, stderr } = await project.assay(['sessions', 'merge', ...folders, '--json']);
    const { group, runs } = JSON.parse(stdout);
    expect(runs, stderr).to.have.lengthOf(2);
    const whole = JSON.parse((await project.assay(['run', ...variants, '--json'])).stdout);
    for (const [at, { run_id }] of runs.entries()) {
      const { run } = await project.exported(run_id);
      expect(run.group).to.equal(group);
      const { group: _, group_runs: ids, ...others } = whole.runs[at];
      expect(run.group_runs).to.have.lengthOf(ids?.length ?? 0);
      const { group: __, group_runs: ___, ...made } = run;
      expect(timeless(made)).to.deep.equal(timeless(others));
    }
    expect((await project.assay(['show', group])).stdout).to.match(/a=1 +[\s\S]* a=2 /);
    const named = await project.assay(['sessions', 'merge', ...folders, '--name', 'nightly']);
    expect(named.stdout).to.match(
      /^a=1 \(3 results of 2 parts\) saved as .*\na=2 .*\n2 runs in group nightly\n$/,
    );

    await project.assay([
      'run',
      '--shard',
      '2/2',
      '--results-dir',
      'other',
      'deep',
      '--param',
      'a=1,3',
    ]);
    expect(await refusal('parts/1', 'other')).to.match(
      /The group \S+ of \S*parts\/1\S* has the variant a=2, and the group \S+ of \S*other\S* has not\./,
    );
    await project.assay(['run', '--shard', '2/2', '--results-dir', 'alone', 'deep']);
    expect(await refusal('parts/1', 'alone')).to.match(
      /is of a group of variants, and \S*alone\S* is of none/,
    );
  });

  it('refuses parts of different wholes, that lost results or never started, and says why', async () => {
    await runParts(2, ['deep']);
    const log = join(runFolder('parts/2'), 'results.jsonl');
    const text = project.read(log);
    const { shard } = JSON.parse(text.slice(0, text.indexOf('\n')));
    // What of a run changes which of these is tested with the function that takes a part.
    const others: readonly [change: object, config: string, expected: string][] = [
      [{ of: 3 }, 'default', 'part 1 of 2 and part 2 of 3'],
      [{ plan: 'x', cases: 5 }, 'default', 'the whole has 3 cases and 5 cases'],
      [{ plan: 'x' }, 'default', 'their cases or trials differ'],
      [{ config: 'x' }, 'two', 'their run configs are "default" and "two"'],
      [{ config: 'x' }, 'default', 'their settings or params differ'],
      [{ part: 1 }, 'default', 'are both part 1 of 2.'],
      [{ balance: 'x' }, 'default', 'their --baseline differs'],
      [{ code: 'x' }, 'default', ' are parts of different runs: their code differs.'],
    ];
    for (const [change, config, expected] of others) {
      const other = text
        .replace(JSON.stringify(shard), JSON.stringify({ ...shard, ...change }))
        .replace('"config_name":"default"', `"config_name":"${config}"`);
      expect(other).not.to.equal(text);
      project.write(log, other);
      expect(await refusal('parts/1', 'parts/2')).to.include(expected);
    }
    expect(await refusal('parts/1', 'parts/2')).to.include('Run all parts from the same commit');
    project.write(log, text.replace(`,"shard":${JSON.stringify(shard)}`, ''));
    expect(await refusal('parts/1', 'parts/2')).to.include('is not a part of a run.');
    project.write(log, text);
    expect(await refusal('parts/1')).to.include('Part 2 of 2 is missing.');
    expect(await refusal('parts/nothing')).to.include('parts/nothing');
    expect(await refusal('parts/1', 'parts/2', '--name', '')).to.match(/name/);
    await project.assay(['export', runFolder('parts/1'), '-f', 'json', '-o', 'some.json']);
    const some = JSON.parse(project.read('some.json'));
    project.write('some.json', JSON.stringify({ ...some, part_of: 12 }));
    expect(await refusal('some.json', 'parts/2')).to.include('has only some results');

    // Lost results, and parts that are running or never started.
    const first = project.path(runFolder('parts/1'), 'results.jsonl');
    const whole = readFileSync(first, 'utf8');
    writeFileSync(first, whole.replace('{"type":"planned"', '{"type":"plan?ed"'));
    expect(await refusal('parts/1', 'parts/2')).to.include('some results are lost');
    writeFileSync(first, whole.slice(0, whole.indexOf('{"type":"scheduled"')));
    expect(await refusal('parts/1', 'parts/2')).to.include('has not started');
    writeFileSync(first, whole.slice(0, whole.indexOf('{"type":"finished"')));
    const { code, stderr } = await project.assay(['sessions', 'merge', 'parts/1', 'parts/2']);
    expect(code).to.equal(0);
    expect(stderr).to.match(/part 1 of 2: \d+ results not finished/);
    const gated = await project.assay(['sessions', 'gate', 'latest', '--fail-under', '0.1']);
    expect(gated.code).to.equal(2);
    expect(gated.stderr).to.match(/\d+ of 3 results have not finished \(exit code 2\)/);
  });
});
