import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalExecutorOptions } from '../../dist/runner/executor.js';
import { listWorkers, type WorkerList } from '../../dist/workers/list-workers.js';
import { openProjectRedis } from '../../dist/workers/open-redis-executors.js';
import { QueueWorker, type WorkerEvent } from '../../dist/workers/queue-worker.js';
import { afterEachFile } from './clean-up.js';
import type { Project, Running } from './project.js';
import type { Files } from './project-folder.js';

const servers: RedisUnderTest[] = [];
/** The next port that a server tries: none that the system gives to whoever asks for any. */
let nextPort = 10_000 + (process.pid % 2_000) * 10;

/** A Redis server of the tests' own that writes every change to its file before it answers; each test file ends with it. */
export class RedisUnderTest {
  readonly #folder = mkdtempSync(join(tmpdir(), 'assay-redis-'));
  readonly #options: readonly string[];
  #port = 0;
  #process: ChildProcess | undefined;

  private constructor(options: readonly string[]) {
    this.#options = options;
  }

  /** `options` are added to the command line of the server. */
  static async start(...options: readonly string[]): Promise<RedisUnderTest> {
    const redis = new RedisUnderTest(options);
    servers.push(redis);
    for (;;) {
      redis.#port = nextPort;
      nextPort += 1;
      try {
        await redis.restart();
        return redis;
      } catch (error) {
        if (!String(error).includes('Address already in use')) throw error;
      }
    }
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.#port}`;
  }

  /** Starts the server again with what its file has. */
  async restart(): Promise<void> {
    const own = [
      '--port',
      String(this.port),
      '--bind',
      '127.0.0.1',
      '--dir',
      this.#folder,
      '--save',
      '',
    ];
    const durable = ['--appendonly', 'yes', '--appendfsync', 'always'];
    const child = spawn('redis-server', [...own, ...durable, ...this.#options], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.#process = child;
    await new Promise<void>((resolve, reject) => {
      let said = '';
      child.on('error', reject);
      child.on('exit', () => reject(new Error(`redis-server ended: ${said}`)));
      child.stdout.on('data', (chunk) => {
        said += String(chunk);
        if (said.includes('Ready to accept connections')) resolve();
      });
    });
  }

  /** Ends the server at once, as a crash would. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.removeAllListeners('exit');
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  /** What redis-cli prints; fails when the server answers with an error. */
  cli(...args: readonly string[]): string {
    const own = ['-e', '-p', String(this.port)];
    const { status, stdout, stderr } = spawnSync('redis-cli', [...own, ...args]);
    if (status !== 0) throw new Error(`redis-cli ${args.join(' ')}: ${stdout}${stderr}`);
    return String(stdout).trim();
  }

  async end(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Cases of which all but two wait for a file `go`; each attempt adds a letter to `ran`, so that repeated work is seen. */
export function waitingRows(count: number, output = "'done'"): Files {
  return {
    'a.eval.ts': `
      import { appendFileSync, existsSync } from 'node:fs';
      import { setTimeout as delay } from 'node:timers/promises';
      import { evaluation } from 'assay';
      const here = (file) => new URL(file, import.meta.url);
      export const row = evaluation({
        cases: Array.from({ length: ${count} }, (_, at) => ({ id: 'n' + at, input: at })),
        target: async ({ input }) => {
          appendFileSync(here('ran'), '.');
          while (input > 1 && !existsSync(here('go'))) await delay(10);
          return ${output};
        },
        evaluators: [({ output }) => output.startsWith('done')],
      });
    `,
    ran: '',
  };
}

/** Cases that wait for a file `go` and return a word of a module: as many as a variable or the argument says. */
export function heldCases(project: string, count: number): Files {
  return {
    'package.json': `{ "name": "${project}", "type": "module" }`,
    'a.eval.ts': `
      import { existsSync } from 'node:fs';
      import { setTimeout as delay } from 'node:timers/promises';
      import { evaluation } from 'assay';
      import { word } from './word.ts';
      export const held = evaluation({
        cases: Array.from({ length: Number(process.env.CASES ?? ${count}) }, (_, at) => ({ id: 'n' + at })),
        target: async () => {
          while (!existsSync(new URL('go', import.meta.url))) await delay(10);
          return word;
        },
        evaluators: [({ output }) => output === 'word'],
      });
    `,
    'word.ts': `export const word = 'word';`,
  };
}

/** How to start a worker. */
export interface WorkerOptions {
  /** Default: the setting of the project. */
  readonly url?: string;
  /** Default: 2. */
  readonly slots?: number;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts `assay worker`, and waits until it is in the list of workers; each test file ends with it. */
export async function startWorker(
  project: Project,
  { url, slots = 2, flags = [], env = {} }: WorkerOptions = {},
): Promise<Running> {
  const own = [...(url === undefined ? [] : ['--redis', url]), '-c', String(slots)];
  const running = project.start(['worker', ...own, ...flags], { env });
  await running.said(/ slots? /);
  return running;
}

/** A worker in this process. */
export interface WorkerHere {
  readonly worker: QueueWorker;
  readonly events: readonly WorkerEvent[];
  /** What it would print of Redis. */
  readonly warnings: readonly string[];
  /** Gives back what it runs, and ends. */
  readonly end: () => Promise<void>;
}

/** How to start a worker in this process. */
export interface WorkHereOptions extends Omit<WorkerOptions, 'flags'> {
  readonly url: string;
  readonly name?: string;
  readonly offers?: readonly string[];
  readonly lockMs?: number;
  /** What differs from the usual for its evaluations. */
  readonly local?: Partial<LocalExecutorOptions>;
}

const workersHere: WorkerHere[] = [];

/** Starts a worker as `assay worker` does, in this process: only its evaluations have another one. */
export async function workHere(project: Project, options: WorkHereOptions): Promise<WorkerHere> {
  const { url, name = 'here', slots = 2, offers = [], lockMs = 60_000, env, local } = options;
  const events: WorkerEvent[] = [];
  const warnings: string[] = [];
  const onWarning = (text: string) => warnings.push(text);
  const notes = { lost: 'Redis is lost', full: 'Redis is full', onWarning };
  const redis = await openProjectRedis(url, project.folder, notes);
  const { PATH, HOME } = process.env;
  const worker = new QueueWorker({
    ...{ redis, name, host: hostname(), pid: process.pid, slots, offers, lockMs },
    local: {
      cwd: project.folder,
      env: { PATH, HOME, PROJECT_UNDER_TEST: project.folder, ...env },
      addedEnv: {},
      workers: 1,
      ...project.ownFolders,
      redact: (text) => text,
      onPrint: () => undefined,
      onWarning,
      ...local,
    },
    onEvent: (event) => events.push(event),
  });
  await worker.begin();
  let ending: Promise<void> | undefined;
  const here = {
    ...{ worker, events, warnings },
    end: () => {
      ending ??= worker
        .stop()
        .then(() => worker.drain())
        .then(() => redis.close());
      return ending;
    },
  };
  workersHere.push(here);
  return here;
}

afterEachFile('servers', async () => {
  await Promise.all(workersHere.splice(0).map(({ end }) => end()));
});
afterEachFile('projects', async () => {
  await Promise.all(servers.splice(0).map((server) => server.end()));
});
// Where the clean-up of a file hangs, its servers end with the process.
process.once('exit', () => {
  for (const server of servers) void server.kill();
});

/** Who works for a project, and on what. */
export async function workersOf(project: Project, url: string): Promise<WorkerList> {
  const redis = await openProjectRedis(url, project.folder);
  try {
    return await listWorkers(redis);
  } finally {
    await redis.close();
  }
}
