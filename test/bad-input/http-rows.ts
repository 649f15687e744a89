import { expect } from 'chai';
import { ServedProject } from '../helpers/served-project.js';
import { goodEvals } from './command-rows.js';
import { changesBetween, folderState } from './folder-state.js';
import { expectPlainWords } from './plain-words.js';

/** One wrong request, and the problem document it must get. */
export interface HttpRow {
  readonly method: string;
  /** `{run}` is the id of the active run, which has three results. */
  readonly path: string;
  readonly body?: string;
  readonly status: number;
  /** The whole detail where it is a text; `<project>` is the folder of the project. */
  readonly detail: string | RegExp;
  /** What `errors` points at. Default: not looked at. */
  readonly pointers?: readonly string[];
}

/** A server with one run that has finished, and what was so before any row. */
export interface ServedRun {
  readonly served: ServedProject;
  readonly runId: string;
  readonly files: ReadonlyMap<string, string>;
  readonly run: string;
}

let started: Promise<ServedRun> | undefined;

/** The server that all rows share: none of them may change anything. */
export function servedRun(): Promise<ServedRun> {
  started ??= start();
  return started;
}

async function start(): Promise<ServedRun> {
  const served = await ServedProject.start({ 'evals/good.eval.ts': goodEvals });
  const { run_id } = await served.runAll();
  const { text: run } = await served.get('/results');
  return { served, runId: run_id, files: folderState(served.project.folder), run };
}

/** Fails when a file of the project is not as it was before the rows. */
export function expectSameFiles({ served, files }: ServedRun): void {
  expect(changesBetween(files, folderState(served.project.folder))).to.deep.equal([]);
}

/** Ends the server that rows share; fails when they have changed the run, or when anything it met was a bug. */
export async function endServedRun(): Promise<void> {
  if (started === undefined) return;
  const { served, run } = await started;
  started = undefined;
  expect((await served.get('/results')).text, 'the run').to.equal(run);
  await served.close();
  expect(served.bugs).to.deep.equal([]);
}

/** A test for each row, all against one server, which {@link endServedRun} ends. */
export function testRequests(title: string, rows: readonly HttpRow[]): void {
  describe(title, () => {
    for (const row of rows) {
      const { method, path, body, status } = row;
      const sent = body === undefined ? '' : ` with ${shortened(body)}`;
      it(`${method} ${shortened(path)}${sent} is answered with ${status}`, async () => {
        await tryRequest(await servedRun(), row);
      });
    }
  });
}

async function tryRequest(at: ServedRun, row: HttpRow): Promise<void> {
  const { served, runId } = at;
  const { folder } = served.project;
  const named = (text: string) => text.replaceAll('{run}', runId);
  const answer = await served.send(row.method, named(row.path), row.body);
  expect(answer.status, answer.text).to.equal(row.status);
  expectProblem(answer.text.replaceAll(folder, '<project>'), {
    ...row,
    detail: typeof row.detail === 'string' ? named(row.detail) : row.detail,
  });
  expectSameFiles(at);
}

/** Fails unless a body is the problem document that is wanted. */
export function expectProblem(
  body: string,
  { status, detail, pointers }: Pick<HttpRow, 'status' | 'detail' | 'pointers'>,
): void {
  const problem = JSON.parse(body);
  expect(problem).to.include({ type: 'about:blank', status });
  if (typeof detail === 'string') expect(problem.detail).to.equal(detail);
  else expect(problem.detail).to.match(detail);
  expectPlainWords(problem.detail);
  const pointed = (problem.errors ?? []).map((one: { pointer: string }) => one.pointer);
  if (pointers !== undefined) expect(pointed).to.deep.equal(pointers);
}

function shortened(text: string): string {
  const plain = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return plain.length <= 80 ? plain : `${plain.slice(0, 40)}…${plain.slice(-20)}`;
}
