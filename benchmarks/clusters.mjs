#!/usr/bin/env node
import { Draw } from './draw.mjs';
import { beginSimulation, judge, noiseOf, percent, print } from './simulation.mjs';

const usage = `Simulates cases that share a document, with and without the option cluster: do the intervals hold the truth, and how often does
the regression gate fail an unchanged system?

  node benchmarks/clusters.mjs [--repetitions N] [--seed N] [--dist DIR]

  --repetitions N   samples or comparisons per cell (400)
  --seed N          where the random numbers begin (1)
  --dist DIR        the build to simulate (dist)

Exit code 1 when, with cluster, an interval of a cell holds the truth in less than 90 % or more than 98 % of the samples that
have one, or the gate fails more than 5 % of the unchanged systems, by more than its noise (three standard errors). Where fewer
than 5 documents of the rarer outcome are to be expected, 90 % alone is judged, as in coverage.mjs.
`;

const { options, from, repetitions, random } = await beginSimulation(usage, { repetitions: '400' });
const draw = new Draw(random);
const { summarise } = await from('model/summary/summary.js');
const { intervalChips } = await from('model/summary/run-figures.js');
const { casesOf } = await from('compare/cases/group-by-case.js');
const { compareCases } = await from('compare/compare-cases.js');
const { judgeRegression } = await from('compare/gates/judge-regression.js');

/** Cases of each document. */
const sizes = {
  5: () => 5,
  20: () => 20,
  '1–12': () => 1 + Math.floor(random() * 12),
};
const [lowest, highest, mostAlarms] = [0.9, 0.98, 0.05];

/** Documents, cases of each, trials, pass rate, and how alike (0 to 1) the cases of a document are. */
const intervalCells = [
  [10, 5, 1, 0.8, 0.3],
  [20, 5, 1, 0.8, 0.1],
  [20, 5, 1, 0.8, 0.5],
  [20, 5, 3, 0.8, 0.3],
  [20, 20, 1, 0.5, 0.2],
  [30, '1–12', 1, 0.8, 0.3],
  [60, '1–12', 3, 0.7, 0.2],
  [60, 5, 1, 0.95, 0.3],
  [100, '1–12', 1, 0.9, 0.3],
];

/** Documents, cases of each, trials, and the luck of a document in a run: standard deviation in logits. */
const gateCells = [
  [8, 5, 1, 1],
  [10, 20, 1, 1],
  [20, 5, 1, 1],
  [20, 5, 3, 1],
  [20, 20, 1, 0.5],
  [20, 20, 3, 1],
  [40, '1–12', 1, 1],
  [100, 5, 1, 2],
];

const outside = [];
console.log(`${repetitions} samples or comparisons per cell, seed ${options.seed}\n`);
print(['documents', 'cases', 'trials', 'passes', 'alike', 'interval', 'shown', 'holds', 'without']);
print(Array(9).fill('---'));
for (const cell of intervalCells) coverage(cell);
console.log();
const columns = ['false alarms', 'without', 'finds −30 points', 'rate: holds 0', 'without'];
print(['documents', 'cases', 'trials', 'luck', ...columns, 'grade: holds 0', 'without']);
print(Array(11).fill('---'));
for (const cell of gateCells) alarms(cell);
judge(outside);

function coverage([documents, size, trials, rate, alike]) {
  const cell = { documents, size, trials };
  const names = ['pass rate', 'mean grade', ...(trials > 1 ? [`pass@${trials}`] : [])];
  const samples = Array.from({ length: repetitions }, () => {
    const rows = makeRows(cell, () => {
      const chance = draw.chance(rate, alike);
      return () => chance;
    });
    return [rows, rows.map((row) => ({ ...row, cluster: undefined }))].map(intervalsOf);
  });
  const truths = [rate, rate, momentOf(rate, alike, trials)];
  for (const [at, name] of names.entries()) {
    const [known, without] = [0, 1].map((way) => {
      const shown = samples.map((sample) => sample[way][at]).filter(({ low }) => low !== null);
      const held = shown.filter(({ low, high }) => low <= truths[at] && truths[at] <= high);
      return { count: shown.length, share: held.length / Math.max(1, shown.length) };
    });
    const shares = [known.count / repetitions, known.share, without.share].map(percent);
    print([documents, size, trials, rate, alike, name, ...shares]);
    if (known.count < repetitions / 2) continue;
    // What is rare comes in steps.
    const isRare = documents * (1 - truths[at]) < 5 && known.share > lowest;
    if (!isRare && isOutside(known.share, known.count)) {
      outside.push(`${name}: ${documents} × ${size} × ${trials}, ${rate}`);
    }
  }
}

/** The probability that at least one of k trials passes, for chances of a beta distribution. */
function momentOf(rate, alike, k) {
  const [a, b] = [(rate * (1 - alike)) / alike, ((1 - rate) * (1 - alike)) / alike];
  let none = 1;
  for (let i = 0; i < k; i += 1) none *= (b + i) / (a + b + i);
  return 1 - none;
}

function intervalsOf(rows) {
  const { pass_rate, trial_fields } = summarise(rows);
  const grade = intervalChips(rows).find(({ key }) => key === 'grade').interval;
  const passAt = trial_fields?.trial_statistics.by_k.at(-1).pass_at;
  return [pass_rate, grade, passAt];
}

function alarms([documents, size, trials, luck]) {
  const cell = { documents, size, trials };
  const verdicts = Array.from({ length: repetitions }, () => {
    const seed = Array.from({ length: documents }, () => Math.ceil(sizes[size]()));
    const chances = seed.map((cases) => Array.from({ length: cases }, () => draw.beta(4, 1)));
    const run = (drop) =>
      makeRows(
        cell,
        (document) => {
          const shift = luck * draw.normal();
          return (at) => {
            const chance = Math.max(0, (chances[document][at] ?? 0.8) - drop);
            return 1 / (1 + (1 / chance - 1) * Math.exp(-shift));
          };
        },
        seed,
      );
    const base = run(0);
    const same = run(0);
    const plain = (rows) => rows.map((row) => ({ ...row, cluster: undefined }));
    return {
      known: compare(base, same),
      without: compare(plain(base), plain(same)),
      found: compare(base, run(0.3)),
    };
  });
  const share = (is) => verdicts.filter(is).length / repetitions;
  const red = share(({ known }) => known.isRed);
  const holds = [0, 1].map((measure) => holdingShare(verdicts, 'known', measure));
  const plain = [0, 1].map((measure) => holdingShare(verdicts, 'without', measure));
  print([
    ...[documents, size, trials, luck, percent(red)],
    ...[share(({ without }) => without.isRed), share(({ found }) => found.isRed)].map(percent),
    ...[holds[0].share, plain[0].share, holds[1].share, plain[1].share].map(percent),
  ]);
  const name = `${documents} × ${size} × ${trials}, luck ${luck}`;
  if (red > mostAlarms + noiseOf(mostAlarms, repetitions)) outside.push(`gate: ${name}`);
  for (const { share: held, shown } of holds) {
    if (shown >= repetitions / 2 && isOutside(held, shown)) outside.push(`difference: ${name}`);
  }
}

/** How often the interval of a difference, if there is one, holds that nothing has changed. */
function holdingShare(verdicts, way, measure) {
  const shown = verdicts
    .map((one) => one[way].intervals[measure])
    .filter(({ low }) => low !== null);
  const held = shown.filter(({ low, high }) => low <= 0 && high >= 0);
  return { shown: shown.length, share: held.length / Math.max(1, shown.length) };
}

function isOutside(share, count) {
  return share < lowest - noiseOf(lowest, count) || share > highest + noiseOf(highest, count);
}

/** The verdict of the gate, and the intervals of the differences of pass rate and mean grade. */
function compare(...runs) {
  const comparison = compareCases(...runs.map((rows) => casesOf(rows)), { draws: 2000 });
  const { pass_rate, scores } = comparison.summary;
  const grade = scores.find(({ key, type }) => key === 'grade' && type === 'avg');
  return {
    isRed: judgeRegression(comparison).verdict === 'no',
    intervals: [pass_rate.difference, grade.difference],
  };
}

/** The results of a run; `chancesOf` draws the pass probabilities of the cases of a document. */
function makeRows({ documents, size, trials }, chancesOf, counts) {
  return Array.from({ length: documents }, (_, document) => {
    const chanceOf = chancesOf(document);
    const cases = counts?.[document] ?? sizes[size]();
    return Array.from({ length: cases }, (_, at) =>
      Array.from({ length: trials }, (_, trial) =>
        makeRow(`${document}.${at}`, { document, trial, trials }, chanceOf(at)),
      ),
    );
  }).flat(2);
}

function makeRow(id, { document, trial, trials }, chance) {
  const passed = random() < chance;
  // A grade of the same mean, which varies around the chance.
  const value = draw.beta(4 * chance + 1e-9, 4 * (1 - chance) + 1e-9);
  return {
    ...{ id: `${id}~${trial}`, function: id, evaluation: 'e', dataset: 'd', labels: [] },
    ...(trials > 1 && { trial: trial + 1, trial_of: id }),
    cluster: `document=${document}`,
    ...{ status: 'completed', latency: null },
    scores: [
      { key: 'ok', passed },
      { key: 'grade', value },
    ],
  };
}
