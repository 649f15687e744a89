import { savedRunConfig } from '../../runner/planning/stored-request.js';
import type { ExecutionSettings } from '../../runner/runner-dependencies.js';
import type { Settings } from '../../settings/settings.js';
import type { StoredRun } from '../../store/stored-run.js';
import type { RunFlags } from './run-flags.js';
import type { AskedVariants } from './variant-flags.js';

/** Arguments of `assay run`. */
export interface RunCommandOptions {
  readonly paths: readonly string[];
  readonly flags: RunFlags;
  readonly settings: Settings;
  readonly addedEnv: { readonly [name: string]: string };
  readonly json: boolean;
  /** What `--param`, `--run-config` and `--variants` ask for; absent for a run without. */
  readonly variants?: AskedVariants;
}

export function executionSettings(
  { flags, settings }: RunCommandOptions,
  config: ExecutionSettings['config'],
): ExecutionSettings {
  return {
    config,
    workers: flags.workers,
    streamLogs: settings.effective('verbose').value,
  };
}

/**
 * The settings for running a saved run again: its own config or another one, and the flags. Errors: those of
 * `savedRunConfig`.
 */
export function savedRunSettings(
  { header }: StoredRun,
  options: RunCommandOptions,
  configName?: string,
): ExecutionSettings {
  return executionSettings(
    options,
    savedRunConfig(header, options.settings, process.env, configName),
  );
}
