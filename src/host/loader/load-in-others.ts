import childProcess, { type ForkOptions } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import workerThreads, { type WorkerOptions } from 'node:worker_threads';
import { isInstalled } from '../installed-packages.js';
import { ownProxy } from '../replace-method.js';
import { findSource, needsCompiling } from './find-source.js';

/** What both kinds of options have. */
interface Options {
  readonly execArgv?: readonly string[] | undefined;
}

const preload = ['--import', new URL('./register-here.cjs', import.meta.url).href];

/**
 * Lets `new Worker()` and `fork()` run files that need compiling, as eval files are. Others get what the user gives them,
 * and so do processes of another program than this Node.
 */
export function loadInOthers(): void {
  workerThreads.Worker = ownProxy(workerThreads.Worker, {
    construct: (
      worker,
      [file, options, ...rest]: [unknown, WorkerOptions?, ...unknown[]],
      made,
    ) => {
      const source = options?.eval === true ? undefined : sourceOf(file, process.cwd());
      const given = source === undefined ? [file, options] : [source, preloading(options)];
      return Reflect.construct(worker, [...given, ...rest], made);
    },
  });
  childProcess.fork = ownProxy(childProcess.fork, {
    apply: (fork, self, [file, ...given]: [unknown, ...unknown[]]) => {
      const at = given.length > 0 && (Array.isArray(given[0]) || given[0] == null) ? 1 : 0;
      const options = given[at] as ForkOptions | undefined;
      const cwd = pathOf(options?.cwd ?? '.', process.cwd());
      const source = options?.execPath === undefined ? sourceOf(file, cwd) : undefined;
      if (source !== undefined) given[at] = preloading(options);
      return Reflect.apply(fork, self, [source ?? file, ...given]);
    },
  });
  syncBuiltinESMExports();
}

function preloading<Given extends Options>(options: Given | undefined) {
  return { ...options, execArgv: [...(options?.execArgv ?? process.execArgv), ...preload] };
}

/** A file that needs compiling, as it was given, or the one beside `.js` that is not there; `undefined` for others. */
function sourceOf(file: unknown, cwd: string): string | URL | undefined {
  const isUrl = file instanceof URL;
  if (typeof file !== 'string' && (!isUrl || file.protocol !== 'file:')) return undefined;
  const place = pathOf(file, cwd);
  if (needsCompiling(place)) return file;
  const found = isInstalled(place) ? undefined : findSource(place, place);
  if (found === undefined || !needsCompiling(found)) return undefined;
  return isUrl ? new URL(pathToFileURL(found).href + file.search) : found;
}

function pathOf(place: string | URL, folder: string): string {
  return typeof place === 'string' ? path.resolve(folder, place) : fileURLToPath(place);
}
