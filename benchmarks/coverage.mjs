#!/usr/bin/env node
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const usage = `Simulates how often the 95 % intervals that assay shows hold the truth.

  node benchmarks/coverage.mjs [--repetitions N] [--units LIST] [--only NAME] [--all] [--seed N] [--dist DIR]

  --repetitions N   samples per cell (1000)
  --units LIST      evaluations of a sample (5,10,20,30,50,200,1000)
  --only NAME       one kind of interval: rate, trials, pass, mean, pairs, differences
  --all             print every cell, not only the worst of each kind
  --seed N          where the random numbers begin (1)
  --dist DIR        the build to simulate (dist)

A cell in which no interval is shown does not count. Exit code 1 when a cell is below 90 % or above 98 % by more than its noise (three
standard errors). Wilson's interval of single trials is shown as it is, so its cells are printed but not judged.
`;

const { values: options } = parseArgs({
  options: {
    repetitions: { type: 'string', default: '1000' },
    units: { type: 'string', default: '5,10,20,30,50,200,1000' },
    only: { type: 'string' },
    all: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    dist: { type: 'string', default: fileURLToPath(new URL('../dist', import.meta.url)) },
    help: { type: 'boolean', default: false },
  },
});
const from = (path) => import(pathToFileURL(join(resolve(options.dist), path)).href);
const [lowest, highest] = [0.9, 0.98];
const units = options.units.split(',').map(Number);
const repetitions = Number(options.repetitions);

async function main() {
  const { seededRandom } = await from('model/random.js');
  const draw = new Draw(seededRandom(Number(options.seed)));
  const kinds = {
    rate: await rateCells([1]),
    trials: await rateCells([3, 5, 10]),
    pass: await passCells(),
    mean: await meanCells(),
    pairs: await pairCells(),
    differences: await differenceCells(),
  };
  print(['interval', 'cells', 'shown', 'lowest', 'highest', 'under 90 %', 'over 98 %']);
  print(Array(7).fill('---'));
  const outside = [];
  const listed = [];
  for (const [kind, { text, isJudged, cells }] of Object.entries(kinds)) {
    if (options.only !== undefined && options.only !== kind) continue;
    const figures = cells.map(({ name, sample }) => ({ name, ...coverageOf(sample, draw) }));
    const shown = figures.filter(({ coverage }) => coverage !== undefined);
    const [under, over] = [shown.filter(isUnder), shown.filter(isOver)];
    const sorted = [...shown].sort((a, b) => a.coverage - b.coverage);
    const ends = [sorted[0], sorted.at(-1)].map((cell) =>
      cell === undefined ? '–' : `${percent(cell.coverage)} (${cell.name})`,
    );
    print([text, cells.length, shown.length, ...ends, under.length, over.length]);
    if (isJudged) outside.push(...[...under, ...over].map((cell) => ({ text, ...cell })));
    if (options.all) listed.push(...shown.map((cell) => ({ text, ...cell })));
  }
  for (const { text, name, coverage } of listed)
    console.log(`${text}: ${name}: ${percent(coverage)}`);
  if (outside.length === 0) return;
  console.log(`\nOutside of 90 to 98 % by more than noise:`);
  for (const { text, name, coverage } of outside)
    console.log(`- ${text}: ${name}: ${percent(coverage)}`);
  process.exitCode = 1;
}

/** How often the interval of a sample holds the truth; nothing when most samples have none. */
function coverageOf(sample, draw) {
  let shown = 0;
  let held = 0;
  for (let i = 0; i < repetitions; i += 1) {
    const { truth, low, high } = sample(draw);
    if (low === null || high === null) continue;
    shown += 1;
    if (low <= truth + 1e-12 && truth <= high + 1e-12) held += 1;
  }
  return { shown, coverage: shown < repetitions / 2 ? undefined : held / shown };
}

function noiseOf(share, { shown }) {
  return 3 * Math.sqrt((share * (1 - share)) / shown);
}

function isUnder(cell) {
  return cell.coverage < lowest - noiseOf(lowest, cell);
}

function isOver(cell) {
  return cell.coverage > highest + noiseOf(highest, cell);
}

/** Pass rates: trials of an evaluation share its pass probability, which is spread by the intraclass correlation. */
async function rateCells(trials) {
  const { clusteredRate } = await from('statistics/clustered-share.js');
  const cells = [];
  for (const n of units)
    for (const t of trials)
      for (const p of [0.5, 0.8, 0.9, 0.95, 0.98])
        for (const icc of t === 1 ? [0] : [0, 0.1, 0.3, 0.5])
          cells.push({
            name: `n ${n}, ${t} trials, p ${p}, ICC ${icc}`,
            sample: (draw) => {
              const passed = Array.from({ length: n }, () => draw.passes(t, p, icc));
              return { truth: p, ...clusteredRate(passed, Array(n).fill(t)) };
            },
          });
  const isJudged = !trials.includes(1);
  return {
    text: isJudged ? 'rate, several trials' : 'rate, single trials (Wilson)',
    isJudged,
    cells,
  };
}

/** pass@k and pass^k, for k below the number of trials: with as many it is Wilson's of single trials. */
async function passCells() {
  const { trialFields } = await from('model/trial-statistics.js');
  const cells = [];
  for (const n of units.filter((count) => count <= 200))
    for (const [t, k] of [
      [3, 2],
      [5, 2],
      [5, 3],
      [10, 3],
    ])
      for (const p of [0.5, 0.8, 0.9])
        for (const icc of [0.1, 0.3, 0.5])
          for (const which of ['pass_at', 'pass_all']) {
            const truth = passTruth(which, k, p, icc);
            // Beyond that hardly any sample has an evaluation of the other kind: Wilson's dips near 0 and 1.
            if (n * Math.min(truth, 1 - truth) < 1) continue;
            cells.push({
              name: `${which === 'pass_at' ? 'pass@' : 'pass^'}${k}, n ${n}, ${t} trials, p ${p}, ICC ${icc}`,
              sample: (draw) => {
                const { by_k } = trialFields(rowsOf(draw, n, t, p, icc)).trial_statistics;
                return { truth, ...by_k[k - 1][which] };
              },
            });
          }
  return { text: 'pass@k, pass^k', isJudged: true, cells };
}

function passTruth(which, k, p, icc) {
  const [a, b] = betaOf(p, icc);
  let none = 1;
  let all = 1;
  for (let i = 0; i < k; i += 1) {
    none *= (b + i) / (a + b + i);
    all *= (a + i) / (a + b + i);
  }
  return which === 'pass_at' ? 1 - none : all;
}

function rowsOf(draw, n, trials, p, icc) {
  return Array.from({ length: n }, (_, unit) => {
    const passes = draw.passes(trials, p, icc);
    return Array.from({ length: trials }, (__, trial) => ({
      id: `${unit}~${trial}`,
      trial: trial + 1,
      trial_of: String(unit),
      status: 'completed',
      scores: [{ key: 'k', passed: trial < passes }],
    }));
  }).flat();
}

const spreads = {
  normal: { mean: 0, draw: (draw) => draw.normal() },
  exponential: { mean: 1, draw: (draw) => draw.gamma(1) },
  'lognormal, σ 0.5': { mean: Math.exp(0.125), draw: (draw) => Math.exp(draw.normal() / 2) },
  'lognormal, σ 1': { mean: Math.exp(0.5), draw: (draw) => Math.exp(draw.normal()) },
  'beta(2, 1)': { mean: 2 / 3, draw: (draw) => draw.beta(2, 1) },
  'beta(1.8, 0.2)': { mean: 0.9, draw: (draw) => draw.beta(1.8, 0.2) },
  'ratings 1 to 5': {
    mean: 3.7,
    draw: (draw) => [1, 2, 3, 4, 5][draw.of([0.05, 0.1, 0.2, 0.4, 0.25])],
  },
};

/** Averages of scores; with trials each evaluation has a level of its own. */
async function meanCells() {
  const { clusteredMean } = await from('statistics/clustered-mean.js');
  const cells = [];
  for (const n of units)
    for (const t of [1, 5])
      for (const [name, { mean, draw: one }] of Object.entries(spreads))
        cells.push({
          name: `${name}, n ${n}, ${t} trials`,
          sample: (draw) => {
            const sums = Array.from({ length: n }, () => {
              const level = one(draw);
              let sum = 0;
              for (let trial = 0; trial < t; trial += 1)
                sum += t === 1 ? level : level + draw.normal() / 4;
              return sum;
            });
            return { truth: mean, ...clusteredMean(sums, Array(n).fill(t)) };
          },
        });
  return { text: 'average', isJudged: true, cells };
}

/** The difference of two runs of single trials: some evaluations pass in one of them only. */
async function pairCells() {
  const { bonettPrice } = await from('statistics/bonett-price.js');
  const cells = [];
  for (const n of units)
    for (const [onlyBase, onlyOther] of [
      [0.02, 0.02],
      [0.05, 0.05],
      [0.1, 0.1],
      [0.25, 0.25],
      [0.1, 0.02],
      [0.3, 0.05],
    ])
      cells.push({
        name: `n ${n}, ${onlyBase} only in the base, ${onlyOther} only in the other`,
        sample: (draw) => {
          const counts = [0, 0, 0];
          for (let i = 0; i < n; i += 1)
            counts[draw.of([onlyBase, onlyOther, 1 - onlyBase - onlyOther])] += 1;
          return { truth: onlyOther - onlyBase, ...bonettPrice(counts[0], counts[1], n) };
        },
      });
  return { text: 'difference, single trials (Bonett–Price)', isJudged: true, cells };
}

/** The difference of two runs with trials, and of values. */
async function differenceCells() {
  const [{ compareUnits }, { unitsOf }] = await Promise.all([
    from('model/compare/compare-units.js'),
    from('model/compare/fold-units.js'),
  ]);
  const cells = [];
  for (const n of units.filter((count) => count <= 200))
    for (const t of [3, 5])
      for (const p of [0.5, 0.8, 0.95])
        for (const icc of [0.1, 0.5])
          cells.push({
            name: `n ${n}, ${t} trials, p ${p}, ICC ${icc}`,
            sample: (draw) => {
              const chances = Array.from({ length: n }, () => draw.beta(...betaOf(p, icc)));
              const run = () =>
                unitsOf(
                  chances.flatMap((chance, unit) =>
                    Array.from({ length: t }, (_, trial) => ({
                      id: `${unit}~${trial}`,
                      trial_of: String(unit),
                      status: 'completed',
                      latency: null,
                      scores: [{ key: 'k', passed: draw.random() < chance }],
                    })),
                  ),
                );
              const { difference } = compareUnits(run(), run(), { draws: 1 }).summary.pass_rate;
              return { truth: 0, ...difference };
            },
          });
  return { text: 'difference, several trials', isJudged: true, cells };
}

/** The beta distribution with a mean and an intraclass correlation. */
function betaOf(p, icc) {
  return [(p * (1 - icc)) / icc, ((1 - p) * (1 - icc)) / icc];
}

/** Draws what the cells need. */
class Draw {
  constructor(random) {
    this.random = random;
  }

  normal() {
    return Math.sqrt(-2 * Math.log(1 - this.random())) * Math.cos(2 * Math.PI * this.random());
  }

  /** Marsaglia and Tsang 2000, ACM Transactions on Mathematical Software 26, 363–372. */
  gamma(shape) {
    if (shape < 1) return this.gamma(shape + 1) * this.random() ** (1 / shape);
    const d = shape - 1 / 3;
    const c = 1 / Math.sqrt(9 * d);
    for (;;) {
      const x = this.normal();
      const v = (1 + c * x) ** 3;
      if (v > 0 && Math.log(1 - this.random()) < 0.5 * x * x + d - d * v + d * Math.log(v))
        return d * v;
    }
  }

  beta(a, b) {
    const x = this.gamma(a);
    const y = this.gamma(b);
    return x + y === 0 ? Number(this.random() < a / (a + b)) : x / (x + y);
  }

  /** How many of so many trials of one evaluation pass. */
  passes(trials, p, icc) {
    const chance = icc === 0 ? p : this.beta(...betaOf(p, icc));
    let passes = 0;
    for (let trial = 0; trial < trials; trial += 1) if (this.random() < chance) passes += 1;
    return passes;
  }

  /** The position that is drawn with these chances. */
  of(chances) {
    let left = this.random();
    const at = chances.findIndex((chance) => {
      left -= chance;
      return left < 0;
    });
    return at < 0 ? chances.length - 1 : at;
  }
}

function percent(share) {
  return `${(share * 100).toFixed(1)} %`;
}

function print(cells) {
  console.log(`| ${cells.join(' | ')} |`);
}

if (options.help) console.log(usage);
else await main();
