import type { ExecutionSettings } from '../../runner/runner.js';
import { savedRunConfig } from '../../runner/saved-run-config.js';
import type { StoredRun } from '../../store/stored-run.js';
import { executionSettings, type RunCommandOptions } from './run-command-options.js';

/** How a saved run is run again, by its own config or another, and the flags. Errors: those of `savedRunConfig`. */
export function savedRunSettings(
  { header }: StoredRun,
  options: RunCommandOptions,
  configName?: string,
): ExecutionSettings {
  return executionSettings(options, savedRunConfig(header, options.settings, configName));
}
