import { confirm } from '../../../src/cli/terminal/confirm.js';

// Asks as on a terminal; the answer comes through a pipe.
process.stdin.isTTY = true;
process.stderr.isTTY = true;
process.stdout.write(String(await confirm('Delete it?')));
