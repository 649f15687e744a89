#!/usr/bin/env node
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { RedisProject } from './redis-project.mjs';

// Runs over Redis beside local runs, on one machine: node benchmarks/distributed.mjs [--results 10000] [--rounds 3]
// Needs a built dist and redis-server. Prints wall time, and processor time and peak memory of the coordinator.

const { values } = parseArgs({
  options: {
    results: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '3' },
  },
});
const results = Number(values.results);
/** An eval file with so many cases. */
const evalFile = (count, more) => `
import { evaluation } from 'assay';
const cases = Array.from({ length: ${count} }, (_, n) => ({ id: String(n), input: n }));
export const measured = evaluation({ cases, evaluators: [() => true], ${more} });
`;
const project = await RedisProject.start(
  {
    trivial: evalFile(results, 'target: ({ input }) => input'),
    few: evalFile(100, 'target: ({ input }) => input'),
    waiting: evalFile(1000, 'target: () => new Promise((resolve) => setTimeout(resolve, 50))'),
    endless: evalFile(
      8,
      "timeout: 600, target: ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', resolve))",
    ),
  },
  { isMeasured: true },
);
const { url } = project;
let workers = [];
try {
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
  project.end();
}

/** Local and remote in turns, because the machine may have other work. */
async function paired(what, file, flags, slots) {
  await startWorkers(slots);
  const [local, remote] = [[], []];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    local.push((await timed(file, flags)).seconds);
    remote.push((await timed(file, ['--redis', url])).seconds);
  }
  const ratios = local.map((seconds, at) => (remote[at] / seconds).toFixed(2));
  return `| ${what} | ${median(local)} | ${median(remote)} | ${ratios.join(', ')} |`;
}

async function timed(file, flags) {
  const run = project.start(['run', `${file}.eval.ts`, ...flags]);
  const code = await run.ended;
  const seconds = (performance.now() - run.began) / 1000;
  // The workers prepare their next process meanwhile.
  await delay(500);
  if (code !== 0) throw new Error(`${file} ${flags.join(' ')} ended with ${code}`);
  return { seconds, ...project.peakOf(run) };
}

async function stopTime() {
  const { child, ended } = project.start(['run', 'endless.eval.ts', '--redis', url]);
  for (let busy = 0; busy < 8; ) {
    await delay(100);
    const listed = project.start(['workers', '--redis', url, '--json']);
    await listed.ended;
    busy = JSON.parse(listed.said.stdout).workers.reduce((sum, one) => sum + one.busy, 0);
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
  workers = await Promise.all(slots.map((count) => project.startWorker(count)));
}

function median(list) {
  return [...list].sort((a, b) => a - b)[list.length >> 1].toFixed(2);
}
