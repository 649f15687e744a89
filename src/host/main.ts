import { createRequire } from 'node:module';
import { MessageChannel } from 'node:worker_threads';
import { registerTypeScript } from './loader/register.js';
import { SharedDeadline } from './watchdog/watchdog.js';

const require = createRequire(import.meta.url);

/** Loads the rest of the host. Through `require`, which does not wait for the hooks that are being registered. */
function loadHost(): typeof import('./host.js') {
  return require('./host.cjs') as typeof import('./host.js');
}

/** The id of the runner. Passed as an argument, because the parent may be gone by now. */
const [runner, mark = ''] = process.argv.splice(2, 2);
// Processes that evaluations fork must not inherit these flags.
process.execArgv.splice(0);
const { port1: ending, port2: end } = new MessageChannel();
const dueTime = new SharedDeadline();
// An unlikely name, because the watch thread finds it on the global object.
const reportName = `assay:${process.pid}:${Math.random()}`;
const report = `globalThis[${JSON.stringify(reportName)}]`;
const watch = { runnerPid: Number(runner), mark, end, due: dueTime.memory, report };
const isWatched = registerTypeScript({ watch, meanwhile: loadHost });
loadHost().serveRunner({ watch, isWatched, ending, dueTime, reportName });
