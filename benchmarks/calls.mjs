#!/usr/bin/env node
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measureProcesses, median, runProcess } from './measure.mjs';
import { project, startModel } from './model-project.mjs';

const usage = `Measures what it costs to observe the calls of models.

  node benchmarks/calls.mjs [--base DIST] [--pairs N] [--evals N] [--calls N] [--attempts N]

  --base DIST    a build of the version before: runs without calls are held against it
  --pairs N      pairs of runs (7)
  --evals N      evaluations of a run without calls (10000)
  --calls N      calls of each run that measures the wrapper (1000)
  --attempts N   attempts with 10 calls and 200 kB of messages each (1000)

Exit code 1 when a limit is missed.
`;

const { values: options } = parseArgs({
  options: {
    base: { type: 'string' },
    pairs: { type: 'string', default: '7' },
    evals: { type: 'string', default: '10000' },
    calls: { type: 'string', default: '1000' },
    attempts: { type: 'string', default: '1000' },
    help: { type: 'boolean', default: false },
  },
});
const checkout = fileURLToPath(new URL('..', import.meta.url));
const pairs = Number(options.pairs);
const attempts = Number(options.attempts);

/** What eval files share. */
const ask = `const ask = (body: object) => fetch(process.env.MODEL + '/v1/chat/completions', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'gpt-5-mini', ...body }),
});
// The 10th percentile: other work on the machine is in the slower ones.
const quick = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 10)];
`;

if (options.help) console.log(usage);
else await main();

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'assay-calls-'));
  const model = await startModel();
  try {
    if (options.base !== undefined) await withoutCalls(folder, dirname(resolve(options.base)));
    await overBareFetch(folder, model.url);
    await growingHistory(folder, model.url);
  } finally {
    model.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** CPU and wall time of runs without calls, against the version before. */
async function withoutCalls(folder, base) {
  for (const evals of [Number(options.evals), 1]) {
    const rows = [base, checkout].map((root, at) =>
      project(join(folder, `plain-${evals}-${at}`), root, plainEvals(evals)),
    );
    const runs = await inPairs(rows, measureProcesses);
    const what = evals === 1 ? 'one evaluation' : `${evals} evaluations`;
    for (const key of ['cpu', 'seconds']) {
      const [before, now] = [0, 1].map((at) => medianOf(runs.map((pair) => pair[at][key])));
      const ratio = medianOf(runs.map(([a, b]) => b[key] / a[key]));
      const more = 1000 * medianOf(runs.map(([a, b]) => b[key] - a[key]));
      const unit = key === 'cpu' ? 's CPU' : 's';
      console.log(
        `${what} without calls: ${before.toFixed(2)} → ${now.toFixed(2)} ${unit}, ${ratio.toFixed(3)} ×, ${signed(more, 0)} ms`,
      );
      if (key === 'cpu') limit(evals > 1 ? ratio <= 1.01 : more <= 3, `${what}: 1.01 × or 3 ms`);
    }
  }
}

/** What a call takes with its recording, and without it. */
async function overBareFetch(folder, url) {
  const row = project(join(folder, 'fetch'), checkout, timedCalls(Number(options.calls)));
  const rows = ['off', 'full'].map((capture) => ({
    ...row,
    env: { MODEL: url, ASSAY_CAPTURE: capture },
  }));
  const runs = await inPairs(rows, async (one) => {
    await runProcess(one);
    const log = readFileSync(join(runFolder(one.cwd), 'results.jsonl'), 'utf8');
    const finished = log.split('\n').find((line) => line.includes('"type":"finished"'));
    return JSON.parse(finished ?? '{}').output;
  });
  for (const [key, what, most] of [
    ['call', 'a call of 4 kB', 0.2],
    ['chunk', 'the first chunk of a stream', 0.3],
    ['cpu', 'CPU of the host for a call', Number.POSITIVE_INFINITY],
  ]) {
    const [bare, seen] = [0, 1].map((at) => medianOf(runs.map((pair) => pair[at][key])));
    const more = medianOf(runs.map(([a, b]) => b[key] - a[key]));
    console.log(
      `${what}: ${bare.toFixed(3)} ms bare, ${seen.toFixed(3)} ms recorded, ${signed(more, 3)} ms`,
    );
    limit(more <= most, `${what}: ${most} ms`);
  }
}

/** An agent that sends its whole history each time: the size of the log and the memory of the parent. */
async function growingHistory(folder, url) {
  const row = project(join(folder, 'history'), checkout, growingEvals());
  const { parent, child } = await measureProcesses({ ...row, env: { MODEL: url } });
  const bytes = statSync(join(runFolder(row.cwd), 'results.jsonl')).size;
  const distinct = attempts * 10 * 20_000;
  const ratio = bytes / distinct;
  console.log(
    `${attempts} attempts × 10 calls with 200 kB of messages: log ${ratio.toFixed(3)} × the distinct text (${(bytes / 1e6).toFixed(0)} MB), parent ${parent.toFixed(0)} MB, host ${child?.toFixed(0) ?? '–'} MB`,
  );
  limit(ratio <= 1.3, 'log: 1.3 ×');
  limit(parent <= 250, 'parent: 250 MB');
}

/** Each pair as the results of both, taken in turns after a warm-up. */
async function inPairs(rows, run) {
  const clean = async (row) => {
    rmSync(join(row.cwd, '.assay'), { recursive: true, force: true });
    return run(row);
  };
  for (const row of rows) await clean(row);
  const all = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    const [first, second] = rows;
    if (pair % 2 === 0) all.push([await clean(first), await clean(second)]);
    else all.push([await clean(second), await clean(first)].reverse());
  }
  return all;
}

function runFolder(cwd) {
  const session = join(cwd, '.assay/sessions/default');
  const run = readdirSync(session).find((name) => /^[0-9a-f]{12}$/.test(name));
  return join(session, run ?? '');
}

function plainEvals(evals) {
  return `import { evaluation } from 'assay';
export const bench = evaluation({
  cases: Array.from({ length: ${evals} }, (_, n) => ({ input: n, reference: n })),
  target: (ctx) => ctx.input,
  evaluators: [function exact({ output, reference }) { return output === reference; }],
});
`;
}

function timedCalls(calls) {
  return `import { evaluation } from 'assay';
${ask}
const messages = [{ role: 'user', content: 'x'.repeat(4_000) }];
const whole = async () => {
  const start = performance.now();
  await (await ask({ messages })).json();
  return performance.now() - start;
};
const streamed = async () => {
  const start = performance.now();
  const reader = (await ask({ messages, stream: true })).body!.getReader();
  await reader.read();
  const took = performance.now() - start;
  while (!(await reader.read()).done);
  return took;
};
export const bench = evaluation({ timeout: 600 }, async (ctx) => {
  for (let n = 0; n < 100; n += 1) { await whole(); await streamed(); }
  const times = { call: [] as number[], chunk: [] as number[] };
  const before = process.cpuUsage();
  for (let n = 0; n < ${calls}; n += 1) {
    times.call.push(await whole());
    times.chunk.push(await streamed());
  }
  const { user, system } = process.cpuUsage(before);
  const cpu = (user + system) / 1000 / ${2 * calls};
  ctx.output = { cpu, call: quick(times.call), chunk: quick(times.chunk) };
});
`;
}

function growingEvals() {
  return `import { evaluation } from 'assay';
${ask}
export const bench = evaluation({
  timeout: 600,
  cases: Array.from({ length: ${attempts} }, (_, input) => ({ input })),
  target: async ({ input }) => {
    const messages: object[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      messages.push({ role: 'user', content: \`\${input}.\${turn} \`.padEnd(10_000, 'question ') });
      const { choices } = (await (await ask({ messages, size: 10_000 })).json()) as any;
      messages.push(choices[0].message);
    }
    return 'done';
  },
});
`;
}

function medianOf(values) {
  return median([...values].sort((a, b) => a - b));
}

function signed(value, digits) {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(digits)}`;
}

function limit(holds, what) {
  if (holds) return;
  console.log(`  missed: ${what}`);
  process.exitCode = 1;
}
