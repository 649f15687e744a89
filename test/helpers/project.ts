import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RunJson } from '../../src/model/run.js';
import { bin, type Files, makeProjectFolder, writeIn } from './project-folder.js';

export interface AssayOptions {
  /** Folder below the project. Default: the project. */
  readonly cwd?: string;
  /** Added to an environment of just `PATH` and `HOME`. */
  readonly env?: Readonly<Record<string, string>>;
  /** What stands on stdin. Default: nothing. */
  readonly input?: string;
}

/** How a command ended. */
export interface AssayResult {
  /** `null` when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What stdout says, as JSON. */
  json(): RunJson;
}

/** A command that is under way. */
export interface RunningAssay {
  readonly child: ChildProcess;
  readonly done: Promise<AssayResult>;
  /** Resolves when stdout or stderr has said so; rejects when the command ends without. */
  said(pattern: RegExp): Promise<void>;
}

/** A project of a user in a temporary folder. */
export interface Project {
  readonly folder: string;
  path(name: string): string;
  write(name: string, text: string): void;
  read(name: string): string;
  has(name: string): boolean;
  remove(name: string): void;
  /** Runs the command and waits for its end; only a few run at the same time. */
  assay(args: readonly string[], options?: AssayOptions): Promise<AssayResult>;
  /** Starts the command. */
  start(args: readonly string[], options?: AssayOptions): RunningAssay;
}

const made: string[] = [];

/** Makes a project: an ESM package that can import `assay` and the packages of the checkout. */
export function makeProject(files: Files): Project {
  const folder = makeProjectFolder(files);
  made.push(folder);
  const path = (name: string) => join(folder, name);
  const start: Project['start'] = (args, options) => startAssay(folder, args, options);
  return {
    folder,
    path,
    write: (name, text) => writeIn(folder, name, text),
    read: (name) => readFileSync(path(name), 'utf8'),
    has: (name) => existsSync(path(name)),
    remove: (name) => rmSync(path(name), { recursive: true }),
    assay: (args, options) => whenFree(() => start(args, options).done),
    start,
  };
}

/** Removes every project that was made. */
export function removeProjects(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}

function startAssay(
  folder: string,
  args: readonly string[],
  { cwd = '.', env = {}, input = '' }: AssayOptions = {},
): RunningAssay {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: join(folder, cwd),
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      said[stream] += text;
    });
  }
  // A command that ends without reading is no fault of the test.
  child.stdin.on('error', () => undefined).end(input);
  const done = new Promise<AssayResult>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const { stdout, stderr } = said;
      resolve({ code, signal, stdout, stderr, json: () => parseOutput(stdout, stderr) });
    });
  });
  return { child, done, said: (pattern) => untilSaid(child, said, pattern) };
}

function parseOutput(stdout: string, stderr: string): RunJson {
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(`stdout is no JSON: ${JSON.stringify(stdout)}\nstderr: ${stderr}`);
  }
}

function untilSaid(
  child: ChildProcess,
  said: { readonly stdout: string; readonly stderr: string },
  pattern: RegExp,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (pattern.test(said.stdout) || pattern.test(said.stderr)) resolve();
    };
    look();
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    child.on('close', () => {
      reject(new Error(`ended without saying ${pattern}: ${said.stdout}${said.stderr}`));
    });
  });
}

// More at a time only makes each of them slower.
let free = 3;
const waiting: (() => void)[] = [];

async function whenFree<T>(work: () => Promise<T>): Promise<T> {
  if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
  else free -= 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  }
}
