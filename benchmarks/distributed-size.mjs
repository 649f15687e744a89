#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import bullmq from 'bullmq';
import { Redis } from 'ioredis';

// Large runs over Redis: time and memory of the coordinator and of Redis. First with two real workers of quick
// evaluations, then with many simulated workers, which answer each job after a second without running anything.
// node benchmarks/distributed-size.mjs [--results 100000] [--simulated 1000] [--slots 10] [--slow 30000]

const { values } = parseArgs({
  options: {
    results: { type: 'string', default: '100000' },
    simulated: { type: 'string', default: '1000' },
    slots: { type: 'string', default: '10' },
    slow: { type: 'string', default: '30000' },
  },
});
const [results, simulated, slots, slow] = ['results', 'simulated', 'slots', 'slow'].map((name) =>
  Number(values[name]),
);
const checkout = fileURLToPath(new URL('..', import.meta.url));
const preload = fileURLToPath(new URL('preload/peak-memory.cjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'assay-distributed-'));
const project = join(folder, 'project');
const peaks = join(folder, 'peaks');
for (const path of [join(project, 'node_modules'), peaks]) mkdirSync(path, { recursive: true });
symlinkSync(checkout, join(project, 'node_modules/assay'), 'junction');
writeFileSync(join(project, 'package.json'), '{ "name": "sized", "type": "module" }\n');
writeFileSync(
  join(project, 'a.eval.ts'),
  `
import { evaluation } from 'assay';
const cases = (count) => Array.from({ length: count }, (_, n) => ({ id: String(n), input: n }));
export const quick = evaluation({ dataset: 'quick', cases: cases(${results}), target: ({ input }) => input, evaluators: [() => true] });
export const slow = evaluation({ dataset: 'slow', cases: cases(${slow}), target: ({ input }) => input, evaluators: [() => true] });
`,
);
const port = await freePort();
const url = `redis://127.0.0.1:${port}`;
const redis = spawn('redis-server', ['--port', String(port), '--save', '', '--dir', folder], {
  stdio: 'ignore',
});
await delay(1000);
const client = new Redis(port);
const children = [];
try {
  console.log('| what | s | coordinator: processor s | peak MB | Redis: peak MB |');
  console.log('|---|--:|--:|--:|--:|');
  if (results > 0) {
    const workers = [start(['worker', '-c', '8']), start(['worker', '-c', '8'])];
    await Promise.all(workers.map(({ child }) => once(child.stderr, 'data')));
    await measured(
      `${results} quick evaluations, 2 workers of 8`,
      start(['run', '--dataset', 'quick']),
    );
    for (const { child, ended } of workers) {
      child.kill('SIGTERM');
      await ended;
    }
  }
  if (simulated > 0) {
    await client.flushall();
    await client.config('RESETSTAT');
    const run = start(['run', '--dataset', 'slow']);
    await simulate();
    await measured(`${slow} evaluations of 1 s, ${simulated} simulated workers of ${slots}`, run);
  }
} finally {
  for (const child of children) child.kill('SIGKILL');
  redis.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

async function measured(what, { child, ended, began }) {
  const code = await ended;
  if (code !== 0) throw new Error(`${what} ended with ${code}`);
  const seconds = (performance.now() - began) / 1000;
  const [kilobytes, cpu] = readFileSync(join(peaks, String(child.pid)), 'utf8').split(' ');
  const memory = /used_memory_peak:(\d+)/.exec(await client.info('memory'))[1];
  const amounts = [seconds.toFixed(1), Number(cpu).toFixed(1)];
  const sizes = [Math.round(kilobytes / 1024), Math.round(memory / 2 ** 20)];
  console.log(`| ${what} | ${[...amounts, ...sizes].join(' | ')} |`);
}

/** Takes part in the run as so many workers. */
async function simulate() {
  const prefix = 'assay:{sized}';
  let run;
  while (run === undefined) {
    await delay(200);
    [run] = await client.hkeys(`${prefix}:runs`);
  }
  for (let count = 1; count <= simulated; count += 1) {
    const name = `simulated-${count}`;
    const worker = new bullmq.Worker(`run-${run}`, answer, {
      connection: { port, maxRetriesPerRequest: null },
      prefix,
      name,
      concurrency: slots,
      lockDuration: 60_000,
      skipVersionCheck: true,
    });
    worker.on('error', () => undefined);
    const joined = { type: 'joined', run, worker: name, slots };
    await worker.waitUntilReady();
    await client.publish(`${prefix}:to-coordinators`, JSON.stringify(joined));
  }
}

async function answer({ data }) {
  await delay(1000);
  const outcomes = data.tasks.map(({ task, id }) => ({
    index: task,
    id,
    outcome: {
      status: 'completed',
      output: { answer: 'x'.repeat(500) },
      scores: [{ key: 'exact', passed: true }],
      error: null,
      latency: 1,
      startedAt: Date.now() - 1000,
      tookMs: 1000,
      trace_data: {},
      regradable: true,
    },
  }));
  return { results: outcomes, late: [], waited: {} };
}

function start(args) {
  const began = performance.now();
  const child = spawn(process.execPath, [join(checkout, 'bin/run.js'), ...args, '--redis', url], {
    cwd: project,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_OPTIONS: `--require=${preload}`,
      PEAK_MEMORY_DIR: peaks,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  child.stdout.resume();
  child.stderr.resume();
  return { child, began, ended: once(child, 'exit').then(([code]) => code) };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address();
  server.close();
  return free;
}
