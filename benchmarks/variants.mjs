#!/usr/bin/env node
import { Draw } from './draw.mjs';
import { beginSimulation, judge, noiseOf, percent, print } from './simulation.mjs';

const usage = `Simulates runs of several variants over the same cases, compared with the first of them: how often does one of equal
variants differ from the base beyond chance, how often is a drop of one found, by how much is the rate of the best too high, and how
often does the interval of what a param does hold the truth?

  node benchmarks/variants.mjs [--repetitions N] [--power N] [--seed N] [--cases LIST] [--variants LIST] [--dist DIR]

  --repetitions N   groups of variants per row (1000)
  --power N         groups with a variant that is worse per drop; 0 for none (200)
  --cases LIST      cases of a run (20,50,200)
  --variants LIST   variants of a group (4,8,12)
  --trials LIST     trials of each case (1,3)
  --seed N          where the random numbers begin (1)
  --dist DIR        the build to simulate (dist)

Exit code 1 when, by more than three standard errors, false alarms exceed 5 % of groups, or the expected rate is further from the
truth on average than its limit, or than the rate itself, or intervals hold the truth in less than 93 %.
`;

const { options, from, repetitions, random } = await beginSimulation(usage, {
  power: '200',
  cases: '20,50,200',
  variants: '4,8,12',
  trials: '1,3',
});
const draw = new Draw(random);
const { casesOf } = await from('compare/cases/group-by-case.js');
const { compareVariants } = await from('compare/variants/compare-variants.js');

/** How pass probabilities are spread over cases, which is what variants share: beta distributions. */
const systems = [
  { a: 4, b: 1, name: '80 %, many unsure' },
  { a: 1.8, b: 0.2, name: '90 %, few unsure' },
];
const drops = [0.05, 0.1];
const level = 0.05;

/** How far variants are apart: the standard deviation of the logits of a case. */
const spreads = [0, 0.3, 1];

/** The largest mean distance of the expected rate from the truth, in shares, by the number of cases. */
const limits = new Map([
  [20, 0.06],
  [50, 0.03],
  [200, 0.02],
  [1000, 0.01],
]);

const list = (text) => text.split(',').map(Number);
const outside = [];
console.log(`${repetitions} groups per row, seed ${options.seed}\n`);
falseAlarms();
console.log('');
bestOfMany();
console.log('');
paramsOfGrids();
judge(outside);

function falseAlarms() {
  const powered = Number(options.power) > 0 ? drops : [];
  const heads = powered.map((drop) => `finds −${drop * 100} points of one`);
  print(['pass rate', 'cases', 'trials', 'variants', 'false alarms', 'not adjusted', ...heads]);
  print(Array(6 + heads.length).fill('---'));
  const noise = noiseOf(level, repetitions);
  for (const system of systems) {
    for (const cases of list(options.cases)) {
      for (const trials of list(options.trials)) {
        const setting = { system, cases, trials, variants: 8 };
        let single = 0;
        const alarms = shareOf(repetitions, setting, 0, ([, ...others]) => {
          if (others.some(({ difference }) => difference.p < level)) single += 1;
          return others.some(({ difference }) => difference.beyond_chance);
        });
        const power = powered.map((drop) =>
          shareOf(Number(options.power), setting, drop, (runs) => {
            const { difference } = runs.at(-1);
            return difference.beyond_chance && difference.difference.estimate < 0;
          }),
        );
        print([
          system.name,
          cases,
          trials,
          8,
          ...[alarms, single / repetitions, ...power].map(percent),
        ]);
        if (alarms > level + noise) {
          outside.push(`false alarms, ${system.name}, ${cases} × ${trials}: ${percent(alarms)}`);
        }
      }
    }
  }
}

/** The share of groups, of which the last variant is worse by `drop`, with such figures. */
function shareOf(groups, { system, cases, trials, variants }, drop, isSo) {
  let count = 0;
  for (let group = 0; group < groups; group += 1) {
    const chances = Array.from({ length: cases }, () => draw.beta(system.a, system.b));
    const mean = system.a / (system.a + system.b);
    const worse = chances.map((chance) => chance * (1 - drop / mean));
    const all = Array.from({ length: variants }, (_, at) =>
      at === variants - 1 ? worse : chances,
    );
    if (isSo(compared(all, trials))) count += 1;
  }
  return count / groups;
}

function bestOfMany() {
  print(['pass rate', 'cases', 'variants', 'apart', 'its rate − truth', 'expected − truth']);
  print(Array(6).fill('---'));
  for (const system of systems) {
    for (const cases of list(options.cases)) {
      for (const variants of list(options.variants)) {
        for (const spread of spreads) {
          const [naive, expected] = biasOf({ system, cases, variants, spread });
          print([
            ...[system.name, cases, variants, spread === 0 ? 'equal' : spread],
            ...[points(naive.mean), points(expected.mean)],
          ]);
          const limit = Math.min(limits.get(cases) ?? 1, Math.abs(naive.mean));
          if (Math.abs(expected.mean) > limit + 3 * expected.error) {
            outside.push(
              `expected rate, ${system.name}, ${variants} × ${cases}, ${spread}: ${points(expected.mean)}`,
            );
          }
        }
      }
    }
  }
}

/** How far the rate of the best, and the one that is expected, are from the rate that it has when it runs for ever. */
function biasOf({ system, cases, variants, spread }) {
  const naive = [];
  const expected = [];
  for (let group = 0; group < repetitions; group += 1) {
    const chances = Array.from({ length: cases }, () => draw.beta(system.a, system.b));
    const all = Array.from({ length: variants }, () => moved(chances, spread * draw.normal()));
    for (const [at, { pass_rate, expected_again: again }] of compared(all, 1).entries()) {
      if (again === undefined) continue;
      const truth = all[at].reduce((sum, chance) => sum + chance, 0) / cases;
      naive.push(pass_rate.rate.estimate - truth);
      expected.push(again - truth);
    }
  }
  return [naive, expected].map(meanAndError);
}

/** Grids of two params of which the second moves each case by something else, in logits, and the first moves nothing. */
function paramsOfGrids() {
  print(['pass rate', 'cases', 'trials', 'grid', 'intervals that hold the truth', 'width']);
  print(Array(6).fill('---'));
  const least = 0.93;
  const noise = noiseOf(least, repetitions);
  for (const system of systems) {
    const truth = effectOf(cellsOfCases(100_000, system));
    for (const cases of list(options.cases)) {
      for (const trials of list(options.trials)) {
        for (const models of [2, 4]) {
          const { held, width } = coverage({ system, cases, trials, models }, truth);
          const name = `${models} × 2`;
          print([system.name, cases, trials, name, percent(held), points(width)]);
          if (held < least - noise) {
            outside.push(
              `effect of a param, ${system.name}, ${cases} × ${trials}, ${name}: ${percent(held)}`,
            );
          }
        }
      }
    }
  }
}

/** The chances of cases with each of two prompts. */
function cellsOfCases(cases, { a, b }) {
  return Array.from({ length: cases }, () => {
    const chance = draw.beta(a, b);
    return [chance, ...moved([chance], 0.5 + draw.normal())];
  });
}

function effectOf(cells) {
  return cells.reduce((sum, [before, after]) => sum + after - before, 0) / cells.length;
}

/** How often the interval of the effect of the prompt holds the truth, and how wide it is. */
function coverage({ system, cases, trials, models }, truth) {
  let held = 0;
  let width = 0;
  for (let group = 0; group < repetitions; group += 1) {
    const cells = cellsOfCases(cases, system);
    const grid = Array.from({ length: 2 * models }, (_, at) => ({
      model: at >> 1,
      prompt: at % 2,
    }));
    const chances = grid.map(({ prompt }) => cells.map((of) => of[prompt]));
    const { factors } = comparisonOf(chances, trials, grid);
    const { low, high } = factors.find(({ param }) => param === 'prompt').difference;
    if (low <= truth && truth <= high) held += 1;
    width += (high - low) / repetitions;
  }
  return { held: held / repetitions, width };
}

/** The chances of a variant that is better or worse in all cases, by so much in logits. */
function moved(chances, by) {
  if (by === 0) return chances;
  return chances.map((chance) => chance / (chance + (1 - chance) * Math.exp(-by)));
}

function meanAndError(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, error: Math.sqrt(squares / (values.length - 1) / values.length) };
}

function compared(variants, trials) {
  return comparisonOf(variants, trials).runs;
}

/** The comparison of variants of which each case passes with its chance. */
function comparisonOf(variants, trials, params = []) {
  const runs = variants.map((chances, at) => ({
    head: { run_id: String(at), run_name: `variant ${at}`, params: params[at] },
    cases: casesOf(rowsOf(chances, trials)),
    unfinished: 0,
  }));
  const [base, ...others] = runs;
  return compareVariants(base, others, { draws: 500 });
}

function rowsOf(chances, trials) {
  return chances.flatMap((chance, number) =>
    Array.from({ length: trials }, (_, trial) => {
      const id = `e.eval.ts::e[${number}]`;
      return {
        id: trials > 1 ? `${id}~${trial + 1}` : id,
        ...(trials > 1 ? { trial: trial + 1, trial_of: id } : {}),
        ...{ evaluation: 'e.eval.ts::e', function: 'e', dataset: 'e', labels: [] },
        ...{ status: 'completed', latency: null },
        scores: [{ key: 'exact', passed: random() < chance }],
      };
    }),
  );
}

function points(share) {
  return (share * 100).toFixed(2).replace('-', '−');
}
