import { expect } from 'chai';
import { type Project, ProjectWithoutHosts } from '../helpers/project.js';
import { changesBetween, folderState } from './folder-state.js';
import { expectPlainWords } from './plain-words.js';

/** One wrong way to call a command, and the answer it must get. */
export interface CommandRow {
  readonly what: string;
  readonly argv: readonly string[];
  /** Files of the project beside `evals/good.eval.ts`. */
  readonly files?: Readonly<Record<string, string>>;
  readonly prepare?: (project: Project) => unknown;
  readonly env?: Readonly<Record<string, string>>;
  /** Default 2. */
  readonly code?: number;
  /** The message and the lines below it, whole where they are texts; the folder of the project is `<project>`. */
  readonly says: readonly (string | RegExp)[];
  /** What may differ afterwards: `+ made`, `- gone`, `* changed`. Default: nothing. */
  readonly changes?: readonly string[];
}

/** What is in every project: the evaluations `refund[polite]`, `refund[angry]` and `cancel`. */
export const goodEvals = `import { evaluation } from 'assay';
export const refund = evaluation(
  { cases: [{ id: 'polite' }, { id: 'angry' }], labels: ['tone'], dataset: 'support' },
  (ctx) => { ctx.output = 'yes'; },
);
export const cancel = evaluation({}, () => {});
`;

/** A test for each row. */
export function testCommands(title: string, rows: readonly CommandRow[]): void {
  describe(`${title}`, () => {
    for (const row of rows) {
      const told = row.code === 0 ? 'is taken' : 'is refused in plain words';
      it(`${row.what} ${told}`, () => tryCommand(row));
    }
  });
}

/** A test that rows which are refused say the same as JSON on stdout. */
export function testAsJson(rows: readonly CommandRow[], errorCode: string): void {
  it('the same is said as JSON with --json', async () => {
    const project = new ProjectWithoutHosts({ 'evals/good.eval.ts': goodEvals });
    for (const { argv, says } of rows) {
      const { code, stdout } = await project.assay([...argv, '--json']);
      const { error } = JSON.parse(stdout);
      expect({ code, error: error.code }).to.deep.equal({ code: 2, error: errorCode });
      expectLines([error.message, ...error.hints].join('\n'), says);
    }
  });
}

async function tryCommand(row: CommandRow): Promise<void> {
  const project = new ProjectWithoutHosts({ 'evals/good.eval.ts': goodEvals, ...row.files });
  await row.prepare?.(project);
  const { code: wanted = 2, says, changes = [], argv, env = {} } = row;
  const before = folderState(project.folder);
  const { code, stdout, stderr } = await project.assay(argv, { env });
  const shown = (text: string) => text.replaceAll(project.folder, '<project>');
  expect(code, `exit code; it said:\n${stderr}`).to.equal(wanted);
  expectPlainWords(shown(stderr));
  expectPlainWords(shown(stdout));
  if (wanted === 0) {
    expectAll(shown(`${stderr}${stdout}`), says);
  } else {
    expect(stdout, 'stdout').to.equal('');
    expectLines(shown(stderr), says);
  }
  expect(changesBetween(before, folderState(project.folder))).to.deep.equal(changes);
}

/** Every line of an error is what the row says, in order. */
function expectLines(stderr: string, says: CommandRow['says']): void {
  const lines = stderr.replace(/^✗ /m, '').trimEnd().split('\n');
  const said = lines.map((one) => one.replace(/^ {2}/, ''));
  const asked = says.map((wanted, at) => (matches(said[at], wanted) ? said[at] : String(wanted)));
  expect(said).to.deep.equal([...asked, ...said.slice(asked.length).filter(isWayToHelp)]);
}

function isWayToHelp(line: string): boolean {
  return line === 'See more help with --help';
}

function expectAll(text: string, says: CommandRow['says']): void {
  for (const wanted of says) {
    if (typeof wanted === 'string') expect(text).to.include(wanted);
    else expect(text).to.match(wanted);
  }
}

function matches(line: string | undefined, wanted: string | RegExp): boolean {
  return typeof wanted === 'string' ? line === wanted : wanted.test(line ?? '');
}
