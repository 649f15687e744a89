// How long it takes from saving a file to the first result of `assay run --watch`, and what many rounds leave behind.
// node benchmarks/watch.mjs [--modules 50] [--rounds 20] [--leak]; needs a built dist. The target returns at once.
// Exit code 1 when the limit is missed.
import { spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from './measure.mjs';

const { values } = parseArgs({
  options: {
    modules: { type: 'string', default: '50' },
    rounds: { type: 'string', default: '20' },
    // Milliseconds between two rounds: a person needs some time, in which the next process starts.
    pause: { type: 'string', default: '1000' },
    leak: { type: 'boolean', default: false },
  },
});
const mostMs = 150;
const modules = Number(values.modules);
const rounds = values.leak ? 200 : Number(values.rounds);
const pause = values.leak ? 300 : Number(values.pause);
const checkout = fileURLToPath(new URL('..', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'assay-watch-'));
const child = start();
try {
  await until(() => /watching \d+ files/.test(output()));
  const log = findLog();
  const times = [];
  for (let round = 1; round <= rounds; round += 1) {
    await setTimeout(pause);
    times.push(await measure(log, round));
    if (values.leak && round % 50 === 0) report(round);
  }
  times.sort((a, b) => a - b);
  const [low, mid, high] = [times[0], median(times), times.at(-1)];
  console.log(
    `${modules} modules, ${rounds} rounds: median ${mid.toFixed(0)} ms (${low.toFixed(0)} to ${high.toFixed(0)}), load ${loadavg()[0].toFixed(1)}`,
  );
  if (mid > mostMs) {
    console.log(`  missed: ${mostMs} ms`);
    process.exitCode = 1;
  }
} finally {
  child.kill('SIGINT');
  await new Promise((resolve) => child.once('exit', resolve));
  rmSync(root, { recursive: true, force: true });
}

function start() {
  mkdirSync(join(root, 'node_modules'));
  mkdirSync(join(root, 'lib'));
  symlinkSync(checkout, join(root, 'node_modules/assay'), 'junction');
  writeFileSync(join(root, 'package.json'), '{ "private": true, "type": "module" }\n');
  for (let at = 0; at < modules; at += 1)
    writeFileSync(join(root, `lib/m${at}.ts`), moduleSource(at, 0));
  const imports = Array.from(
    { length: modules },
    (_, at) => `import { f${at} } from './lib/m${at}.js';`,
  );
  const sum = Array.from({ length: modules }, (_, at) => `f${at}(1)`).join(' + ');
  writeFileSync(
    join(root, 'a.eval.ts'),
    `import { evaluation } from 'assay';\n${imports.join('\n')}
export const one = evaluation({ input: 1, target: () => ${sum}, evaluators: [function there({ output }) { return output > 0; }] });\n`,
  );
  const env = { ...process.env, ASSAY_RESULTS_DIR: undefined, NODE_EXTRA_CA_CERTS: undefined };
  const started = spawn(process.execPath, [join(checkout, 'bin/run.js'), 'run', '--watch'], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  started.text = '';
  started.stderr.on('data', (chunk) => {
    started.text += chunk;
  });
  return started;
}

function moduleSource(at, version) {
  const lines = Array.from({ length: 20 }, (_, n) => `const c${n}: number = ${n} * ${at + 1};`);
  return `${lines.join('\n')}\nexport const f${at} = (n: number): number => n + c1 + c19 + ${version};\n`;
}

function output() {
  return child.text;
}

function findLog() {
  const [run] = readdirSync(join(root, '.assay/sessions/default')).filter((name) =>
    /^[0-9a-f]{12}$/.test(name),
  );
  return join(root, '.assay/sessions/default', run, 'results.jsonl');
}

/** Saves one module, and waits for the result in the log. */
async function measure(log, round) {
  const before = statSync(log).size;
  const began = performance.now();
  writeFileSync(join(root, `lib/m${round % modules}.ts`), moduleSource(round % modules, round));
  await until(() => readFileSync(log).subarray(before).includes('"type":"finished"'));
  return performance.now() - began;
}

async function until(is) {
  for (let waited = 0; !is(); waited += 1) {
    if (waited > 60_000) throw new Error(`nothing came:\n${output()}`);
    await setTimeout(1);
  }
}

/** Prints memory and open files of the command, and the number of processes below it. */
function report(round) {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  const files = readdirSync(`/proc/${child.pid}/fd`).length;
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean).length;
  const memory = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  console.log(
    `after ${round} rounds: ${memory.toFixed(0)} MiB, ${files} open files, ${children} processes`,
  );
}
