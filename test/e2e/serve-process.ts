import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEachFile } from '../helpers/clean-up.js';
import { Project, type Running, type StartOptions } from '../helpers/project.js';
import type { Files } from '../helpers/project-folder.js';

/** `assay serve` in a process of its own. */
export interface Serving extends Running {
  readonly project: Project;
  /** What it printed on stdout first: one line. */
  readonly line: string;
  /** The address in that line. */
  readonly url: string;
}

const temporary: string[] = [];
const serving: Running[] = [];

/** Starts `assay serve` on a free port, unless the arguments say otherwise, and waits for the address. */
export async function serve(
  files: Files | Project,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  how: Omit<StartOptions, 'env'> = {},
): Promise<Serving> {
  const project = files instanceof Project ? files : new Project(files);
  const port = args.includes('--port') || args.includes('--any-port') ? [] : ['--port', '0'];
  const given = args.filter((arg) => arg !== '--any-port');
  const running = project.start(['serve', ...port, ...given], { ...how, env });
  serving.push(running);
  const line = await firstLine(running);
  const url = /http:\/\/[^\s"/]+/.exec(line)?.[0];
  if (url === undefined) {
    const { code, stdout, stderr } = await running.ended;
    throw new Error(`No address; exit code ${code}\n${stdout}\n${stderr}`);
  }
  return { ...running, project, line, url };
}

/** A folder for temporary files, to see what is left there. */
export function makeTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-temporary-'));
  temporary.push(folder);
  return folder;
}

/** What assay has left in a folder for temporary files. */
export function leftovers(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.startsWith('assay-'));
}

afterEachFile('servers', endServing);

/** Ends what was started, waits until it is gone and removes the folders; each test file ends with it. */
export async function endServing(): Promise<void> {
  const ending = serving.splice(0);
  for (const { child } of ending) child.kill('SIGKILL');
  await Promise.all(ending.map(({ child }) => hasExited(child)));
  for (const folder of temporary.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** Sends a request, with its body as JSON. */
export async function send(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  // Tests look into answers of any shape.
  // biome-ignore lint/suspicious/noExplicitAny: see above
): Promise<{ readonly status: number; readonly body: any }> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

/** Asks until the active run is in a state; answers with it. */
// Tests look into any part of a run.
// biome-ignore lint/suspicious/noExplicitAny: see above
export async function untilState(url: string, state: string): Promise<any> {
  for (const end = performance.now() + 30_000; ; await delay(20)) {
    const { body: run } = await send(url, 'GET', '/results');
    if (run.state === state) return run;
    if (performance.now() > end) throw new Error(`it is ${run.state}, not ${state}`);
  }
}

async function hasExited(child: Running['child']): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

async function firstLine({ child, ended }: Running): Promise<string> {
  let text = '';
  const { stdout } = child;
  if (stdout === null) throw new Error('there is no stdout');
  stdout.on('data', (chunk: Buffer) => {
    text += chunk;
  });
  const end = ended.then(() => true);
  while (!text.includes('\n')) {
    if ((await Promise.race([once(stdout, 'data'), end])) === true) break;
  }
  return text.split('\n')[0] ?? '';
}
