// Runs the tests again and again beside processes that keep the processor busy, and prints what failed.
// node scripts/repeat-tests.mjs [--times 10] [--busy 2] [test files …]; build first.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  options: { times: { type: 'string', default: '10' }, busy: { type: 'string', default: '2' } },
  allowPositionals: true,
});
const files =
  positionals.length > 0 ? positionals : ['--ignore', 'test/{long,newest}/**', 'test/**/*.test.ts'];

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
  console.log(`round ${round}: ${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
  if (code === 0) continue;
  failedRounds += 1;
  // The dots of those that passed say nothing.
  console.log(output.slice(Math.max(0, output.search(/^ +\d+ passing/m))));
}
console.log(`${failedRounds} of ${values.times} rounds failed.`);
process.exitCode = failedRounds === 0 ? 0 : 1;

/** Runs mocha once, as `npm test` does; resolves with its exit code and everything it said. */
function runTests() {
  const mocha = fileURLToPath(new URL('../node_modules/mocha/bin/mocha.js', import.meta.url));
  const child = spawn(process.execPath, [mocha, '--parallel', '--jobs', '3', ...files], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
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
