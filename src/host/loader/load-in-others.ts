import childProcess, { type ForkOptions } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';
import workerThreads, { type WorkerOptions } from 'node:worker_threads';
import { needsCompiling } from './find-source.js';

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
  workerThreads.Worker = new Proxy(workerThreads.Worker, {
    construct: (
      worker,
      [file, options, ...rest]: [unknown, WorkerOptions?, ...unknown[]],
      made,
    ) => {
      const isFile = options?.eval !== true && isSource(file);
      return Reflect.construct(
        worker,
        [file, isFile ? preloading(options) : options, ...rest],
        made,
      );
    },
  });
  childProcess.fork = new Proxy(childProcess.fork, {
    apply: (fork, self, [file, ...given]: [unknown, ...unknown[]]) => {
      const at = given.length > 0 && (Array.isArray(given[0]) || given[0] == null) ? 1 : 0;
      const options = given[at] as ForkOptions | undefined;
      if (isSource(file) && options?.execPath === undefined) given[at] = preloading(options);
      return Reflect.apply(fork, self, [file, ...given]);
    },
  });
  syncBuiltinESMExports();
}

function preloading<Given extends Options>(options: Given | undefined) {
  return { ...options, execArgv: [...(options?.execArgv ?? process.execArgv), ...preload] };
}

function isSource(file: unknown): boolean {
  if (typeof file === 'string') return needsCompiling(file);
  return file instanceof URL && file.protocol === 'file:' && needsCompiling(fileURLToPath(file));
}
