import { Worker } from 'node:worker_threads';
import type { FoundCode } from '../../model/code/file-code.js';
import { tsconfigVariable } from '../../protocol/host-variables.js';
import type { ImportedEvaluations } from '../imported-evaluations.js';
import { importsOfPackages } from '../loader/module-graph.js';
import { findKnownCodes, type LoadedCode, type LoadedFile } from './file-codes.js';
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
 * Finds the code of all loaded eval files: at once from what is kept, which `quietly` reads, or else in a thread of its own,
 * so that evaluations are not held up. Calls `onCode` with what is found; rejects if it cannot.
 */
export async function findCode(
  catalogue: ImportedEvaluations,
  options: FindCodeOptions,
  quietly: <Result>(work: () => Result) => Result,
  onCode: (code: FoundCode) => void,
): Promise<void> {
  const { cache, statelessPackages } = options;
  const loaded = quietly(() => ({ ...loadedCode(catalogue), cache, statelessPackages }));
  const known = quietly(() => findKnownCodes(loaded));
  if (known === undefined) return findInThread(loaded, onCode);
  onCode(known);
}

function findInThread(loaded: LoadedCode, onCode: (code: FoundCode) => void): Promise<void> {
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

/** What has been loaded so far. */
function loadedCode(catalogue: ImportedEvaluations): Omit<LoadedCode, keyof FindCodeOptions> {
  const files = [...catalogue.evaluationsByFile()].flatMap(([file, evaluations]): LoadedFile[] => {
    const code = catalogue.codeOfFile(file);
    const [own] = catalogue.modules.get(file) ?? [];
    return code && own ? [{ file, path: own.file, code, evaluations }] : [];
  });
  const modules = new Map([...catalogue.modules.values()].flat().map((one) => [one.file, one]));
  return {
    ...{ files, modules: [...modules.values()], folder: catalogue.folder },
    packageImports: importsOfPackages(),
    surroundings: surroundings(),
  };
}
