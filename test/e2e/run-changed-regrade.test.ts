import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { Project } from '../helpers/project.js';
import { fewOf } from '../helpers/rounds.js';
import { runProblems } from '../helpers/run-shape.js';

/** An evaluation whose target notes each call; its grading is in `graders.ts`. */
const withGrading = (name: string, target: string, more = '') => `
  export const ${name} = evaluation({
    ${more}
    target: (ctx) => {
      appendFileSync('called.log', '${name}\\n');
      ${target}
    },
    evaluators: [grade],
  });`;

const evalFile = `
  import { appendFileSync } from 'node:fs';
  import { evaluation } from 'assay';
  import { grade } from './graders.js';
  import { shared } from './shared.js';
  ${withGrading('plain', 'return [ctx.input, { a: 1 }];', "cases: [{ id: 'one', input: 'x' }, { id: 'two', input: 'y' }],")}
  ${withGrading('dated', 'return String(ctx.input.getTime());', 'input: new Date(0),')}
  ${withGrading('instance', "return new URL('https://a.example');")}
  ${withGrading('secret', 'return process.env.APP_TOKEN;')}
  ${withGrading('large', "return 'x'.repeat(40) + ctx.input.join();", 'input: Array.from({ length: 20 }, (_, i) => i),')}
  ${withGrading('own', "ctx.hidden = 'x'; return 1;")}
  ${withGrading('changing', 'ctx.input.list.push(1); return 1;', 'input: { list: [] },')}
  ${withGrading('freezing', 'Object.freeze(ctx.input.list); return 1;', 'input: { list: [] },')}
  ${withGrading('hinting', "Object.defineProperty(ctx.reference, 'hint', { value: 1 }); return 1;", 'reference: {},')}
  ${withGrading('proxied', 'return { counts: new Proxy({ a: 1 }, {}) };')}
  ${withGrading('remembering', "shared.set('a', 1); return 1;")}
  export const rewriting = evaluation({
    target: () => {
      appendFileSync('called.log', 'rewriting\\n');
      return { text: 'a' };
    },
  }, (ctx) => {
    ctx.output.text += '!';
    ctx.score(grade(ctx));
  });
  export const remembered = evaluation({
    target: () => {
      appendFileSync('called.log', 'remembered\\n');
      shared.set('b', 1);
      return 1;
    },
    evaluators: [function state() { return shared.size >= 0 && grade({}); }],
  });`;

const files = {
  'a.eval.ts': evalFile,
  'graders.ts':
    "export const grade = (_: object) => ({ key: 'grade', passed: true });\nexport const other = 1;\n",
  'shared.ts': 'export const shared = new Map();\n',
};

describe('assay run --changed, when grading has changed', () => {
  it('grades stored outputs again where they are exact and nothing else connects them', async () => {
    const project = new Project(files);
    const env = { APP_TOKEN: 'a-very-secret-value-of-the-app' };
    const run = async (...args: readonly string[]) => {
      project.write('called.log', '');
      return await project.run(args, { env });
    };
    const first = await run();
    const originOf = { run_id: first.run.run_id, run_name: first.run.run_name };

    project.write('graders.ts', files['graders.ts'].replace('passed: true', 'passed: false'));
    const list = await project.assay(['run', '--changed', '--list'], { env });
    assert.match(
      list.stdout,
      /a\.eval\.ts::plain\[one\] .*regrade: graders\.ts \(grade\)$/m,
      list.stdout + list.stderr,
    );
    const second = await run('--changed');
    assert.deepEqual(project.newLines('called.log'), [
      ...['changing', 'freezing', 'hinting', 'instance', 'own', 'proxied', 'remembered'],
      ...['rewriting', 'secret'],
    ]);
    assert.deepEqual(runProblems(second.run), []);
    const reason = 'graders.ts (grade)';
    for (const id of ['plain[one]', 'plain[two]', 'dated', 'large', 'remembering']) {
      const { origin, scores, output, ...rest } = second.result(id);
      assert.deepEqual(origin, { ...originOf, kind: 'regraded' }, id);
      assert.equal(rest.reason, reason, id);
      assert.deepEqual(
        scores.map(({ passed }) => passed),
        [false],
        id,
      );
      assert.deepEqual(output, first.result(id).output, id);
    }

    const shown = await project.assay(['show', 'latest', 'a.eval.ts::plain[one]'], { env });
    assert.match(shown.stdout, /regraded, output from \S+ · reason: graders\.ts \(grade\)/);
    project.write('run.json', JSON.stringify(second.run));
    const imported = await project.assay(['sessions', 'import', 'run.json', '--session', 'other']);
    assert.equal(imported.code, 0, imported.stderr);
    const copy = (await project.exported('latest')).result('plain[one]');
    assert.deepEqual([copy.reason, copy.origin?.kind], [reason, 'regraded']);

    assert.match(second.stderr, /14 cases, 9 to run, 5 to regrade · /);
    const from = first.run.run_name;
    assert.match(second.stderr, new RegExp(`14 cases · 9 ran · 5 regraded from ${from} · `));
    const upToDate = await project.assay(['run', '--rerun', 'latest', '--only', 'changed'], {
      env,
    });
    assert.match(upToDate.stderr, /14 cases · 0 ran · 0 passed/);

    // What was regraded can be carried, and graded again.
    const third = await run('--changed');
    assert.deepEqual(project.newLines('called.log'), []);
    assert.deepEqual(third.result('plain[one]').origin, { ...originOf, kind: 'carried' });
    assert.equal(third.result('plain[one]').reason, undefined);
    project.write('graders.ts', files['graders.ts'].replace('passed: true', 'value: 0.5'));
    const fourth = await run('--changed');
    assert.ok(!project.newLines('called.log').includes('plain'));
    assert.deepEqual(fourth.result('plain[one]').origin, { ...originOf, kind: 'regraded' });
    assert.equal(fourth.result('plain[one]').reason, reason);
    assert.equal(fourth.result('own').reason, reason, 'it ran');
    assert.equal(fourth.result('plain[one]').scores[0]?.value, 0.5);
    // Nobody asked whether anything had changed.
    const again = await run('--regrade', 'latest');
    assert.deepEqual(again.result('plain[one]').origin, { ...originOf, kind: 'regraded' });
    assert.equal(again.result('plain[one]').reason, undefined);

    project.write('graders.ts', files['graders.ts']);
    const mixed = await project.assay(['run', '--changed', 'a.eval.ts'], { env });
    // Each earlier result of the run with this grading fits again.
    assert.match(mixed.stderr, /14 cases · 0 ran · 14 carried/);
  });

  it('brings a run up to date in place, with --rerun and --only changed', async () => {
    const project = new Project({
      'a.eval.ts': `
        import { appendFileSync } from 'node:fs';
        import { evaluation } from 'assay';
        import { grade } from './graders.js';
        import { text } from './prompt.js';
        ${withGrading('plain', 'return ctx.input;', "cases: [{ id: 'one', input: 'x' }, { id: 'two', input: 'y' }],")}
        ${withGrading('worded', 'return text;')}
        export const bare = evaluation({ target: () => 1, evaluators: [() => true] });`,
      'graders.ts': files['graders.ts'],
      'prompt.ts': "export const text = 'one';",
    });
    const rerun = async (...args: readonly string[]) => {
      project.write('called.log', '');
      const ran = await project.assay(['run', '--rerun', 'latest', '--only', 'changed', ...args]);
      const calls = project.read('called.log').split('\n').filter(Boolean).sort();
      return { ...ran, calls };
    };
    const first = await project.run();
    const none = await rerun();
    assert.equal(none.code, 0, none.stderr);
    assert.match(none.stderr, /Nothing of \S+ has changed\./);
    assert.deepEqual(none.calls, []);

    project.write('graders.ts', files['graders.ts'].replace('passed: true', 'passed: false'));
    project.write('prompt.ts', "export const text = 'two';");
    const second = await rerun();
    assert.deepEqual(second.calls, ['worded'], second.stderr);
    assert.match(second.stderr, /4 cases · 1 ran · 2 regraded · 1 passed/);
    const run = await project.exported(first.run.run_id);
    assert.deepEqual(runProblems(run.run), []);
    assert.equal(run.result('worded').output, 'two');
    const reasons = ['plain[one]', 'worded', 'bare'].map((id) => run.result(id).reason);
    assert.deepEqual(reasons, ['graders.ts (grade)', 'prompt.ts (text)', undefined]);
    const passed = ['plain[one]', 'plain[two]', 'worded', 'bare'].map(
      (id) => run.result(id).scores[0]?.passed,
    );
    assert.deepEqual(passed, [false, false, false, true]);
    assert.deepEqual(run.result('plain[one]').started_at, first.result('plain[one]').started_at);
    assert.deepEqual((await rerun()).calls, []);

    // A case that is new, and one with another timeout.
    const evals = project.read('a.eval.ts');
    project.write(
      'a.eval.ts',
      evals
        .replace(
          "{ id: 'two', input: 'y' }",
          "{ id: 'two', input: 'y' }, { id: 'three', input: 'z' }",
        )
        .replace(
          'export const worded = evaluation({',
          'export const worded = evaluation({ timeout: 9,',
        ),
    );
    const third = await rerun();
    assert.deepEqual(third.calls, ['plain', 'worded']);
    assert.match(third.stderr, /5 cases · 2 ran · 1 passed/);
    assert.deepEqual((await rerun()).calls, []);
    project.write('a.eval.ts', evals);
    assert.deepEqual((await rerun()).calls, ['worded'], 'it ran with another timeout');

    const refused = await project.assay(['run', '--rerun', 'latest', '--only', 'changed,failed']);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /--only changed goes with --rerun, and with no other state/);
  });

  it('grades again what shares a package with its target that the settings call stateless', async () => {
    const manifest =
      '{ "name": "@own/kit", "version": "1.0.0", "type": "module", "exports": "./index.js" }';
    const evals = (most: number) => `
      import { evaluation } from 'assay';
      import { kit } from '@own/kit';
      export const shared = evaluation({
        target: () => kit(1),
        evaluators: [function grade({ output }) { return kit(output) < ${most}; }],
      });`;
    const project = new Project({
      'node_modules/@own/kit/package.json': manifest,
      'node_modules/@own/kit/index.js': 'export const kit = (x) => x;',
      'a.eval.ts': evals(5),
    });
    const kindAfter = async (most: number) => {
      project.write('a.eval.ts', evals(most));
      return (await project.run(['--changed'])).result('shared').origin?.kind;
    };
    await project.run();
    assert.equal(await kindAfter(6), undefined);
    project.write('assay.yaml', "stateless_packages: ['@own/kit']");
    // Runs of before did not know it.
    assert.equal(await kindAfter(7), undefined);
    assert.equal(await kindAfter(8), 'regraded');
  });

  it('keeps what it knows of modules in a file, and does without it', async () => {
    const project = new Project(files);
    const path = '.assay/sessions/.code-cache.json';
    await project.run();
    const text = project.read(path);
    const { ino } = statSync(project.path(path));
    const list = async () =>
      (await project.assay(['run', '--changed', '--list'])).stdout.match(/carried from/g)?.length;
    assert.equal(await list(), 14);
    assert.equal(statSync(project.path(path)).ino, ino, 'nothing is new');
    for (const damaged of fewOf(['', text.slice(0, -20), text.replace('"rest"', '"r*st"')], 1)) {
      project.write(path, damaged);
      assert.equal(await list(), 14);
      assert.equal(project.read(path), text);
    }
    project.write(path, text.replace(/facts \d+/, 'facts 0'));
    project.write('graders.ts', `// Only a comment.\n${files['graders.ts']}`);
    assert.equal(await list(), 14);
    project.write('graders.ts', files['graders.ts'].replace('other = 1', 'other: number = 2'));
    assert.equal(await list(), 14, 'nobody uses it');
  });
});
