import type { RunOutput } from './run-output.js';

/** Does ahead what a run needs later. For the time when its files are being imported: there is nothing else to do. */
export function prepareRun(output: RunOutput): void {
  delayOptimising();
  // What names and locks runs takes a while to load.
  process.getBuiltinModule('node:crypto');
  // What cannot be loaded will be missed, and told, when it is needed.
  output.prepareReport().catch(() => undefined);
}

/** On Node 20 the compiler that makes hot code fast starts so early that it takes processor time from the host. */
function delayOptimising(): void {
  if (!process.versions.v8.startsWith('11.')) return;
  process.getBuiltinModule('node:v8').setFlagsFromString('--interrupt-budget=400000');
}
