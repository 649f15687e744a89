import { rmSync } from 'node:fs';
import { makeTemporaryFolder } from '../../files/temporary-folder.js';
import { cleanOnSignal } from '../signals.js';

/** Holds the results of a run that is not kept. */
export interface TemporaryResults {
  readonly folder: string;
  /** From now on somebody else answers signals; the folder still goes when the process exits. */
  leaveSignals(): void;
  remove(): void;
}

/** Makes a folder that is removed at the latest when the process ends, by a signal too. */
export function makeTemporaryResults(): TemporaryResults {
  const folder = makeTemporaryFolder('assay-');
  const removeFolder = () => {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // The system clears its temporary files; the run is none the worse.
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
