#!/usr/bin/env node
import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { RedisProject } from './redis-project.mjs';

// Runs over Redis beside local runs, on one machine: node benchmarks/distributed.mjs [--results 10000] [--rounds 9]
// Needs a built dist and redis-server. Prints wall time, processor time of everything on the machine, and processor time
// and peak memory of the coordinator.
// Exit code 1 when a limit is missed.

const { values } = parseArgs({
  options: {
    results: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '9' },
  },
});
const results = Number(values.results);
/** An eval file with so many cases. */
const evalFile = (count, more) => `
import { evaluation } from 'assay';
const cases = Array.from({ length: ${count} }, (_, n) => ({ id: String(n), input: n }));
export const measured = evaluation({ cases, evaluators: [() => true], ${more} });
`;
const waits = (ms) => `target: () => new Promise((resolve) => setTimeout(resolve, ${ms}))`;
const limits = { trivial: 2, waiting: 1.25, perResult: 0.25, megabytes: 400, stop: 1000 };
const project = await RedisProject.start(
  {
    one: evalFile(1, 'target: ({ input }) => input'),
    trivial: evalFile(results, 'target: ({ input }) => input'),
    few: evalFile(100, 'target: ({ input }) => input'),
    waiting: evalFile(1000, waits(50)),
    longer: evalFile(5000, waits(50)),
    slower: evalFile(1000, waits(500)),
    second: evalFile(1000, waits(1000)),
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
  const four = [25, 25, 25, 25];
  rows.push(await paired('1,000 × 50 ms, 4 workers of 25', 'waiting', ['-c', '100'], four));
  rows.push(await paired('5,000 × 50 ms, the same workers', 'longer', ['-c', '100'], four));
  rows.push(await paired('1,000 × 500 ms, the same workers', 'slower', ['-c', '100'], four));
  rows.push(await paired('one evaluation, 2 workers of 8', 'one', [], [8, 8]));
  await startWorkers([8]);
  const few = await timed('few', ['--redis', url]);
  const many = await timed('trivial', ['--redis', url]);
  const perResult = ((many.cpu - few.cpu) / (results - 100)) * 1000;
  const stop = await stopTime();
  const requests = await requestTimes();
  console.log(
    `\n| what | local s | over Redis s | processor s on ${cpus().length} cores | ratio of each round | ratio |\n|---|--:|--:|---|---|---|`,
  );
  for (const row of rows) console.log(row);
  console.log(
    `\nCoordinator: ${judged(perResult.toFixed(3), limits.perResult)} ms of processor time per result, peak ${judged(many.peak, limits.megabytes)} MB`,
  );
  console.log(`Stop: ${judged(stop, limits.stop)} ms from the signal to the end of the command`);
  console.log(
    `Through the server: pause ${requests.pause} ms, resume ${requests.resume} ms, stop ${requests.stop} ms`,
  );
} finally {
  await project.end();
}

/** Local and remote in turns, because the machine may have other work. */
async function paired(what, file, flags, slots) {
  await startWorkers(slots);
  const [local, remote] = [[], []];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    local.push(await timed(file, flags));
    remote.push(await timed(file, ['--redis', url]));
  }
  const middle = (runs, key) => median(runs.map((run) => run[key]));
  const ratios = local.map(({ seconds }, at) => remote[at].seconds / seconds);
  const each = ratios.map((ratio) => ratio.toFixed(2)).join(', ');
  const ratio = judged(median(ratios), limits[file]);
  const busy = `${middle(local, 'busy')}, over Redis ${middle(remote, 'busy')}`;
  return `| ${what} | ${middle(local, 'seconds')} | ${middle(remote, 'seconds')} | ${busy} | ${each} | ${ratio} |`;
}

/** A figure, and its limit if there is one. */
function judged(figure, limit) {
  if (limit === undefined) return figure;
  const isMissed = Number(figure) > limit;
  if (isMissed) process.exitCode = 1;
  return `${figure} (${isMissed ? 'missed' : 'limit'}: ${limit})`;
}

/** Seconds that all cores have worked since the machine started. */
function busySeconds() {
  return (
    cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) /
    1000
  );
}

async function timed(file, flags) {
  const busyBefore = busySeconds();
  const run = project.start(['run', `${file}.eval.ts`, ...flags]);
  const code = await run.ended;
  const seconds = (performance.now() - run.began) / 1000;
  const busy = busySeconds() - busyBefore;
  // The workers prepare their next process meanwhile, which would slow down the next run.
  await delay(2_000);
  if (code !== 0) throw new Error(`${file} ${flags.join(' ')} ended with ${code}`);
  return { seconds, busy, ...project.peakOf(run) };
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

/** Milliseconds from a request until no worker begins anything, until one does again, and until the run has stopped. */
async function requestTimes() {
  const serve = ['serve', 'second.eval.ts', '--redis', url, '--port', '0', '--no-open', '--json'];
  const serving = project.start(serve);
  while (!serving.said.stdout.includes('}')) await delay(50);
  const at = JSON.parse(serving.said.stdout).url;
  const post = async (path) => {
    const began = performance.now();
    const answer = await fetch(`${at}${path}`, { method: 'POST' });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return Math.round(performance.now() - began);
  };
  const { run_id } = await (await fetch(`${at}/results`)).json();
  const running = async () =>
    (await (await fetch(`${at}/api/runs/${run_id}/rows/indices?status=running`)).json()).indices;
  const until = async (isSo) => {
    const began = performance.now();
    while (!isSo((await running()).length)) await delay(10);
    return Math.round(performance.now() - began);
  };
  await post('/api/runs/rerun');
  await until((count) => count === 8);
  const pause = await post('/api/runs/pause');
  await until((count) => count === 0);
  const answered = await post('/api/runs/resume');
  const resume = answered + (await until((count) => count > 0));
  const stop = await post('/api/runs/stop');
  serving.child.kill('SIGTERM');
  await serving.ended;
  return { pause, resume, stop };
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
