#!/usr/bin/env node
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

const usage = `Runs an unchanged system again and again through the command line: how often does the regression gate fail it?

  node benchmarks/gate-command.mjs [--pairs N] [--cases N] [--rate R] [--base N] [--other N]

  --pairs N   pairs of a blessed run and a run that is held against it (200)
  --cases N   evaluations of a run (60)
  --rate R    probability that a trial passes (0.98)
  --base N    trials of the blessed run (1)
  --other N   trials of the other run (10)

Exit code 1 when more than 5 % fail by more than noise (three standard errors).
`;

const { values: options } = parseArgs({
  options: {
    pairs: { type: 'string', default: '200' },
    cases: { type: 'string', default: '60' },
    rate: { type: 'string', default: '0.98' },
    base: { type: 'string', default: '1' },
    other: { type: 'string', default: '10' },
    help: { type: 'boolean', default: false },
  },
});
const command = fileURLToPath(new URL('../bin/run.js', import.meta.url));
const library = fileURLToPath(new URL('../dist/host-bundle/index.js', import.meta.url));
const level = 0.05;

if (options.help) console.log(usage);
else await main();

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'assay-gate-'));
  try {
    writeFileSync(join(folder, 'coin.eval.js'), evaluations());
    const pairs = Number(options.pairs);
    let red = 0;
    for (let pair = 0; pair < pairs; pair += 1) {
      const blessed = await assay(folder, '--trials', options.base, '--bless', 'base.json');
      if (blessed !== 0) throw new Error(`the blessed run ended with ${blessed}`);
      const gate = ['--baseline', 'base.json', '--fail-on', 'regression'];
      const code = await assay(folder, '--trials', options.other, ...gate);
      if (code !== 0 && code !== 1) throw new Error(`the run ended with ${code}`);
      red += code;
    }
    const noise = 3 * Math.sqrt((level * (1 - level)) / pairs);
    const { cases, rate, base, other } = options;
    console.log(
      `${red} of ${pairs} pairs failed the gate (${((100 * red) / pairs).toFixed(1)} %): ${cases} cases at ${rate}, ${base} against ${other} trials`,
    );
    if (red / pairs > level + noise) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function evaluations() {
  return `import { evaluation } from ${JSON.stringify(library)};
export const coin = evaluation({
  cases: Array.from({ length: ${Number(options.cases)} }, (_, input) => ({ input })),
  target: () => Math.random() < ${Number(options.rate)},
  evaluators: [function passes({ output }) { return output === true; }],
});
`;
}

/** The exit code of `assay run`. */
async function assay(cwd, ...args) {
  const all = [command, 'run', 'coin.eval.js', '--no-save', ...args];
  try {
    await promisify(execFile)(process.execPath, all, { cwd, maxBuffer: 2 ** 26 });
    return 0;
  } catch (error) {
    if (typeof error.code === 'number') return error.code;
    throw error;
  }
}
