#!/usr/bin/env node
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, platform, release, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { assayRow } from './assay.mjs';
import { measure, median } from './measure.mjs';
import { peerRows } from './peers.mjs';
import { renderCostPerResult, renderTable } from './table.mjs';
import { workloads } from './workloads.mjs';

const usage = `Measures assay as whole processes and prints a Markdown table.

  node benchmarks/run.mjs [--runs N] [--only NAME]... [--peers] [--peers-dir DIR] [--keep]

  --runs N         timed runs of each row after a warm-up (5)
  --only NAME      only this row; repeatable: ${workloads.map(({ name }) => name).join(', ')}
  --peers          also the peers installed in --peers-dir
  --peers-dir DIR  where they are installed (benchmarks/peers)
  --keep           leave the generated projects in place and say where
`;

const options = parseOptions();
const loadBefore = loadavg()[0].toFixed(1);
const root = mkdtempSync(join(tmpdir(), 'assay-bench-'));
const yardRow = assayRow({ name: 'yard' }, root);
try {
  const measured = [];
  for (const row of options.workloads.flatMap(rowsOf)) measured.push(await measureRow(row));
  console.log(describeMachine());
  console.log(`\n${renderTable(measured)}`);
  console.log(`\n${renderCostPerResult(measured)}`.trimEnd());
  if (measured.some(({ error }) => error)) process.exitCode = 1;
} finally {
  if (options.keep) console.error(`Kept ${root}`);
  else rmSync(root, { recursive: true, force: true });
}

function rowsOf(workload) {
  const peers = options.peers && workload.peers ? peerRows(workload, root, options.peersDir) : [];
  return [assayRow(workload, root), ...peers];
}

async function measureRow(row) {
  try {
    const figures = await measure(row, options.runs, yardRow);
    console.error(`${row.tool}, ${row.workload.name}: ${median(figures.seconds).toFixed(3)} s`);
    return { row, ...figures };
  } catch (error) {
    console.error(`${row.tool}, ${row.workload.name}: ${error.message}`);
    return { row, error };
  }
}

function describeMachine() {
  const processors = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return [
    `Node ${process.versions.node}, ${platform()} ${release()},`,
    `${processors.length} × ${processors[0]?.model.trim() ?? 'unknown processor'}, ${memory} GB, load ${loadBefore} before;`,
    `medians of ${options.runs}, ${new Date().toISOString().slice(0, 10)}`,
  ].join(' ');
}

function parseOptions() {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '5' },
      only: { type: 'string', multiple: true, default: [] },
      peers: { type: 'boolean', default: false },
      'peers-dir': { type: 'string', default: fileURLToPath(new URL('./peers', import.meta.url)) },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    process.exit();
  }
  const runs = Number(values.runs);
  const unknown = values.only.find((only) => !workloads.some(({ name }) => name === only));
  const peersDir = resolve(values['peers-dir']);
  if (!Number.isInteger(runs) || runs < 1)
    fail(`--runs takes a whole number from 1, not ${values.runs}`);
  if (unknown) fail(`--only ${unknown} is no row`);
  if (values.peers && !existsSync(join(peersDir, 'node_modules'))) {
    fail(`No peers in ${peersDir}. Install them first: npm run --prefix ${peersDir} setup`);
  }
  // Plain Node is always measured: it is the yardstick of the others
  const chosen = ({ name }) =>
    values.only.length === 0 || ['node', 'yard', ...values.only].includes(name);
  return {
    runs,
    peersDir,
    peers: values.peers,
    keep: values.keep,
    workloads: workloads.filter(chosen),
  };
}

function fail(message) {
  console.error(`${message}\n\n${usage}`);
  process.exit(2);
}
