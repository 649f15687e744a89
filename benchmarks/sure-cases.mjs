#!/usr/bin/env node
import { beginSimulation, judge, noiseOf, percent, print } from './simulation.mjs';

const usage = `Simulates systems whose cases or scores are mostly sure: does the regression gate find the one that breaks, and how often
does it fail an unchanged system? Beside it, what Holm's correction over all tests would find.

  node benchmarks/sure-cases.mjs [--repetitions N] [--seed N] [--dist DIR]

  --repetitions N   comparisons per row, with and without a break (1000)
  --seed N          where the random numbers begin (1)
  --dist DIR        the build to simulate (dist)

Exit code 1 when a row finds less than 99 %, or has more false alarms than its limit, by more than its noise (three standard
errors). The limit is 1 % where cases are mostly sure, and else the 5 % that the gate promises.
`;

const { options, from, repetitions, random } = await beginSimulation(usage);
const leastFound = 0.99;

/** One case breaks from all to none; so many of the others are unsure, with a pass probability from 0.8 to 1. */
const caseRows = [
  [30, 5, 0],
  [100, 5, 0],
  [1000, 5, 0],
  [30, 5, 3],
  [100, 5, 5],
  [30, 10, 6],
  [200, 10, 20, 0.05],
].map(([cases, trials, unsure, mostAlarms = 0.01]) => ({
  mostAlarms,
  name: `1 of ${cases} cases breaks, ${trials} trials, ${unsure} unsure`,
  runs: (random, isBroken) => {
    const chances = Array.from({ length: cases }, (_, i) =>
      i > 0 && i <= unsure ? 0.8 + 0.2 * random() : i % 2,
    );
    const draw = (isOther) =>
      chances.map((chance, i) => {
        if (i === 0) return caseOf(0, isOther && isBroken ? 0 : trials, trials, []);
        return caseOf(i, drawPasses(random, trials, chance), trials, []);
      });
    return [draw(false), draw(true)];
  },
}));

/** So many of 40 cases break, beside scores that are the same in all cases; all others pass with a chance. */
const scoreRows = [
  [8, 60, 1],
  [8, 200, 1],
  [12, 60, 0.98],
].map(([broken, scores, chance]) => ({
  mostAlarms: 0.01,
  name: `${broken} of 40 cases break, ${scores} flat scores, others pass with ${chance}`,
  runs: (random, isBroken) => {
    const flat = Array.from({ length: scores }, (_, key) => ({
      key: `flat ${key}`,
      kind: 'value',
      sum: 0.5,
      count: 1,
    }));
    const draw = (isOther) =>
      Array.from({ length: 40 }, (_, i) => {
        const isDown = i < broken && isOther && isBroken;
        return caseOf(i, isDown ? 0 : drawPasses(random, 1, chance), 1, flat);
      });
    return [draw(false), draw(true)];
  },
}));

async function main() {
  const { compareCases } = await from('compare/compare-cases.js');
  const { judgeRegression } = await from('compare/gates/judge-regression.js');
  const { testCases } = await from('compare/significance/case-tests.js');
  const { holm } = await from('statistics/holm.js');
  const compare = (runs) => {
    const { summary, pairs } = compareCases(...runs, { draws: 2000 });
    const measures = [summary.pass_rate, ...summary.scores.filter((one) => !one.same_as_pass_rate)];
    const families = [measures, testCases(pairs)];
    return {
      isRed: judgeRegression({ summary, pairs }).verdict === 'no',
      isRedByHolm: families.some((family) =>
        holm(family.map(({ p_lower: lower }) => 2 * lower)).some((p) => p < 0.05),
      ),
    };
  };
  console.log(`${repetitions} comparisons per row and column, seed ${options.seed}\n`);
  print(['system', 'found', 'by Holm alone', 'false alarms', 'by Holm alone', 'limit']);
  print(Array(6).fill('---'));
  const outside = [];
  for (const { name, runs, mostAlarms } of [...caseRows, ...scoreRows]) {
    const [broken, same] = [true, false].map((isBroken) => {
      const verdicts = Array.from({ length: repetitions }, () => compare(runs(random, isBroken)));
      const share = (is) => verdicts.filter(is).length / repetitions;
      return { red: share(({ isRed }) => isRed), holm: share(({ isRedByHolm }) => isRedByHolm) };
    });
    print([name, ...[broken.red, broken.holm, same.red, same.holm, mostAlarms].map(percent)]);
    if (broken.red < leastFound - noiseOf(leastFound, repetitions)) outside.push(name);
    if (same.red > mostAlarms + noiseOf(mostAlarms, repetitions)) outside.push(name);
  }
  judge(outside);
}

function caseOf(id, passes, trials, scores) {
  const counts = { trials, passes, judged: trials, errors: 0 };
  const facts = { function: 'f', dataset: 'd', outputHash: null, latency: null };
  return { id: String(id), ...facts, ...counts, scores };
}

function drawPasses(random, trials, chance) {
  let passes = 0;
  for (let trial = 0; trial < trials; trial += 1) if (random() < chance) passes += 1;
  return passes;
}

await main();
