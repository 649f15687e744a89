import { MessageChannel, Worker } from 'node:worker_threads';
// Eval files import it; loaded before the hooks of the TypeScript loader it costs them nothing.
import '../index.js';
import { groupDescriptors } from '../protocol/descriptor-group.js';
import type { EvalFile, RunnerMessage } from '../protocol/messages.js';
import type { Attempt } from './attempt.js';
import { Catalogue } from './catalogue.js';
import { HostChannel } from './channel.js';
import { errorText } from './error-text.js';
import { guardProcess } from './guard.js';
import { describeImportFailure } from './import-failure.js';
import { registerTypeScript } from './loader/register.js';
import { Sanitizer } from './sanitizer.js';
import { Slots } from './slots.js';

/** Most evaluations in one message. */
const groupSize = 1000;

/** The process that has started this one; not asked of the system, where it may be gone already. */
const runnerPid = Number(process.argv.splice(2, 1)[0]);
// Processes that evaluations fork are not ours to tune.
process.execArgv.splice(0);
const channel = new HostChannel();
const watchdog = new MessageChannel();
const watched = { runnerPid, end: watchdog.port2 };
let streamLogs = false;
let failImport: ((thrown: unknown) => void) | undefined;
const realExit = guardProcess({
  onPrint: (attempt: Attempt, stream, text) => {
    attempt.log(stream, text);
    if (streamLogs) {
      channel.send({ type: 'log', task: attempt.task.task, stream, text: sanitizer.text(text) });
    }
  },
  onStray: (thrown, attempt) => {
    if (failImport !== undefined && attempt === undefined) failImport(thrown);
    else warn(strayText(thrown, attempt));
  },
});
let sanitizer = new Sanitizer(process.env);
let catalogue = new Catalogue(sanitizer, warn);
let slots: Slots | undefined;
let isWatched = await registerTypeScript(watched);
channel.listen(onMessage, onEnd);

function onMessage(message: RunnerMessage): void {
  switch (message.type) {
    case 'load':
      startWatchdog();
      enter(message.cwd, message.env);
      void load(message.files, message.list);
      return;
    case 'describe':
      describe(message.ids);
      return;
    case 'begin':
      streamLogs = message.streamLogs;
      slots = new Slots({ channel, catalogue, sanitizer, ...message });
      return;
    case 'execute':
      slots?.add(message.tasks);
      return;
    case 'recall':
      slots?.recall();
      return;
    case 'abort':
      slots?.abort();
      return;
    case 'end':
      onEnd();
  }
}

/** Makes working directory and environment what evaluations are to find. */
function enter(cwd: string, env: { readonly [name: string]: string }): void {
  Object.assign(process.env, env);
  try {
    process.chdir(cwd);
  } catch {
    // It has just been removed: the import will say which file is not there.
  }
}

async function load(files: readonly EvalFile[], list: boolean): Promise<void> {
  sanitizer = new Sanitizer(process.env);
  catalogue = new Catalogue(sanitizer, warn);
  for (const file of files) {
    channel.send({ type: 'importing', file: file.name });
    try {
      const stray = new Promise<never>((_, reject) => {
        failImport = reject;
      });
      const descriptors = await Promise.race([catalogue.load(file), stray]);
      for (const group of groupDescriptors(list ? descriptors : [], groupSize)) {
        channel.queue({ type: 'imported', file: file.name, group });
      }
    } catch (error) {
      sanitizer.learn(process.env);
      channel.send({ type: 'import-failed', ...describeImportFailure(error, file, sanitizer) });
    } finally {
      failImport = undefined;
    }
  }
  channel.send({ type: 'loaded' });
}

function warn(text: string): void {
  channel.send({ type: 'warning', text: sanitizer.text(text) });
}

function strayText(thrown: unknown, attempt: Attempt | undefined): string {
  const text = errorText(thrown);
  return attempt === undefined
    ? text
    : `${attempt.task.id} went wrong after it had ended (is an await missing?): ${text}`;
}

function describe(ids: readonly string[]): void {
  for (const id of ids) channel.queue({ type: 'described', values: [catalogue.describe(id)] });
  channel.flush();
}

/** Before any code of the user's, which may hold this thread for good; while the process boots it would slow that down. */
function startWatchdog(): void {
  if (isWatched) return;
  isWatched = true;
  new Worker(new URL('./watchdog-thread.js', import.meta.url), {
    workerData: watched,
    transferList: [watched.end],
  }).unref();
}

/** Ends when nothing is left to do, so that exit handlers of user code run; the watchdog sees to it that it ends. */
function onEnd(): void {
  watchdog.port1.postMessage('end');
  process.exit = realExit;
  process.once('exit', () => {
    try {
      process.kill(-process.pid, 'SIGKILL');
    } catch {
      // Not the leader of a group: there is nothing else to end.
    }
  });
}
