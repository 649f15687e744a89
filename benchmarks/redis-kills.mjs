#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { oneOf, randomNumbers } from './torture/random.mjs';

// Kills workers, coordinators and Redis (with its append-only file) at random moments of runs, and compares each run
// with a local one: node benchmarks/redis-kills.mjs --runs 100 [--results 200] [--seed 1]
// Needs a built dist and redis-server. Exits with 1 when a result is lost, saved twice, or not that of the local run.

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10' },
    results: { type: 'string', default: '200' },
    seed: { type: 'string' },
  },
});
const [runs, results] = [Number(values.runs), Number(values.results)];
const seed = values.seed === undefined ? randomInt(1_000_000) : Number(values.seed);
const random = randomNumbers(seed);
const checkout = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'assay-redis-kills-'));
const kills = { worker: 0, coordinator: 0, redis: 0 };
const faults = [];

mkdirSync(join(folder, 'project/node_modules'), { recursive: true });
mkdirSync(join(folder, 'redis'));
symlinkSync(checkout, join(folder, 'project/node_modules/assay'), 'junction');
writeFileSync(join(folder, 'project/package.json'), '{ "name": "kills", "type": "module" }\n');
writeFileSync(
  join(folder, 'project/a.eval.ts'),
  `
import { evaluation } from 'assay';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const row = evaluation({
  cases: Array.from({ length: ${Math.ceil(results / 2)} }, (_, n) => ({ id: String(n), input: n, reference: n * 2 })),
  trials: 2,
  target: async ({ input }) => {
    await wait(30 + (input % 7) * 30);
    if (input % 50 === 7) throw new Error('seven');
    return input % 40 === 3 ? 'x'.repeat(300_000) : input * 2;
  },
  evaluators: [({ output, reference }) => ({ key: 'exact', passed: output === reference })],
});
`,
);

const port = await freePort();
const url = `redis://127.0.0.1:${port}`;
let redis = await startRedis();
let workers = [];
console.error(`seed ${seed}`);
try {
  const local = start(['run', '--json', '--run-name', 'local']);
  await local.ended;
  const wanted = comparable(local.said.stdout);
  workers = [startWorker(), startWorker()];
  for (let count = 1; count <= runs && faults.length === 0; count += 1) {
    await oneRun(`run-${count}`, wanted);
    if (count % 10 === 0) console.error(`${count} runs, ${JSON.stringify(kills)} …`);
  }
} finally {
  for (const { child } of workers) child.kill('SIGKILL');
  redis.kill('SIGKILL');
  if (faults.length === 0) rmSync(folder, { recursive: true, force: true });
  else console.error(`What is left to look at: ${folder}`);
}
for (const text of faults) console.error(text);
console.log(`
| what | |
|---|--:|
| runs of ${results} results | ${runs} |
| workers killed | ${kills.worker} |
| coordinators killed | ${kills.coordinator} |
| Redis killed | ${kills.redis} |
| runs with a fault | ${faults.length} |
| seed | ${seed} |`);
process.exitCode = faults.length === 0 ? 0 : 1;

/** A run during which things are killed, until one coordinator reaches the end. */
async function oneRun(name, wanted) {
  let running = start(['run', '--json', '--redis', url, '--run-name', name]);
  let isEnded = false;
  const watch = (one) =>
    one.ended.then(() => {
      isEnded = true;
    });
  void watch(running);
  const until = performance.now() + 180_000;
  let left = 1 + Math.floor(random() * 3);
  // Nothing runs before the run is saved.
  while (!isEnded && logOf(name) === undefined) await delay(50);
  while (!isEnded && performance.now() < until) {
    await Promise.race([delay(random() * 2_000), running.ended]);
    if (isEnded || left === 0) continue;
    left -= 1;
    switch (oneOf(['worker', 'worker', 'worker', 'coordinator', 'redis'], random)) {
      case 'worker': {
        kills.worker += 1;
        const at = Math.floor(random() * workers.length);
        workers[at].child.kill('SIGKILL');
        workers[at] = startWorker();
        break;
      }
      case 'redis':
        kills.redis += 1;
        redis.kill('SIGKILL');
        await once(redis, 'exit');
        await delay(random() * 500);
        redis = await startRedis();
        break;
      default:
        kills.coordinator += 1;
        running.child.kill('SIGKILL');
        await running.ended;
        running = start(['run', '--json', '--redis', url, '--resume', name]);
        isEnded = false;
        void watch(running);
    }
  }
  if (!isEnded) {
    faults.push(`${name} does not end:\n${running.said.stderr}`);
    running.child.kill('SIGKILL');
    return;
  }
  const { code } = await running.ended;
  const got = code === null ? [] : comparable(running.said.stdout);
  const at = wanted.findIndex((text, index) => text !== got[index]);
  if (at >= 0 || got.length !== wanted.length) {
    faults.push(
      `${name}: ${got.length} results; the first that differs:\n${got[at]}\n${wanted[at]}\n${running.said.stderr}`,
    );
  }
  const twice = savedTwice(name);
  if (twice.length > 0) faults.push(`${name}: saved twice: ${twice.slice(0, 10).join(', ')}`);
  if (faults.length === 0) rmSync(join(logOf(name), '..'), { recursive: true });
}

/** The results of a run without what differs between two runs of the same code. */
function comparable(stdout) {
  const run = stdout === '' ? { results: [] } : JSON.parse(stdout);
  return run.results.map(({ result, ...entry }) =>
    JSON.stringify({ ...entry, result: { ...result, latency: 0, started_at: '', trace_data: {} } }),
  );
}

/** Indices that have more than one result in the log. */
function savedTwice(name) {
  const seen = new Set();
  const twice = [];
  for (const line of readFileSync(logOf(name), 'utf8').split('\n')) {
    if (!line.includes('"type":"finished"') || !line.endsWith('}')) continue;
    const { index } = JSON.parse(line);
    if (seen.has(index)) twice.push(index);
    seen.add(index);
  }
  return twice;
}

function logOf(name) {
  const sessions = join(folder, 'project/.assay/sessions/default');
  for (const run of readdirSync(sessions)) {
    if (run.startsWith('.')) continue;
    const log = join(sessions, run, 'results.jsonl');
    if (readFileSync(log, 'utf8').slice(0, 2000).includes(`"${name}"`)) return log;
  }
  return undefined;
}

function startWorker() {
  const name = `w${randomInt(1e9)}`;
  return start(['worker', '--redis', url, '-c', '4', '--lock-seconds', '1', '--name', name]);
}

function start(args) {
  const child = spawn(process.execPath, [join(checkout, 'bin/run.js'), ...args], {
    cwd: join(folder, 'project'),
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr']) {
    child[stream].setEncoding('utf8').on('data', (text) => {
      said[stream] += text;
    });
  }
  const ended = once(child, 'close').then(([code]) => ({ code }));
  return { child, said, ended };
}

async function startRedis() {
  const own = ['--port', port, '--bind', '127.0.0.1', '--dir', join(folder, 'redis'), '--save', ''];
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always'];
  const child = spawn('redis-server', [...own.map(String), ...durable], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  for await (const chunk of child.stdout) {
    said += chunk;
    if (said.includes('Ready to accept connections')) break;
  }
  // Leaving the loop has closed the stream, which Redis does not mind.
  if (!said.includes('Ready')) throw new Error(`redis-server ended: ${said}`);
  return child;
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address();
  server.close();
  return free;
}
