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

// Runs over Redis beside local runs, on one machine: node benchmarks/distributed.mjs [--results 10000] [--rounds 3]
// Needs a built dist and redis-server. Prints wall time, and processor time and peak memory of the coordinator.

const { values } = parseArgs({
  options: {
    results: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '3' },
  },
});
const results = Number(values.results);
const checkout = fileURLToPath(new URL('..', import.meta.url));
const preload = fileURLToPath(new URL('preload/peak-memory.cjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'assay-distributed-'));
const project = join(folder, 'project');
const peaks = join(folder, 'peaks');
for (const path of [join(project, 'node_modules'), peaks]) mkdirSync(path, { recursive: true });
symlinkSync(checkout, join(project, 'node_modules/assay'), 'junction');
writeFileSync(join(project, 'package.json'), '{ "name": "measured", "type": "module" }\n');
writeFileSync(
  join(project, 'a.eval.ts'),
  `
import { evaluation } from 'assay';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const cases = (count) => Array.from({ length: count }, (_, n) => ({ id: String(n), input: n }));
export const trivial = evaluation({ dataset: 'trivial', cases: cases(${results}), target: ({ input }) => input, evaluators: [() => true] });
export const few = evaluation({ dataset: 'few', cases: cases(100), target: ({ input }) => input, evaluators: [() => true] });
export const waiting = evaluation({ dataset: 'waiting', cases: cases(1000), target: () => wait(50), evaluators: [() => true] });
export const endless = evaluation({ dataset: 'endless', cases: cases(8), timeout: 600, target: ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', resolve)) });
`,
);
const port = await freePort();
const url = `redis://127.0.0.1:${port}`;
const redis = spawn('redis-server', [...['--port', String(port), '--save', ''], '--dir', folder], {
  stdio: 'ignore',
});
let workers = [];
try {
  await delay(500);
  const rows = [];
  rows.push(await paired(`${results} trivial, 2 workers of 8`, 'trivial', ['-c', '16'], [8, 8]));
  rows.push(
    await paired('1,000 × 50 ms, 4 workers of 25', 'waiting', ['-c', '100'], [25, 25, 25, 25]),
  );
  await startWorkers([8]);
  const few = await timed('few', ['--redis', url]);
  const many = await timed('trivial', ['--redis', url]);
  const perResult = ((many.cpu - few.cpu) / (results - 100)) * 1000;
  const stop = await stopTime();
  console.log('\n| what | local s | over Redis s | ratio of each round |\n|---|--:|--:|---|');
  for (const row of rows) console.log(row);
  console.log(
    `\nCoordinator: ${perResult.toFixed(3)} ms of processor time per result, peak ${many.peak} MB`,
  );
  console.log(`Stop: ${stop} ms from the signal to the end of the command`);
} finally {
  for (const { child } of workers) child.kill('SIGKILL');
  redis.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

/** Local and remote in turns, because the machine may have other work. */
async function paired(what, dataset, flags, slots) {
  await startWorkers(slots);
  const [local, remote] = [[], []];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    local.push((await timed(dataset, flags)).seconds);
    remote.push((await timed(dataset, ['--redis', url])).seconds);
  }
  const ratios = local.map((seconds, at) => (remote[at] / seconds).toFixed(2));
  return `| ${what} | ${median(local)} | ${median(remote)} | ${ratios.join(', ')} |`;
}

async function timed(dataset, flags) {
  const began = performance.now();
  const { child, ended } = start(['run', '--dataset', dataset, ...flags]);
  const code = await ended;
  if (code !== 0) throw new Error(`${dataset} ${flags.join(' ')} ended with ${code}`);
  const seconds = (performance.now() - began) / 1000;
  const [kilobytes, cpu] = readFileSync(join(peaks, String(child.pid)), 'utf8').split(' ');
  return { seconds, cpu: Number(cpu), peak: Math.round(kilobytes / 1024) };
}

async function stopTime() {
  const { child, ended } = start(['run', '--dataset', 'endless', '--redis', url]);
  for (let busy = 0; busy < 8; ) {
    await delay(100);
    const listed = start(['workers', '--redis', url, '--json']);
    let said = '';
    listed.child.stdout.on('data', (text) => {
      said += text;
    });
    await listed.ended;
    busy = JSON.parse(said).workers.reduce((sum, one) => sum + one.busy, 0);
  }
  const began = performance.now();
  child.kill('SIGINT');
  await ended;
  return Math.round(performance.now() - began);
}

async function startWorkers(slots) {
  for (const { child, ended } of workers) {
    child.kill('SIGTERM');
    await ended;
  }
  workers = slots.map((count) => start(['worker', '--redis', url, '-c', String(count)]));
  await Promise.all(workers.map(({ child }) => once(child.stderr, 'data')));
}

function start(args) {
  const child = spawn(process.execPath, [join(checkout, 'bin/run.js'), ...args], {
    cwd: project,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_OPTIONS: `--require=${preload}`,
      PEAK_MEMORY_DIR: peaks,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.resume();
  child.stderr.resume();
  return { child, ended: once(child, 'exit').then(([code]) => code) };
}

function median(list) {
  return [...list].sort((a, b) => a - b)[list.length >> 1].toFixed(2);
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address();
  server.close();
  return free;
}
