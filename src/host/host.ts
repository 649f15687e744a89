import { subscribe } from 'node:diagnostics_channel';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { type MessagePort, Worker } from 'node:worker_threads';
import { provideCurrentEvaluation } from '../authoring/current-evaluation.js';
import type { PathLook } from '../files/path-state.js';
import { changing, type FileReads, type FoundCode, type Read } from '../model/code/file-code.js';
import { signalTree } from '../processes/process-tree.js';
import { groupDescriptors } from '../protocol/descriptors.js';
import type { Inspecting, RunnerMessage, Task } from '../protocol/messages.js';
import { notedKeys, setNotedKeys } from '../recordings/recording-files.js';
import { isInside } from '../text/file-path.js';
import { Attempt, currentAttempt, currentScope } from './attempt/attempt.js';
import { TaskScheduler } from './attempt/task-scheduler.js';
import { CallWatch } from './calls/watch-calls.js';
import { watchProcesses } from './child-processes.js';
import { type FindCodeOptions, findCode, prepareToFindCode } from './fingerprints/find-code.js';
import { LooseEnds } from './fingerprints/loose-ends.js';
import { lookAtInputs, ReadWatch } from './fingerprints/read-watch.js';
import { FollowedPaths } from './followed-paths.js';
import { guardProcess } from './guard-process.js';
import { HostChannel } from './host-channel.js';
import { describeImportFailure } from './import-failure.js';
import { ImportedEvaluations } from './imported-evaluations.js';
import { isInstalled } from './installed-packages.js';
import { possibleSources } from './loader/find-source.js';
import { loadInOthers } from './loader/load-in-others.js';
import { describeLoaded, pathsOfLookup, pathsOfScope } from './loader/lookup-paths.js';
import {
  followProgress,
  loadedModules,
  lookupsSoFar,
  namesFileSystem,
  receiveNotes,
} from './loader/module-graph.js';
import { Sanitizer } from './sanitizer.js';
import { errorText } from './thrown.js';
import type { Report, SharedDeadline, Watch } from './watchdog/watchdog.js';

const require = createRequire(import.meta.url);

type LoadMessage = Extract<RunnerMessage, { type: 'load' }>;

/** Milliseconds after which loaded modules are reported while others are still imported. */
const followMs = 1000;

/** Milliseconds between two reports that an import gets on; far less than any deadline. */
const progressMs = 200;

/** Milliseconds between two looks whether a debugger can connect; less than anybody needs to connect one. */
const noticeEveryMs = 250;

/** Most evaluations in one message. */
const groupSize = 1000;

/** The watchdog of this process, and the channel that announces a shutdown. */
export interface HostSetup {
  readonly watch: Watch;
  readonly isWatched: boolean;
  /** A message on it says that the process was asked to end. */
  readonly ending: MessagePort;
  readonly dueTime: SharedDeadline;
  /** Name of the global function that gives a `Report` from the main thread. */
  readonly reportName: string;
}

// Packages nest deeper than the ten frames that are usual: the user's own frame is below theirs.
Error.stackTraceLimit = 60;
const channel = new HostChannel();
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
const callWatch = new CallWatch({
  sanitizer: () => sanitizer,
  onCalled: (caller, calls) =>
    channel.queueSoon(
      typeof caller === 'string'
        ? { type: 'called-at-import', file: caller, calls }
        : { type: 'called', task: caller.task.task, calls },
    ),
  onTaken: ({ task }, file, numbers) =>
    channel.queue({ type: 'taken-from-import', task: task.task, file, numbers }),
  // What follows at once may block or end the process.
  onReported: () => channel.flush(),
  onWarning: warn,
});
provideCurrentEvaluation(() => currentAttempt()?.context);
let sanitizer = new Sanitizer(process.env);
let catalogue = new ImportedEvaluations(sanitizer, warn);
/** The eval file that is being imported. */
let importing: string | undefined;
let recordingsFolder: string | undefined;
const looseEnds = new LooseEnds({
  running: () => {
    const { caller, role } = currentScope.getStore() ?? {};
    if (!(caller instanceof Attempt)) return { name: importedFile(), isGrading: false };
    const name = catalogue.get(caller.task.id)?.descriptor.evaluation;
    return { name, isGrading: role !== 'target' };
  },
  recordings: () => recordingsFolder,
  shareModule: (file, other) => catalogue.shareModule(file, other),
});
// At once: the runner must know who writes before it sees that something is written.
const followed = new FollowedPaths((name) =>
  channel.send({ type: 'touched', looks: [], writes: [name] }),
);
const readWatch = new ReadWatch({
  fileOf: () => {
    const attempt = currentAttempt();
    return attempt === undefined ? importedFile() : catalogue.get(attempt.task.id)?.file;
  },
  followed,
  onTouch: (path) => looseEnds.noteLook(path),
  onWrite: noteWrite,
  onVariableSet: () => looseEnds.noteLeft(),
});
/** Absolute paths of the files that evaluations name as inputs, by name of the eval file. */
const inputFiles = new Map<string, readonly string[]>();
let slots: TaskScheduler | undefined;

/** The eval file whose import the running code belongs to, also in timers that outlast it. */
function importedFile(): string | undefined {
  return currentScope.getStore()?.caller.file ?? importing;
}

/** Serves messages of the runner until it says `end`, or is gone. */
export function serveRunner({ watch, isWatched, ending, dueTime, reportName }: HostSetup): void {
  Object.defineProperty(globalThis, reportName, { value: report });
  noticeInspector(dueTime);
  const onEnd = () => {
    callWatch.end();
    end(ending, watch.mark);
  };
  let needsWatch = !isWatched;
  const onMessage = (message: RunnerMessage): void => {
    if (message.type === 'end') {
      onEnd();
      channel.send({ type: 'ending' });
      return;
    }
    // Before any code of the user's, which may block this thread; at boot it would slow the start.
    if (message.type === 'load' && needsWatch) {
      needsWatch = false;
      startWatchThread(watch);
    }
    obey(message, dueTime);
  };
  // What evaluations started must not outlive this process, and the runner may be gone.
  const onLost = () => signalTree({ pid: process.pid, mark: watch.mark }, 'SIGKILL');
  channel.listen({ onMessage, onEnd, onLost });
}

/** Called by another thread, on top of whatever runs. */
function report(what: Report): void {
  if (what === 'holder') {
    slots?.reportHolder();
    return;
  }
  if (channel.isWriting) return;
  if (what === 'resumed') {
    slots?.goOn();
    channel.send({ type: 'resumed' });
    return;
  }
  const isLate = what === 'paused-late';
  slots?.pause(isLate);
  channel.send({ type: 'paused', isLate });
}

/** Notices an inspector that was opened by an option of Node, a signal, or user code. */
function noticeInspector(dueTime: SharedDeadline): void {
  if (!process.features.inspector) return;
  const timer = setInterval(() => {
    if (process.getBuiltinModule('node:inspector').url() === undefined) return;
    dueTime.noteInspected();
    clearInterval(timer);
  }, noticeEveryMs);
  timer.unref();
}

/** Lets a debugger connect. Ends the process, with what Node says, where it cannot listen. */
function inspect({ host, port, stops }: Inspecting, dueTime: SharedDeadline): void {
  const inspector = process.getBuiltinModule('node:inspector');
  // An option of Node may have opened it.
  if (inspector.url() === undefined) inspector.open(port, host);
  const url = inspector.url();
  if (url === undefined) {
    realExit(1);
    return;
  }
  dueTime.noteInspected();
  channel.send({ type: 'inspected', url });
  if (stops) inspector.waitForDebugger();
}

function obey(message: Exclude<RunnerMessage, { type: 'end' }>, dueTime: SharedDeadline): void {
  switch (message.type) {
    case 'greet':
      channel.signWith(message.secret);
      return;
    case 'prepare':
      prepareToFindCode({ warmUp: true });
      return;
    case 'load':
      if (message.inspect !== undefined) inspect(message.inspect, dueTime);
      if (message.findsCode) prepareToFindCode();
      callWatch.start(message.calls);
      recordingsFolder = message.calls.recordings?.folder;
      enter(message.cwd, message.env);
      enterOffline(message);
      if (message.watched) followed.start(process.cwd());
      readWatch.start(process.cwd());
      loadInOthers();
      watchProcesses({ onStart: () => looseEnds.noteHazard('starts a process') });
      subscribe('worker_threads', () => looseEnds.noteHazard('starts a worker'));
      if (message.calls.recordings?.mode === 'offline') require('./refuse-network.cjs');
      void load(message);
      return;
    case 'describe':
      describe(message.ids);
      return;
    case 'fingerprint':
      void sendCode(message);
      return;
    case 'begin':
      streamLogs = message.streamLogs;
      callWatch.saveImports();
      if (message.asks) callWatch.askFirst((question) => channel.send(question));
      slots = new TaskScheduler({
        ...{ channel, catalogue, sanitizer, dueTime, callWatch, onFinish },
        looseEndOf: (entry) => looseEnds.of(entry),
        ...message,
      });
      return;
    case 'answer':
      callWatch.answer(message);
      return;
    case 'execute':
      slots?.add(message.tasks);
      return;
    case 'recall':
      slots?.recall();
      return;
    case 'abort':
      slots?.abort();
  }
}

/** Sets working directory and environment for evaluations. */
function enter(cwd: string, env: { readonly [name: string]: string }): void {
  Object.assign(process.env, env);
  try {
    process.chdir(cwd);
  } catch {
    // The folder has just been removed; the import will name the missing file.
  }
}

/** Clients that are only answered from recordings start without a key. */
function enterOffline({ calls, files }: LoadMessage): void {
  const { recordings } = calls;
  if (recordings?.mode !== 'offline') return;
  const names = files.map(({ name }) => name);
  setNotedKeys(recordings.folder, names, process.env);
}

async function load({ files, list, cwd, withCode, modules, watched }: LoadMessage): Promise<void> {
  sanitizer = new Sanitizer(process.env);
  catalogue = new ImportedEvaluations(sanitizer, warn, undefined, {
    onLoaded: noteLate,
    onLookup: (lookup) => noteLookedAt(pathsOfLookup(lookup)),
  });
  // An import that does not end is mended in one of its modules.
  const following = watched === true ? setInterval(() => followSoon(cwd), followMs) : undefined;
  const endFollowing = followProgress(sayProgress);
  for (const file of files) {
    channel.send({ type: 'importing', file: file.name });
    importing = file.name;
    try {
      const stray = new Promise<never>((_, reject) => {
        failImport = reject;
      });
      const imported = callWatch.import(file.name, () => catalogue.load(file));
      const descriptors = await Promise.race([imported, stray]);
      const inputs = lookAtInputs(readWatch, catalogue.inputsOf(file.name), catalogue.folder);
      inputFiles.set(file.name, inputs);
      for (const group of groupDescriptors(list ? descriptors : [], groupSize)) {
        channel.queue({ type: 'imported', file: file.name, group });
      }
      const reason = catalogue.whyEmpty(file.name);
      if (reason !== undefined) channel.queue({ type: 'empty', file: file.name, reason });
    } catch (error) {
      sanitizer.learn(process.env);
      channel.send({ type: 'import-failed', ...describeImportFailure(error, file, sanitizer) });
    } finally {
      failImport = undefined;
      importing = undefined;
    }
  }
  endFollowing();
  clearInterval(following);
  if (watched === true) followModules(cwd);
  // The code closes the list of modules.
  const loaded = modules === true ? describeLoaded(process.cwd()) : undefined;
  const code = withCode === true ? catalogue.codeOfAll() : undefined;
  channel.send({
    type: 'loaded',
    ...(code !== undefined && { code }),
    ...(loaded !== undefined && { modules: loaded }),
    ...(namesFileSystem() && { readsFiles: true }),
  });
  // The runner plans meanwhile; nothing waits for this.
  setImmediate(() => catalogue.hashCode());
}

let saidAt = 0;

/** Renews the deadline of an import that loads modules, at most once in a while. */
function sayProgress(): void {
  const now = performance.now();
  if (importing === undefined || now - saidAt < progressMs) return;
  saidAt = now;
  channel.send({ type: 'importing', file: importing });
}

function followSoon(cwd: string): void {
  followModules(cwd);
  channel.flush();
}

/** Reports the loaded modules, the missing ones and everything that was looked at meanwhile, also if an import has failed. */
function followModules(cwd: string): void {
  for (const name of loadedModules(cwd)) followed.note('file', resolve(cwd, name));
  for (const { importer, target } of lookupsSoFar()) {
    for (const path of possibleSources(target, importer)) followed.note('file', path);
  }
  reportFollowed();
}

function reportFollowed(): void {
  const looks = followed.take();
  if (looks.length > 0) channel.queue({ type: 'touched', looks, writes: [] });
}

async function sendCode(options: FindCodeOptions): Promise<void> {
  let problem: string | undefined;
  const onCode = ({ pieces, wholes = [], ...code }: FoundCode) => {
    const shown = (name: string) => sanitizer.text(name);
    const named = pieces.map(([name, hash]) => [shown(name), hash] as const);
    channel.queue({ type: 'code', ...code, pieces: named, wholes: wholes.map(shown) });
  };
  try {
    await readWatch.quietly(() => findCode(catalogue, options, onCode));
  } catch (error) {
    problem = sanitizer.text(errorText(error));
  }
  channel.send({ type: 'fingerprinted', ...(problem !== undefined && { problem }) });
}

/** A module that is loaded while evaluations run counts as something that they read. */
function noteLate(file: string): void {
  readWatch.addLate('file', file, false);
  if (!isInstalled(file)) noteLookedAt(pathsOfScope(file));
}

function noteLookedAt(paths: Iterable<readonly [PathLook, string]>): void {
  readWatch.quietly(() => {
    for (const [kind, path] of paths) readWatch.addLate(kind, path);
  });
}

function onFinish({ id }: Task): void {
  const file = catalogue.get(id)?.file ?? '';
  for (const path of inputFiles.get(file) ?? []) readWatch.lookAgain(path);
  reportReads();
}

let hasWritten = false;

/** Recordings are written by assay itself. */
function noteWrite(path: string): void {
  const isRecording = recordingsFolder !== undefined && isInside(recordingsFolder, resolve(path));
  if (hasWritten || isRecording) return;
  hasWritten = true;
  channel.queue({ type: 'wrote' });
}

function reportReads(): void {
  receiveNotes();
  reportFollowed();
  const isModule = (path: string) => catalogue.isModule(path);
  const found = readWatch.report(() => catalogue.sharing, isModule);
  for (const { file, reads } of found.map(withoutKeys)) {
    if (reads.length > 0) channel.queue({ type: 'reads', file, reads: reads.map(withoutSecrets) });
  }
}

/** Keys of clients that are only answered from recordings are no part of what results depend on. */
function withoutKeys({ file, reads }: FileReads): FileReads {
  const folder = recordingsFolder;
  if (folder === undefined) return { file, reads };
  const keys = readWatch.quietly(() => notedKeys(folder, file));
  const isKey = ({ kind, name }: Read) => kind === 'variable' && keys.includes(name);
  return { file, reads: reads.filter((read) => !isKey(read)) };
}

/** A name with a secret cannot be looked up again, so it counts as changed. */
function withoutSecrets(read: Read): Read {
  const name = sanitizer.text(read.name);
  return name === read.name ? read : { ...read, name, hash: changing };
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

function startWatchThread(watch: Watch): void {
  new Worker(new URL('./watchdog-thread.cjs', import.meta.url), {
    workerData: watch,
    transferList: [watch.end],
  }).unref();
}

/** Lets the process end by itself, so that exit handlers of user code run; the watchdog kills it if it does not. */
function end(ending: MessagePort, mark: string): void {
  ending.postMessage('end');
  process.exit = realExit;
  process.once('exit', () => signalTree({ pid: process.pid, mark }, 'SIGKILL'));
}
