import { writeToStdout } from '../../../src/cli/output.js';
import { AssayError } from '../../../src/errors.js';

// Writes as many pieces of 64 kB to stdout as the argument says; tells on stderr how far it is, and how it ended.

let made = 0;

async function* pieces(): AsyncGenerator<string> {
  for (; made < Number(process.argv[2]); made += 1) yield `${'x'.repeat(65_535)}\n`;
}

const watch = setInterval(() => process.stderr.write(`made ${made}\n`), 50);
try {
  process.stderr.write(`written ${await writeToStdout(pieces())} after ${made}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof AssayError ? error.code : 'bug'} after ${made}\n`);
}
clearInterval(watch);
