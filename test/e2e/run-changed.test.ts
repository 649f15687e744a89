import assert from 'node:assert/strict';
import { appendFileSync, readdirSync } from 'node:fs';
import { type JsonRun, Project, until } from '../helpers/project.js';
import { runProblems } from '../helpers/run-shape.js';

const files = {
  'prompts/refund.md': 'Refund.',
  'evals/lib.ts': 'export const up = (text: string) => text.toUpperCase();\n',
  'evals/a.eval.ts': `
    import { appendFileSync, readFileSync } from 'node:fs';
    import { evaluation } from 'assay';
    import { up } from './lib.js';
    export const refund = evaluation({
      cases: [
        { id: 'one', input: 'x', reference: 'REFUND.X' },
        { id: 'two', input: 'y', reference: 'no' },
      ],
      target: ({ input }) => {
        appendFileSync('called.log', 'refund\\n');
        return up(readFileSync('prompts/refund.md', 'utf8') + input);
      },
      evaluators: [function exact({ output, reference }) { return output === reference; }],
    });`,
  'evals/b.eval.ts': `
    import { appendFileSync } from 'node:fs';
    import { evaluation } from 'assay';
    export const plain = evaluation({
      input: 1,
      target: ({ input, params }) => {
        appendFileSync('called.log', 'plain\\n');
        return { input, mode: process.env.APP_MODE ?? null, params };
      },
      evaluators: [function there({ output }) { return output !== undefined; }],
    });`,
};

/** The evaluations that a command calls, sorted. */
async function calledBy(project: Project, work: () => Promise<unknown>): Promise<string[]> {
  project.newLines('called.log');
  await work();
  return project.newLines('called.log');
}

const changed = ['run', '--changed'];

describe('assay run --changed', () => {
  let ran: Project;
  let first: JsonRun;
  before(async () => {
    ran = new Project(files);
    first = await ran.run();
  });

  it('carries everything over when nothing has changed, with where it comes from', async () => {
    const project = ran.copy();
    let second = first;
    const calls = await calledBy(project, async () => {
      second = await project.run(['--changed']);
    });
    assert.deepEqual(calls, []);
    const { run_id, run_name } = first.run;
    assert.deepEqual(
      second.run.results.map(({ result }) => result.origin),
      Array(3).fill({ run_id, run_name, kind: 'carried' }),
    );
    const without = (run: typeof first) =>
      run.run.results.map((entry) => ({ ...entry, result: { ...entry.result, origin: null } }));
    assert.deepEqual(without(second), without(first));
    assert.deepEqual(runProblems(second.run), []);
    assert.equal(second.run.state, 'finished');

    const list = await project.assay([...changed, '--list']);
    assert.equal(list.stdout.match(new RegExp(` carried from ${run_name}$`, 'gm'))?.length, 3);

    const third = await project.assay([...changed, '--fail-on', 'carried']);
    assert.equal(third.code, 1, third.stderr);
    assert.match(
      third.stderr,
      new RegExp(`3 cases · 0 ran · 3 carried from ${run_name} · 2 passed`),
    );
    assert.match(third.stderr, /✗ 3 of 3 results are carried over from other runs/);

    project.write('run.json', (await project.assay(['export', 'latest', '-f', 'json'])).stdout);
    const copy = await project.assay(['sessions', 'import', 'run.json']);
    assert.equal(copy.code, 0, copy.stderr);
    const imported = await project.exported('latest');
    assert.equal(imported.result('plain').origin?.run_id, run_id);
  });

  it('says how many run where all do, and nothing of versions where all are up to date', async () => {
    const project = new Project({
      'words.ts': 'export const up = () => 1;\nexport const down = () => 2;\n',
      'a.eval.ts': `
        import { evaluation } from 'assay';
        import { down, up } from './words.js';
        export const ups = evaluation({ input: 1, target: () => up() });
        export const downs = evaluation({ input: 1, target: () => down() });`,
    });
    const reporting = ['--reporter', 'github'];
    const env = { GITHUB_STEP_SUMMARY: project.path('summary.md') };
    const first = await project.assay([...changed], { env });
    assert.match(first.stderr, /^a\.eval\.ts · 2 cases, 2 to run · session/);
    const edited = (name: string) => {
      const text = project.read('words.ts');
      project.write('words.ts', text.replace(`${name} = () => `, `${name} = () => 1`));
    };
    edited('up');
    const all = await project.assay(
      ['run', '--rerun', 'latest', '--only', 'changed', ...reporting],
      { env },
    );
    assert.match(all.stderr, /2 cases · 1 ran/);
    for (const text of [all.stderr, project.read('summary.md')]) {
      assert.doesNotMatch(text, /code versions/);
    }
    edited('up');
    edited('down');
    const one = ['run', '--rerun', 'latest', '--only', 'changed', 'a.eval.ts::ups'];
    const part = await project.assay([...one, ...reporting], { env });
    assert.match(part.stderr, /results of 2 code versions: 1 of the newest, 1 older/);
    assert.match(project.read('summary.md'), /results of 2 code versions/);
  });

  it('runs what an edit can have changed, and says why', async () => {
    const project = ran.copy();
    project.write('prompts/refund.md', 'Refund it.');
    const list = await project.assay([...changed, '--list']);
    assert.match(list.stdout, /a\.eval\.ts::refund\[one\].* run: prompts\/refund\.md$/m);
    assert.match(list.stdout, /b\.eval\.ts::plain.* carried from \S+$/m);
    assert.match(
      list.stderr,
      /run +2 {3}prompts\/refund\.md: refund \(2\)\n +carry +1 {3}from \S+/,
    );
    const json = await project.assay([...changed, '--list', '--json']);
    const { evaluations } = JSON.parse(json.stdout) as { evaluations: { changed: object }[] };
    assert.deepEqual(evaluations[0]?.changed, { action: 'run', reason: 'prompts/refund.md' });

    const run = (args: readonly string[] = []) =>
      calledBy(project, () => project.run(['--changed', ...args]));
    assert.deepEqual(await run(), ['refund', 'refund']);

    project.write('prompts/refund.md', files['prompts/refund.md']);
    assert.deepEqual(await run(), [], 'an older result fits again');

    project.write(
      'evals/a.eval.ts',
      files['evals/a.eval.ts'].replace("id: 'two', input: 'y'", "id: 'three', input: 'z'"),
    );
    const mixed = await project.run(['--changed']);
    assert.match(mixed.stderr, /3 cases · 1 ran · 2 carried from/);
    const report = await project.assay(['export', 'latest', '-f', 'md']);
    assert.match(
      report.stdout,
      /- Results of 2 code .*: 2 of the newest, 1 older \(carried over\)\n/,
    );
    assert.equal(mixed.run.code_versions?.length, 2);
    assert.doesNotMatch(mixed.stderr, /code versions/, 'what was carried is up to date');
    project.write('assay.yaml', 'configs:\n  default:\n    params: { k: 1, a: 2 }\n');
    assert.deepEqual(await run(), ['plain', 'refund', 'refund']);
  });

  it('says that it has looked at the last runs only', async () => {
    const project = ran.copy();
    project.backdate(first.run.run_id);
    const { run_id } = (await project.run(['evals/a.eval.ts'])).run;
    const log = (id: string) => `.assay/sessions/default/${id}/results.jsonl`;
    const text = project.read(log(run_id));
    for (let copy = 1; copy < 8; copy += 1) {
      const id = `${copy}${run_id.slice(1)}`.replace(run_id, `8${run_id.slice(1)}`);
      project.write(log(id), text.replaceAll(run_id, id));
    }
    const { stdout } = await project.assay([...changed, '--list']);
    assert.match(stdout, /b\.eval\.ts::plain.* run: no result in the last 8 runs$/m);
  });

  it('says why it is refused for a run that is not saved', async () => {
    const { code, stderr } = await new Project(files).assay(['run', '--changed', '--no-save']);
    assert.equal(code, 2);
    assert.match(stderr, /^✗ --changed cannot be used with --no-save: a run that is not saved /);
  });

  it('leaves what was carried over out of the tests of comparisons and gates', async () => {
    const project = new Project(files);
    const { run: first } = await project.run(['--bless', 'b.json']);
    project.write('prompts/refund.md', 'Refund it.');
    await project.run(['--changed']);
    const said = '1 of 3 pairs carried, left out of the tests';
    const compare = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await project.assay(['compare', ...args]);
      assert.equal(code, 0, stderr);
      return stdout;
    };
    for (const base of [first.run_id, 'b.json']) {
      assert.ok((await compare(base, 'latest')).includes(said), base);
      assert.ok((await compare(base, 'latest', '--format', 'md')).includes(said), base);
      const { runs, comparisons } = JSON.parse(await compare(base, 'latest', '--json'));
      assert.equal(comparisons[0].carried, 1);
      assert.equal(comparisons[0].pass_rate.pairs, 2);
      assert.equal(comparisons[0].changes.same, 1);
      assert.equal(runs[1].pass_rate.total, 3, 'the rate is that of the whole run');
    }
    const gate = ['--fail-on', 'regression', '--baseline'];
    const judged = await project.assay(['sessions', 'gate', 'latest', ...gate, 'b.json']);
    assert.equal(judged.code, 0, judged.stderr);
    assert.ok(judged.stderr.includes(`than in the baseline; ${said}`), judged.stderr);

    const third = await project.assay(['run', '--changed', ...gate, 'latest']);
    assert.equal(third.code, 0, third.stderr);
    assert.match(third.stderr, /✓ nothing is worse.*; all 3 pairs carried, nothing to test/);
  });

  it('runs errors again, and only the trials that are missing', async () => {
    const project = new Project({
      'e.eval.ts': `
        import { appendFileSync } from 'node:fs';
        import { evaluation } from 'assay';
        export const broken = evaluation({ target: () => {
          appendFileSync('called.log', 'broken\\n');
          throw new Error('no');
        } });
        export const fine = evaluation({ target: () => {
          appendFileSync('called.log', 'fine\\n');
          return 1;
        } });`,
    });
    const run = (...args: readonly string[]) => calledBy(project, () => project.run(args));
    await run('--trials', '2');
    assert.deepEqual(await run('--changed', '--trials', '4'), [
      ...Array(4).fill('broken'),
      ...Array(2).fill('fine'),
    ]);
  });

  it('takes only results of the run that is named, and keeps corrections', async () => {
    const project = ran.copy();
    const log = `.assay/sessions/default/${first.run.run_id}/results.jsonl`;
    const at = new Date().toISOString();
    const scores = { before: [], after: [{ key: 'exact', passed: true, source: 'human' }] };
    const annotation = { before: '', after: 'looked at' };
    appendFileSync(
      project.path(log),
      `${JSON.stringify({ type: 'edited', index: 1, at, annotation, scores })}\n`,
    );
    project.write('prompts/refund.md', 'Other.');
    const second = await project.run();
    project.write('prompts/refund.md', files['prompts/refund.md']);
    const since = await project.run(['--changed', '--since', second.run.run_id]);
    assert.equal(since.result('refund[two]').origin, undefined);
    const fitting = await project.run(['--changed', '--since', first.run.run_id]);
    const carried = fitting.result('refund[two]');
    assert.equal(carried.origin?.run_id, first.run.run_id);
    assert.equal(carried.annotation, 'looked at');
    assert.deepEqual(carried.scores, scores.after);
    assert.equal(carried.correction_history.length, 2);
  });

  it('decides about the rows of a part, and takes nothing from merged parts', async () => {
    const project = ran.copy();
    project.write('evals/lib.ts', 'export const up = (text: string) => text.trim();\n');
    const part = (of: string) => calledBy(project, () => project.run(['--changed', '--shard', of]));
    assert.deepEqual(await part('1/2'), ['refund']);
    assert.deepEqual(await part('2/2'), ['refund']);
    const parts = readdirSync(project.path('.assay/sessions/default'));
    const merged = await project.assay([
      ...['sessions', 'merge', ...parts.filter((id) => id !== first.run.run_id)],
      '--json',
    ]);
    assert.equal(merged.code, 0, merged.stderr);
    const { run_id } = JSON.parse(merged.stdout) as { run_id: string };
    const run = await project.exported(run_id);
    assert.deepEqual(runProblems(run.run), []);
    assert.equal(run.result('plain').origin?.run_id, first.run.run_id);
    assert.equal(run.result('refund[two]').origin, undefined);
    const since = () => calledBy(project, () => project.run(['--changed', '--since', run_id]));
    assert.deepEqual(await since(), ['plain', 'refund', 'refund']);
  });

  it('follows case files, files that a shared module has read, and the inputs of processes', async () => {
    const noted = 'const note = (text) => appendFileSync("called.log", text + "\\n");';
    const reading = (name: string) => `
      import { appendFileSync } from 'node:fs';
      import { evaluation } from 'assay';
      import { prompt } from './prompt.js';
      ${noted}
      export const ${name} = evaluation({ target: () => { note('${name}'); return prompt(); } });`;
    const starting = (name: string, inputs: string) => `
      import { execFileSync } from 'node:child_process';
      import { appendFileSync } from 'node:fs';
      import { evaluation } from 'assay';
      ${noted}
      const cat = (name) => { note(name); return String(execFileSync('cat', ['data/one.txt'])); };
      const shelled = evaluation.extend({ inputs: ${inputs} });
      export const ${name} = shelled({ target: () => cat('${name}'), evaluators: [() => true] });
      export const bare = evaluation({ target: () => cat('bare') });`;
    const [wide, narrow] = ["['data', '!data/*.log']", "['data/one.txt']"];
    const project = new Project({
      'cases.eval.ts': `
        import { appendFileSync } from 'node:fs';
        import { evaluation, fromCsv } from 'assay';
        ${noted}
        const call = (name) => ({ input }) => note(name + ' ' + input);
        export const plain = evaluation({ cases: fromCsv('cases.csv'), target: call('plain') });
        export const mapped = evaluation({
          cases: fromCsv('mapped.csv', { map: (row) => ({ id: row.id, input: row.text }) }),
          target: call('mapped'),
        });`,
      'cases.csv': 'id,input\na,1\nb,2\n',
      'mapped.csv': 'id,text\na,1\nb,2\n',
      'first.eval.ts': reading('first'),
      'second.eval.ts': reading('second'),
      'prompt.ts': `
        import { readFile } from 'node:fs/promises';
        let text;
        text = await readFile(new URL('./prompt.txt', import.meta.url), 'utf8');
        export const prompt = () => text;`,
      'prompt.txt': 'one',
      'wide.eval.ts': starting('wide', wide),
      'narrow.eval.ts': starting('narrow', narrow),
      'data/one.txt': '1',
      'data/deep/two.txt': '2',
      'data/own.log': '3',
      // An input of it changes while it runs.
      'changing.eval.ts': `
        import { execSync } from 'node:child_process';
        import { appendFileSync } from 'node:fs';
        import { evaluation } from 'assay';
        ${noted}
        export const changing = evaluation({
          cases: [{ id: 'a' }, { id: 'b' }],
          inputs: ['changing.txt'],
          target: ({ caseId }) => {
            note('changing ' + caseId);
            return execSync('sed -i s/x/xx/ changing.txt; cat changing.txt').length;
          },
        });`,
      'changing.txt': 'x',
    });
    const always = ['bare', 'bare', 'changing a', 'changing b'];
    const expectCalled = async (...names: readonly string[]) => {
      const called = await calledBy(project, () => project.run(['--changed', '-c', '1']));
      assert.deepEqual(called, [...always, ...names].sort());
    };
    const cases = ['mapped 1', 'mapped 2', 'plain 1', 'plain 2'];
    await expectCalled(...cases, 'first', 'second', 'wide', 'narrow');
    project.write('cases.csv', 'id,input\na,1\nb,3\nc,4\n');
    project.write('mapped.csv', 'id,text\na,1\nb,3\n');
    project.write('prompt.txt', 'two');
    project.write('data/own.log', 'III');
    await expectCalled('plain 3', 'plain 4', 'mapped 3', 'first', 'second');
    project.write('data/one.txt', 'I');
    const list = await project.assay([...changed, '--list']);
    assert.match(list.stdout, /wide .*run: data\/one\.txt/);
    await expectCalled('wide', 'narrow');
    project.write('data/deep/three.txt', '3');
    await expectCalled('wide');
    // Grading runs again with the target: it may depend on what a process has left behind.
    project.write('wide.eval.ts', starting('wide', wide).replace('() => true', '() => 1 > 0'));
    project.write('narrow.eval.ts', starting('narrow', "['data/one.txt', 'data/deep']"));
    await expectCalled('wide', 'narrow');
  });

  it('names inputs that no file matches, or whose changes are not noticed', async () => {
    const project = new Project({
      'p.eval.ts':
        "import { evaluation } from 'assay'; export const a = evaluation({ inputs: ['toolz/**'] });",
      'q.eval.ts':
        "import { evaluation } from 'assay'; export const a = evaluation({ inputs: ['.assay/x'] });",
      'r.eval.ts':
        "import { evaluation } from 'assay'; export const a = evaluation({ inputs: 'tools' });",
      's.eval.ts':
        "import { evaluation } from 'assay'; export const a = evaluation({ inputs: [process.execPath.replaceAll('\\\\', '/')] });",
      '.assay/x': '',
    });
    const { stderr, code } = await project.assay(['run']);
    assert.equal(code, 2);
    const noFile = '"inputs": no file outside of node_modules, .git and .assay matches';
    assert.ok(stderr.includes(`${noFile} "toolz/**"`), stderr);
    assert.ok(stderr.includes(`${noFile} ".assay/x"`), stderr);
    assert.match(stderr, /s\.eval\.ts.*"inputs": \S+ is outside of the project/s);
    assert.match(
      stderr,
      /"inputs" must be an array of globs, such as \['tools\/\*\*'\], not "tools"/,
    );
  });

  it('runs what a killed run has not finished, and what a damaged log cannot say', async () => {
    const project = new Project({
      ...files,
      'evals/slow.eval.ts': `
        import { evaluation } from 'assay';
        import { setTimeout } from 'node:timers/promises';
        export const slow = evaluation({ target: async () => {
          if (process.env.HANG === '1') await setTimeout(60_000);
          return 1;
        } });`,
    });
    const running = project.start(['run'], { env: { HANG: '1' } });
    const isWritten = () =>
      project.finishedResults() === 3 && project.savedText().includes('"type":"code"');
    await until(isWritten, 'the results and the code');
    running.child.kill('SIGKILL');
    await running.ended;
    assert.deepEqual(await calledBy(project, () => project.run(['--changed'])), []);
    const [latest] = readdirSync(project.path('.assay/sessions/default'));
    const log = `.assay/sessions/default/${latest}/results.jsonl`;
    project.write(log, project.read(log).replaceAll('"type":"code"', '"type":"c*de"'));
    const again = await project.run(['--changed', '--since', latest ?? '']);
    assert.ok(again.run.results.every(({ result }) => result.origin === undefined));
  });

  it('finds the code of results in another process where theirs has ended', async () => {
    const project = new Project({
      'a.eval.ts': `
        import { evaluation } from 'assay';
        export const ok = evaluation({ input: 1, target: ({ input }) => input });`,
      'b.eval.ts': `
        import { evaluation } from 'assay';
        export const stuck = evaluation({ timeout: 0.3, target: () => { for (;;); } });
        export const exits = evaluation({ target: () => process.exit(3) });`,
    });
    const { stderr } = await project.run();
    assert.doesNotMatch(stderr, /not analysed/);
    const { stdout } = await project.assay([...changed, '--list']);
    assert.match(stdout, /::ok .*carried from/);
  });

  it('says how many results have code that was not analysed, and why', async () => {
    const project = new Project({
      // Reading it takes far longer than the attempts.
      'large.js': Array.from({ length: 20_000 }, (_, n) => `export const f${n} = () => [1];`).join(
        '\n',
      ),
      'a.eval.ts': `
        import { existsSync, writeFileSync } from 'node:fs';
        import { setTimeout } from 'node:timers/promises';
        import { evaluation } from 'assay';
        import './large.js';
        const die = () => process.kill(process.pid, 'SIGKILL');
        if (existsSync('died')) die();
        export const ok = evaluation({ cases: [{ id: 'a' }, { id: 'b' }], target: () => 1 });
        export const dies = evaluation({ target: async () => {
          await setTimeout(50);
          writeFileSync('died', '');
          die();
        } });`,
    });
    const { stderr } = await project.run(['-c', '1']);
    assert.match(
      stderr,
      /The code of 2 results was not analysed: its process has ended\. --changed will run them again/,
    );
  });
});
