import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ResultEntry } from '../../src/model/result.js';
import type { RunJson } from '../../src/model/run.js';
import { afterEachFile } from './clean-up.js';
import { bin, type Files, makeProjectFolder, writeIn } from './project-folder.js';
import { runInSharedProcess } from './shared-process.js';
import { turns } from './turns.js';

/** Marks every process that a project starts, however deep. */
const mark = 'PROJECT_UNDER_TEST';

export interface StartOptions {
  /** Folder below the project. Default: the project. */
  readonly cwd?: string;
  /** Added to an environment of little more than `PATH` and `HOME`. */
  readonly env?: Readonly<Record<string, string>>;
  /** What stands on stdin. Default: nothing. */
  readonly input?: string;
  /** A program and its arguments to start the command line with, such as `setpriv …`. */
  readonly through?: readonly string[];
  /** Options of Node itself. */
  readonly node?: readonly string[];
}

/** Milliseconds for which something is waited for that must come: a busy machine takes its time. */
const patienceMs = 30_000;

/** How a command ended. */
export interface Ended {
  /** `null` when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Seconds. */
  readonly took: number;
  /** What stdout says, as JSON. */
  json(): RunJson;
}

/** A command that is under way. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** What stdout has said so far. */
  stdout(): string;
  /** What stderr has said so far. */
  stderr(): string;
  /** Resolves when stdout or stderr has said so; rejects when the command ends without. */
  said(pattern: RegExp): Promise<void>;
}

/** A run as `--json` prints it. */
export interface JsonRun extends Ended {
  readonly run: RunJson;
  /** The result of a function. */
  result(name: string): ResultEntry['result'];
  /** `completed`, `error`, … of each function. */
  readonly statuses: Readonly<Record<string, string>>;
}

const projects: Project[] = [];
// More at a time only makes each of them slower.
const inTurn = turns(3);
/** A process takes longer to start than many commands that start no hosts take. */
const oneByOne = turns(1);

/** A project of a user in a temporary folder: an ESM package that can import `assay` and packages of the checkout. */
export class Project {
  readonly folder: string;
  readonly #hosts: boolean;

  constructor(files: Files = {}, hosts = true) {
    this.#hosts = hosts;
    this.folder = makeProjectFolder(files);
    projects.push(this);
  }

  /** The folders of its results and recordings, as settings name them. */
  get ownFolders() {
    return {
      resultsDir: this.path('.assay/sessions'),
      recordingsDir: this.path('.assay/recordings'),
    };
  }

  path(...parts: readonly string[]): string {
    return join(this.folder, ...parts);
  }

  /** Another project with the files and saved runs of this one. */
  copy(): Project {
    const copy = new Project({}, this.#hosts);
    const isOwn = (path: string) => path !== this.path('node_modules');
    cpSync(this.folder, copy.folder, { recursive: true, filter: isOwn });
    return copy;
  }

  write(name: string, text: string): void {
    writeIn(this.folder, name, text);
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }

  has(name: string): boolean {
    return existsSync(this.path(name));
  }

  /** Lines that evaluations have added to a file since this was asked last, sorted. */
  newLines(name: string): string[] {
    const text = this.has(name) ? this.read(name) : '';
    this.write(name, '');
    return text.split('\n').filter(Boolean).sort();
  }

  remove(name: string): void {
    rmSync(this.path(name), { recursive: true });
  }

  /** Starts the command. */
  start(args: readonly string[], options: StartOptions = {}): Running {
    const { cwd = '.', env = {}, input = '', through = [], node = [] } = options;
    const [program = '', ...more] = [...through, process.execPath, ...node, bin, ...args];
    const child = spawn(program, more, { cwd: this.path(cwd), env: this.#env(env) });
    const began = performance.now();
    const stdout = collect(child.stdout);
    const stderr = collect(child.stderr);
    // A command that ends without reading is no fault of the test.
    child.stdin.on('error', () => undefined).end(input);
    const ended = new Promise<Ended>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) => {
        const took = (performance.now() - began) / 1000;
        const said = { stdout: stdout(), stderr: stderr() };
        resolve({ code, signal, ...said, took, json: () => parseOutput(said) });
      });
    });
    return {
      child,
      ended,
      stdout,
      stderr,
      said: (pattern) => untilSaid(child, [stdout, stderr], pattern),
    };
  }

  /**
   * Runs the command and waits for its end; only a few run at the same time. It has a process of its own when an option
   * asks for one: else it shares one with other commands, which takes half the time.
   */
  assay(args: readonly string[], options: StartOptions = {}): Promise<Ended> {
    const { cwd = '.', env = {}, input, through, node } = options;
    const needsProcess =
      [input, through, node].some((option) => option !== undefined) ||
      Object.keys(env).some((name) => name.startsWith('NODE_'));
    if (needsProcess) return inTurn(() => this.start(args, options).ended);
    return (this.#hosts ? inTurn : oneByOne)(async () => {
      const began = performance.now();
      const end = await runInSharedProcess(args, this.path(cwd), this.#env(env), this.#hosts);
      return { ...end, took: (performance.now() - began) / 1000, json: () => parseOutput(end) };
    });
  }

  /** `assay run … --json`, read. */
  async run(args: readonly string[] = [], options?: StartOptions): Promise<JsonRun> {
    return asJsonRun(await this.assay(['run', ...args, '--json'], options));
  }

  /** A saved run, as `assay export` shows it. */
  async exported(reference = 'latest'): Promise<JsonRun> {
    return asJsonRun(await this.assay(['export', reference, '-f', 'json']));
  }

  /** Processes that were started here and still run. */
  processes(): number[] {
    return processesWith((environment) => environment.includes(`${mark}=${this.folder}\0`));
  }

  /** Waits until no process is left, as `until` waits; answers with those that stay. */
  async processesLeft(): Promise<number[]> {
    for (const end = performance.now() + patienceMs; ; await delay(25)) {
      const left = this.processes();
      if (left.length === 0 || performance.now() > end) return left;
    }
  }

  /** How many results of evaluations, or grades of a regrade, are in the logs of all sessions. */
  finishedResults(type: 'finished' | 'regraded' = 'finished'): number {
    const sessions = this.path('.assay/sessions');
    if (!existsSync(sessions)) return 0;
    // Not recursive: a run that is being made has a folder of another name, which may vanish while it is read.
    const logs = readdirSync(sessions)
      .filter((name) => !name.startsWith('.'))
      .flatMap((session) => readdirSync(join(sessions, session)).map((run) => join(session, run)))
      .filter((run) => !basename(run).startsWith('.new-'))
      .map((run) => join(run, 'results.jsonl'))
      .filter((log) => existsSync(join(sessions, log)));
    const texts = logs.map((log) => readFileSync(join(sessions, log), 'utf8'));
    return texts.join('').split(`"type":"${type}"`).length - 1;
  }

  /** Makes a saved run an hour older: runs are told by the second. */
  backdate(runId: string): void {
    const folder = `.assay/sessions/default/${runId}`;
    const text = this.read(`${folder}/results.jsonl`);
    const older = (_: string, key: string, ms: string) => `${key}${Number(ms) - 3_600_000}`;
    this.write(`${folder}/results.jsonl`, text.replace(/("created_at_ms":)(\d+)/g, older));
    this.remove(`${folder}/run.json`);
  }

  /** All text that was saved, of all runs. */
  savedText(folder = '.assay'): string {
    const texts = readdirSync(this.path(folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
    return texts.join('\n');
  }

  #env(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
    const { PATH, HOME, TMPDIR } = process.env;
    return {
      PATH,
      HOME,
      ...(TMPDIR === undefined ? {} : { TMPDIR }),
      [mark]: this.folder,
      ...more,
    };
  }
}

/**
 * A project whose commands run evaluations in their own process, see `InProcessExecutor`, which takes a tenth of the time:
 * for what flags select and gates decide, and what is printed, saved and exported.
 */
export class ProjectWithoutHosts extends Project {
  constructor(files: Files = {}) {
    super(files, false);
  }
}

afterEachFile('projects', removeProjects);

/** Ends and removes all projects that were made; each test file ends with it. */
export function removeProjects(): void {
  const gone = projects.splice(0);
  const marks = gone.map(({ folder }) => `${mark}=${folder}\0`);
  const left = () => processesWith((text) => marks.some((own) => text.includes(own)));
  // A process that is being ended may still start another one, or write a file into a folder that is being removed.
  for (let pids = left(); pids.length > 0; pids = left()) {
    for (const pid of pids) kill(pid);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
  }
  for (const { folder } of gone) rmSync(folder, { recursive: true, force: true });
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}

/** Waits until something is true; fails after 15 s. */
export async function until(isTrue: () => boolean, what: string): Promise<void> {
  for (const end = performance.now() + patienceMs; !isTrue(); await delay(10)) {
    if (performance.now() > end) throw new Error(`waited in vain for ${what}`);
  }
}

function processesWith(isMeant: (environment: string) => boolean): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return isMeant(readFileSync(`/proc/${name}/environ`, 'latin1')) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

function parseOutput({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) {
  try {
    return JSON.parse(stdout) as RunJson;
  } catch {
    throw new Error(`stdout is no JSON: ${JSON.stringify(stdout)}\nstderr: ${stderr}`);
  }
}

function asJsonRun(ended: Ended): JsonRun {
  const run = readRun(ended.stdout);
  if (run === undefined) {
    throw new Error(`no run JSON; exit code ${ended.code}, stderr:\n${ended.stderr}`);
  }
  const statuses = Object.fromEntries(run.results.map((row) => [row.function, row.result.status]));
  return {
    ...ended,
    run,
    statuses,
    result: (name) => {
      const found = run.results.find((row) => row.function === name);
      if (found === undefined) throw new Error(`no result of ${name}`);
      return found.result;
    },
  };
}

/** With --json an error is JSON, too. */
function readRun(text: string): RunJson | undefined {
  try {
    const document = JSON.parse(text) as RunJson | { results?: undefined };
    return document.results === undefined ? undefined : document;
  } catch {
    return undefined;
  }
}

function untilSaid(
  child: ChildProcess,
  texts: readonly (() => string)[],
  pattern: RegExp,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (texts.some((text) => pattern.test(text()))) resolve();
    };
    look();
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    child.on('close', () => {
      reject(new Error(`ended without saying ${pattern}: ${texts.map((text) => text()).join('')}`));
    });
  });
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: Buffer[] = [];
  stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}
