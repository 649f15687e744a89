import { Worker } from 'node:worker_threads';
import type { FoundCode } from '../../model/code/file-code.js';
import { tsconfigVariable } from '../../protocol/host-variables.js';
import type { ImportedEvaluations } from '../imported-evaluations.js';
import { importsOfPackages } from '../loader/module-graph.js';
import { findFileCodes, type LoadedCode, type LoadedFile } from './file-codes.js';
import { surroundings } from './surroundings.js';

export type FindCodeOptions = Pick<LoadedCode, 'cache' | 'statelessPackages'>;

// Reading it later would count as the user's.
const { env } = process;
let ready: Worker | undefined;

/** Starts the thread ahead; `warmUp`: it loads what changed modules need, which takes as long as the finding. */
export function prepareToFindCode({ warmUp = false } = {}): void {
  ready ??= startThread(warmUp);
}

function startThread(warmUp: boolean): Worker {
  const thread = new Worker(new URL('./code-thread.cjs', import.meta.url), {
    workerData: { warmUp },
    // It compiles as this one does, and needs nothing else.
    env: { [tsconfigVariable]: env[tsconfigVariable] ?? '' },
  });
  thread.unref();
  return thread;
}

/**
 * Finds the code of all loaded eval files, at once if all of it is kept and little, else in a thread of its own, so that
 * evaluations are not held up; calls `onCode` with what is found. Throws or rejects if it cannot.
 */
export function findCode(
  catalogue: ImportedEvaluations,
  { cache, statelessPackages }: FindCodeOptions,
  onCode: (code: FoundCode) => void,
): Promise<void> {
  const loaded: LoadedCode = { ...loadedCode(catalogue), cache, statelessPackages };
  const kept = keptCode(loaded);
  if (kept !== undefined) return Promise.resolve(onCode(kept));
  return new Promise((resolve, reject) => {
    const thread = ready ?? startThread(false);
    ready = undefined;
    thread.postMessage(loaded);
    thread
      .on('message', onCode)
      .once('error', reject)
      .once('exit', () => resolve());
  });
}

/** `undefined` for more, and where user code has replaced what it takes to read that. */
function keptCode(loaded: LoadedCode): FoundCode | undefined {
  try {
    // So little takes a few milliseconds, and a thread forty to start.
    const isSmall = loaded.modules.length + loaded.packageImports.size <= 300;
    return isSmall ? findFileCodes(loaded) : undefined;
  } catch {
    return undefined;
  }
}

/** What has been loaded so far. */
function loadedCode(catalogue: ImportedEvaluations): Omit<LoadedCode, keyof FindCodeOptions> {
  const files = [...catalogue.evaluationsByFile()].flatMap(([file, evaluations]): LoadedFile[] => {
    const code = catalogue.codeOfFile(file);
    const [own] = catalogue.modules.get(file) ?? [];
    return code && own ? [{ file, path: own.file, code, evaluations }] : [];
  });
  const modules = new Set([...catalogue.modules.values()].flat());
  return {
    ...{ files, modules: [...modules], folder: catalogue.folder },
    packageImports: importsOfPackages(),
    surroundings: surroundings(),
  };
}
