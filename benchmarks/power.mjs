#!/usr/bin/env node
import { Draw } from './draw.mjs';
import { beginSimulation, percent, print } from './simulation.mjs';

const usage = `Simulates how often the test finds the drop that "finds a drop of X points 4 times in 5" names.

  node benchmarks/power.mjs [--observations N] [--repetitions N] [--cases LIST] [--trials LIST] [--measures LIST] [--seed N] [--dist DIR]

  --observations N  comparisons of an unchanged system per cell, each of which names a drop (40)
  --repetitions N   runs of the dropped system against the base of each observation (10)
  --cases LIST      cases of a run (6,8,10,20,50,200,1000)
  --trials LIST     trials of each case, base:other (1:1,2:2,5:5,10:10,1:5)
  --measures LIST   tested measures; all but the pass rate do not change (1,3,8)
  --seed N          where the random numbers begin (1)
  --dist DIR        the build to simulate (dist)

The drop lowers all pass probabilities by one factor. Exit code 1 when the mean power of a cell is below 75 % or above 95 % by more
than its noise (three standard errors between observations). Not judged are cells in which fewer than half of the observations name
a drop, and those in which most of these name all that there is to lose.
`;

const { options, from, repetitions, random } = await beginSimulation(usage, {
  observations: '40',
  repetitions: '10',
  cases: '6,8,10,20,50,200,1000',
  trials: '1:1,2:2,5:5,10:10,1:5',
  measures: '1,3,8',
  fresh: false,
});
const [lowest, highest] = [0.75, 0.95];
/** Beta distributions of pass probabilities. */
const systems = [
  { a: 4, b: 1, text: '80 % pass, many are unsure' },
  { a: 1.8, b: 0.2, text: '90 % pass, few are unsure' },
  { a: 49, b: 1, text: '98 % pass, all alike' },
];

async function main() {
  const { compareCases } = await from('compare/compare-cases.js');
  const draw = new Draw(random);
  const compare = (base, other) => compareCases(base, other, { draws: 1000 }).summary.pass_rate;
  print(['system', 'cases', 'trials', 'measures', 'named', 'mean drop', 'power', '']);
  print(['---', '--:', '--:', '--:', '--:', '--:', '--:', '---']);
  for (const system of systems) {
    for (const cases of list(options.cases)) {
      for (const [inBase, inOther] of options.trials.split(',').map((text) => list(text, ':'))) {
        for (const measures of list(options.measures)) {
          const cell = { system, cases, inBase, inOther, measures };
          const found = powerOf(cell, draw, compare);
          const name = [`beta(${system.a}, ${system.b})`, cases, `${inBase}:${inOther}`, measures];
          const verdict = verdictOf(found);
          print([
            ...name,
            percent(found.named),
            found.drop === undefined ? '–' : percent(found.drop),
            found.power === undefined ? '–' : percent(found.power),
            verdict,
          ]);
          if (verdict === 'outside') process.exitCode = 1;
        }
      }
    }
  }
}

function powerOf({ system, cases, inBase, inOther, measures }, draw, compare) {
  const observations = Number(options.observations);
  const mean = system.a / (system.a + system.b);
  const powers = [];
  let drops = 0;
  let all = 0;
  for (let n = 0; n < observations; n += 1) {
    const rates = () => Array.from({ length: cases }, () => draw.beta(system.a, system.b));
    const chances = Array.from({ length: measures }, rates);
    const base = runOf(draw, chances, inBase, 1);
    const { detectable, base: rate } = compare(base, runOf(draw, chances, inOther, 1));
    if (detectable === null) continue;
    if (detectable > 0.97 * rate) all += 1;
    drops += detectable;
    const own = chances[0].reduce((sum, one) => sum + one, 0) / cases;
    const factor = Math.max(0, 1 - detectable / own);
    let found = 0;
    for (let repetition = 0; repetition < repetitions; repetition += 1) {
      const from = options.fresh ? runOf(draw, chances, inBase, 1) : base;
      const { beyond_chance, difference } = compare(from, runOf(draw, chances, inOther, factor));
      if (beyond_chance && difference.estimate < 0) found += 1;
    }
    powers.push(found / repetitions);
  }
  if (powers.length === 0) return { named: 0, mean };
  const power = powers.reduce((sum, one) => sum + one, 0) / powers.length;
  const variance = powers.reduce((sum, one) => sum + (one - power) ** 2, 0) / powers.length;
  return {
    named: powers.length / observations,
    all: all / powers.length,
    drop: drops / powers.length,
    power,
    noise: 3 * Math.sqrt(variance / powers.length),
  };
}

function verdictOf({ named, all, power, noise }) {
  if (named < 0.5) return 'not judged: names none';
  if (all > 0.5) return 'not judged: all there is to lose';
  return power < lowest - noise || power > highest + noise ? 'outside' : '';
}

/** The first chances are those of the verdict, which a factor lowers; the others are of scores. */
function runOf(draw, [verdicts, ...scores], trials, factor) {
  return verdicts.map((chance, i) => {
    const passes = draw.binomial(trials, chance * factor);
    return {
      id: String(i),
      ...{ function: 'f', dataset: 'd', outputHash: null, latency: null, errors: 0 },
      ...{ trials, passes, judged: trials },
      scores: scores.map((chances, key) => ({
        key: `score ${key}`,
        kind: 'ratio',
        sum: draw.binomial(trials, chances[i]),
        count: trials,
      })),
    };
  });
}

function list(text, separator = ',') {
  return text.split(separator).map(Number);
}

await main();
