// How long it takes to list the runs of a session, and to look whether a listing would read differently.
// node benchmarks/listing.mjs [--runs 1000] [--results 10]; needs a built dist.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openStore } from '../dist/store/store.js';
import { median } from './measure.mjs';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    results: { type: 'string', default: '10' },
  },
});
const [runs, results] = [Number(values.runs), Number(values.results)];
// What has just changed is read again until it is this old; milliseconds.
const settling = 2500;

const root = mkdtempSync(join(tmpdir(), 'assay-listing-'));
try {
  await makeRuns(await openStore(root));
  await row('just made, first listing of a process', async () =>
    (await openStore(root)).listRuns(),
  );
  const store = await openStore(root);
  await row('just made, listed again', () => store.listRuns());
  await setTimeout(settling);
  await row('first listing of a process', async () => (await openStore(root)).listRuns());
  await store.listRuns();
  await row('listed again', () => store.listRuns('default'));
  await row('look for changes', () => store.watchListing());
  const before = process.cpuUsage();
  for (let count = 0; count < 50; count += 1) await store.watchListing();
  const { user, system } = process.cpuUsage(before);
  console.log(`${'CPU of a look for changes'.padEnd(44)} ${figure((user + system) / 1000 / 50)}`);
} finally {
  rmSync(root, { recursive: true, force: true });
}

/** Prints the median and the largest of 21 times. */
async function row(name, act) {
  const times = [];
  for (let count = 0; count < 21; count += 1) {
    const start = performance.now();
    await act();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  console.log(`${name.padEnd(44)} ${figure(median(times))}   max ${figure(times.at(-1))}`);
}

function figure(milliseconds) {
  return `${milliseconds.toFixed(1).padStart(6)} ms`;
}

async function makeRuns(store) {
  const indices = Array.from({ length: results }, (_, index) => index);
  for (let count = 0; count < runs; count += 1) {
    const owner = await store.createRun({
      session_name: 'default',
      run_name: `run ${count}`,
      path: 'evals',
      config_name: 'default',
      selection: {},
    });
    owner.plan(indices.map(planned));
    owner.schedule({ kind: 'run', rows: 'all' });
    owner.finish(indices.map(finished));
    await owner.close('finished');
    await owner.run.close();
  }
}

function planned(index) {
  const id = `a.eval.ts::refund[${index}]`;
  const evaluation = 'a.eval.ts::refund';
  const rest = { labels: [], input: index, reference: null, metadata: {} };
  return { index, id, evaluation, function: `refund[${index}]`, dataset: 'a', ...rest };
}

function finished(index) {
  const scores = [{ key: 'exact', passed: index % 3 > 0 }];
  const rest = { error: null, latency: 0.1, trace_data: {}, regradable: true };
  return { index, status: 'completed', output: `out ${index}`, scores, ...rest };
}
