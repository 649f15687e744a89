import type { ExecutionSettings } from '../../runner/runner-dependencies.js';
import type { Settings } from '../../settings/settings.js';
import type { RunFlags } from './run-flags.js';

/** Arguments of `assay run`. */
export interface RunCommandOptions {
  readonly paths: readonly string[];
  readonly flags: RunFlags;
  readonly settings: Settings;
  readonly addedEnv: { readonly [name: string]: string };
  readonly json: boolean;
}

/** The execution settings from the flags and a run config. */
export function executionSettings(
  { flags, settings }: RunCommandOptions,
  config: ExecutionSettings['config'],
): ExecutionSettings {
  return {
    config,
    workers: flags.workers ?? 1,
    streamLogs: settings.effective('verbose').value,
  };
}
