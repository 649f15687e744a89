#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openStore } from '../dist/store/store.js';

const usage = `Measures comparisons of two large runs as whole commands: seconds and peak memory.

  node benchmarks/compare.mjs [--results N] [--bytes N] [--trials N] [--rounds N]

  --results N   results of each run (100000)
  --bytes N     bytes of each output (1000)
  --trials N    trials of each evaluation (1)
  --rounds N    how often each command runs; medians are printed (3)

The limits are 3 seconds and 400 MB for two runs of 100,000 results. Exit code 1 when one is exceeded.
`;

const { values: options } = parseArgs({
  options: {
    results: { type: 'string', default: '100000' },
    bytes: { type: 'string', default: '1000' },
    trials: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '3' },
    help: { type: 'boolean', default: false },
  },
});
const bin = fileURLToPath(new URL('../bin/run.js', import.meta.url));
const preload = fileURLToPath(new URL('preload/peak-memory.cjs', import.meta.url));
const results = Number(options.results);
const trials = Number(options.trials);

if (options.help) console.log(usage);
else await measure();

async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'assay-compare-'));
  try {
    await makeRun(folder, 'before', 0);
    await makeRun(folder, 'after', 1);
    const baseline = join(folder, 'baseline.json');
    report('sessions compare', folder, ['sessions', 'compare', 'before', 'after']);
    report('sessions compare --json', folder, ['sessions', 'compare', 'before', 'after', '--json']);
    report('sessions bless', folder, ['sessions', 'bless', 'before', baseline]);
    report('compare with a baseline file', folder, ['sessions', 'compare', baseline, 'after']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function report(name, folder, args) {
  const rounds = Array.from({ length: Number(options.rounds) }, () => run(folder, args));
  const seconds = median(rounds.map((round) => round.seconds));
  const megabytes = median(rounds.map((round) => round.megabytes));
  const isKept = seconds <= 3 && megabytes <= 400;
  if (!isKept) process.exitCode = 1;
  const figures = `${seconds.toFixed(2).padStart(6)} s ${String(megabytes).padStart(5)} MB`;
  console.log(`${name.padEnd(32)} ${figures}   ${isKept ? 'kept' : 'exceeded'}`);
}

function run(folder, args) {
  const memory = mkdtempSync(join(folder, 'memory-'));
  const start = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--require', preload, bin, ...args, '--results-dir', join(folder, 'sessions')],
    { env: { ...process.env, PEAK_MEMORY_DIR: memory }, encoding: 'utf8', maxBuffer: 1e9 },
  );
  const seconds = (performance.now() - start) / 1000;
  if (status !== 0) throw new Error(`assay ${args.join(' ')} ended with ${status}: ${stderr}`);
  const peaks = readdirSync(memory).map((name) =>
    Number.parseInt(readFileSync(join(memory, name), 'utf8'), 10),
  );
  return { seconds, megabytes: Math.round(Math.max(...peaks) / 1000) };
}

async function makeRun(folder, name, variant) {
  const store = await openStore(join(folder, 'sessions'));
  const owner = await store.createRun({
    session_name: 'default',
    run_name: name,
    path: '.',
    config_name: 'default',
    selection: {},
  });
  const step = 2000;
  for (let first = 0; first < results; first += step) owner.plan(upTo(first, step).map(planned));
  owner.schedule({ kind: 'run', rows: 'all' });
  for (let first = 0; first < results; first += step) {
    owner.finish(upTo(first, step).map((index) => finished(index, variant)));
  }
  await owner.close('finished');
  await owner.run.close();
}

function upTo(first, count) {
  return Array.from({ length: Math.min(count, results - first) }, (_, at) => first + at);
}

function planned(index) {
  const name = `case_${Math.floor(index / trials)}`;
  const id = `evals/support.eval.ts::${name}`;
  const trial = (index % trials) + 1;
  return {
    index,
    id: trials === 1 ? id : `${id}~${trial}`,
    evaluation: id,
    function: name,
    dataset: `dataset-${index % 12}`,
    labels: [`label-${index % 7}`],
    ...(trials === 1 ? {} : { trial, trial_of: id }),
    input: `Where is order A-${index}? It was sent on Monday.`,
    reference: { handoff: index % 2 === 0 },
    metadata: {},
  };
}

/** Most is the same in both runs; verdicts of one result in six differ, and every value does. */
function finished(index, variant) {
  const version = hash(index) % 6 === 0 ? variant : 0;
  const passed = hash(index * 5 + version) % 10 < 8;
  return {
    index,
    status: 'completed',
    output: `answer ${version} ${'the order was sent '.repeat(60)}`.slice(0, Number(options.bytes)),
    scores: [
      { key: 'exact', passed },
      { key: 'politeness', value: (hash(index * 7 + variant) % 1000) / 1000 },
    ],
    error: null,
    latency: 0.25 * 2 ** ((hash(index * 3 + variant) % 700) / 100),
    trace_data: {},
    regradable: true,
  };
}

function hash(number) {
  let mixed = Math.imul(number + 1, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}

function median(values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
