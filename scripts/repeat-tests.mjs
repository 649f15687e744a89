// Runs `npm test` again and again, or the given test files, beside processes that keep the processor busy; prints what failed.
// node scripts/repeat-tests.mjs [--times 10] [--busy 2] [test files …]
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values, positionals: files } = parseArgs({
  options: { times: { type: 'string', default: '10' }, busy: { type: 'string', default: '2' } },
  allowPositionals: true,
});
const command =
  files.length > 0 ? ['npx', 'mocha', '--parallel', ...files] : ['npm', 'test', '--silent'];

const loops = Array.from({ length: Number(values.busy) }, () =>
  spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
);
for (const loop of loops) loop.unref();
process.on('exit', () => {
  for (const loop of loops) loop.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));

let failedRounds = 0;
for (let round = 1; round <= Number(values.times); round += 1) {
  const began = performance.now();
  const { code, output } = await runTests();
  const seconds = Math.round((performance.now() - began) / 1000);
  const passing = /(\d+) passing/.exec(output)?.[1] ?? 'no tests';
  console.log(
    `round ${round}: ${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s, ${passing} passing`,
  );
  if (code === 0) continue;
  failedRounds += 1;
  // The dots of those that passed say nothing.
  console.log(output.slice(Math.max(0, output.search(/^ +\d+ passing/m))));
}
console.log(`${failedRounds} of ${values.times} rounds failed beside ${values.busy} busy loops.`);
process.exitCode = failedRounds === 0 ? 0 : 1;

/** Resolves with the exit code and everything that the tests said. */
function runTests() {
  const [program, ...args] = command;
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const end = () => child.kill();
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}
