import { rmSync } from 'node:fs';
import { makeTemporaryFolder } from '../../files/temporary-folder.js';
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
