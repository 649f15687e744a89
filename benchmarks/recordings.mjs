#!/usr/bin/env node
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measureProcesses, median, runProcess } from './measure.mjs';
import { project, startModel } from './model-project.mjs';

const usage = `Measures what it takes to replay calls.

  node benchmarks/recordings.mjs [--evals N] [--runs N]

  --evals N      evaluations, each with 3 calls of 4 kB (1000)
  --runs N       runs (5)

Exit code 1 when a limit is missed.
`;

const { values: options } = parseArgs({
  options: {
    evals: { type: 'string', default: '1000' },
    runs: { type: 'string', default: '5' },
    help: { type: 'boolean', default: false },
  },
});
const checkout = fileURLToPath(new URL('..', import.meta.url));
const mostSeconds = 1.5;

if (options.help) console.log(usage);
else await main();

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'assay-recordings-'));
  try {
    const row = project(folder, checkout, evals());
    const model = await startModel();
    const env = { MODEL: model.url };
    const withFlag = (flag) => ({ ...row, env, command: [...row.command, flag] });
    await runProcess(withFlag('--record')).finally(model.close);
    const all = [];
    for (let run = 0; run < Number(options.runs); run += 1) {
      rmSync(join(folder, '.assay/sessions'), { recursive: true });
      all.push(await measureProcesses(withFlag('--offline')));
    }
    const [seconds, cpu] = ['seconds', 'cpu'].map((key) =>
      median(all.map((one) => one[key]).sort((a, b) => a - b)),
    );
    console.log(
      `${options.evals} evaluations × 3 calls replayed offline: ${seconds.toFixed(2)} s, ${cpu.toFixed(2)} s CPU`,
    );
    if (seconds > mostSeconds) {
      console.log(`  missed: ${mostSeconds} s`);
      process.exitCode = 1;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function evals() {
  return `import { evaluation } from 'assay';
const ask = async (content: string) => {
  const response = await fetch(process.env.MODEL + '/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-5-mini', messages: [{ role: 'user', content: content.padEnd(4_000, 'question ') }] }),
  });
  if (!response.ok) throw new Error(await response.text());
  return ((await response.json()) as any).choices[0].message.content.length;
};
export const bench = evaluation({
  cases: Array.from({ length: ${Number(options.evals)} }, (_, input) => ({ input })),
  target: async ({ input }) => [await ask('a ' + input), await ask('b ' + input), await ask('c ' + input)],
  evaluators: [function answered({ output }) { return output.length === 3; }],
});
`;
}
