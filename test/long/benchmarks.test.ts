import { spawnSync } from 'node:child_process';
import { expect } from 'chai';

/** A small run of every benchmark that imports parts of the build, and what it prints when it has measured. */
const benchmarks: Readonly<Record<string, readonly [arguments_: string, printed: RegExp]>> = {
  calibration: ['--only kappa --repetitions 20', /\| κ \| \d+ \|/],
  'gate-simulation': [
    '--repetitions 5 --units 5 --systems 2 --power 1',
    /False alarms of 18 rows: .* on average/,
  ],
  coverage: ['--repetitions 5 --units 20 --seed 1', /difference of averages, grades and ratings/],
  variants: [
    '--repetitions 2 --power 1 --cases 20 --variants 4 --trials 1',
    /\| 90 %, few unsure \| 20 \| 1 \| 4 × 2 \|/,
  ],
  passes: ['--systems 2 --cases 20', /\| merge \| kept \| 85\.0 % \|/],
  'gate-command': ['--pairs 1 --cases 2', /0 of 1 pairs failed the gate/],
  rows: ['--results 100', /memory: \d+ MB at the end/],
  compare: ['--results 100 --rounds 1', /compare/],
  calls: [
    '--base dist --pairs 1 --evals 2 --calls 2 --attempts 2',
    /2 attempts × 10 calls .* log 1\.\d+ × the distinct text/,
  ],
  distributed: ['--results 200 --rounds 1', /Stop: \d+ \((limit|missed): 1000\) ms/],
  recordings: ['--evals 2 --runs 1', /2 evaluations × 3 calls replayed offline: \d/],
  run: ['--runs 1 --only one', /one trivial eval/],
};

describe('the benchmarks', () => {
  for (const [name, [arguments_, printed]] of Object.entries(benchmarks)) {
    it(`${name} measures this build`, () => {
      const { stdout, stderr, status } = spawnSync(
        process.execPath,
        [`benchmarks/${name}.mjs`, ...arguments_.split(' ')],
        { encoding: 'utf8', timeout: 120_000 },
      );
      expect(stdout, stderr).to.match(printed);
      // 1: a limit was missed, which samples this small or a slow machine may do.
      expect(status, stderr).to.be.oneOf([0, 1]);
    }).timeout(240_000);
  }
});
