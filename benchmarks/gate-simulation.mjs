#!/usr/bin/env node
import { Draw } from './draw.mjs';
import { beginSimulation, noiseOf, percent, print } from './simulation.mjs';

const usage = `Simulates reruns of an unchanged system and of a worse one: how often does the regression gate fail them?

  node benchmarks/gate-simulation.mjs [--repetitions N] [--power N] [--draws N] [--units LIST] [--trials LIST] [--scores LIST] [--dist DIR]

  --repetitions N   comparisons of an unchanged system per row (1000)
  --power N         comparisons per drop of the pass rate; 0 for none (100)
  --draws N         draws where there are too many ways to try all (500; assay itself draws 20000)
  --units LIST      evaluations of a run (2,5,10,20,60,200,1000)
  --trials LIST     trials of each evaluation, base:other (1:1,3:3,5:5,1:3,1:5,1:10,3:10,5:1,10:3)
  --scores LIST     scores of each result (1,4)
  --systems LIST    how pass probabilities are spread: 1 to 4 (1,2,3,4)
  --seed N          where the random numbers begin (1)
  --dist DIR        the build to simulate (dist)

Exit code 1 when the false alarms of a row exceed 5 % by more than their noise (three standard errors).
`;

const { options, from, repetitions, random } = await beginSimulation(usage, {
  power: '100',
  draws: '500',
  units: '2,5,10,20,60,200,1000',
  trials: '1:1,3:3,5:5,1:3,1:5,1:10,3:10,5:1,10:3',
  scores: '1,4',
  systems: '1,2,3,4',
});
const draw = new Draw(random);

/** How pass probabilities are spread over evaluations: beta distributions with these parameters. */
const systems = [
  { a: 0.5, b: 0.5, text: 'half pass, few evaluations are unsure' },
  { a: 4, b: 1, text: '80 % pass, many evaluations are unsure' },
  { a: 1.8, b: 0.2, text: '90 % pass, few evaluations are unsure' },
  { a: 49, b: 1, text: '98 % pass, all nearly alike' },
];
const drops = [0.02, 0.05, 0.1];
const level = 0.05;

async function main() {
  const { casesOf } = await from('compare/cases/group-by-case.js');
  const { compareCases } = await from('compare/compare-cases.js');
  const { judgeRegression } = await from('compare/gates/judge-regression.js');
  const judge = (base, other) => {
    const { verdict, measures } = judgeRegression(
      compareCases(casesOf(base), casesOf(other), { draws: Number(options.draws) }),
    );
    return { isRed: verdict === 'no', measures: measures.length };
  };
  const powerRepetitions = Number(options.power);
  console.log(
    `${repetitions} reruns of an unchanged system per row, ${powerRepetitions} per drop; ${options.draws} draws where there are too many ways to try all; seed ${options.seed}\n`,
  );
  const heads = powerRepetitions > 0 ? drops.map((drop) => `−${drop * 100} points`) : [];
  print(['system', 'evaluations', 'trials', 'scores', 'tests', 'false alarms', ...heads]);
  print(Array(6 + heads.length).fill('---'));
  const rows = [];
  for (const system of list(options.systems).map((number) => systems[number - 1])) {
    for (const units of list(options.units)) {
      for (const trials of options.trials.split(',').map(parseTrials)) {
        for (const scores of list(options.scores)) {
          const setting = { system, units, trials, scores, random, judge };
          const { alarms, tests } = share(repetitions, setting, 0);
          rows.push({ alarms, name: `beta(${system.a}, ${system.b}) ${units} ${trials.text}` });
          const power = heads.map((_, i) =>
            percent(share(powerRepetitions, setting, drops[i]).alarms),
          );
          const name = `beta(${system.a}, ${system.b})`;
          print([name, units, trials.text, scores, tests.toFixed(1), percent(alarms), ...power]);
        }
      }
    }
  }
  report(rows);
}

function list(text) {
  return text.split(',').map(Number);
}

function parseTrials(text) {
  const [base, other = base] = text.split(':').map(Number);
  return { base, other, text: `${base}:${other}` };
}

function report(rows) {
  const noise = noiseOf(level, repetitions);
  const worst = rows.reduce((most, row) => (row.alarms > most.alarms ? row : most));
  const mean = rows.reduce((sum, { alarms }) => sum + alarms, 0) / rows.length;
  const over = rows.filter(({ alarms }) => alarms > level + noise);
  console.log(
    `\nFalse alarms of ${rows.length} rows: ${percent(mean)} on average, ${percent(worst.alarms)} at most (${worst.name}); a row of 5 % is good to ${percent(noise)}.`,
  );
  console.log(systems.map(({ a, b, text }) => `beta(${a}, ${b}): ${text}.`).join('\n'));
  for (const { name, alarms } of over)
    console.log(`Over 5 % by more than noise: ${name}, ${percent(alarms)}`);
  if (over.length > 0) process.exitCode = 1;
}

/** How often the gate fails when the pass rate drops by so much (0 to 1), and how many measures it tested on average. */
function share(repetitions, { system, units, trials, scores, random, judge }, drop) {
  const mean = system.a / (system.a + system.b);
  let red = 0;
  let tests = 0;
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    const chances = Array.from({ length: units }, () => draw.beta(system.a, system.b));
    const worse = chances.map((chance) => chance * (1 - drop / mean));
    const found = judge(
      rowsOf(random, chances, trials.base, scores),
      rowsOf(random, worse, trials.other, scores),
    );
    if (found.isRed) red += 1;
    tests += found.measures;
  }
  return { alarms: red / repetitions, tests: tests / repetitions };
}

/**
 * The rows of a run whose trials pass with their chance. Of more than one score the second passes when the first does
 * and now and then else, the third is a coin of its own, the fourth a value that leans on the first.
 */
function rowsOf(random, chances, trials, scores) {
  return chances.flatMap((chance, evaluation) =>
    Array.from({ length: trials }, (_, trial) => {
      const first = random() < chance;
      const all = [{ key: 'first', passed: first }];
      if (scores > 1) {
        all.push({ key: 'second', passed: first || random() < 0.5 });
        all.push({ key: 'third', passed: random() < chance });
        all.push({ key: 'fourth', value: Number(first) + random() });
      }
      const id = `e.eval.ts::e[${evaluation}]`;
      return {
        id: trials > 1 ? `${id}~${trial + 1}` : id,
        ...(trials > 1 ? { trial: trial + 1, trial_of: id } : {}),
        evaluation: 'e.eval.ts::e',
        function: 'e',
        dataset: 'e',
        labels: [],
        status: 'completed',
        latency: null,
        scores: all,
      };
    }),
  );
}

await main();
