import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { inTurns } from '../helpers/in-turns.js';
import { type Ended, Project, type StartOptions } from '../helpers/project.js';

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

const rows: readonly BadInput[] = [
  {
    name: 'a path near one that is there',
    args: ['run', 'evals/god.eval.ts'],
    stderr: [/No such path: evals\/god\.eval\.ts/, /Did you mean evals\/good\.eval\.ts\?/],
  },
  {
    name: 'a name that no evaluation has',
    args: ['run', 'evals/good.eval.ts::refnd'],
    stderr: [/no evaluation named refnd/, /Did you mean refund\?/, /refund, cancel/],
  },
  {
    name: 'only skipped evaluations',
    args: ['run', 'skipped.eval.ts'],
    files: {
      'skipped.eval.ts': `import { evaluation } from 'assay';\nexport const a = evaluation({ skip: true }, () => {});`,
    },
    stderr: [/skipped/],
  },
  {
    name: 'an unknown flag',
    args: ['run', '--concurency', '3'],
    stderr: [/There is no flag --concurency\./, /Did you mean --concurrency\?/],
  },
  {
    name: 'a run name with control characters',
    args: ['run', '--run-name', 'a\u001b[31mb'],
    stderr: [/run name/],
    not: [new RegExp(String.fromCharCode(27))],
  },
  { name: 'an unknown command', args: ['rum'], stderr: [/rum/, /run/] },
  {
    name: 'an unknown command of a topic',
    args: ['sessions', 'lst'],
    stderr: [/lst/],
  },
  {
    name: 'a broken settings file',
    args: ['config', 'set', 'concurrency', '3'],
    files: { 'assay.yaml': settings },
    stderr: [/assay\.yaml:[234]:\d+/],
    after: (project) => expect(project.read('assay.yaml')).to.equal(settings) && undefined,
  },
  {
    name: 'an unknown run',
    args: ['export', 'calm-hero'],
    stderr: [/There is no run "calm-hero"\./, /RUN is an id/],
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
];

const noStack = /^\s+at |node:internal|dist\/(?!host\/main)|Error: .*\n\s+at/m;

// What is said about hundreds of others is checked in test/bad-input, within one process.
describe('bad input for a process of its own', () => {
  it('is told in plain words, ends it with exit code 2, and leaves no process behind', async () => {
    const failures: string[] = [];
    await inTurns(rows, 4, async (row) => {
      try {
        await tryRow(row);
      } catch (error) {
        failures.push(`${row.name}: ${(error as Error).message}`);
      }
    });
    expect(failures, failures.join('\n\n')).to.deep.equal([]);
  }).timeout(120_000);

  it('is told as JSON on stdout with --json', async () => {
    const project = new Project({ 'a.eval.ts': good });
    const { stdout, code } = await project.assay(['run', 'nowhere', '--json']);
    expect(code).to.equal(2);
    expect(JSON.parse(stdout).error).to.include({ code: 'no-such-path' });
  });
});

describe('a full disk', () => {
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
    expect(await project.processesLeft()).to.deep.equal([]);

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
  expect(await project.processesLeft(), 'processes').to.deep.equal([]);
  await row.after?.(project, ended);
}
