import { AssayError } from '../errors.js';
import type { ExecutionSettings } from '../runner/runner.js';
import { parseStoredRequest } from '../runner/stored-request.js';
import { type ResolvedRunConfig, resolveRunConfig } from '../settings/run-configs.js';
import type { StoredRun } from '../store/stored-run.js';
import { executionSettings, type RunCommandOptions } from './run-command-options.js';

/**
 * How a saved run is run again: with its own config, or another by name, and with the flags it was started with
 * unless new ones are given. Error: `bad-request` when there is no such config.
 */
export function savedRunSettings(
  run: StoredRun,
  options: RunCommandOptions,
  configName?: string,
): ExecutionSettings {
  const config =
    configName === undefined
      ? ownConfig(run, options)
      : resolveRunConfig(options.settings, configName);
  const kept = parseStoredRequest(run.header.selection).flags;
  const timeout = config.timeout.flag ?? kept.timeout;
  const trials = config.trials.flag ?? kept.trials;
  return executionSettings(options, {
    ...config,
    timeout: { base: config.timeout.base, ...(timeout === undefined ? {} : { flag: timeout }) },
    trials: { base: config.trials.base, ...(trials === undefined ? {} : { flag: trials }) },
  });
}

function ownConfig({ header }: StoredRun, { settings }: RunCommandOptions): ResolvedRunConfig {
  const { config_name: name, run_name, run_id } = header;
  if (settings.runConfigs.some((config) => config.name === name)) {
    return resolveRunConfig(settings, name);
  }
  const names = settings.runConfigs.map((config) => config.name).join(', ');
  throw new AssayError(
    'bad-request',
    `${run_name} was run with the run config ${JSON.stringify(name)}, which is not in ${settings.file} any more.`,
    {
      hints: [
        `With another one it is a new run: assay run --rerun ${run_id} --run-config NAME`,
        `Run configs: ${names}.`,
      ],
    },
  );
}
