#!/usr/bin/env node
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { RedisProject } from './redis-project.mjs';
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
const kills = { worker: 0, coordinator: 0, redis: 0 };
const faults = [];

const project = await RedisProject.start(
  {
    row: `
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
  },
  { isDurable: true },
);
const { url } = project;
let workers = [];
console.error(`seed ${seed}`);
try {
  const local = project.start(['run', '--json', '--run-name', 'local']);
  await local.ended;
  const wanted = comparable(local.said.stdout);
  workers = [startWorker(), startWorker()];
  for (let count = 1; count <= runs && faults.length === 0; count += 1) {
    await oneRun(`run-${count}`, wanted);
    if (count % 10 === 0) console.error(`${count} runs, ${JSON.stringify(kills)} …`);
  }
} finally {
  const kept = await project.end({ keeps: faults.length > 0 });
  if (faults.length > 0) console.error(`What is left to look at: ${kept}`);
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
  let running = project.start(['run', '--json', '--redis', url, '--run-name', name]);
  let isEnded = false;
  const watch = (one) =>
    one.ended.then(() => {
      isEnded = true;
    });
  void watch(running);
  const until = performance.now() + 600_000;
  let left = 1 + Math.floor(random() * 3);
  // Nothing runs before the run is saved.
  while (!isEnded && logOf(name) === undefined) await delay(50);
  while (performance.now() < until) {
    if (isEnded) {
      if (!running.said.stdout.includes('redis-unavailable')) break;
      // It began while Redis was away, and said so.
      running = project.start(['run', '--json', '--redis', url, '--resume', name]);
      isEnded = false;
      void watch(running);
    }
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
        await project.killRedis();
        await delay(random() * 500);
        await project.startRedis();
        break;
      default:
        kills.coordinator += 1;
        running.child.kill('SIGKILL');
        await running.ended;
        running = project.start(['run', '--json', '--redis', url, '--resume', name]);
        isEnded = false;
        void watch(running);
    }
  }
  if (!isEnded) {
    faults.push(`${name} does not end:\n${running.said.stderr}`);
    running.child.kill('SIGKILL');
    return;
  }
  const code = await running.ended;
  const { stdout, stderr } = running.said;
  const got = code === null ? [] : comparable(stdout);
  const at = wanted.findIndex((text, index) => text !== got[index]);
  if (at >= 0 || got.length !== wanted.length) {
    faults.push(
      `${name}: ${got.length} results; the first that differs:\n${got[at]}\n${wanted[at]}\nexit ${code}, ${stdout.slice(0, 500)}\n${stderr}`,
    );
  }
  const twice = savedTwice(name);
  if (twice.length > 0) faults.push(`${name}: saved twice: ${twice.slice(0, 10).join(', ')}`);
  if (faults.length === 0) rmSync(join(logOf(name), '..'), { recursive: true });
}

/** The results of a run without what differs between two runs of the same code. */
function comparable(stdout) {
  // Where the command could not run, it prints what the problem is.
  const { results: entries = [] } = stdout === '' ? {} : JSON.parse(stdout);
  return entries.map(({ result, ...entry }) =>
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
  const sessions = join(project.path, '.assay/sessions/default');
  for (const run of readdirSync(sessions)) {
    if (run.startsWith('.')) continue;
    const log = join(sessions, run, 'results.jsonl');
    if (readFileSync(log, 'utf8').slice(0, 2000).includes(`"${name}"`)) return log;
  }
  return undefined;
}

function startWorker() {
  const name = `w${randomInt(1e9)}`;
  return project.start([
    'worker',
    '--redis',
    url,
    '-c',
    '4',
    '--lock-seconds',
    '1',
    '--name',
    name,
  ]);
}
