import { setTimeout } from 'node:timers/promises';
import { writeToFile } from '../../../src/cli/output-file.js';

// Begins to write the file named by the argument, and never ends.

async function* pieces(): AsyncGenerator<string> {
  for (;;) {
    yield 'x';
    process.stdout.write('.');
    await setTimeout(10);
  }
}

await writeToFile(process.argv[2] ?? '', pieces());
