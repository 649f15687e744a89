import childProcess from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { syncBuiltinESMExports } from 'node:module';
import { type Functions, patchFunction } from './patch-function.js';

/** Calls `notice` when a process or a worker is started, in whatever way and by whatever package. */
export function watchProcesses(notice: (hazard: string) => void): void {
  const onProcess = () => notice('starts a process');
  subscribe('child_process', onProcess);
  subscribe('worker_threads', () => notice('starts a worker'));
  // Node announces no others.
  for (const name of ['spawnSync', 'execSync', 'execFileSync']) {
    patchFunction(childProcess as unknown as Functions, name, onProcess);
  }
  syncBuiltinESMExports();
}
