import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ResultEntry } from '../../src/model/result.js';
import type { RunJson } from '../../src/model/run.js';
import { bin, type Files, makeProjectFolder, writeIn } from './project-folder.js';

/** Marks every process that a project starts, however deep. */
const mark = 'PROJECT_UNDER_TEST';

/** How a command ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Seconds. */
  readonly took: number;
}

/** A command under way. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** What stderr has said so far. */
  stderr(): string;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** A program and its arguments to start the command line with, such as `setpriv …`. */
  readonly through?: readonly string[];
  /** Options of Node itself. */
  readonly node?: readonly string[];
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

/** A folder with eval files, in which `assay` can be imported and run. */
export class Project {
  readonly folder: string;

  constructor(files: Files = {}) {
    this.folder = makeProjectFolder(files);
    projects.push(this);
  }

  path(...parts: readonly string[]): string {
    return join(this.folder, ...parts);
  }

  write(path: string, text: string): void {
    writeIn(this.folder, path, text);
  }

  read(path: string): string {
    return readFileSync(this.path(path), 'utf8');
  }

  has(path: string): boolean {
    return existsSync(this.path(path));
  }

  start(args: readonly string[], options: StartOptions = {}): Running {
    const [program = '', ...more] = [
      ...(options.through ?? []),
      process.execPath,
      ...(options.node ?? []),
      bin,
      ...args,
    ];
    const child = spawn(program, more, {
      cwd: this.folder,
      env: this.#env(options.env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const began = performance.now();
    const stdout = collect(child.stdout);
    const stderr = collect(child.stderr);
    const ended = new Promise<Ended>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) => {
        const took = (performance.now() - began) / 1000;
        resolve({ code, signal, stdout: stdout(), stderr: stderr(), took });
      });
    });
    return { child, ended, stderr };
  }

  assay(args: readonly string[], options?: StartOptions): Promise<Ended> {
    return this.start(args, options).ended;
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
    const wanted = `${mark}=${this.folder}\0`;
    return readdirSync('/proc').flatMap((name) => {
      if (!/^\d+$/.test(name)) return [];
      try {
        if (!readFileSync(`/proc/${name}/environ`, 'latin1').includes(wanted)) return [];
        return [Number(name)];
      } catch {
        return [];
      }
    });
  }

  /** Waits until no process is left; answers with those that are after the given milliseconds. */
  async processesAfter(ms: number): Promise<number[]> {
    for (const until = performance.now() + ms; ; await delay(25)) {
      const left = this.processes();
      if (left.length === 0 || performance.now() > until) return left;
    }
  }

  /** All text that was saved, of all runs. */
  savedText(folder = '.assay'): string {
    const texts = readdirSync(this.path(folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
    return texts.join('\n');
  }

  remove(): void {
    for (const pid of this.processes()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has just ended.
      }
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  #env(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
    const { PATH, HOME, TMPDIR } = process.env;
    return {
      PATH,
      HOME,
      ...(TMPDIR === undefined ? {} : { TMPDIR }),
      NODE_NO_WARNINGS: '1',
      [mark]: this.folder,
      ...more,
    };
  }
}

/** Ends and removes all projects that were made; for hooks. */
export function removeProjects(): void {
  for (const project of projects.splice(0)) project.remove();
}

export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Waits until something is true; fails after 15 s. */
export async function until(isTrue: () => boolean, what: string): Promise<void> {
  for (const end = performance.now() + 15_000; !isTrue(); await delay(10)) {
    if (performance.now() > end) throw new Error(`waited in vain for ${what}`);
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

function collect(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: Buffer[] = [];
  stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}
