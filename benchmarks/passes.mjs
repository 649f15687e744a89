#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { passRate } from '../dist/model/summary/pass-rate.js';
import { openStore } from '../dist/store/store.js';

const usage = `Runs failures of coins again and again, with the real commands: does the pass rate still hold the truth?

  node benchmarks/passes.mjs [--systems N] [--cases N] [--seed N]

  --systems N   coins of each kind (100)
  --cases N     draws of each coin in a pass (200)
  --seed N      where the draws begin (1)

Each coin is an evaluation. Half of the coins are in a file that is edited between the reruns, without an effect. Exit code 1
when the 95 % intervals of a cell hold the truth in less than 92 % or more than 98 % by more than its noise (three standard
errors), or when a gate at 90 % passes more than 5 % of the coins at 85 %.
`;

const { values: options } = parseArgs({
  options: {
    systems: { type: 'string', default: '100' },
    cases: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});
const checkout = fileURLToPath(new URL('..', import.meta.url));
const systems = Number(options.systems);
const cases = Number(options.cases);
const chances = [0.75, 0.85];
const gate = { at: 0.9, mostPassed: 0.05 };
const coverage = { least: 0.92, most: 0.98 };

if (options.help) console.log(usage);
else await main();

async function main() {
  const coins = await startCoins();
  const folder = mkdtempSync(join(tmpdir(), 'assay-passes-'));
  try {
    console.log(
      `${systems} coins of each kind, ${cases} cases each, seed ${options.seed}\n\n| after | file | chance | mean rate | mean of the newest | interval holds the truth | gate at ${gate.at * 100} % passes |\n|---|---|---|---|---|---|---|`,
    );
    await simulate(folder, coins.url);
  } finally {
    coins.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function simulate(folder, url) {
  const assay = commandIn(folder, url);
  writeProject(folder);
  await assay('run', '--run-name', 'one');
  await report(folder, 'one', 'the first pass');
  for (const edit of ['one', 'two', 'three']) {
    writeEvals(folder, 'edited', edit);
    await assay('run', '--rerun', 'one', '--only', 'failed');
  }
  await report(folder, 'one', 'three reruns of failures');
  await assay('run', '--changed', '--run-name', 'carried');
  await report(folder, 'carried', '--changed');
  for (const part of [1, 2]) {
    const name = `part${part}`;
    await assay('run', '--shard', `${part}/2`, '--run-name', name);
    await assay('run', '--rerun', name, '--only', 'failed');
  }
  await assay('sessions', 'merge', 'part1', 'part2', '--name', 'merged');
  await report(folder, 'merged', 'merge');
}

/** Prints a row for each kind of coin in a run. */
async function report(folder, name, after) {
  const store = await openStore(join(folder, '.assay/sessions'));
  const run = await store.openRun(await store.findRun(name));
  try {
    for (const file of ['edited', 'kept']) {
      for (const chance of chances) reportCell(run.rows, { after, file, chance });
    }
  } finally {
    await run.close();
  }
}

function reportCell(rows, { after, file, chance }) {
  const byCoin = grouped(rows.filter(isOf(file, chance)));
  const rates = [...byCoin.values()].map((of) => ({
    ...passRate(of),
    newest: of.filter(({ scores }) => scores[0]?.passed).length / of.length,
  }));
  const share = (is) => rates.filter(is).length / rates.length;
  const holds = share(({ low, high }) => low <= chance && chance <= high);
  const passed = share(({ passed, total }) => passed / total >= gate.at);
  const mean = (of) => percent(rates.reduce((sum, one) => sum + of(one), 0) / rates.length);
  const noise = (p) => 3 * Math.sqrt((p * (1 - p)) / rates.length);
  const isMissed =
    rates.length !== systems ||
    holds < coverage.least - noise(coverage.least) ||
    holds > coverage.most + noise(coverage.most) ||
    (chance < gate.at && passed > gate.mostPassed + noise(gate.mostPassed));
  const cells = [after, file, percent(chance), mean(({ passed, total }) => passed / total)];
  const ends = [mean(({ newest }) => newest), percent(holds), percent(passed)];
  console.log(`| ${[...cells, ...ends].join(' | ')} |${isMissed ? ' missed' : ''}`);
  if (isMissed) process.exitCode = 1;
}

function grouped(rows) {
  const groups = new Map();
  for (const row of rows) {
    const known = groups.get(row.evaluation);
    if (known === undefined) groups.set(row.evaluation, [row]);
    else known.push(row);
  }
  return groups;
}

function isOf(file, chance) {
  return ({ id }) => id.startsWith(`${file}.eval.ts::coin${chance * 100}_`);
}

function percent(share) {
  return `${(share * 100).toFixed(1)} %`;
}

function writeProject(folder) {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(checkout, join(folder, 'node_modules/assay'), 'junction');
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  for (const file of ['edited', 'kept']) writeEvals(folder, file, 'nothing');
}

/** Half of the coins, with a string that changes nothing. */
function writeEvals(folder, file, remark) {
  const names = chances.flatMap((chance) =>
    Array.from({ length: systems }, (_, at) => [`coin${chance * 100}_${at}`, chance]),
  );
  const source = `import { evaluation } from 'assay';

const coin = (name: string, chance: number) => evaluation({
  cases: Array.from({ length: ${cases} }, (_, at) => ({ id: String(at), input: at })),
  target: async ({ input }) => {
    const remark = '${remark}';
    const address = \`\${process.env.COINS}/${file}/\${name}/\${input}?\${chance}\`;
    return remark && (await fetch(address)).text();
  },
  evaluators: [function heads({ output }) { return output === 'heads'; }],
});
${names.map(([name, chance]) => `export const ${name} = coin('${name}', ${chance});`).join('\n')}
`;
  writeFileSync(join(folder, `${file}.eval.ts`), source);
}

function commandIn(folder, url) {
  return async (...args) => {
    const env = { ...process.env, COINS: url, ASSAY_CAPTURE: 'off' };
    const command = [join(checkout, 'bin/run.js'), ...args];
    const child = spawn(process.execPath, command, { cwd: folder, env, stdio: 'ignore' });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`assay ${args.join(' ')} ended with ${code}`);
  };
}

/** A server of coins: each draw of an address depends on the seed and on how often it was drawn, whoever comes first. */
async function startCoins() {
  const draws = new Map();
  const server = createServer(({ url }, response) => {
    const draw = (draws.get(url) ?? 0) + 1;
    draws.set(url, draw);
    const hash = createHash('sha256').update(`${options.seed} ${draw} ${url}`).digest();
    const chance = Number(url.slice(url.indexOf('?') + 1));
    response.end(hash.readUInt32LE() / 2 ** 32 < chance ? 'heads' : 'tails');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
