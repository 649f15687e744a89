// Coverage of the control limits of trends, and false alarms of their drifts, in runs of an unchanged system; how soon a
// drift is found. See docs/statistics.md.
import { beginSimulation, percent, print } from './simulation.mjs';

const usage = `Usage: node benchmarks/trend.mjs [--repetitions N] [--seed N] [--dist DIR]

Simulates N lines of 40 runs per row.`;
const { from, repetitions, random } = await beginSimulation(usage);
const { controlLimits, DriftSum, deviationOf } = await from('statistics/control-limits.js');
const perLine = 40;

/** Case rates: `sure` of them always pass, the rest vary around `p`. */
const systems = [
  { cases: 20, sure: 0, p: 0.8, trials: 1 },
  { cases: 60, sure: 0.8, p: 0.5, trials: 1 },
  { cases: 60, sure: 0.95, p: 0.9, trials: 5 },
  { cases: 200, sure: 0.8, p: 0.6, trials: 1 },
  { cases: 200, sure: 0.98, p: 0.8, trials: 1 },
  { cases: 200, sure: 0, p: 0.9, trials: 3 },
  { cases: 1000, sure: 0.9, p: 0.5, trials: 1 },
];

function runOf(rates, trials) {
  return rates.map((rate) => {
    let sum = 0;
    for (let i = 0; i < trials; i += 1) if (random() < rate) sum += 1;
    return { count: trials, sum, squares: sum };
  });
}

const plus = (a, b) => ({
  count: a.count + b.count,
  sum: a.sum + b.sum,
  squares: a.squares + b.squares,
});

/** A line of runs; each has `change` added to the rates of its cases that are not sure, times its place. */
function line({ cases, sure, p, trials }, change = 0) {
  const isSure = (at) => at < Math.round(sure * cases);
  const of = { judged: 0, outside: 0, drifts: 0, first: undefined };
  let reference;
  let before;
  const drifts = new DriftSum();
  for (let n = 0; n < perLine; n += 1) {
    const rates = Array.from({ length: cases }, (_, at) =>
      isSure(at) ? 1 : Math.min(1, Math.max(0, p + change * n)),
    );
    const now = runOf(rates, trials);
    if (before !== undefined && before[0].count >= 5) {
      const pairsWith = (known) => now.map((one, at) => ({ before: known[at], now: one }));
      const deviation = deviationOf(pairsWith(reference), true);
      const { low, high } = controlLimits(deviation, true);
      of.judged += 1;
      if (deviation.mean < low - 1e-12 || deviation.mean > high + 1e-12) of.outside += 1;
      if (drifts.add(deviationOf(pairsWith(before), true)) !== undefined) {
        of.drifts += 1;
        of.first ??= n;
      }
    } else reference = before === undefined ? now : before.map((one, at) => plus(one, now[at]));
    before = before === undefined ? now : before.map((one, at) => plus(one, now[at]));
  }
  return of;
}

print([
  'cases',
  'always pass',
  'rate of the others',
  'trials',
  'within limits',
  'runs per false drift',
  'drift found',
]);
print(Array.from({ length: 7 }, () => '---'));
for (const system of systems) {
  const sum = { judged: 0, outside: 0, drifts: 0 };
  let found = 0;
  const { cases, sure, p, trials } = system;
  const vary = Math.max(1, Math.round((1 - sure) * cases));
  // A run loses half a standard deviation of the rate, spread over the cases that vary.
  const slide = -0.5 * Math.sqrt((p * (1 - p)) / (vary * trials));
  for (let n = 0; n < repetitions; n += 1) {
    const one = line(system);
    for (const key of Object.keys(sum)) sum[key] += one[key];
    if (line(system, slide).first !== undefined) found += 1;
  }
  print([
    cases,
    percent(sure),
    p,
    trials,
    percent(1 - sum.outside / sum.judged),
    sum.drifts === 0 ? `> ${sum.judged}` : Math.round(sum.judged / sum.drifts),
    percent(found / repetitions),
  ]);
}
