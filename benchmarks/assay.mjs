import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { targetSource } from './workloads.mjs';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const bin = join(checkout, 'bin/run.js');
const yard = join(checkout, 'benchmarks/yard.mjs');

/** The row of a workload for assay: a project of its own under `root`, and the command a user would type there. */
export function assayRow(workload, root) {
  const cwd = join(root, `assay-${workload.name}`);
  mkdirSync(join(cwd, 'node_modules'), { recursive: true });
  const row = { tool: 'assay', workload, cwd, output: join(cwd, 'output.txt') };
  if (workload.name === 'node') return { ...row, command: [process.execPath, '-e', '0'] };
  if (workload.name === 'yard') return { ...row, command: [process.execPath, yard] };
  if (workload.name === 'version') return { ...row, command: [process.execPath, bin, '--version'] };

  const evalFile = join(cwd, 'bench.eval.ts');
  symlinkSync(checkout, join(cwd, 'node_modules/assay'), 'junction');
  writeFileSync(join(cwd, 'package.json'), '{ "private": true, "type": "module" }\n');
  writeFileSync(evalFile, evalSource(workload));
  const flags = workload.concurrency ? ['--concurrency', String(workload.concurrency)] : [];
  return {
    ...row,
    command: [process.execPath, bin, 'run', 'bench.eval.ts', ...flags],
    prepare: () => {
      rmSync(join(cwd, '.assay/sessions/default'), { recursive: true, force: true });
      if (workload.edited) appendFileSync(evalFile, `// edited ${new Date().toISOString()}\n`);
    },
    verify: () => expectSaved(cwd, workload.evals),
  };
}

function evalSource(workload) {
  const reference = workload.bytes ? `String(n).padEnd(${workload.bytes}, 'x')` : 'n';
  return `import { evaluation } from 'assay';

${targetSource(workload)}

export const bench = evaluation({
  cases: Array.from({ length: ${workload.evals} }, (_, n) => ({ input: n${workload.bytes ? '' : ', reference: n'} })),
  target: (ctx) => answer(ctx.input),
  evaluators: [function exact({ input: n, output }) { return output === ${reference}; }],
});
`;
}

/** Throws unless the last saved run has all its results, and all of them passed: a fast wrong answer is no figure. */
function expectSaved(cwd, evals) {
  const listing = execFileSync(process.execPath, [bin, 'sessions', 'show', 'default', '--json'], {
    cwd,
    encoding: 'utf8',
  });
  const [run] = JSON.parse(listing).runs;
  if (run?.total_evaluations !== evals || run.total_passed !== evals) {
    throw new Error(
      `Expected a saved run of ${evals} passed results, found ${JSON.stringify(run)}`,
    );
  }
}
