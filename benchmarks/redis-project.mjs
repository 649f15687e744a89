import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const preload = fileURLToPath(new URL('preload/peak-memory.cjs', import.meta.url));
const durable = ['--appendonly', 'yes', '--appendfsync', 'always'];

/** A project with one eval file in a temporary folder, and a Redis server of its own. */
export class RedisProject {
  #folder = mkdtempSync(join(tmpdir(), 'assay-redis-'));
  #peaks = join(this.#folder, 'peaks');
  #children = new Set();
  #options;
  #redis;

  /**
   * `files` are eval files by name. `isDurable`: Redis writes every change to a file, and has it again after a kill.
   * `isMeasured`: commands leave what {@link peakOf} tells.
   */
  static async start(files, { isDurable = false, isMeasured = false } = {}) {
    const project = new RedisProject();
    project.#options = { isDurable, isMeasured };
    project.path = join(project.#folder, 'project');
    for (const path of ['project/node_modules', 'redis', 'peaks']) {
      mkdirSync(join(project.#folder, path), { recursive: true });
    }
    symlinkSync(checkout, join(project.path, 'node_modules/assay'), 'junction');
    writeFileSync(join(project.path, 'package.json'), '{ "name": "measured", "type": "module" }\n');
    for (const [name, source] of Object.entries(files)) {
      writeFileSync(join(project.path, `${name}.eval.ts`), source);
    }
    project.port = await freePort();
    project.url = `redis://127.0.0.1:${project.port}`;
    await project.startRedis();
    return project;
  }

  async startRedis() {
    const own = ['--port', this.port, '--bind', '127.0.0.1', '--save', ''].map(String);
    const args = [...own, '--dir', join(this.#folder, 'redis')];
    const child = spawn('redis-server', this.#options.isDurable ? [...args, ...durable] : args, {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#redis = child;
    let said = '';
    for await (const chunk of child.stdout) {
      said += chunk;
      // Leaving the loop closes the stream, which Redis does not mind.
      if (said.includes('Ready to accept connections')) return;
    }
    throw new Error(`redis-server ended: ${said}`);
  }

  async killRedis() {
    this.#redis.kill('SIGKILL');
    await once(this.#redis, 'exit');
  }

  /** Starts `assay` with these arguments; `ended` resolves to the exit code. */
  start(args) {
    const began = performance.now();
    const measured = { NODE_OPTIONS: `--require=${preload}`, PEAK_MEMORY_DIR: this.#peaks };
    const child = spawn(process.execPath, [join(checkout, 'bin/run.js'), ...args], {
      cwd: this.path,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        ...(this.#options.isMeasured && measured),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr']) {
      child[stream].setEncoding('utf8').on('data', (text) => {
        said[stream] += text;
      });
    }
    this.#children.add(child);
    child.once('exit', () => this.#children.delete(child));
    return { child, began, said, ended: once(child, 'close').then(([code]) => code) };
  }

  /** Starts a worker with so many slots, and waits until it is there. */
  async startWorker(slots) {
    const worker = this.start(['worker', '--redis', this.url, '-c', String(slots)]);
    await once(worker.child.stderr, 'data');
    return worker;
  }

  /** Peak memory in MB, and processor time in seconds, of a command that has ended. */
  peakOf({ child }) {
    const [kilobytes, cpu] = readFileSync(join(this.#peaks, String(child.pid)), 'utf8').split(' ');
    return { peak: Math.round(kilobytes / 1024), cpu: Number(cpu) };
  }

  /** Ends what still runs; `keeps` the folder, and answers with it. */
  async end({ keeps = false } = {}) {
    for (const child of this.#children) child.kill('SIGKILL');
    this.#redis.kill('SIGKILL');
    // Processes of workers write their peak memory when they notice that these are gone.
    if (!keeps) await rm(this.#folder, { recursive: true, force: true, maxRetries: 10 });
    return this.#folder;
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
