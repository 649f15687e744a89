import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { inTurns } from '../helpers/in-turns.js';
import {
  type Ended,
  Project,
  removeProjects,
  type StartOptions,
} from '../helpers/temporary-project.js';

/** One way to get it wrong, and what has to come of it. */
interface BadInput {
  readonly name: string;
  readonly args: readonly string[];
  /** Files of the project; one good eval file, `evals/good.eval.ts`, is always there. */
  readonly files?: Readonly<Record<string, string>>;
  readonly prepare?: (project: Project) => Promise<unknown> | undefined;
  readonly env?: Readonly<Record<string, string>>;
  readonly through?: readonly string[];
  /** Default 2. */
  readonly code?: number;
  readonly stderr: readonly RegExp[];
  readonly not?: readonly RegExp[];
  /** Checked afterwards. */
  readonly after?: (project: Project, ended: Ended) => void | Promise<void>;
}

const good = `
import { evaluation } from 'assay';
export const refund = evaluation({ cases: [{ id: 'polite' }, { id: 'angry' }], labels: ['tone'], dataset: 'support' }, (ctx) => { ctx.output = 'yes'; });
export const cancel = evaluation({}, () => {});
`;

const settings = 'concurrency: 4\ntimeout: [1, 2\n# a comment\n';
const asNobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
const isRoot = process.getuid?.() === 0;

/** Nobody may write there. */
function makeReadOnly(project: Project): undefined {
  mkdirSync(project.path('locked'));
  chmodSync(project.path('locked'), 0o555);
  chmodSync(project.folder, 0o755);
}

const paths: readonly BadInput[] = [
  {
    name: 'a path that does not exist, near one that does',
    args: ['run', 'evals/god.eval.ts'],
    stderr: [/No such path: evals\/god\.eval\.ts/, /Did you mean evals\/good\.eval\.ts\?/],
  },
  {
    name: 'a path that does not exist',
    args: ['run', 'nowhere/at/all'],
    stderr: [/No such path: nowhere\/at\/all/],
  },
  {
    name: 'a folder without eval files',
    args: ['run', 'src'],
    files: { 'src/a.ts': '' },
    stderr: [/src/, /\.eval\./],
  },
  {
    name: 'a file that is no eval file',
    args: ['run', 'notes.txt'],
    files: { 'notes.txt': 'hello' },
    stderr: [/notes\.txt/],
  },
  {
    name: 'a file without evaluations',
    args: ['run', 'none.eval.ts'],
    files: { 'none.eval.ts': 'export const a = 1;' },
    stderr: [/export no evaluations/, /evaluation\(\)/],
  },
  { name: 'an empty path', args: ['run', ''], stderr: [/path/i] },
  {
    name: 'a glob that matches nothing',
    args: ['run', 'evals/*.spec.ts'],
    stderr: [/evals\/\*\.spec\.ts/],
  },
  {
    name: 'a name that no evaluation has, near one that has',
    args: ['run', 'evals/good.eval.ts::refnd'],
    stderr: [/no evaluation named refnd/, /Did you mean refund\?/, /refund, cancel/],
  },
  {
    name: 'a name far from any',
    args: ['run', 'evals/good.eval.ts::xyzzy'],
    stderr: [/no evaluation named xyzzy/, /refund, cancel/],
  },
  {
    name: 'a case that is not there',
    args: ['run', 'evals/good.eval.ts::refund[polit]'],
    stderr: [/refund\[polit\]/, /refund\[polite\]/],
  },
];

const filters: readonly BadInput[] = [
  {
    name: 'an unknown dataset',
    args: ['run', '--dataset', 'suport'],
    stderr: [/No evaluation matches/, /suport/, /support/],
  },
  {
    name: 'an unknown label',
    args: ['run', '--label', 'smoke'],
    stderr: [/No evaluation matches/, /smoke/, /tone/],
  },
  {
    name: 'a run config that is not there',
    args: ['run', '--run-config', 'fast'],
    stderr: [/fast/],
  },
  {
    name: 'only skipped evaluations',
    args: ['run', 'skipped.eval.ts'],
    files: {
      'skipped.eval.ts': `import { evaluation } from 'assay';\nexport const a = evaluation({ skip: true }, () => {});`,
    },
    stderr: [/skipped/],
  },
];

const numbers: readonly BadInput[] = (
  [
    ['--concurrency', ['0', '-1', '1001', '1.5', 'many', '', '1e3', '0x10', ' 8']],
    ['--workers', ['0', '65', '2.5', 'x']],
    ['--trials', ['0', '1001', '-2', 'NaN']],
    ['--limit', ['0', '-5', 'all', '1.5']],
    ['--timeout', ['0', '-1', '86401', 'soon', '', 'Infinity', 'NaN']],
    ['--fail-under', ['1.5', '-1', '101%', 'abc', 'exact=', '=0.5', '']],
  ] as const
).flatMap(([flag, values]) =>
  values.map((value) => ({
    name: `${flag}=${value}`,
    args: ['run', `${flag}=${value}`],
    stderr: [new RegExp(flag)],
  })),
);

const flags: readonly BadInput[] = [
  {
    name: 'an unknown flag, near a known one',
    args: ['run', '--concurency', '3'],
    stderr: [/--concurency/, /Did you mean --concurrency\?/],
  },
  { name: 'an unknown flag', args: ['run', '--zzzz'], stderr: [/--zzzz/] },
  { name: 'an unknown value', args: ['run', '--fail-on', 'eror'], stderr: [/eror/, /errors/] },
  {
    name: 'flags that exclude each other',
    args: ['run', '--rerun', 'a', '--resume', 'b'],
    stderr: [/--re(run|sume)/],
  },
  { name: 'a flag without its value', args: ['run', '--session'], stderr: [/--session/] },
  {
    name: 'a session name that is blank',
    args: ['run', '--session', '  '],
    stderr: [/session name/],
  },
  {
    name: 'a run name that is too long',
    args: ['run', '--run-name', 'x'.repeat(101)],
    stderr: [/run name/, /100/],
  },
  {
    name: 'a run name with control characters',
    args: ['run', '--run-name', 'a\u001b[31mb'],
    stderr: [/run name/],
    not: [new RegExp(String.fromCharCode(27))],
  },
  { name: 'an unknown command', args: ['rum'], stderr: [/rum/, /run/] },
];

const settingsFiles: readonly BadInput[] = [
  {
    name: 'a settings file that does not parse',
    args: ['run'],
    files: { 'assay.yaml': settings },
    stderr: [/assay\.yaml:[234]:\d+/],
    after: (project) => expect(project.read('assay.yaml')).to.equal(settings) && undefined,
  },
  {
    name: 'a settings file with a value out of range',
    args: ['run'],
    files: { 'assay.yaml': '# mine\nconcurrency: 5000\n' },
    stderr: [/assay\.yaml:2:\d+/, /concurrency/],
    after: (project) =>
      expect(project.read('assay.yaml')).to.equal('# mine\nconcurrency: 5000\n') && undefined,
  },
  {
    name: 'a broken settings file when setting a value',
    args: ['config', 'set', 'concurrency', '3'],
    files: { 'assay.yaml': settings },
    stderr: [/assay\.yaml:[234]:\d+/],
    after: (project) => expect(project.read('assay.yaml')).to.equal(settings) && undefined,
  },
  {
    name: 'a settings file that is missing',
    args: ['run', '--settings', 'other.yaml'],
    stderr: [/other\.yaml/],
  },
  {
    name: 'a settings file that is a folder',
    args: ['run', '--settings', 'evals'],
    stderr: [/evals/],
  },
  {
    name: 'a bad environment variable',
    args: ['run'],
    env: { ASSAY_CONCURRENCY: 'lots' },
    stderr: [/ASSAY_CONCURRENCY/, /lots/],
  },
];

const resultsDirs: readonly BadInput[] = [
  {
    name: 'a results directory that is a file',
    args: ['run', '--results-dir', 'notes.txt'],
    files: { 'notes.txt': 'mine' },
    stderr: [/notes\.txt/],
    after: (project) => expect(project.read('notes.txt')).to.equal('mine') && undefined,
  },
  {
    name: 'a results directory below a file',
    args: ['run', '--results-dir', 'notes.txt/sessions'],
    files: { 'notes.txt': 'mine' },
    stderr: [/notes\.txt/],
  },
  {
    name: 'a results directory that is a file, in the settings',
    args: ['run'],
    files: { 'notes.txt': 'mine', 'assay.yaml': 'results_dir: notes.txt\n' },
    stderr: [/notes\.txt/],
  },
  {
    name: 'a results directory that may not be written to',
    args: ['run', '--results-dir', 'locked'],
    prepare: makeReadOnly,
    ...(isRoot ? { through: asNobody } : {}),
    stderr: [/locked/, /permission denied|cannot be written/],
  },
  {
    name: 'a results directory that cannot be made',
    args: ['run', '--results-dir', 'locked/deep/down'],
    prepare: makeReadOnly,
    ...(isRoot ? { through: asNobody } : {}),
    stderr: [/locked/, /permission denied|cannot be written/],
  },
  {
    name: 'an output file in a folder that is not there',
    args: ['run', '-o', 'missing/out.json'],
    stderr: [/missing\/out\.json/],
  },
];

/** Makes three runs, two of them with one name. */
async function someRuns(project: Project): Promise<void> {
  const made = await Promise.all(
    ['calm-heron', 'twin', 'twin'].map((name) =>
      project.assay(['run', 'evals/good.eval.ts::cancel', '--run-name', name]),
    ),
  );
  for (const { code, stderr } of made) expect(code, stderr).to.equal(0);
}

const runs: readonly BadInput[] = [
  {
    name: 'a run when there is none',
    args: ['export', 'latest', '-f', 'json'],
    stderr: [/no saved runs/i],
  },
  {
    name: 'an unknown run to export',
    args: ['export', 'calm-hero', '-f', 'json'],
    prepare: someRuns,
    stderr: [/calm-hero/, /calm-heron/],
  },
  {
    name: 'an unknown run to rerun',
    args: ['run', '--rerun', 'nothing-here'],
    prepare: someRuns,
    stderr: [/nothing-here/],
  },
  {
    name: 'an unknown run id',
    args: ['run', '--resume', '0123456789ab'],
    stderr: [/0123456789ab/],
  },
  { name: 'an empty run', args: ['export', '', '-f', 'json'], stderr: [/RUN must not be empty/] },
  {
    name: 'a folder that is no run',
    args: ['export', 'evals', '-f', 'json'],
    stderr: [/evals is a folder, but not that of a run/],
  },
  {
    name: 'a file that is no exported run',
    args: ['export', 'notes.txt', '-f', 'json'],
    files: { 'notes.txt': 'hello' },
    stderr: [/notes\.txt/],
  },
  {
    name: 'JSON that is no exported run',
    args: ['export', 'a.json', '-f', 'json'],
    files: { 'a.json': '{"results": 3}' },
    stderr: [/a\.json/],
  },
  { name: 'an unknown format', args: ['export', 'latest', '-f', 'xml'], stderr: [/xml/, /json/] },
  {
    name: 'a session to delete that is not there',
    args: ['sessions', 'delete', 'none', '--yes'],
    stderr: [/none/],
  },
];

const noStack = /^\s+at |node:internal|dist\/(?!host\/main)|Error: .*\n\s+at/m;

describe('bad input', () => {
  after(removeProjects);

  for (const [title, rows] of Object.entries({
    'in paths and names': paths,
    'in filters': filters,
    'in numbers': numbers,
    'in flags': flags,
    'in settings': settingsFiles,
    'about the results directory': resultsDirs,
    'about runs': runs,
  })) {
    it(`${title} is told in plain words, with the right exit code`, async () => {
      const failures: string[] = [];
      await inTurns(rows, 4, async (row) => {
        try {
          await tryRow(row);
        } catch (error) {
          failures.push(`${row.name}: ${(error as Error).message}`);
        }
      });
      expect(failures, failures.join('\n\n')).to.deep.equal([]);
    }).timeout(60_000);
  }

  it('is told as JSON on stdout with --json', async () => {
    const project = new Project({ 'a.eval.ts': good });
    const { stdout, code } = await project.assay(['run', 'nowhere', '--json']);
    expect(code).to.equal(2);
    expect(JSON.parse(stdout).error).to.include({ code: 'no-such-path' });
  });
});

describe('a prefix of two run ids', () => {
  after(removeProjects);

  it('is ambiguous, and both are named', async () => {
    const project = new Project({ 'evals/good.eval.ts': good });
    await someRuns(project);
    const { stdout } = await project.assay(['export', 'calm-heron', '-f', 'json']);
    const exported = JSON.parse(stdout) as { run_id: string };
    for (const run_id of ['aaaa00000001', 'aaaa00000002']) {
      writeFileSync(project.path(`${run_id}.json`), JSON.stringify({ ...exported, run_id }));
      const { code, stderr } = await project.assay(['sessions', 'import', `${run_id}.json`]);
      expect(code, stderr).to.equal(0);
    }
    const { code, stderr } = await project.assay(['export', 'aaaa0000', '-f', 'json']);
    expect(code).to.equal(2);
    expect(stderr)
      .to.match(/aaaa00000001/)
      .and.to.match(/aaaa00000002/);
  });
});

describe('a full disk', () => {
  after(removeProjects);

  const many = `
import { evaluation } from 'assay';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const many = evaluation({ cases: Array.from({ length: 200 }, (_, n) => ({ id: String(n) })) }, async (ctx) => { await wait(2); ctx.output = 'x'.repeat(4000); });
`;

  it('is told, nothing that was saved is lost, and the run can be resumed when there is room', async () => {
    const project = new Project({ 'many.eval.ts': many });
    // Kibibytes; no file can grow beyond that.
    const limited = ['bash', '-c', 'ulimit -f 400; trap "" XFSZ; exec "$@"', 'bash'];
    const ended = await project.assay(['run', '-c', '2'], { through: limited });
    expect(ended.code, ended.stderr).to.equal(2);
    expect(ended.stderr)
      .to.match(/no room left/i)
      .and.to.match(/resume/);
    expect(ended.stderr).not.to.match(noStack);
    expect(await project.processesAfter(3000)).to.deep.equal([]);

    const saved = await project.exported();
    const kept = saved.run.results.filter((row) => row.result.status === 'completed');
    expect(kept.length).to.be.within(20, 199);
    expect(saved.run.state).to.equal('interrupted');
    const resumed = await project.run(['--resume', 'latest']);
    expect(resumed.run).to.include({ total_passed: 200, state: 'finished' });
    expect(resumed.run.results.filter((row) => row.result.status === 'completed').length).to.equal(
      200,
    );
  });

  it('leaves no half of an output file', async () => {
    const project = new Project({ 'many.eval.ts': many });
    expect((await project.assay(['run'])).code).to.equal(0);
    writeFileSync(project.path('out.json'), 'what was there before');
    const limited = ['bash', '-c', 'ulimit -f 100; trap "" XFSZ; exec "$@"', 'bash'];
    const { code, stderr } = await project.assay(
      ['export', 'latest', '-f', 'json', '-o', 'out.json'],
      {
        through: limited,
      },
    );
    expect(code, stderr).to.equal(2);
    expect(stderr).to.match(/no room left/i);
    expect(readFileSync(project.path('out.json'), 'utf8')).to.equal('what was there before');
  });
});

async function tryRow(row: BadInput): Promise<void> {
  const project = new Project({ 'evals/good.eval.ts': good, ...row.files });
  await row.prepare?.(project);
  const options: StartOptions = {
    ...(row.env === undefined ? {} : { env: row.env }),
    ...(row.through === undefined ? {} : { through: row.through }),
  };
  const ended = await project.assay(row.args, options);
  const shown = `exit code ${ended.code}, stderr:\n${ended.stderr}`;
  expect(ended.code, shown).to.equal(row.code ?? 2);
  for (const pattern of row.stderr) expect(ended.stderr).to.match(pattern);
  for (const pattern of [noStack, ...(row.not ?? [])]) expect(ended.stderr).not.to.match(pattern);
  expect(ended.stdout, 'stdout').to.equal('');
  expect(await project.processesAfter(3000), 'processes').to.deep.equal([]);
  await row.after?.(project, ended);
}
