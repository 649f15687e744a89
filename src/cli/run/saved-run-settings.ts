import type { ExecutionSettings } from '../../runner/runner-dependencies.js';
import { savedRunConfig } from '../../runner/saved-run/saved-run-config.js';
import type { StoredRun } from '../../store/stored-run.js';
import { executionSettings, type RunCommandOptions } from './run-command-options.js';

/**
 * The settings for running a saved run again: its own config or another one, and the flags. Errors: those of
 * `savedRunConfig`.
 */
export function savedRunSettings(
  { header }: StoredRun,
  options: RunCommandOptions,
  configName?: string,
): ExecutionSettings {
  return executionSettings(options, savedRunConfig(header, options.settings, configName));
}
