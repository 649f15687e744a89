import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import type { RunJson } from '../../src/model/run.js';
import { Project, ProjectWithoutHosts, until } from '../helpers/project.js';

const evals = `import { appendFileSync } from 'node:fs';
import { evaluation } from 'assay';
export const refunds = evaluation({
  params: { model: 'large', prompt: 'v14', temperature: 0.2 },
  cases: Array.from({ length: 6 }, (_, n) => ({ id: 'c' + n, input: n })),
  target: ({ input, params }) => {
    appendFileSync('ran', params.model + ' ' + input + '\\n');
    return input < (params.model === 'large' ? 5 : 2) ? params.prompt : 'none';
  },
  evaluators: [function known({ output }) { return output !== 'none'; }],
});
`;

const files = {
  'a.eval.ts': evals,
  'assay.yaml':
    'configs:\n  hot: { params: { temperature: 1 } }\n  twice: { trials: 2 }\n  four: { trials: 4 }\n',
  'trials.yaml': '- { run_config: twice }\n- { run_config: hot }\n',
  'nan.yaml': '- params: { temperature: +0.5 }\n- params: { temperature: .nan }\n',
  'long.yaml': '- params: { temperature: 12345678901234567890 }\n- params: {}\n',
  'variants.yaml':
    '- { name: best, params: { model: large, prompt: v15 } }\n- { params: { model: swift }, run_config: hot }\n',
};

const both = ['--param', 'model=large,swift'];
const grid = [...both, '--param', 'prompt=v14,v15'];

/** The runs of a group, as `--json` has them. */
interface GroupJson {
  readonly group: string;
  readonly runs: readonly RunJson[];
  readonly comparison: object;
}

function groupOf({ json }: { readonly json: () => unknown }): GroupJson {
  return json() as GroupJson;
}

/** The names and params of the runs of a group. */
function shown({ runs }: GroupJson) {
  return runs.map(({ run_name, params = {} }) => [run_name, Object.values(params).join(' ')]);
}

describe('assay run of several variants', () => {
  let project: Project;

  before(() => {
    project = new ProjectWithoutHosts(files);
  });

  const run = async (...args: string[]) => project.assay(['run', ...args]);
  const group = async (...args: string[]) => groupOf(await run(...args, '--json'));

  it('makes a run of each combination, in a group whose base is the first', async () => {
    const found = await group(...grid);
    expect(shown(found)).to.deep.equal([
      ['large v14', 'large v14 0.2'],
      ['large v15', 'large v15 0.2'],
      ['swift v14', 'swift v14 0.2'],
      ['swift v15', 'swift v15 0.2'],
    ]);
    const ids = found.runs.map(({ run_id }) => run_id);
    for (const one of found.runs) expect(one).to.include({ group: found.group, state: 'finished' });
    expect(found.runs.map(({ group_runs }) => group_runs)).to.deep.equal(Array(4).fill(ids));
    expect(found.comparison).to.include({ base: ids[0], common_cases: 6 });
    expect((await project.exported('latest')).run.run_id).to.equal(ids[0]);
  });

  it('says its params, also of one run, and quotes names with commas', async () => {
    const params = 'config default · model=swift prompt="a b" temperature=0.2';
    const { stderr } = await run('--param', 'model=swift', '--param', 'prompt=a b');
    expect(stderr.replaceAll('\n', ' · ')).to.include(params);
    const { stdout } = await project.assay(['show', 'latest']);
    expect(stdout.replaceAll('\n', ' · ')).to.include(params);
    const listed = await run('--param', 'prompt="a, b",c', '--list');
    expect(listed.stderr).to.match(/2 variants, so 12 results.*: "a, b", c\n/);
  });

  it('makes runs of run configs and of a file, and takes another one as the base', async () => {
    expect(
      shown(await group('--run-config', 'hot', '--run-config', 'default', ...both)),
    ).to.deep.equal([
      ['hot large', 'large v14 1'],
      ['hot swift', 'swift v14 1'],
      ['default large', 'large v14 0.2'],
      ['default swift', 'swift v14 0.2'],
    ]);
    expect(shown(await group('--variants', 'variants.yaml'))).to.deep.equal([
      ['best', 'large v15 0.2'],
      ['hot swift', 'swift v14 1'],
    ]);
    expect(shown(await group(...both, '--base', 'swift'))[0]).to.deep.equal([
      'swift',
      'swift v14 0.2',
    ]);
  });

  it('says how many results variants with other trials have together', async () => {
    const configs = ['--run-config', 'twice', '--run-config', 'hot', '--run-config', 'four'];
    const listed = await run(...configs, '--list');
    expect(listed.stderr).to.include('3 variants, so 42 results');
    const ended = await run(...configs);
    expect(ended.stderr).to.include('6 cases × 3 variants, 42 results · session');
    const fromFile = await run('--variants', 'trials.yaml', '--list');
    expect(fromFile.stderr).to.include('2 variants, so 18 results');
  });

  it('prints a table, the verdicts on each run, and where they are', async () => {
    const ended = await run(...both, '--fail-under', '0.5', '--fail-on', 'regression');
    expect(ended.code).to.equal(1);
    expect(ended.stderr).to.match(/6 cases × 2 variants · session default · group [a-z]+-[a-z]+\n/);
    expect(ended.stderr).to.match(/large +83\.3 % .*\n +swift +33\.3 % /);
    expect(ended.stderr).to.match(
      /2 runs in group ([a-z]+-[a-z]+) · 12 results · .*\n {2}assay serve --run \1\n/,
    );
    expect(ended.stderr).to.match(/✓ large: pass rate 83\.3 %[\s\S]*✗ swift: pass rate 33\.3 %/);
  });

  it('writes a file, and a suite, for each', async () => {
    await run(...both, '-o', 'out.csv', '--reporter', 'junit=junit.xml');
    await run(...both, '-o', 'of-{variant}-now.json');
    const written = readdirSync(project.folder).filter((name) => /^o[uf]/.test(name));
    expect(written).to.have.members([
      ...['out.large.csv', 'out.swift.csv'],
      ...['of-large-now.json', 'of-swift-now.json'],
    ]);
    expect(project.read('junit.xml').match(/<testsuite name="[^"]*"/g)).to.deep.equal([
      '<testsuite name="large · a.eval.ts"',
      '<testsuite name="swift · a.eval.ts"',
    ]);
  });

  it('carries over what each variant had, and runs what is new', async () => {
    const fresh = new Project(files);
    await fresh.assay(['run', ...both]);
    expect(fresh.newLines('ran')).to.have.lengthOf(12);
    fresh.write('a.eval.ts', evals.replace('temperature: 0.2', 'temperature: 0.3'));
    const changed = await fresh.assay(['run', ...both, '--changed']);
    expect(changed.code, changed.stderr).to.equal(0);
    expect(fresh.newLines('ran')).to.have.lengthOf(12);
    const carried = await fresh.assay(['run', '--param', 'model=swift,large', '--changed']);
    expect(carried.stderr).to.match(/12 results · 0 ran/);
    expect(fresh.newLines('ran')).to.deep.equal([]);
    // More runs with other params than are read.
    const nine = ['--param', `temperature=${[...Array(9).keys()].join(',')}`];
    await fresh.assay(['run', ...nine]);
    fresh.newLines('ran');
    expect((await fresh.assay(['run', ...nine, '--changed'])).stderr).to.match(/· 0 ran/);
    expect(fresh.newLines('ran')).to.deep.equal([]);
  });

  describe('of which each reads a prompt of its own', () => {
    const reading = `import { readFileSync, writeFileSync } from 'node:fs';
      import { evaluation } from 'assay';
      const textOf = (name) => readFileSync(new URL('./' + name, import.meta.url), 'utf8');
      const rules = textOf('rules.md');
      const cached = new Map();
      export const a = evaluation({
        params: { prompt: 'v1', writes: false },
        cases: [{ id: 'x' }, { id: 'y' }],
        target: ({ params, id }) => {
          if (params.writes) writeFileSync('note.txt', params.prompt);
          if (!cached.has(id)) cached.set(id, textOf('corpus.md'));
          return rules + cached.get(id) + textOf(params.prompt + '.md');
        },
      });`;
    const texts = { 'rules.md': 'r', 'corpus.md': 'c', 'v1.md': '1', 'v2.md': '2', 'v3.md': '3' };
    const prompts = ['--param', 'prompt=v1,v2,v3'];

    const cases = [
      { title: 'runs one variant after an edit of its prompt', edited: 'v2.md', ran: 2 },
      { title: 'runs all after an edit of what they share', edited: 'corpus.md', ran: 6 },
      { title: 'runs all after an edit of what imports read', edited: 'rules.md', ran: 6 },
      {
        title: 'runs all where they share a process, which may remember',
        edited: 'v2.md',
        args: ['--workers', '1'],
        ran: 6,
      },
      {
        title: 'runs all where they write files, which may say what was read',
        edited: 'v2.md',
        args: ['--param', 'writes=true'],
        ran: 6,
      },
    ];

    for (const { title, edited, args = [], ran } of cases) {
      it(title, async () => {
        const fresh = new Project({ 'a.eval.ts': reading, ...texts });
        await fresh.assay(['run', ...prompts, ...args]);
        const same = await fresh.assay(['run', ...prompts, ...args, '--changed']);
        expect(same.stderr).to.match(/6 results · 0 ran/);
        fresh.write(edited, 'edited');
        if (ran === 2) {
          const listed = await fresh.assay(['run', ...prompts, '--changed', '--list']);
          expect(listed.stdout).to.match(/a\[x\] {2}a {2}v1 {2}carried from v1\n/);
          expect(listed.stdout).to.match(/a\[x\] {2}a {2}v2 {2}run: v2\.md\n/);
          expect(listed.stderr).to.match(/v2\n {2}run +2 +v2\.md: a \(2\)\nv3\n {2}carry +2 /);
          const json = await fresh.assay(['run', ...prompts, '--changed', '--list', '--json']);
          const { variants } = JSON.parse(json.stdout);
          expect(variants.map(({ name }: { name: string }) => name)).to.deep.equal([
            'v1',
            'v2',
            'v3',
          ]);
          expect(variants[1].evaluations[0].changed).to.deep.equal({
            action: 'run',
            reason: 'v2.md',
          });
        }
        const { stderr } = await fresh.assay(['run', ...prompts, ...args, '--changed']);
        const [, shown = '6'] = / · 6 results(?: · (\d+) ran)?/.exec(stderr) ?? [];
        expect(Number(shown), stderr).to.equal(ran);
      });
    }
  });

  it('is known by its group to the other commands', async () => {
    const { group: name, runs } = await group(...both);
    const ids = runs.map(({ run_id }) => run_id);
    const said = async (...args: string[]) => {
      const { stdout, stderr } = await project.assay(args);
      return stdout + stderr;
    };
    expect(await said('show', name))
      .to.match(/large +83\.3 %/)
      .and.include(ids[1]);
    expect((await project.assay(['export', name])).json()).to.include({ group: name });
    expect(await said('sessions', 'compare', name)).to.match(/swift +33\.3 %/);
    const gated = await project.assay(['sessions', 'gate', name, '--fail-under', '0.5']);
    expect(gated.code).to.equal(1);
    const renamed = await project.assay(['sessions', 'rename-run', name, 'x']);
    expect(renamed.stderr)
      .to.match(/is a group of 2 runs, and one is needed/)
      .and.include(ids[0]);
    expect(await said('run', '--rerun', name, '--run-config', 'hot')).to.match(
      /--run-config cannot be used with a group/,
    );
    expect(await said('sessions', 'delete-run', name, '--yes')).to.match(/2 runs of group/);
    expect(await said('show', name)).to.match(/There is no run/);
  });

  for (const [args, text] of [
    [['--param', 'model=a,b,c,d,e', '--param', 'prompt=1,2,3'], /makes 15 variants; at most 12/],
    [['--param', 'model=large,large'], /--param model has the value "large" twice\./],
    [['--param', 'temperature=1,1.0'], /variants 1 and 2 are equal: both have temperature=1\./],
    [['--param', 'modle=large,swift'], /reads the param modle[\s\S]*Did you mean model/],
    [['--param', 'temperature=hot,cold'], /temperature is a number/],
    [['--param', 'model'], /takes NAME=VALUE/],
    [['--param', 'model="a'], /no line of CSV/],
    [[...both, '--base', 'swft'], /No variant has the name swft[\s\S]*swift/],
    [[...both, '--run-name', 'x'], /--run-name cannot be used with several variants/],
    [[...both, '--bless', 'b.json'], /--bless cannot be used with several variants/],
    [[...both, '--watch'], /--watch is for one run/],
    [[...both, '-o', '-'], /-o - writes one run/],
    [['--run-config', 'hot', '--run-config', 'cold'], /no run config named "cold"/],
    [['--variants', 'none.yaml'], /none\.yaml cannot be read/],
    [['--variants', 'assay.yaml'], /no list of variants/],
    [['--variants', 'nan.yaml'], /nan\.yaml:2:26: \.nan is a number that JSON cannot keep/],
    [['--variants', 'long.yaml'], /long\.yaml:1:26: 12345678901234567890 is a number that JSON/],
    [['--variants', ''], /--variants takes a file/],
    [['--base', 'large'], /there is one run/],
  ] as const) {
    it(`says what is wrong with ${args.join(' ')}, and saves nothing`, async () => {
      const fresh = new ProjectWithoutHosts(files);
      const { code, stderr } = await fresh.assay(['run', ...args]);
      expect(stderr).to.match(text);
      expect([code, fresh.has('ran'), fresh.has('.assay/sessions/default')]).to.deep.equal([
        2,
        false,
        false,
      ]);
    });
  }
});

const waiting = {
  'a.eval.ts': `import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { evaluation } from 'assay';
export const slow = evaluation({
  params: { model: 'large' },
  cases: Array.from({ length: 8 }, (_, n) => ({ id: 'c' + n, input: n })),
  target: async ({ input, params }) => {
    appendFileSync('ran', params.model + ' ' + input + '\\n');
    while (input > 1 && !existsSync('go')) await delay(5);
    return params.model;
  },
});
`,
};

describe('assay run of several variants that is interrupted', () => {
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    it(`has its results after ${signal}, with rows in turn, and resumes as a group`, async () => {
      const project = new Project(waiting);
      const started = project.start(['run', ...both, '-c', '4']);
      await until(() => project.finishedResults() === 4, 'the first results');
      await until(() => project.read('ran').trim().split('\n').length === 8, 'those that wait');
      expect(project.newLines('ran').sort()).to.deep.equal([
        ...['large 0', 'large 1', 'large 2', 'large 3'],
        ...['swift 0', 'swift 1', 'swift 2', 'swift 3'],
      ]);
      started.child.kill(signal);
      const { stderr } = await started.ended;
      const name = /"group": "([a-z-]+)"/.exec(project.savedText())?.[1] ?? '';
      if (signal === 'SIGINT') expect(stderr).to.include(`assay run --resume ${name}\n`);
      project.write('go', '');
      project.remove('ran');
      const resumed = await project.assay(['run', '--resume', name, '--json']);
      expect(resumed.code, resumed.stderr).to.equal(0);
      expect(resumed.stderr).to.include('12 results of 2 variants');
      const { runs } = groupOf(resumed);
      for (const run of runs) {
        expect(run).to.include({ state: 'finished', total_errors: 0 });
        const outputs = run.results.map(({ result }) => result.output);
        expect(outputs).to.deep.equal(Array(8).fill(run.run_name));
      }
      expect(project.newLines('ran')).to.have.lengthOf(12);
    });
  }
});
