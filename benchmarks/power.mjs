#!/usr/bin/env node
import { Draw } from './draw.mjs';
import { beginSimulation, percent, print } from './simulation.mjs';

const usage = `Simulates how often the test finds the drop that "finds a drop of X points 4 times in 5" names.

  node benchmarks/power.mjs [--observations N] [--repetitions N] [--cases LIST] [--trials LIST] [--measures LIST] [--seed N] [--dist DIR]

  --observations N  comparisons of an unchanged system per cell, each of which names a drop (100; fewer of more than 20 cases, whose drops are alike)
  --repetitions N   runs of the dropped system against each observation, with its base and with another base (6)
  --cases LIST      cases of a run (6,8,10,20,50,200,1000)
  --trials LIST     trials of each case, base:other (1:1,2:2,5:5,10:10,1:5)
  --measures LIST   tested measures; all but the pass rate do not change (1,8)
  --seed N          where the random numbers begin (1)
  --dist DIR        the build to simulate (dist)

The drop lowers all pass probabilities by one factor. Columns: the observations that name a drop, those that say "at most a fall to none",
and how many of these falls are found; the mean of the named drops, and their power against the same base and against another one. Exit
code 1 when a power is below 75 % or above 95 % by more than its noise (three standard errors between observations). Not judged are
powers of fewer than a quarter of the observations, and those against another base of fewer than 8 cases.
`;

const { options, from, repetitions, random } = await beginSimulation(usage, {
  observations: '100',
  repetitions: '6',
  cases: '6,8,10,20,50,200,1000',
  trials: '1:1,2:2,5:5,10:10,1:5',
  measures: '1,8',
});
const [lowest, highest] = [0.75, 0.95];
/** Of the simulated tests, where they draw. */
const draws = 500;
/** Beta distributions of pass probabilities. */
const systems = [
  { a: 4, b: 1, text: '80 % pass, many are unsure' },
  { a: 1.8, b: 0.2, text: '90 % pass, few are unsure' },
  { a: 49, b: 1, text: '98 % pass, all alike' },
];

async function main() {
  const { compareCases, measuredPairs } = await from('compare/compare-cases.js');
  const { pairCases } = await from('compare/cases/pair-cases.js');
  const columns = await from('compare/differences/measure-columns.js');
  const { judgeFamily } = await from('compare/significance/family.js');
  const draw = new Draw(random);
  const named = (base, other) => compareCases(base, other, { draws }).summary.pass_rate;
  /** The comparison without the drop that it finds, which is what takes most of its time. */
  const isFound = (base, other) => {
    const pairs = pairCases(base, other);
    const measured = (measure) => {
      const column = columns.measureColumn(pairs, measure);
      return { column, ...finish(measuredPairs(pairs, column, measure, { draws })) };
    };
    const passes = measured(columns.passMeasure);
    const scores = base[0].scores.map(({ key }) => measured(columns.verdictMeasure(key)));
    const own = scores.filter(({ column }) => !columns.isSameColumn(column, passes.column));
    const [verdict] = judgeFamily([passes, ...own]);
    return verdict.beyond_chance && passes.difference.estimate < 0;
  };
  print([
    ...['system', 'cases', 'trials', 'measures', 'name a drop', 'only a fall to none', 'found'],
    ...['mean drop', 'power', 'another base', ''],
  ]);
  print(['---', ...Array.from({ length: 9 }, () => '--:'), '---']);
  for (const system of systems) {
    for (const cases of list(options.cases)) {
      for (const [inBase, inOther] of options.trials.split(',').map((text) => list(text, ':'))) {
        for (const measures of list(options.measures)) {
          const cell = { system, cases, inBase, inOther, measures };
          const found = powerOf(cell, draw, { named, isFound });
          const name = [`beta(${system.a}, ${system.b})`, cases, `${inBase}:${inOther}`, measures];
          const { drops, falls, none, same, another } = found;
          const shares = [drops.length / found.of, falls / found.of, none.mean];
          const verdict = verdictOf(cell, found);
          print([
            ...name,
            ...[...shares, meanOf(drops).mean, same.mean, another.mean].map(shareText),
            verdict,
          ]);
          if (verdict !== '') process.exitCode = 1;
        }
      }
    }
  }
}

function powerOf({ system, cases, inBase, inOther, measures }, draw, { named, isFound }) {
  const of = observationsOf(cases);
  const [drops, none, same, another] = [[], [], [], []];
  for (let n = 0; n < of; n += 1) {
    const rates = () => Array.from({ length: cases }, () => draw.beta(system.a, system.b));
    const chances = Array.from({ length: measures }, rates);
    const base = runOf(draw, chances, inBase, 1);
    const { detectable, base: rate } = named(base, runOf(draw, chances, inOther, 1));
    if (detectable === null) continue;
    const own = meanOf(chances[0]).mean;
    const isAll = detectable > rate - 1e-9;
    const factor = isAll ? 0 : Math.max(0, 1 - detectable / own);
    const share = (baseOf) => {
      let count = 0;
      for (let repetition = 0; repetition < repetitions; repetition += 1) {
        if (isFound(baseOf(), runOf(draw, chances, inOther, factor))) count += 1;
      }
      return count / repetitions;
    };
    (isAll ? none : same).push(share(() => base));
    if (isAll) continue;
    drops.push(detectable);
    another.push(share(() => runOf(draw, chances, inBase, 1)));
  }
  return {
    of,
    drops,
    falls: none.length,
    none: meanOf(none),
    same: meanOf(same),
    another: meanOf(another),
  };
}

function observationsOf(cases) {
  return Math.max(24, Math.ceil(Number(options.observations) * Math.min(1, Math.sqrt(20 / cases))));
}

/** The mean, and three standard errors. */
function meanOf(shares) {
  const count = shares.length;
  if (count === 0) return { count };
  const mean = shares.reduce((sum, one) => sum + one, 0) / count;
  const variance = shares.reduce((sum, one) => sum + (one - mean) ** 2, 0) / count;
  return { count, mean, noise: 3 * Math.sqrt(variance / count) };
}

function verdictOf({ cases }, { of, same, another }) {
  const isOutside = ({ count, mean, noise }) =>
    count >= of / 4 && (mean < lowest - noise || mean > highest + noise);
  return isOutside(same) || (cases >= 8 && isOutside(another)) ? 'outside' : '';
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

function shareText(share) {
  return share === undefined ? '–' : percent(share);
}

await main();
