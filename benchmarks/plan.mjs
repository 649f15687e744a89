#!/usr/bin/env node
import { Draw } from './draw.mjs';
import { beginSimulation, percent, print } from './simulation.mjs';

const usage = `Simulates how often runs of the sizes that \`assay plan --drop\` names find the drop.

  node benchmarks/plan.mjs [--observations N] [--repetitions N] [--cases LIST] [--trials LIST] [--drops LIST] [--seed N] [--dist DIR]

  --observations N  saved runs per cell, each of which names sizes (30)
  --repetitions N   comparisons at each of these sizes (10)
  --cases LIST      cases of the saved run (50,200)
  --trials LIST     trials of each case; with 1, the plan is for the worst case (1,3,5)
  --drops LIST      points (5,10)
  --seed N          where the random numbers begin (1)
  --dist DIR        the build to simulate (dist)

A drop is \`alike\` (all pass probabilities fall by one factor) or \`broken\` (a few fall to 0). Each comparison draws new cases. Exit
code 1 when a power is below 75 %, or that of more evaluations with several trials above 88 %, by more than its noise (three standard errors
between saved runs): one trial more can be much more than it takes. Not judged are sizes that fewer than half of the runs name.
`;

const { options, from, repetitions, random } = await beginSimulation(usage, {
  observations: '30',
  repetitions: '10',
  cases: '50,200',
  trials: '1,3,5',
  drops: '5,10',
});
const { planRun } = await from('compare/plan-run.js');
const { signFlipTails } = await from('compare/significance/sign-flip.js');
const draw = new Draw(random);
const [lowest, highest] = [0.75, 0.88];
/** Beta distributions of pass probabilities. */
const systems = [
  [4, 1],
  [1.8, 0.2],
  [8, 2],
];
/** Larger sizes take too long to draw. */
const mostResults = 20_000;

function main() {
  print(['system', 'cases', 'trials', 'drop', 'form', 'more', 'sizes', 'median', 'power', '']);
  print(['---', '--:', '--:', '--:', '---', '---', '--:', '--:', '--:', '---']);
  for (const system of systems) {
    for (const cases of list(options.cases)) {
      for (const trials of list(options.trials)) {
        for (const drop of list(options.drops)) printCell({ system, cases, trials, drop });
      }
    }
  }
}

function printCell({ system, cases, trials, drop }) {
  const plans = Array.from({ length: Number(options.observations) }, () =>
    planRun(savedRun(system, cases, trials), drop / 100),
  );
  for (const form of trials === 1 ? ['broken'] : ['alike', 'broken']) {
    for (const kind of ['evaluations', 'trials']) {
      const sizes = plans
        .map(({ wanted }) => wanted[form][kind])
        .filter((size) => size !== null && size.results <= mostResults);
      const powers = sizes.map((size) => powerOf(system, size, form, drop / 100));
      const { mean, noise } = meanOf(powers);
      const isLow = mean < lowest - noise;
      const isHigh = trials > 1 && kind === 'evaluations' && mean > highest + noise;
      const isJudged = sizes.length >= plans.length / 2;
      const verdict = isJudged && (isLow || isHigh) ? 'outside' : '';
      if (verdict !== '') process.exitCode = 1;
      const amounts = sizes.map((size) => (kind === 'trials' ? size.trials[0] : size.evaluations));
      print([
        ...[`beta(${system.join(', ')})`, cases, trials, drop, form, kind],
        ...[sizes.length, medianOf(amounts), sizes.length === 0 ? '–' : percent(mean), verdict],
      ]);
    }
  }
}

/** The share of comparisons of this size that find the drop, as the pass rate alone is tested. */
function powerOf(system, { evaluations, trials: [trials] }, form, drop) {
  const mean = system[0] / (system[0] + system[1]);
  const lost = drop / mean;
  let found = 0;
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    const differences = Float64Array.from({ length: evaluations }, () => {
      const chance = draw.beta(...system);
      const factor = form === 'alike' ? 1 - lost : Number(random() >= lost);
      return (draw.binomial(trials, chance * factor) - draw.binomial(trials, chance)) / trials;
    }).sort();
    if (signFlipTails(differences, { draws: 1000, tolerance: 1e-9 }).lower < 0.025) found += 1;
  }
  return found / repetitions;
}

function savedRun(system, count, trials) {
  const cases = Array.from({ length: count }, (_, i) => {
    const passes = draw.binomial(trials, draw.beta(...system));
    return {
      ...{ id: String(i), function: 'f', dataset: 'd', outputHash: null, latency: null, errors: 0 },
      ...{ trials, passes, judged: trials },
      scores: [{ key: 'exact', kind: 'ratio', sum: passes, count: trials }],
    };
  });
  return { head: { run_id: 'r', run_name: 'r' }, cases, unfinished: 0 };
}

/** The mean, and three standard errors. */
function meanOf(shares) {
  const mean = shares.reduce((sum, one) => sum + one, 0) / shares.length;
  const variance = shares.reduce((sum, one) => sum + (one - mean) ** 2, 0) / shares.length;
  return { mean, noise: 3 * Math.sqrt(variance / shares.length) };
}

function medianOf(amounts) {
  return amounts.sort((a, b) => a - b)[Math.floor(amounts.length / 2)] ?? '–';
}

function list(text) {
  return text.split(',').map(Number);
}

main();
