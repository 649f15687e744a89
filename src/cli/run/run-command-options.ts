import type { ExecutionSettings } from '../../runner/runner.js';
import type { Settings } from '../../settings/settings.js';
import type { RunFlags } from './run-flags.js';

/** What `assay run` was called with. */
export interface RunCommandOptions {
  readonly paths: readonly string[];
  readonly flags: RunFlags;
  readonly settings: Settings;
  readonly addedEnv: { readonly [name: string]: string };
  readonly json: boolean;
}

/** How evaluations are run, by the flags and a run config. */
export function executionSettings(
  { flags, settings }: RunCommandOptions,
  config: ExecutionSettings['config'],
): ExecutionSettings {
  return {
    config,
    workers: flags.workers ?? 1,
    streamLogs: flags.verbose ?? settings.effective('verbose').value,
  };
}
