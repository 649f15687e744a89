#!/usr/bin/env node
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import bullmq from 'bullmq';
import { Redis } from 'ioredis';
import { RedisProject } from './redis-project.mjs';

// Large runs over Redis: time and memory of the coordinator and of Redis. First with two real workers of quick
// evaluations, then with many simulated workers, which answer each job after a second without running anything.
// Exit code 1 when the coordinator of the simulated workers needs more memory than it may.
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
const mostMegabytes = 400;
const project = await RedisProject.start(
  {
    sizes: `
import { evaluation } from 'assay';
const cases = (count) => Array.from({ length: count }, (_, n) => ({ id: String(n), input: n }));
export const quick = evaluation({ dataset: 'quick', cases: cases(${results}), target: ({ input }) => input, evaluators: [() => true] });
export const slow = evaluation({ dataset: 'slow', cases: cases(${slow}), target: ({ input }) => input, evaluators: [() => true] });
`,
  },
  { isMeasured: true },
);
const { port, url } = project;
const client = new Redis(port);
try {
  console.log('| what | s | coordinator: processor s | peak MB | Redis: peak MB |');
  console.log('|---|--:|--:|--:|--:|');
  if (results > 0) {
    const workers = await Promise.all([8, 8].map((count) => project.startWorker(count)));
    await measured(
      `${results} quick evaluations, 2 workers of 8`,
      project.start(['run', '--dataset', 'quick', '--redis', url]),
    );
    for (const { child, ended } of workers) {
      child.kill('SIGTERM');
      await ended;
    }
  }
  if (simulated > 0) {
    await client.flushall();
    await client.config('RESETSTAT');
    const run = project.start(['run', '--dataset', 'slow', '--redis', url]);
    await simulate();
    const peak = await measured(
      `${slow} evaluations of 1 s, ${simulated} simulated workers of ${slots}`,
      run,
    );
    const isMissed = peak > mostMegabytes;
    console.log(
      `\nMemory of the coordinator: ${isMissed ? 'missed' : 'limit'}: ${mostMegabytes} MB`,
    );
    if (isMissed) process.exitCode = 1;
  }
} finally {
  await project.end();
}
process.exit();

async function measured(what, run) {
  const code = await run.ended;
  if (code !== 0) throw new Error(`${what} ended with ${code}`);
  const seconds = (performance.now() - run.began) / 1000;
  const { peak, cpu } = project.peakOf(run);
  const memory = /used_memory_peak:(\d+)/.exec(await client.info('memory'))[1];
  const amounts = [seconds.toFixed(1), cpu.toFixed(1)];
  const sizes = [peak, Math.round(memory / 2 ** 20)];
  console.log(`| ${what} | ${[...amounts, ...sizes].join(' | ')} |`);
  return peak;
}

/** Takes part in the run as so many workers. */
async function simulate() {
  const prefix = 'assay:{measured}';
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
  const { task, id } = data.task;
  const outcome = {
    status: 'completed',
    output: { answer: 'x'.repeat(500) },
    scores: [{ key: 'exact', passed: true }],
    error: null,
    latency: 1,
    startedAt: Date.now() - 1000,
    trace_data: {},
    regradable: true,
  };
  return { result: { index: task, id, outcome }, late: [], waited: {} };
}
