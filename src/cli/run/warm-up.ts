import { loadPrices } from '../../model-calls/prices.js';
import type { RunOutput } from './run-output.js';

/**
 * Prepares for later steps of a run while its files are being imported and this process is idle. A run that records or
 * replays calls has calls to price.
 */
export function prepareRun(output: RunOutput, recordsCalls: boolean): void {
  delayOptimising();
  // Slow to load; needed for names and locks of runs.
  process.getBuiltinModule('node:crypto');
  // A module that cannot be loaded is reported when it is needed.
  output.prepareReport().catch(() => undefined);
  // While it is being loaded, hosts could not report anything.
  if (recordsCalls) void loadPrices();
}

/** On Node 20, delays the optimising compiler, which would take processor time from the host. */
function delayOptimising(): void {
  if (!process.versions.v8.startsWith('11.')) return;
  process.getBuiltinModule('node:v8').setFlagsFromString('--interrupt-budget=400000');
}
