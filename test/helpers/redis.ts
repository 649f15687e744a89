import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WorkerList } from '../../src/runner/executors/bullmq/list-workers.js';
import type { Project, Running } from './project.js';

/** A Redis server of the tests' own, on a free port, that writes every change to its file before it answers. */
export class RedisUnderTest {
  readonly port: number;
  readonly url: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'assay-redis-'));
  readonly #options: readonly string[];
  #process: ChildProcess | undefined;

  private constructor(port: number, options: readonly string[]) {
    this.port = port;
    this.url = `redis://127.0.0.1:${port}`;
    this.#options = options;
  }

  /** `options` are added to the command line of the server. */
  static async start(...options: readonly string[]): Promise<RedisUnderTest> {
    const redis = new RedisUnderTest(await freePort(), options);
    await redis.restart();
    return redis;
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
      stdio: ['ignore', 'pipe', 'inherit'],
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

/** How to start a worker. */
export interface WorkerOptions {
  /** Default: the setting of the project. */
  readonly url?: string;
  /** Default: 2. */
  readonly slots?: number;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts `assay worker`, and waits until it is in the list of workers; `removeProjects` ends it. */
export async function startWorker(
  project: Project,
  { url, slots = 2, flags = [], env = {} }: WorkerOptions = {},
): Promise<Running> {
  const own = [...(url === undefined ? [] : ['--redis', url]), '-c', String(slots)];
  const running = project.start(['worker', ...own, ...flags], { env });
  await running.said(/slots/);
  return running;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

/** What `assay workers` says. */
export async function listWorkers(project: Project, url: string): Promise<WorkerList> {
  const { stdout } = await project.assay(['workers', '--redis', url, '--json']);
  return JSON.parse(stdout);
}
