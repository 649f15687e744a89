#!/usr/bin/env node
import { kindsOf } from './coverage-cells.mjs';
import { Draw } from './draw.mjs';
import { beginSimulation, noiseOf, percent, print } from './simulation.mjs';

const usage = `Simulates how often the 95 % intervals that assay shows hold the truth.

  node benchmarks/coverage.mjs [--repetitions N] [--units LIST] [--only NAME] [--all] [--seed N] [--dist DIR]

  --repetitions N   samples per cell (1000)
  --units LIST      evaluations of a sample (5,8,10,20,30,50,200,1000)
  --only NAME       one kind of interval: rate, trials, pass, mean, outliers, unbounded,
                    moved, pairs, differences, broken, brokenFew
  --all             print every cell, not only the worst of each kind
  --seed N          where the random numbers begin (1)
  --dist DIR        the build to simulate (dist)

A cell in which most samples have no interval does not count. Exit code 1 when a cell is below 90 % or above 98 % by more
than its noise (three standard errors).

Coverage of what is rare comes in steps: where fewer than 5 rare results are to be expected (evaluations of the rarer
outcome, pairs that differ in each direction), an interval that is not too narrow is too wide, so these cells are judged by
90 % alone. Printed but not judged are Wilson's interval of single trials, which is shown as it is, and what a sample
cannot tell: differences where fewer than three evaluations broke. Averages of unbounded values have no interval: none of
their cells may be shown.
`;

const { options, from, repetitions, random } = await beginSimulation(usage, {
  units: '5,8,10,20,30,50,200,1000',
  only: undefined,
  all: false,
});
const [lowest, highest] = [0.9, 0.98];
const units = options.units.split(',').map(Number);

async function main() {
  const draw = new Draw(random);
  const kinds = await kindsOf(from, units);
  print([
    'interval',
    'cells',
    'shown',
    'lowest',
    'highest',
    'highest, 5 rare or more',
    'under 90 %',
    'over 98 %',
  ]);
  print(Array(8).fill('---'));
  const outside = [];
  const listed = [];
  for (const [kind, { text, isJudged, isNeverShown, cells }] of Object.entries(kinds)) {
    if (options.only !== undefined && options.only !== kind) continue;
    const figures = cells.map(({ name, sample }) => ({ name, ...coverageOf(sample, draw) }));
    const shown = figures.filter(({ coverage }) => coverage !== undefined);
    const [under, over] = [shown.filter(isUnder), shown.filter(isOver)];
    const sorted = [...shown].sort((a, b) => a.coverage - b.coverage);
    const ends = [sorted[0], sorted.at(-1), sorted.findLast(hasEnough)].map((cell) =>
      cell === undefined ? '–' : `${percent(cell.coverage)} (${cell.name})`,
    );
    print([text, cells.length, shown.length, ...ends, under.length, over.length]);
    const wrong = isNeverShown ? shown : [...under, ...over];
    if (isJudged) outside.push(...wrong.map((cell) => ({ text, ...cell })));
    if (options.all) listed.push(...shown.map((cell) => ({ text, ...cell })));
  }
  for (const { text, name, coverage } of listed)
    console.log(`${text}: ${name}: ${percent(coverage)}`);
  if (outside.length === 0) return;
  console.log(`\nOutside of 90 to 98 % by more than noise, or shown where nothing may be:`);
  for (const { text, name, coverage } of outside)
    console.log(`- ${text}: ${name}: ${percent(coverage)}`);
  process.exitCode = 1;
}

/** How often the interval of a sample holds the truth; nothing when most samples have none. */
function coverageOf(sample, draw) {
  let shown = 0;
  let held = 0;
  let rare = 0;
  for (let i = 0; i < repetitions; i += 1) {
    const { truth, rare: own = Number.POSITIVE_INFINITY, low, high } = sample(draw);
    rare += own;
    if (low === null || high === null) continue;
    shown += 1;
    if (low <= truth + 1e-12 && truth <= high + 1e-12) held += 1;
  }
  const coverage = shown < repetitions / 2 ? undefined : held / shown;
  return { shown, coverage, rare: rare / repetitions };
}

function isUnder(cell) {
  return cell.coverage < lowest - noiseOf(lowest, cell.shown);
}

/** So many rare results are to be expected that coverage has no steps of several percent. */
function hasEnough({ rare }) {
  return rare >= 5;
}

function isOver(cell) {
  return hasEnough(cell) && cell.coverage > highest + noiseOf(highest, cell.shown);
}

await main();
