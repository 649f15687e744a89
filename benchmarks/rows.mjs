#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const usage = `Measures the rows of a large run, as a server reads them: opening, paging, searching, sorting, memory. Then exports the
run with the command, as JSON, CSV and Markdown.

  node benchmarks/rows.mjs [--results N] [--bytes N] [--trials N] [--messages N] [--dist DIR]

  --results N   results of the run (100000)
  --bytes N     bytes of each output (1000)
  --trials N    trials of each evaluation (1)
  --messages N  messages of each conversation, tool calls among them, below a system prompt of 4 kB (0)
  --searches    only the searches
  --dist DIR    the build to measure (dist)
  --exports     only the exports
`;

const peakMemory = fileURLToPath(new URL('./preload/peak-memory.cjs', import.meta.url));

const { values: options } = parseArgs({
  options: {
    results: { type: 'string', default: '100000' },
    bytes: { type: 'string', default: '1000' },
    trials: { type: 'string', default: '1' },
    messages: { type: 'string', default: '0' },
    searches: { type: 'boolean', default: false },
    dist: { type: 'string', default: fileURLToPath(new URL('../dist', import.meta.url)) },
    exports: { type: 'boolean', default: false },
    store: { type: 'string' },
    run: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const from = (path) => import(pathToFileURL(join(resolve(options.dist), path)).href);

/** Makes a run, and measures it in a process of its own, so that making it is in no figure. */
async function prepare() {
  const root = mkdtempSync(join(tmpdir(), 'assay-rows-'));
  try {
    const run = await makeRun(root, Number(options.results), Number(options.trials));
    const script = fileURLToPath(import.meta.url);
    const only = options.searches ? ['--searches'] : [];
    const given = ['--store', root, '--run', run, '--dist', options.dist, ...only];
    if (!options.exports) {
      const { status } = spawnSync(process.execPath, [script, ...given], { stdio: 'inherit' });
      process.exitCode = status ?? 1;
    }
    if (options.searches) return;
    for (const format of ['json', 'csv', 'md']) reportExport(root, run, format);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Exports a run in a process of its own, with the memory probe loaded. */
function reportExport(root, run, format) {
  const peaks = join(root, `peaks-${format}`);
  mkdirSync(peaks);
  const main = join(resolve(options.dist), '..', 'bin', 'run.js');
  const given = ['export', run, '-f', format, '-o', join(root, `run.${format}`)];
  const { status, stderr } = spawnSync(
    process.execPath,
    [`--require=${peakMemory}`, main, ...given, '--results-dir', root],
    { env: { ...process.env, PEAK_MEMORY_DIR: peaks }, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`export as ${format} ended with ${status}\n${stderr}`);
  const [peak] = readdirSync(peaks).map((name) => Number(readFileSync(join(peaks, name), 'utf8')));
  console.log(`export as ${format}: ${Math.round((peak * 1024) / 1e6)} MB at most`);
}

async function makeRun(root, results, trials) {
  const { openStore } = await from('store/store.js');
  const store = await openStore(root);
  const head = { session_name: 'default', run_name: 'large', path: '.', config_name: 'default' };
  const owner = await store.createRun({ ...head, selection: {} });
  // A few megabytes at a time.
  const step = Math.max(1, Math.min(5000, Math.floor(5e6 / Number(options.bytes))));
  for (let first = 0; first < results; first += step) {
    owner.plan(upTo(first, Math.min(step, results - first)).map((index) => planned(index, trials)));
  }
  owner.schedule({ kind: 'run', rows: 'all' });
  for (let first = 0; first < results; first += step) {
    owner.finish(upTo(first, Math.min(step, results - first)).map(finished));
  }
  await owner.close('finished');
  await owner.run.close();
  return owner.run.runId;
}

function upTo(first, count) {
  return Array.from({ length: count }, (_, position) => first + position);
}

function planned(index, trials) {
  const evaluation = `evals/support.eval.ts::case_${Math.floor(index / trials)}`;
  const trial = { trial: (index % trials) + 1, trial_of: evaluation };
  return {
    index,
    id: trials === 1 ? evaluation : `${evaluation}~${trial.trial}`,
    evaluation,
    function: `case_${Math.floor(index / trials)}`,
    dataset: `dataset-${index % 12}`,
    labels: [`label-${index % 7}`, ...(index % 5 === 0 ? ['slow'] : [])],
    ...(trials === 1 ? {} : trial),
    input: `Where is order A-${index}? It was sent on Monday.`,
    reference: { handoff: index % 2 === 0 },
    metadata: { tier: ['free', 'pro'][index % 2], language: 'en' },
  };
}

const prompt = words(0, 4000);

/** A conversation in which every second message is a call of a tool, and the one after it its answer. */
function messagesOf(index) {
  const turns = upTo(0, Number(options.messages)).map((n) => {
    const id = `call_${n}`;
    if (n % 3 === 1) {
      const called = { name: 'find_order', arguments: `{"order":"A-${index}"}` };
      return { role: 'assistant', tool_calls: [{ id, type: 'function', function: called }] };
    }
    const content = words(index * 31 + n, 400);
    return n % 3 === 2
      ? { role: 'tool', tool_call_id: `call_${n - 1}`, content }
      : { role: 'user', content };
  });
  return turns.length === 0 ? {} : { messages: [{ role: 'system', content: prompt }, ...turns] };
}

function finished(index) {
  const passed = hash(index) % 10 < 8;
  return {
    index,
    status: 'completed',
    output: words(index, Number(options.bytes)),
    scores: [
      { key: 'exact', passed, ...(passed ? {} : { notes: 'Wanted another answer.' }) },
      { key: 'politeness', value: (hash(index * 7) % 1000) / 1000 },
    ],
    error: null,
    latency: 0.25 * 2 ** ((hash(index * 3) % 700) / 100),
    trace_data: {
      ...messagesOf(index),
      logs: [{ stream: 'stdout', text: `looked up A-${index}` }],
    },
    regradable: true,
  };
}

function words(index, length) {
  const list =
    'the order was Sent again and nobody knows WHY it did not arrive until Tuesday'.split(' ');
  let text = `answer ${index}:`;
  for (let at = 0; text.length < Math.min(length, 2000); at += 1) {
    text += ` ${list[hash(index + at) % list.length]}`;
  }
  return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}

function hash(number) {
  let mixed = Math.imul(number + 1, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}

async function measure(root, id) {
  const { openStore } = await from('store/store.js');
  const { rowsRoutes } = await from('server/api/rows.js');
  const { Comparisons } = await from('server/compare/comparisons.js');
  const { RowTables } = await from('server/rows/row-table.js');
  const store = await openStore(root);
  const before = memory();
  let run;
  await report('open', async () => {
    run = await store.openRun(id);
    return `${run.rows.length} results`;
  });
  console.log(`memory: ${before} MB at first, ${memory()} MB with the run open`);
  const runs = { read: async () => run, runs: async () => [], listRuns: async () => [] };
  const routes = rowsRoutes(runs, new RowTables(), new Comparisons());
  const [rows, indices] = ['getRows', 'getRowIndices'].map((name) =>
    routes.find(({ operation }) => operation === name),
  );
  const ask = (route, query) => {
    const params = new URLSearchParams(query);
    const given = Object.fromEntries([...params.keys()].map((key) => [key, params.getAll(key)]));
    return route.handle({
      params: { run_id: id },
      query: route.query.parse(given),
      body: undefined,
      onEnd: () => {},
      signal: new AbortController().signal,
    });
  };
  const page = (query) => async () => {
    const { body } = await ask(rows, query);
    return `${body.filtered} match, ${Math.round(JSON.stringify(body).length / 1000)} kB`;
  };
  await report('first page', page(''));
  await report('first search (waits for the texts)', page('search=nothing-like-it'));
  console.log(`memory: ${memory()} MB with the texts, ${peak()} MB at most`);
  for (const query of [
    'search=nobody%20knows%20why%20it%20did',
    'search=A-99',
    'search=a-4321',
    'search=e',
    'search=zzz',
    'search=order&dataset=dataset-3&score=exact:failed',
    'search=tuesday%20-why',
    'search=wanted%20another',
    'where=metadata.tier=pro&search=again',
    'where=tool=find_order',
    ...others,
  ]) {
    await report(query, page(query));
  }
  if (!options.searches) {
    await report('indices of all', async () => `${(await ask(indices, '')).body.indices.length}`);
  }
  await run.edit(Math.floor(run.rows.length / 2), { annotation: 'Look at this one' });
  await report('search after an edit', page('search=this%20one'));
  console.log(`memory: ${memory()} MB at the end, ${peak()} MB at most`);
  await run.close();
}

const others = options.searches
  ? []
  : [
      'sort=function',
      'sort=function&order=desc',
      'sort=latency&order=desc',
      'sort=score:politeness',
      'status=failed',
      'has=annotation',
      'fold=trials',
      'offset=50000',
      'offset=60000',
      'limit=500',
    ];

async function report(name, act) {
  const lag = monitorEventLoopDelay({ resolution: 1 });
  await delay(20);
  lag.enable();
  const start = performance.now();
  const before = process.cpuUsage();
  const said = await act();
  const { user, system } = process.cpuUsage(before);
  const milliseconds = performance.now() - start;
  await delay(5);
  lag.disable();
  const held = lag.max / 1e6;
  console.log(
    `${name.padEnd(52)} ${milliseconds.toFixed(1).padStart(8)} ms, ${((user + system) / 1000).toFixed(0).padStart(5)} ms of processor, held up ${held.toFixed(0).padStart(4)} ms, ${said}`,
  );
}

function memory() {
  globalThis.gc?.();
  return Math.round(process.memoryUsage.rss() / 1e6);
}

function peak() {
  const line = /VmHWM:\s+(\d+)/.exec(readStatus());
  return line === null ? '?' : Math.round(Number(line[1]) / 1000);
}

function readStatus() {
  try {
    return readFileSync('/proc/self/status', 'utf8');
  } catch {
    return '';
  }
}

if (options.help) console.log(usage);
else if (options.run === undefined) await prepare();
else await measure(options.store, options.run);
