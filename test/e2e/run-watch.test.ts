import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { blockForever } from '../helpers/blocking.js';
import { Project, type Running, type StartOptions, until } from '../helpers/project.js';

const refund = (more = '') => `
  import { readFileSync } from 'node:fs';
  import { evaluation } from 'assay';
  import { up } from '../lib/up.js';
  ${more}
  export const refund = evaluation({
    cases: [
      { id: 'one', input: 'x', reference: 'REFUND.X' },
      { id: 'two', input: 'y', reference: 'no' },
    ],
    target: ({ input }) => up(readFileSync('prompts/refund.md', 'utf8') + input),
    evaluators: [function exact({ output, reference }) { return output === reference; }],
  });`;

const plain = `
  import { evaluation } from 'assay';
  export const plain = evaluation({
    input: 1,
    target: () => process.env.APP_MODE ?? 'none',
    evaluators: [() => true],
  });`;

const files = {
  'prompts/refund.md': 'Refund.',
  'lib/up.ts': 'export const up = (text: string) => text.toUpperCase();\n',
  'evals/a.eval.ts': refund(),
  'evals/b.eval.ts': plain,
};

/** An import says in the folder `GATE` that it has begun, and waits there while `closed` exists. */
const gated = {
  ...Object.fromEntries(
    ['one', 'two', 'three'].map((name) => [`lib/${name}.ts`, 'export default 1;\n']),
  ),
  'evals/a.eval.ts': `
    import { existsSync, writeFileSync } from 'node:fs';
    import { join } from 'node:path';
    import { setTimeout } from 'node:timers/promises';
    import { evaluation } from 'assay';
    import one from '../lib/one.js';
    import three from '../lib/three.js';
    import two from '../lib/two.js';
    const inGate = (name: string) => join(process.env.GATE ?? '', name);
    writeFileSync(inGate('begun'), 'yes');
    while (existsSync(inGate('closed'))) await setTimeout(10);
    export const sum = evaluation({
      input: 1,
      target: () => one + two + three,
      evaluators: [() => true],
    });`,
};

/** A run that watches; `next` does something and resolves with what stderr says of the round that follows. */
class Watching {
  readonly running: Running;
  #read = 0;

  constructor(project: Project, args: readonly string[] = [], env: StartOptions['env'] = {}) {
    this.running = project.start(['run', '--watch', ...args], { env });
  }

  async says(pattern: RegExp): Promise<string> {
    const rest = () => this.running.stderr().slice(this.#read);
    await until(() => pattern.test(rest()), `${pattern} in ${rest()}`);
    const text = rest();
    const found = pattern.exec(text);
    const end = (found?.index ?? 0) + (found?.[0].length ?? 0);
    this.#read += end;
    return text.slice(0, end);
  }

  async next(act: () => void, pattern = /^ {2}.* · \d+(\.\d+)? m?s.*$/m): Promise<string> {
    act();
    return this.says(pattern);
  }

  async end(): Promise<{ readonly code: number | null; readonly stdout: string }> {
    this.running.child.kill('SIGINT');
    return this.running.ended;
  }
}

/** Saves a file whole, so that no half of it is seen on a slow machine. */
function save(project: Project, name: string, text: string): void {
  project.write('saved.tmp', text);
  mkdirSync(dirname(project.path(name)), { recursive: true });
  renameSync(project.path('saved.tmp'), project.path(name));
}

/** A run that watches at a terminal; `press` types and resolves with what follows, once there is an answer in it. */
function atTerminal(project: Project, env: StartOptions['env'] = { NO_COLOR: '1' }) {
  const keys = project.start(['run', '--watch'], {
    through: ['sh', '-c', 'mkfifo keys && exec script -qec "$*" /dev/null <>keys', 'sh'],
    env: { TERM: 'xterm', ...env },
  });
  const type = (text: string) => project.write('keys', text);
  const press = async (text: string, answer: RegExp) => {
    const read = keys.stdout().length;
    const shown = () => keys.stdout().slice(read);
    type(text);
    await until(() => answer.test(shown()), `${answer} in ${shown()}`);
    return shown();
  };
  return { keys, type, press };
}

/** What the log of the only run has. */
function logOf(project: Project): string {
  const folder = project.path('.assay', 'sessions', 'default');
  const [run = ''] = readdirSync(folder).filter((name) => /^[0-9a-f]{12}$/.test(name));
  return readFileSync(join(folder, run, 'results.jsonl'), 'utf8');
}

const waiting = /watching \d+ files/;

describe('assay run --watch', () => {
  it('runs again, in the same run, what a saved file affects, or only grades it again', async () => {
    const project = new Project({
      ...files,
      'lib/graders.ts': 'export const some = ({ output }: { output: unknown }) => output !== 1;\n',
      'evals/b.eval.ts': `import { some } from '../lib/graders.js';
        ${plain.replace('() => true', 'some')}`,
    });
    const watching = new Watching(project);
    await watching.says(waiting);
    const code = await watching.next(() =>
      save(project, 'lib/up.ts', 'export const up = String;\n'),
    );
    assert.match(code, /─ lib\/up\.ts ─*\n {2}2 ran · 2 ✗ · 1 regressed/);
    // The same bytes are no change.
    save(project, 'lib/up.ts', 'export const up = String;\n');
    const back = await watching.next(() => save(project, 'lib/up.ts', files['lib/up.ts']));
    assert.match(back, /2 ran · 1 ✓ 1 ✗ · 1 fixed/);
    // Those that were only graded again are told from those that ran.
    const graders = 'export const some = ({ output }: { output: unknown }) => output === 1;\n';
    const graded = await watching.next(() => save(project, 'lib/graders.ts', graders));
    assert.match(graded, /─\n {2}1 regraded · 1 ✗ · 1 regressed · /);
    mkdirSync(project.path('.git'));
    const both = await watching.next(() => {
      project.write('.git/index.lock', '');
      save(project, 'lib/graders.ts', graders.replace('===', '!=='));
      // Most editors write into the file itself.
      project.write('prompts/refund.md', 'REFUND.');
      project.remove('.git/index.lock');
    });
    assert.match(both, /─\n {2}2 ran · 1 regraded · 2 ✓ 1 ✗ · 1 fixed · /);
    assert.equal((await watching.end()).code, 130);
    const { stdout } = await project.assay(['show', 'latest', '--json']);
    const run = JSON.parse(stdout);
    assert.equal(run.results.length, 3);
    const { stdout: sessions } = await project.assay(['sessions', 'show', 'default', '--json']);
    assert.equal(JSON.parse(sessions).runs.length, 1);
  });

  it('shows an error of an import and goes on, and follows files that come and go', async () => {
    const project = new Project({ ...files, 'evals/a.eval.ts': refund('const broken = ;') });
    const watching = new Watching(project);
    await watching.says(/could not be imported/);
    await watching.says(waiting);
    await watching.next(() => save(project, 'evals/a.eval.ts', refund()), /3 cases · 2 passed/);
    const added = await watching.next(() => save(project, 'evals/deep/c.eval.ts', plain));
    assert.match(added, /─ evals\/deep\/c\.eval\.ts ─*\n {2}1 ran · 1 ✓/);
    const removed = await watching.next(() => project.remove('evals/deep'));
    assert.match(removed, /no result affected · 1 gone/);
    // A package folder that is deleted and made again, as by a checkout.
    await watching.next(
      () => project.remove('lib'),
      /could not be imported[\s\S]*?no result affected/,
    );
    const returned = await watching.next(() => {
      save(project, 'lib/up.ts', 'export const up = (text: string) => text;\n');
    });
    assert.match(returned, /─ .*lib\/up\.ts ─*\n {2}2 ran/);
    await watching.end();
  });

  it('runs the other files while one cannot be imported, although saves never stop', async () => {
    // Its import takes longer than from one save to the next.
    const word = (text: string) =>
      `await new Promise((resolve) => setTimeout(resolve, 300));${plain.replace("'none'", `'${text}'`)}`;
    const project = new Project({ 'evals/a.eval.ts': plain, 'evals/b.eval.ts': word('0') });
    const watching = new Watching(project);
    await watching.says(waiting);
    await watching.next(
      () => save(project, 'evals/a.eval.ts', 'export const broken = ('),
      /evals\/a\.eval\.ts could not be imported/,
    );
    let saves = 0;
    const saving = setInterval(() => save(project, 'evals/b.eval.ts', word(`${++saves}`)), 200);
    await watching.says(/─ evals\/b\.eval\.ts ─+\n.*still not importable: evals\/a\.eval\.ts/s);
    clearInterval(saving);
    await watching.says(/ran · 1 ✓/);
    await watching.end();
  });

  it('waits for the first eval file, and notices that a module or a package appears that was missing', async () => {
    const project = new Project();
    const watching = new Watching(project);
    await watching.says(/No eval files in this folder/);
    await watching.says(waiting);
    const failed = /could not be imported/;
    const lacking = `import { createRequire } from 'node:module';
      import '../lib/hh.js';
      createRequire(import.meta.url)('./required.cjs'); ${plain}`;
    await watching.next(() => save(project, 'evals/a.eval.ts', lacking), failed);
    for (const [name, outcome] of [
      ['lib/hh.ts', failed],
      ['evals/required.cts', /1 case · 1 passed/],
    ] as const) {
      const round = await watching.next(() => save(project, name, ''), outcome);
      assert.match(round, new RegExp(`─ .*${name} ─`));
    }
    // Those that an attempt has not found.
    const importing = (specifier: string) => `
      import { evaluation } from 'assay';
      export const late = evaluation({
        target: async () => Object.keys(await import(${specifier})).join(),
        evaluators: [() => true],
      });`;
    await watching.next(() => {
      save(project, 'evals/b.eval.ts', importing("'../lib/late.js'"));
      save(project, 'evals/c.eval.ts', importing("'late-package'"));
    }, /(2|1 ran[\s\S]*1) ran · .*/);
    await watching.next(
      () => save(project, 'lib/late.ts', 'export const late = 1;\n'),
      /· 1 fixed ·/,
    );
    const manifest = { name: 'late-package', version: '1.0.0', main: 'index.js' };
    project.write('node_modules/late-package/index.js', 'exports.late = 1;\n');
    await watching.next(
      () => save(project, 'node_modules/late-package/package.json', JSON.stringify(manifest)),
      /· 1 fixed ·/,
    );
    assert.equal((await watching.end()).code, 130);
  });

  it('takes changed settings and variables', async () => {
    const project = new Project({
      'evals/a.eval.ts': plain.replace(
        /target:.*/,
        'target: () => [process.env.APP_MODE, process.env.LEFT].join(),',
      ),
    });
    project.write('.env', 'APP_MODE=soft\nLEFT=yes\n');
    const watching = new Watching(project, ['--json']);
    await watching.says(waiting);
    // Variables that are changed, that the file no longer has, and that go with the file.
    for (const change of [
      () => save(project, '.env', 'APP_MODE=loud\n'),
      () => project.remove('.env'),
    ]) {
      assert.match(await watching.next(change), /─ \.env ─*\n {2}1 ran/);
    }
    const broken = await watching.next(() => save(project, 'assay.yaml', 'trials: x\n'), /✗ .*\n/);
    assert.match(broken, /trials/);
    const params = 'configs:\n  default:\n    params: { model: small }\n';
    const settings = await watching.next(() => save(project, 'assay.yaml', params));
    assert.match(settings, /─ assay\.yaml ─*\n {2}1 ran/);
    const { stdout } = await watching.end();
    const rounds = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).results[0].result.output);
    assert.deepEqual(rounds, ['soft,yes', 'loud,', ',', ',']);
  });

  it('drops what is out of date, keeps what has finished, and does not run for what evaluations write', async () => {
    const slow = (waits: boolean) => `
      import { readFileSync, writeFileSync } from 'node:fs';
      import { setTimeout } from 'node:timers/promises';
      import { evaluation } from 'assay';
      export const slow = evaluation({
        cases: [1, 2, 3].map((input) => ({ id: String(input), input })),
        target: async ({ input, signal }) => {
          writeFileSync('seen.txt', String(input));
          readFileSync('seen.txt');
          if (${waits} && input > 1) await setTimeout(1e6, undefined, { signal });
          return input;
        },
        evaluators: [() => true],
      });`;
    const project = new Project({ 'evals/a.eval.ts': plain, 'evals/b.eval.ts': slow(true) });
    const watching = new Watching(project, ['--concurrency', '1', '--json']);
    await until(
      () => project.has('seen.txt') && project.read('seen.txt') === '2',
      'the second case',
    );
    // Without their code, nobody would know that what has finished is not affected.
    await until(() => logOf(project).includes('"type":"code"'), 'the code of both files');
    save(project, 'evals/b.eval.ts', slow(false));
    await watching.says(/─ evals\/b\.eval\.ts ─/);
    await watching.says(/3 ran · 3 ✓/);
    assert.match(watching.running.stderr(), /Evaluations write seen\.txt/);
    const { code, stdout } = await watching.end();
    assert.equal(code, 130);
    const [first, second, ...more] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(more, []);
    assert.deepEqual(
      first.results.map(({ result }: { result: { status: string } }) => result.status),
      ['completed', 'completed', 'cancelled', 'cancelled'],
    );
    assert.deepEqual([second.run_id, second.part_of], [first.run_id, 4]);
    assert.deepEqual(
      second.results.map((row: { function: string }) => row.function),
      ['slow[1]', 'slow[2]', 'slow[3]'],
    );
  });

  it('says once what is saved while eval files are imported', async () => {
    const [project, gate] = [new Project(gated), new Project()];
    const watching = new Watching(project, [], { GATE: gate.folder });
    await watching.says(waiting);
    gate.write('closed', '');
    // A third save within a second would be a draw: no round is dropped for longer.
    for (const name of ['lib/one.ts', 'lib/two.ts']) {
      gate.write('begun', '');
      save(project, name, 'export default 2;\n');
      await until(() => gate.read('begun') !== '', `the import after ${name}`);
    }
    const round = await watching.next(() => gate.remove('closed'));
    assert.match(round, /^─ lib\/one\.ts, lib\/two\.ts ─+\n {2}1 ran .*$/m);
    await watching.end();
  });

  it('names the key that cancels a round, obeys it, and says of a round without results only that it was stopped', async () => {
    const gate = new Project({ closed: '' });
    const slow = gated['evals/a.eval.ts'].replace(
      /target:.*/,
      'target: () => new Promise(() => {}),',
    );
    const project = new Project({ ...gated, 'evals/a.eval.ts': slow });
    const { keys, press, type } = atTerminal(project, { GATE: gate.folder });
    await keys.said(/importing 1 file ….*· c cancel/);
    await press('c', /stopped/);
    gate.remove('closed');
    await press('a', /1 case · session.*0 of 1/s);
    await press('c', /1 cancelled/);
    await press('a', /─ all ─.*0 of 1/s);
    await press('c', /stopped · \d/);
    type('q');
    assert.equal((await keys.ended).code, 0);
  });

  it('lets what runs finish that a save does not affect, and runs the rest in the next round', async () => {
    const evaluation = (name: string, target: string) => `
      import { appendFileSync, existsSync } from 'node:fs';
      import { join } from 'node:path';
      import { setTimeout } from 'node:timers/promises';
      import { evaluation } from 'assay';
      import word from '../lib/${name}.js';
      const inGate = (name: string) => join(process.env.GATE ?? '', name);
      export const ${name} = evaluation({
        input: 1,
        target: async ({ signal }) => {
          appendFileSync(inGate('begun'), '${name} ');
          ${target}
          return word;
        },
        evaluators: [() => true],
      });`;
    const waits = "while (word === 'wait') await setTimeout(10, undefined, { signal });";
    const untilOpen = "while (!existsSync(inGate('open'))) await setTimeout(10);";
    const gate = new Project();
    const project = new Project({
      'evals/a.eval.ts': evaluation('affected', waits),
      'evals/b.eval.ts': evaluation('kept', untilOpen),
      'evals/c.eval.ts': evaluation('queued', ''),
      'lib/affected.ts': "export default 'wait';\n",
      'lib/kept.ts': "export default '';\n",
      'lib/queued.ts': "export default '';\n",
    });
    const begun = () => (gate.has('begun') ? gate.read('begun') : '');
    const watching = new Watching(project, ['--concurrency', '2'], { GATE: gate.folder });
    await until(() => begun() === 'affected kept ', 'both attempts');
    await until(() => logOf(project).includes('"type":"code"'), 'the code of the files');
    save(project, 'lib/affected.ts', "export default 'go';\n");
    await watching.says(/finishing 1 result that the save does not affect\n/);
    gate.write('open', '');
    await watching.says(/─ lib\/affected\.ts ─+\n {2}2 ran · 2 ✓/);
    assert.deepEqual(begun().trim().split(' ').sort(), ['affected', 'affected', 'kept', 'queued']);
    await watching.end();
  });

  it('names the file whose import does not end, and gives it up with the next save', async () => {
    const project = new Project({ 'evals/b.eval.ts': `${blockForever}\n${plain}` });
    const watching = new Watching(project);
    const slow = /! evals\/b\.eval\.ts is still being imported after 5 s; saving it .*\n/;
    await watching.says(slow);
    await watching.next(() => save(project, 'evals/b.eval.ts', plain), /1 case · 1 passed/);
    // A module that nobody has imported before.
    save(
      project,
      'lib/wait.ts',
      "import { writeFileSync } from 'node:fs';\nwriteFileSync('begun', '');\nawait new Promise(() => {});\n",
    );
    save(project, 'evals/b.eval.ts', `import '../lib/wait.js';\n${plain}`);
    await until(() => project.has('begun'), 'the import');
    const round = await watching.next(() => save(project, 'lib/wait.ts', 'export {};\n'));
    assert.match(round, /1 ran · 1 ✓/);
    await watching.end();
  });

  it('refuses flags that make no sense with it', async () => {
    const project = new Project(files);
    for (const flags of [
      ['--list'],
      ['--shard', '1/2'],
      ['--fail-under', '0.8'],
      ['-o', 'a.json'],
    ]) {
      const { code, stderr } = await project.assay(['run', '--watch', ...flags]);
      assert.equal(code, 2);
      assert.match(stderr, /^✗ --watch cannot be used with --\S+: .*\.\n$/);
    }
  });

  it('obeys keys at a terminal', async () => {
    const project = new Project(files);
    const { keys, press, type } = atTerminal(project);
    await keys.said(/Enter changed · a all/);
    await press('\r', /what has changed ─+\s+no result affected/);
    // A key that comes before the next wait, as with the one that begins a round, is obeyed after the round.
    await press('ap', /─ all ─+\s+3 ran · 2 ✓ 1 ✗.*Part of a path \(empty for all\): /s);
    const answered = await press('b.eval\r', /─ paths with b\.eval ─+\s+1 ran · 1 ✓/);
    assert.equal(answered.split(/\r*\n/)[0], 'b.eval');
    await press('p', /Part of a path/);
    await press('\r', /─ all ─+\s+3 ran/);
    await press('f', /─ failed ─+\s+1 ran · 1 ✗/);
    await press('e', /─ errors ─+\s+no errors/);
    await press('t', /Part of a name/);
    await press('[two\r', /names with \[two ─+\s+1 ran · 1 ✗/);
    await press('h', /c cancel/);
    // It asks as often as somebody wants, and runs nothing meanwhile.
    await press('t', /Part of a name/);
    await press('\r', /─ all ─+\s+3 ran/);
    await press('t', /Part of a name/);
    save(project, 'prompts/refund.md', 'REFUND.');
    await press('\x1b', /─ prompts\/refund\.md ─+\s+2 ran/);
    await press('t', /Part of a name/);
    type('\x03');
    assert.equal((await keys.ended).code, 130);
  });

  it('ends without a word when somebody quits in the first round', async () => {
    const slow = plain.replace(/target:.*/, 'target: () => new Promise(() => {}),');
    const project = new Project({ 'evals/slow.eval.ts': slow });
    const { keys, type } = atTerminal(project);
    await keys.said(/1 case · session/);
    type('q');
    const { code, stdout } = await keys.ended;
    assert.equal(code, 0);
    assert.doesNotMatch(stdout, /watching \d/);
  });
});
