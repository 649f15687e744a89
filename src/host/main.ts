import { createRequire } from 'node:module';
import { MessageChannel } from 'node:worker_threads';
import { DueTime } from './due-time.js';
import { registerTypeScript } from './loader/register.js';

const require = createRequire(import.meta.url);

/** The rest of this program. Through `require`, which does not wait for the hooks that are just being registered. */
function loadHost(): typeof import('./host.js') {
  return require('./host.cjs') as typeof import('./host.js');
}

/** The process that has started this one; not asked of the system, where it may be gone already. */
const [runner, mark = ''] = process.argv.splice(2, 2);
// Processes that evaluations fork are not ours to tune.
process.execArgv.splice(0);
const { port1: ending, port2: end } = new MessageChannel();
const dueTime = new DueTime();
// Under a name that nobody meets by accident: it is found from another thread.
const holderName = `assay:${process.pid}:${Math.random()}`;
const reportHolder = `globalThis[${JSON.stringify(holderName)}]()`;
const watch = { runnerPid: Number(runner), mark, end, due: dueTime.memory, reportHolder };
const isWatched = registerTypeScript({ watch, meanwhile: loadHost });
loadHost().serveRunner({ watch, isWatched, ending, dueTime, holderName });
