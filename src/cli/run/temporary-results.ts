import { rmSync } from 'node:fs';
import { makeTemporaryFolder } from '../../files/temporary-folder.js';
import { openStore } from '../../store/store.js';
import type { StoredRun } from '../../store/stored-run.js';
import { cleanOnSignal } from '../signals.js';

/** The results directory of a run that is not saved. */
export interface TemporaryResults {
  readonly folder: string;
  /** Stops handling signals; the folder is still removed when the process exits. */
  leaveSignals(): void;
  remove(): void;
}

/** Creates a folder that is removed at the latest when the process ends, also by a signal. */
export function makeTemporaryResults(): TemporaryResults {
  const folder = makeTemporaryFolder();
  const removeFolder = () => {
    try {
      // A file that is being saved may appear meanwhile.
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 10 });
    } catch {
      // The system removes temporary files eventually.
    }
  };
  process.once('exit', removeFolder);
  const leaveSignals = cleanOnSignal(removeFolder);
  return {
    folder,
    leaveSignals,
    remove: () => {
      leaveSignals();
      process.off('exit', removeFolder);
      removeFolder();
    },
  };
}

/** Runs that are made of exported run JSON, until it is closed. */
export interface ScratchRuns {
  /** Errors: those of `Store.importRun`. */
  add(document: unknown): Promise<StoredRun>;
  close(): Promise<void>;
}

/** Opens a temporary results directory for runs that are only read. */
export async function openScratch(): Promise<ScratchRuns> {
  const temporary = makeTemporaryResults();
  const store = await openStore(temporary.folder);
  const opened: StoredRun[] = [];
  return {
    add: async (document) => {
      const { run_id } = await store.importRun(document);
      const run = await store.openRun(run_id);
      opened.push(run);
      return run;
    },
    close: async () => {
      for (const run of opened) await run.close();
      temporary.remove();
    },
  };
}

/** What a document says that is rendered in pieces. */
export async function parsed(pieces: AsyncIterable<string>): Promise<unknown> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return JSON.parse(text);
}
