#!/usr/bin/env node
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measureProcesses, median, runProcess } from './measure.mjs';
import { project } from './model-project.mjs';

const usage = `Measures what it takes to find that nothing has changed, and what a plain run pays for that.

  node benchmarks/changed.mjs [--runs N] [--against DIR]

  --runs N        measured runs of each kind (5)
  --against DIR   another built checkout, whose plain runs are compared pair by pair with those of this one

Exit code 1 when a limit is missed.
`;

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    against: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const checkout = fileURLToPath(new URL('..', import.meta.url));
const mostSeconds = 0.6;
const mostRatio = 1.1;
const counts = { modules: 300, rows: 1000 };
/** Plain runs: of one eval file with many rows, and of many that share modules. */
const plain = [
  { modules: 300, files: 1, rows: 10_000 },
  { modules: 60, files: 200, rows: 5 },
];

if (options.help) console.log(usage);
else await main();

async function main() {
  const nothing = median(await nothingChanged());
  console.log(
    `--changed, nothing changed, ${counts.rows} rows, ${counts.modules} modules: ${nothing.toFixed(2)} s`,
  );
  check(nothing <= mostSeconds, `${mostSeconds} s`);
  if (options.against === undefined) return;
  for (const size of plain) {
    const { seconds, cpu } = await plainRatios(resolve(options.against), size);
    console.log(
      `a plain run of ${size.files} × ${size.rows} rows: ${told(seconds)} × the time of ${options.against}, ${told(cpu)} × the CPU`,
    );
    check(median(seconds) <= mostRatio, `${mostRatio} × the time`);
  }
}

function check(isMet, limit) {
  if (isMet) return;
  console.log(`  missed: ${limit}`);
  process.exitCode = 1;
}

/** Seconds of each run, ascending. */
async function nothingChanged() {
  return withProject(checkout, counts, async (row) => {
    await runProcess(row);
    const changed = { ...row, command: [...row.command, '--changed'] };
    const all = await repeat(() => runProcess(changed));
    return all.map(({ seconds }) => seconds).sort((a, b) => a - b);
  });
}

function told(ratios) {
  return `${median(ratios).toFixed(2)} (${ratios[0].toFixed(2)} to ${ratios.at(-1).toFixed(2)})`;
}

/** Ratios of seconds and of CPU seconds of neighbouring runs, both ascending. */
async function plainRatios(other, size) {
  return withProject(checkout, size, (here) =>
    withProject(other, size, async (there) => {
      const ratios = await repeat(async (at) => {
        const order = at % 2 === 0 ? [here, there] : [there, here];
        const found = new Map();
        for (const row of order) found.set(row, await measureProcesses(row));
        const [one, other] = [found.get(here), found.get(there)];
        return { seconds: one.seconds / other.seconds, cpu: one.cpu / other.cpu };
      });
      const sorted = (of) => ratios.map(of).sort((a, b) => a - b);
      return { seconds: sorted((one) => one.seconds), cpu: sorted((one) => one.cpu) };
    }),
  );
}

async function repeat(measureOnce) {
  const found = [];
  for (let at = 0; at < Number(options.runs); at += 1) found.push(await measureOnce(at));
  return found;
}

/** Calls `use` with the plain run of a project: eval files that reach so many modules, and have so many cases each. */
async function withProject(assay, { modules, rows, files = 1 }, use) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-changed-'));
  try {
    const row = project(folder, assay, evalSource(rows));
    for (let at = 1; at < files; at += 1) {
      writeFileSync(join(folder, `bench${at}.eval.ts`), evalSource(rows));
    }
    mkdirSync(join(folder, 'lib'));
    for (let at = 0; at < modules; at += 1) {
      writeFileSync(join(folder, `lib/m${at}.ts`), moduleSource(at, modules));
    }
    return await use({ ...row, command: row.command.filter((one) => one !== 'bench.eval.ts') });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// Each module imports the next one.
function moduleSource(at, modules) {
  const constants = Array.from({ length: 20 }, (_, n) => `const c${n}: number = ${n * (at + 1)};`);
  const hasNext = at + 1 < modules;
  return [
    hasNext ? `import { f${at + 1} } from './m${at + 1}.js';` : '',
    ...constants,
    `export const f${at} = (n: number): number => n + c1 + c19${hasNext ? ` + f${at + 1}(n)` : ''};`,
    '',
  ].join('\n');
}

function evalSource(rows) {
  return `import { evaluation } from 'assay';
import { f0 } from './lib/m0.js';
export const bench = evaluation({
  cases: Array.from({ length: ${rows} }, (_, at) => ({ input: at })),
  target: ({ input }) => f0(input),
  evaluators: [function there({ output }) { return output >= 0; }],
});
`;
}
