#!/usr/bin/env node
import { Draw } from './draw.mjs';
import { beginSimulation, percent, print } from './simulation.mjs';

const usage = `Simulates whether trials take away an interval of an average that single trials show.

  node benchmarks/trials-shown.mjs [--repetitions N] [--seed N] [--dist DIR]

  --repetitions N   samples per cell (1000)
  --seed N          where the random numbers begin (1)
  --dist DIR        the build to simulate (dist)

Exit code 1 when 3 or 10 trials hide the interval of the first trials in more than 3 % of samples.
`;

const { from, repetitions, random } = await beginSimulation(usage);
const mostHidden = 0.03;
const grades = { low: 0, high: 1 };
const systems = [
  { a: 2, b: 1, cases: [20] },
  { a: 8, b: 2, cases: [30, 40, 60] },
  { a: 20, b: 5, cases: [100, 120] },
];
const repeats = [0, 0.5, 0.9, 1];

async function main() {
  const { clusteredMean } = await from('statistics/clustered-mean.js');
  const draw = new Draw(random);
  const isShown = (values, trials) => {
    const used = values.map((own) => own.slice(0, trials));
    const sums = used.map((own) => own.reduce((sum, value) => sum + value, 0));
    const squares = used.flat().reduce((sum, value) => sum + value ** 2, 0);
    return clusteredMean(sums, Array(used.length).fill(trials), grades, squares).low !== null;
  };
  print(['grades', 'cases', 'trials alike', 'shown: 1', '3', '10', 'hidden by 3', 'by 10']);
  print(['---', ...Array(7).fill('--:')]);
  for (const { a, b, cases } of systems) {
    for (const n of cases) {
      for (const repeat of repeats) {
        const counts = [0, 0, 0, 0, 0];
        for (let sample = 0; sample < repetitions; sample += 1) {
          const values = Array.from({ length: n }, () => drawTrials(draw, a, b, repeat));
          const [one, three, ten] = [1, 3, 10].map((trials) => isShown(values, trials));
          [one, three, ten, one && !three, one && !ten].forEach((is, at) => {
            if (is) counts[at] += 1;
          });
        }
        const shares = counts.map((count) => count / repetitions);
        print([`beta(${a}, ${b})`, n, percent(repeat), ...shares.map(percent)]);
        if (Math.max(shares[3], shares[4]) > mostHidden) process.exitCode = 1;
      }
    }
  }
}

function drawTrials(draw, a, b, repeat) {
  const first = draw.beta(a, b);
  return Array.from({ length: 10 }, (_, trial) =>
    trial === 0 || draw.random() < repeat ? first : draw.beta(a, b),
  );
}

await main();
