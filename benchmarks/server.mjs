#!/usr/bin/env node
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { median } from './measure.mjs';
import { writeProject } from './server/project.mjs';
import { makeRun } from './server/saved-runs.mjs';
import { serve } from './server/serving.mjs';

// How quickly `assay serve` answers, seen from a client: node benchmarks/server.mjs
// Needs a built dist, and Linux for the memory figures. Takes about a minute.

const thousandThatWait = `{
  cases: Array.from({ length: 1000 }, (_, index) => ({ input: index, reference: index })),
  target: async (input: number) => { await setTimeout(50); return input; },
  evaluators: [function exact({ output, reference }: { output: unknown; reference: unknown }) { return output === reference; }],
}`;
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-server-'));
const root = join(folder, 'results');
let missed = 0;
try {
  writeProject(folder, { concurrency: 100, wait: thousandThatWait });
  console.error(
    'making runs of 10,000 and 100,000 results, twelve of a matrix, and 1,000 small ones …',
  );
  const small = await makeRun(root, 10_000, 'ten-thousand');
  const large = await makeRun(root, 100_000, 'hundred-thousand');
  const grid = [];
  for (let count = 0; count < 12; count += 1) grid.push(await makeRun(root, 10_000, 'grid'));
  for (let count = 0; count < 1000; count += 1) await makeRun(root, 5, 'many');
  const server = await serve(folder, root);
  try {
    console.log('| what | measured | limit | |\n|---|--:|--:|---|');
    await readLarge(server, large);
    await compareSizes(server, small, large);
    await list(server);
    await readWhole(server, small);
    await tell(server, large);
    const memory = server.memory();
    tellRow('server memory with 100,000 results open and searched', memory.now, 300, 'MB');
    console.log(`| the most memory it ever had | ${memory.most.toFixed(0)} MB | | |`);
    await stayAwake(server);
    await openMatrix(server, grid);
  } finally {
    await server.close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = missed > 0 ? 1 : 0;

async function readLarge(server, run) {
  const first = await server.send('GET', `/api/runs/${run}/rows?limit=100`);
  tellRow('first page of 100,000 results, not open before', first.took, 2000);
  const begun = performance.now();
  await server.send('GET', `/api/runs/${run}/rows?search=nothing-like-it`);
  console.log(
    `| first search, before any text is in memory | ${ms(performance.now() - begun)} | | |`,
  );
  const searches = ['A-4321', 'nobody knows', 'tuesday', 'order', 'zzz', 'answer 77'];
  const times = [];
  for (let turn = 0; turn < 5; turn += 1) {
    for (const text of searches) {
      const query = new URLSearchParams({ search: `${text}${' '.repeat(turn % 2)}`, limit: '100' });
      times.push((await server.send('GET', `/api/runs/${run}/rows?${query}`)).took);
    }
  }
  tellRow('page of 100 with a search in 100,000', middle(times), 150);
  tellRow('… the slowest of 30', Math.max(...times), 150);
  const sorted = await repeat(10, (turn) =>
    server.send('GET', `/api/runs/${run}/rows?sort=latency&offset=${turn * 1000}&status=!error`),
  );
  tellRow('page of 100 sorted by latency', middle(sorted), 150);
}

async function compareSizes(server, small, large) {
  const results = (run, size) => (turn) =>
    server.send('GET', `/api/runs/${run}/results/${(turn * 7919) % size}`);
  const edits = (run, size) => (turn) =>
    server.send('PATCH', `/api/runs/${run}/results/${(turn * 7919) % size}`, {
      result: { annotation: `seen ${turn}` },
    });
  await server.send('GET', `/api/runs/${small}/results/0`);
  const reads = [
    await repeat(100, results(small, 10_000)),
    await repeat(100, results(large, 100_000)),
  ];
  tellRow('one result of 10,000', middle(reads[0]), 10);
  tellRow('one result of 100,000', middle(reads[1]), 10);
  const writes = [await repeat(40, edits(small, 10_000)), await repeat(40, edits(large, 100_000))];
  tellRow('PATCH in 10,000', middle(writes[0]), 10);
  tellRow('PATCH in 100,000', middle(writes[1]), 10);
}

/** Last, because it makes the server keep 120,000 more results in memory. */
async function openMatrix(server, runs) {
  const open = await repeat(12, (turn) => server.send('GET', `/api/runs/${runs[turn]}/results/0`));
  console.log(`| opening a run of 10,000, the middle of 12 | ${ms(middle(open))} | | |`);
  const query = new URLSearchParams(runs.map((run) => ['run', run]));
  const begun = performance.now();
  const spent = server.processorTime();
  const figures = server.send('GET', `/api/matrix?${query}`);
  await server.send('GET', `/api/matrix/rows?${query}&limit=100`);
  tellRow('first cases of a matrix of 12 × 10,000', performance.now() - begun, 1500);
  await figures;
  tellRow('… and its figures', performance.now() - begun, 1500);
  console.log(`| … processor time | ${ms(server.processorTime() - spent)} | | |`);
  const next = await server.send('GET', `/api/matrix/rows?${query}&limit=100&offset=5000`);
  tellRow('another page of it', next.took, 150);
}

async function list(server) {
  await server.send('GET', '/api/sessions/many/runs');
  const times = await repeat(10, () => server.send('GET', '/api/sessions/many/runs'));
  tellRow('listing a session of 1,000 runs', middle(times), 100);
}

async function readWhole(server, run) {
  await server.send('POST', `/api/runs/${run}/activate`);
  const firsts = [];
  for (let turn = 0; turn < 5; turn += 1) firsts.push((await server.send('GET', '/results')).first);
  tellRow('GET /results of 10,000, first byte', middle(firsts), 100);
}

async function tell(server, run) {
  const events = await server.events();
  await delay(300);
  const times = [];
  for (let turn = 0; turn < 10; turn += 1) {
    const told = events.next();
    const begun = performance.now();
    await server.send('PATCH', `/api/runs/${run}/results/${turn}`, {
      result: { annotation: `told ${turn} ${begun}` },
    });
    times.push((await told) - begun);
    await delay(2500);
  }
  events.close();
  tellRow('an edit of 100,000 results to its event, PATCH included', middle(times), 100);
}

/** Asks for health while evaluations run. */
async function stayAwake(server) {
  const [fresh] = [JSON.parse((await server.send('POST', '/api/server/restart')).text)];
  if (fresh.total_evaluations !== 1000) throw new Error('The evals were not found.');
  const times = [];
  let running = true;
  const asking = (async () => {
    while (running) {
      times.push((await server.send('GET', '/api/health')).took);
      await delay(2);
    }
  })();
  for (let turn = 0; turn < 3; turn += 1) await server.send('POST', '/api/runs/new?wait=true', {});
  running = false;
  await asking;
  times.sort((a, b) => a - b);
  const p99 = times[Math.floor(times.length * 0.99)];
  tellRow(`GET /api/health while 1,000 evaluations run, p99 of ${times.length}`, p99, 50);
}

async function repeat(count, act) {
  const times = [];
  for (let turn = 0; turn < count; turn += 1) times.push((await act(turn)).took);
  return times;
}

function middle(times) {
  return median([...times].sort((a, b) => a - b));
}

function tellRow(what, value, limit, unit = 'ms') {
  const isMet = value <= limit;
  if (!isMet) missed += 1;
  const shown = unit === 'ms' ? ms(value) : `${value.toFixed(0)} ${unit}`;
  console.log(`| ${what} | ${shown} | ${limit} ${unit} | ${isMet ? 'met' : 'missed'} |`);
}

function ms(value) {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}
