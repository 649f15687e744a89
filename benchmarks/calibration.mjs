#!/usr/bin/env node
import { beginSimulation, judge, noiseOf, percent, print } from './simulation.mjs';

const usage = `Simulates labels of people and verdicts of a judge: how often does each interval of a calibration hold the truth?

  node benchmarks/calibration.mjs [--repetitions N] [--only NAME] [--seed N] [--all] [--dist DIR]

  --repetitions N   samples per cell (10000)
  --only NAME       one kind of interval: kappa, ac1, lee, ppi, alpha
  --all             print every cell
  --seed N          where the random numbers begin (1)
  --dist DIR        the build to simulate (dist)

As in a calibration, nothing is told below 20 passes or 20 fails. A cell is judged where at least 95 % of its samples are told,
because what is left out moves the others, and where 5 mistakes of each kind are to be expected, because coverage of what is
rare comes in steps; others have to reach the lower limit. Exit code 1 when a cell is below 92 % or above 97.5 % by more than its
noise (three standard errors). The interval of Lee and others stays as it is published: its cells are printed.
`;

const { options, from, repetitions, random } = await beginSimulation(usage, {
  repetitions: '10000',
  only: undefined,
  all: false,
});
const [lowest, highest] = [0.92, 0.975];
const { agreementInterval, cohensKappa, gwetsAc1 } = await from('statistics/agreement.js');
const { correctedRate, predictionPowered } = await from('statistics/corrected-rate.js');
const { LabelledSample } = await from('statistics/labelled-sample.js');
const { krippendorffAlpha } = await from('statistics/krippendorff-alpha.js');
const { drawBinomial } = await from('statistics/binomial-sampler.js');

const labelCounts = [20, 50, 100, 200, 500];
const prevalences = [0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95];
/** Specificity and sensitivity. */
const judges = [
  [0.7, 0.7],
  [0.6, 0.95],
  [0.5, 0.98],
  [0.9, 0.9],
  [0.99, 0.9],
  [0.97, 0.99],
];

/** The shares of results that both pass, only people, only the judge, none. */
function sharesOf(prevalence, [q0, q1]) {
  const fails = 1 - prevalence;
  return [prevalence * q1, prevalence * (1 - q1), fails * (1 - q0), fails * q0];
}

function drawCounts(n, shares) {
  let left = n;
  let rest = 1;
  return shares.map((share) => {
    const count = drawBinomial(random, left, Math.min(1, share / rest));
    left -= count;
    rest -= share;
    return count;
  });
}

const tableOf = ([a, b, c, d]) => [
  [a, b],
  [c, d],
];

function isTold([a, b, c, d]) {
  return a + b >= 20 && c + d >= 20;
}

function cellsOfLabels(sample) {
  return labelCounts.flatMap((n) =>
    prevalences.flatMap((prevalence) =>
      judges.flatMap((q) => {
        const [q0, q1] = q;
        const mistakes = Math.min(n * prevalence * (1 - q1), n * (1 - prevalence) * (1 - q0));
        return sample({ n, prevalence, q, mistakes }).map((cell) => ({
          ...cell,
          name: `n ${n}${cell.name ?? ''}, prevalence ${prevalence}, q0 ${q0}, q1 ${q1}`,
          mistakes,
        }));
      }),
    ),
  );
}

function agreementCells(measure) {
  return cellsOfLabels(({ n, prevalence, q }) => {
    const shares = sharesOf(prevalence, q);
    const truth = measure(tableOf(shares)).estimate;
    const draw = () => {
      const counts = drawCounts(n, shares);
      return isTold(counts) ? agreementInterval(measure, tableOf(counts), n) : undefined;
    };
    return [{ truth, draw }];
  });
}

function ppiCells() {
  return cellsOfLabels(({ n, prevalence, q }) =>
    [1, 4].map((others) => {
      const shares = sharesOf(prevalence, q);
      const N = n * others;
      const rows = n + N;
      const labelled = [...Array(n).keys()];
      const clusters = Int32Array.from({ length: rows }, (_, i) => i);
      const strata = new Int32Array(rows);
      const sample = new LabelledSample({ clusters, strata, sizes: [rows], labelled });
      const draw = () => {
        const counts = drawCounts(n, shares);
        if (!isTold(counts)) return undefined;
        const [a, b, c] = counts;
        const labels = new Float64Array(n).fill(1, 0, a + b);
        const predicted = new Float64Array(rows).fill(1, 0, a).fill(1, a + b, a + b + c);
        predicted.fill(1, n, n + drawBinomial(random, N, shares[0] + shares[2]));
        return predictionPowered(sample, labels, predicted);
      };
      return { name: ` of ${rows}`, truth: prevalence, draw };
    }),
  );
}

function leeCells() {
  const counted = [
    [20, 20],
    [25, 100],
    [100, 25],
    [40, 140],
    [200, 200],
  ];
  return labelCounts.flatMap((n) =>
    prevalences.flatMap((prevalence) =>
      judges.flatMap(([q0, q1]) =>
        counted.map(([m0, m1]) => ({
          name: `n ${n}, m0 ${m0}, m1 ${m1}, prevalence ${prevalence}, q0 ${q0}, q1 ${q1}`,
          truth: prevalence,
          mistakes: Math.min(m0 * (1 - q0), m1 * (1 - q1)),
          draw: () => {
            const rateOf = (size, chance) => ({
              size,
              rate: drawBinomial(random, size, chance) / size,
            });
            const judged = rateOf(n, prevalence * q1 + (1 - prevalence) * (1 - q0));
            const [specificity, sensitivity] = [rateOf(m0, q0), rateOf(m1, q1)];
            return correctedRate({ judged, specificity, sensitivity }) ?? undefined;
          },
        })),
      ),
    ),
  );
}

/** Two reviewers who see what is true and err with some chance each. */
function alphaCells() {
  return [50, 100, 200, 500].flatMap((n) =>
    [0.1, 0.2, 0.5, 0.8].flatMap((prevalence) =>
      [0.02, 0.05, 0.1, 0.2].map((error) => {
        const both = prevalence * (1 - error) ** 2 + (1 - prevalence) * error ** 2;
        const apart = 2 * error * (1 - error);
        const mean = both + apart / 2;
        const draw = () => {
          const [pass, differ] = drawCounts(n, [both, apart, 1 - both - apart]);
          const units = Array.from({ length: n }, (_, i) =>
            i < pass ? [1, 1] : i < pass + differ ? [1, 0] : [0, 0],
          );
          return (
            krippendorffAlpha(units, { level: 'nominal', draws: 200, seed: random() * 2 ** 32 }) ??
            undefined
          );
        };
        return {
          ...{ name: `n ${n}, prevalence ${prevalence}, errors ${error}`, draw },
          ...{ truth: 1 - apart / (2 * mean * (1 - mean)), mistakes: n * apart },
        };
      }),
    ),
  );
}

const kinds = {
  kappa: { text: 'κ', cells: () => agreementCells(cohensKappa), isJudged: true },
  ac1: { text: 'AC1', cells: () => agreementCells(gwetsAc1), isJudged: true },
  ppi: { text: 'corrected, labels of this run (PPI++)', cells: ppiCells, isJudged: true },
  lee: { text: 'corrected, labels of other runs (Lee)', cells: leeCells, isJudged: false },
  alpha: { text: 'α, two reviewers', cells: alphaCells, isJudged: true },
};

/** How often the interval holds the truth among samples that are told; nothing where most are not. */
function coverageOf({ truth, draw }) {
  let told = 0;
  let held = 0;
  for (let i = 0; i < repetitions; i += 1) {
    const { low, high } = draw() ?? {};
    if (low === undefined || low === null) continue;
    told += 1;
    if (low <= truth + 1e-12 && truth <= high + 1e-12) held += 1;
  }
  return told < repetitions / 2 ? undefined : { told, coverage: held / told };
}

print(['interval', 'cells told', 'lowest', 'highest', 'judged', 'under 92 %', 'over 97.5 %']);
print(Array(7).fill('---'));
const outside = [];
for (const [kind, { text, cells, isJudged }] of Object.entries(kinds)) {
  if (options.only !== undefined && options.only !== kind) continue;
  const found = cells().flatMap((cell) => {
    const figures = coverageOf(cell);
    return figures === undefined ? [] : [{ ...cell, ...figures }];
  });
  const sorted = found.toSorted((a, b) => a.coverage - b.coverage);
  const isFull = ({ told, mistakes }) => told >= repetitions * 0.95 && mistakes >= 5;
  const under = found.filter(({ coverage, told }) => coverage < lowest - noiseOf(lowest, told));
  const over = found.filter(
    (cell) => isFull(cell) && cell.coverage > highest + noiseOf(highest, cell.told),
  );
  const ends = [sorted[0], sorted.at(-1)].map(
    ({ name, coverage }) => `${percent(coverage)} (${name})`,
  );
  print([text, found.length, ...ends, found.filter(isFull).length, under.length, over.length]);
  const wrong = [...under, ...over].map(
    ({ name, coverage }) => `${text}: ${name}: ${percent(coverage)}`,
  );
  if (isJudged) outside.push(...wrong);
  else if (wrong.length > 0) console.log(`\n${wrong.map((one) => `- ${one}`).join('\n')}\n`);
  if (options.all) {
    for (const { name, coverage } of found) console.log(`${text}: ${name}: ${percent(coverage)}`);
  }
}
judge(outside);
