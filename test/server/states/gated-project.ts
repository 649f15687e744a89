import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { type Project, ProjectWithoutHosts } from '../../helpers/project.js';
import type { Files } from '../../helpers/project-folder.js';
import { type Answered, ServedProject, type ServeOptions } from '../../helpers/served-project.js';

/** A run or a result as the API shows it; tests look into any part of it. */
export type Body = Answered['body'];

/** What {@link gatedEvals} can be told. */
export interface GatedOptions {
  readonly cases?: readonly string[];
  /** What the target answers with. */
  readonly version?: string;
  /** The target takes no notice of a stop. */
  readonly isDeaf?: boolean;
}

/**
 * An eval file whose target notes its call in the file `calls` and answers when the file `go` or `go-<case>` is there,
 * which it notes in the file `answers`.
 * Its import is noted in the file `imports` and waits while the file `hold-import` is there.
 */
export function gatedEvals({
  cases = ['a', 'b', 'c', 'd'],
  version = 'one',
  isDeaf = false,
}: GatedOptions = {}): string {
  return `
import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { evaluation } from 'assay';
const place = (name) => new URL(name, import.meta.url);
appendFileSync(place('imports'), 'x\\n');
while (existsSync(place('hold-import'))) await delay(10);
export const gated = evaluation({
  cases: ${JSON.stringify(cases.map((id) => ({ id, input: id })))},
  target: async (ctx) => {
    appendFileSync(place('calls'), ctx.caseId + '\\n');
    while (!existsSync(place('go')) && !existsSync(place('go-' + ctx.caseId))) {
      if (!${isDeaf} && ctx.signal.aborted) return 'too late';
      await delay(10);
    }
    appendFileSync(place('answers'), ctx.caseId + '\\n');
    return '${version}';
  },
  evaluators: [function good() { return true; }],
});
`;
}

/** A project of gated evaluations of which two run at a time. */
export function makeGatedProject(options: GatedOptions & { readonly files?: Files } = {}): Project {
  return new ProjectWithoutHosts({
    'assay.yaml': 'concurrency: 2\n',
    'a.eval.ts': gatedEvals(options),
    ...options.files,
  });
}

/** Serves a project of gated evaluations of which two run at a time. */
export function serveGated(
  options: GatedOptions & ServeOptions & { readonly files?: Files } = {},
): Promise<ServedProject> {
  return ServedProject.start(makeGatedProject(options), options);
}

/** Lets evaluations answer: all, or those of these cases. */
export function openGate({ project }: { readonly project: Project }, ...cases: string[]): void {
  if (cases.length === 0) project.write('go', '');
  for (const id of cases) project.write(`go-${id}`, '');
}

/** Lets no evaluation answer any more. */
export function closeGate({ project }: { readonly project: Project }): void {
  if (project.has('go')) project.remove('go');
}

/** From now on, evaluators end when the file `graded` is there. */
export function gradeSlowly({ project }: { readonly project: Project }): void {
  const text = project
    .read('a.eval.ts')
    .replace('return true', "while (!existsSync(place('graded'))) await delay(10); return true")
    .replace('[function', '[async function');
  project.write('a.eval.ts', text);
}

/** Does something that imports evals, and waits until their import has begun. */
export async function whenImporting<T>(
  { project }: { readonly project: Project },
  act: () => Promise<T>,
): Promise<{ readonly answered: Promise<T> }> {
  const count = () => project.read('imports').length;
  const before = count();
  const answered = act();
  await until(() => count() > before, 'an import');
  return { answered };
}

/** Cases whose target was called, in order. */
export function calls({ project }: { readonly project: Project }): string[] {
  return linesOf(project, 'calls');
}

/** Cases whose target has answered, in order. */
export function answers({ project }: { readonly project: Project }): string[] {
  return linesOf(project, 'answers');
}

function linesOf(project: Project, name: string): string[] {
  return project.has(name) ? project.read(name).split('\n').filter(Boolean) : [];
}

/** The statuses of all results of a run, in order. */
export function statuses(run: Body): string[] {
  return run.results.map((entry: Body) => entry.result.status);
}

/** Starts all, or some, of the active run and waits until the first two run. */
export async function startAndWait(
  served: ServedProject,
  body: Readonly<Record<string, unknown>> = {},
  count = 2,
): Promise<Body> {
  const { status, text } = await served.post('/api/runs/rerun', body);
  expect(status, text).to.equal(200);
  return untilRunning(served, count);
}

/** Waits until so many results of the active run are running. */
export function untilRunning(served: ServedProject, count: number): Promise<Body> {
  return served.until(
    (run) => statuses(run).filter((status) => status === 'running').length === count,
  );
}

/** Waits until the active run is in a state. */
export function untilState(served: ServedProject, state: string): Promise<Body> {
  return served.until((run) => run.state === state);
}

/** Any saved run, active or not. */
export async function runOf(served: ServedProject, runId: string): Promise<Body> {
  const { status, body } = await served.get(`/api/runs/${runId}/data`);
  expect(status).to.equal(200);
  return body;
}

/** Checks that a request was refused with a status and a sentence. */
export function expectRefused(
  answered: Answered,
  status: number,
  detail: RegExp | string = /./,
): void {
  expect(answered.status, answered.text).to.equal(status);
  expect(answered.headers.get('content-type')).to.include('application/problem+json');
  expect(answered.body.status).to.equal(status);
  if (typeof detail === 'string') expect(answered.body.detail).to.include(detail);
  else expect(answered.body.detail).to.match(detail);
}

/** Waits until something is so; fails after half a minute. */
export async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const end = performance.now() + 30_000; !(await isSo()); await delay(30)) {
    if (performance.now() > end) throw new Error(`waited in vain for ${what}`);
  }
}
