import { chmodSync, mkdirSync } from 'node:fs';
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
    name: 'an unknown flag',
    args: ['run', '--concurency', '3'],
    stderr: [/There is no flag --concurency\./, /Did you mean --concurrency\?/],
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
