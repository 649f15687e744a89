#!/usr/bin/env node
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const usage = `Simulates reruns of an unchanged system and of a worse one: how often does the regression gate say no?

  node benchmarks/gate-simulation.mjs [--repetitions N] [--power N] [--draws N] [--units LIST] [--trials LIST] [--dist DIR]

  --repetitions N   comparisons of an unchanged system per row (2000)
  --power N         comparisons per drop of the pass rate (150)
  --draws N         draws of signs where not all can be tried (500; assay itself draws 20000)
  --units LIST      units of a run (50,200,1000)
  --trials LIST     trials of each unit, base:other where they differ (1,3,5,5:1)
  --seed N          where the random numbers begin (1)
  --dist DIR        the build to simulate (dist)

Exit code 1 when a row has more than 5 % false alarms. With few repetitions that may happen by chance.
`;

const { values: options } = parseArgs({
  options: {
    repetitions: { type: 'string', default: '2000' },
    power: { type: 'string', default: '150' },
    draws: { type: 'string', default: '500' },
    units: { type: 'string', default: '50,200,1000' },
    trials: { type: 'string', default: '1,3,5,5:1' },
    seed: { type: 'string', default: '1' },
    dist: { type: 'string', default: fileURLToPath(new URL('../dist', import.meta.url)) },
    help: { type: 'boolean', default: false },
  },
});
const from = (path) => import(pathToFileURL(join(resolve(options.dist), path)).href);

/** How pass probabilities are spread over units: beta distributions with these parameters. */
const systems = [
  { a: 0.5, b: 0.5, text: 'half pass, few units are unsure' },
  { a: 4, b: 1, text: '80 % pass, many units are unsure' },
  { a: 1.8, b: 0.2, text: '90 % pass, few units are unsure' },
];
/** With one score the pass rate is all there is; with four the gate makes four tests. */
const scoresOf = (system) => (system.a === 4 ? [1, 4] : [1]);
const known = new Map();
const drops = [0.02, 0.05, 0.1];
const level = 0.05;

if (options.help) console.log(usage);
else await main();

async function main() {
  const [{ compareUnits }, { judgeRegression }, { seededRandom }] = await Promise.all(
    ['compare/compare-units.js', 'compare/regression-gate.js', 'random.js'].map((file) =>
      from(`model/${file}`),
    ),
  );
  const random = seededRandom(Number(options.seed));
  const draw = { draws: Number(options.draws), resamples: 1 };
  const judge = (base, other) => judgeRegression(compareUnits(base, other, draw)).verdict === 'no';
  const [repetitions, powerRepetitions] = [Number(options.repetitions), Number(options.power)];
  console.log(
    `${repetitions} reruns of an unchanged system per row, ${powerRepetitions} per drop; ${options.draws} draws of signs where there are too many to try all; seed ${options.seed}\n`,
  );
  print([
    'system',
    'units',
    'trials',
    'scores',
    'false alarms',
    ...drops.map((d) => `−${d * 100} points`),
  ]);
  print(Array(5 + drops.length).fill('---'));
  const alarms = [];
  for (const system of systems) {
    for (const units of options.units.split(',').map(Number)) {
      for (const trials of options.trials.split(',')) {
        for (const scores of scoresOf(system)) {
          const setting = { system, units, trials: parseTrials(trials), scores, random, judge };
          const alarm = share(repetitions, setting, 0);
          alarms.push(alarm);
          const power = drops.map((drop) => percent(share(powerRepetitions, setting, drop)));
          const name = `beta(${system.a}, ${system.b})`;
          print([name, units, trials, scores, percent(alarm), ...power]);
        }
      }
    }
  }
  report(alarms);
}

function parseTrials(text) {
  const [base, other = base] = text.split(':').map(Number);
  return { base, other };
}

function report(alarms) {
  const worst = Math.max(...alarms);
  const mean = alarms.reduce((sum, one) => sum + one, 0) / alarms.length;
  console.log(`\nFalse alarms: ${percent(mean)} on average, ${percent(worst)} at most.`);
  console.log(systems.map(({ a, b, text }) => `beta(${a}, ${b}): ${text}.`).join('\n'));
  if (worst > level) process.exitCode = 1;
}

/** How often the gate says no when the pass rate drops by so much (0 to 1). */
function share(repetitions, { system, units, trials, scores, random, judge }, drop) {
  const mean = system.a / (system.a + system.b);
  let said = 0;
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    const chances = Array.from({ length: units }, () => drawBeta(random, system));
    const worse = chances.map((chance) => chance * (1 - drop / mean));
    const base = makeUnits(random, chances, trials.base, scores);
    if (judge(base, makeUnits(random, worse, trials.other, scores))) said += 1;
  }
  return said / repetitions;
}

/**
 * Units whose trials pass with their chance. Of more than one score the second passes when the first does and now and
 * then else, the third is a coin of its own, the fourth a value that leans on the first.
 */
function makeUnits(random, chances, trials, scores) {
  return chances.map((chance, i) => {
    const sums = [0, 0, 0, 0];
    for (let trial = 0; trial < trials; trial += 1) {
      const first = random() < chance ? 1 : 0;
      sums[0] += first;
      if (scores === 1) continue;
      sums[1] += first === 1 || random() < 0.5 ? 1 : 0;
      sums[2] += random() < chance ? 1 : 0;
      sums[3] += first + random();
    }
    return {
      id: String(i),
      function: 'f',
      dataset: 'd',
      trials,
      passes: sums[0],
      judged: trials,
      scores: toScores(sums.slice(0, scores), trials),
      outputHash: null,
      latency: null,
    };
  });
}

function toScores(sums, trials) {
  if (sums.length > 1) return newScores(sums, trials);
  // A few maps for all units: making them would take longer than judging.
  const name = `${sums[0]}/${trials}`;
  if (!known.has(name)) known.set(name, newScores(sums, trials));
  return known.get(name);
}

function newScores(sums, trials) {
  const kind = (at) => (at < 3 ? 'ratio' : 'value');
  return new Map(sums.map((sum, at) => [`s${at}`, { kind: kind(at), sum, count: trials }]));
}

/** X / (X + Y) of two gamma variables. */
function drawBeta(random, { a, b }) {
  const x = drawGamma(random, a);
  const y = drawGamma(random, b);
  return x + y === 0 ? Number(random() < a / (a + b)) : x / (x + y);
}

/** Marsaglia and Tsang 2000, ACM Transactions on Mathematical Software 26, 363–372. */
function drawGamma(random, shape) {
  if (shape < 1) return drawGamma(random, shape + 1) * random() ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - random()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}

function percent(rate) {
  return `${(rate * 100).toFixed(1)} %`;
}

function print(cells) {
  console.log(`| ${cells.join(' | ')} |`);
}
